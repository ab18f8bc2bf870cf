// Shared by the builds of the web pages: files compressed once, and a list of the included packages.
import { mkdirSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { gzipAsync } from '@gfx/zopfli'
import type { Plugin } from 'vite'

const ROOT = new URL('../../', import.meta.url).pathname
const WORTH_PACKING_BYTES = 1_024

/** Files are compressed once, here, and not by a small box at each request: there is time to find the shortest gzip (Zopfli: 3 % less). */
export const packed: Plugin = {
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

/** Notes what went into each page, for the notices of others' work: scripts/package/notices.ts. @param folder where to, from the project's folder */
export function contents(folder: string): Plugin {
  return {
    name: 'contents',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      mkdirSync(`${ROOT}${folder}`, { recursive: true })
      const paths = files.map((file) => file.slice(ROOT.length)).filter((path) => path.startsWith('node_modules/'))
      writeFileSync(`${ROOT}${folder}/${this.environment.name}.json`, JSON.stringify([...new Set(paths)].sort()))
    },
  }
}
