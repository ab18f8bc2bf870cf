// Builds the box's web pages (the technician's page, the kitchen display), each for itself, into dist/web, for the gateway to serve from disk or from inside its executable.
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { contents, packed } from './scripts/web-build/plugins.ts'

const at = (path: string): string => new URL(path, import.meta.url).pathname

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
  plugins: [preact, react(), contents('dist/web-contents'), packed],
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
