// Builds the box's web pages (the technician's page, the kitchen display), each for itself, into dist/web, for the gateway to serve from disk or from inside its executable.
import { mkdirSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { gzipAsync } from '@gfx/zopfli'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const at = (path: string): string => new URL(path, import.meta.url).pathname

const WORTH_PACKING_BYTES = 1_024

/** Files packed once, here, and not by a small box at each request: there is time to look for the shortest gzip (Zopfli: 3 % less). */
const packed: Plugin = {
  name: 'packed',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source)
        if (bytes.length < WORTH_PACKING_BYTES) continue
        const source = await gzipAsync(bytes, { numiterations: 5 })
        if (!gunzipSync(source).equals(bytes)) throw new Error(`${file.fileName} was packed wrongly`)
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source })
      }
    },
  },
}

/** Notes what went into each page, for the notices of others' work: scripts/package/notices.ts. */
const contents: Plugin = {
  name: 'contents',
  generateBundle(_options, bundle) {
    const files = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    const folder = at('./dist/web-contents')
    mkdirSync(folder, { recursive: true })
    const paths = files.map((file) => file.slice(at('./').length)).filter((path) => path.startsWith('node_modules/'))
    writeFileSync(`${folder}/${this.environment.name}.json`, JSON.stringify([...new Set(paths)].sort()))
  },
}

/** The display is drawn by Preact, which takes a tenth of React's bytes: docs/decisions/0069-the-display-is-drawn-by-preact.md. */
const INSTEAD_OF_REACT: Readonly<Record<string, string>> = {
  react: 'preact/compat',
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react/jsx-runtime': 'preact/jsx-runtime',
}
const preact: Plugin = {
  name: 'preact',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'kitchen',
  resolveId(id, importer, options) {
    const instead = INSTEAD_OF_REACT[id]
    return instead === undefined ? null : this.resolve(instead, importer, { ...options, skipSelf: true })
  },
}

export default defineConfig({
  root: at('./gateway/web'),
  // Pages are opened below /admin/ and /kitchen/: a relative address would be looked for there.
  base: '/',
  publicDir: false,
  plugins: [preact, react(), contents, packed],
  resolve: { alias: { '#shared': at('./shared') } },
  build: {
    outDir: at('./dist/web'),
    emptyOutDir: true,
    // Browsers without it fetch a module when it is asked for: the kitchen's page has no byte to give away.
    modulePreload: { polyfill: false },
    // Old tablets hang in kitchens; what the kitchen display needs beyond this it must ask for.
    target: ['chrome70', 'safari13'],
    // Mantine's styles need newer browsers anyway; made for older ones they grow by half. The display's are plain.
    cssTarget: ['chrome111', 'safari16.4'],
  },
  // Each page for itself: what both use would be a file of its own, in which the kitchen's old tablets get what only the other page needs.
  builder: {},
  environments: {
    client: { build: { rolldownOptions: { input: { admin: at('./gateway/web/admin.html') } } } },
    kitchen: {
      consumer: 'client',
      build: {
        emptyOutDir: false,
        modulePreload: false,
        rolldownOptions: { input: { kitchen: at('./gateway/web/kitchen.html') } },
      },
    },
  },
})
