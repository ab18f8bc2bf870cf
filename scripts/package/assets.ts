// The files inside the executable beside its code: the native half of SQLite, the drawing engine with its fonts, the web pages.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname, join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { buildSync } from 'esbuild'
import { packagedFiles } from '#shared/raster/raster-files.ts'
import { fontAssets } from './font-assets.ts'

/** Assets of an executable: their names, and the files that hold them. */
export type Assets = Readonly<Record<string, string>>

/** The drawing worker, where it is bundled. */
export const WORKER_FILE = 'raster-worker.cjs'

/** File types that are compressed. Browsers accept brotli only over https, and the box serves plain http: gzip. */
const TEXTS = new Set(['.css', '.html', '.js', '.json', '.svg', '.webmanifest'])
const WORTH_PACKING_BYTES = 1_000

/** How hard brotli tries: `small` for what is shipped; `quick`, a fifth of the time, for what is only tested. */
export type Packing = 'small' | 'quick'

/** The same for every architecture: drawing engine, its worker, fonts, web pages with a `.gz` of each text. */
export async function commonAssets(root: string, work: string, packing: Packing = 'small'): Promise<Assets> {
  const { engine, worker, fonts } = await packagedFiles()
  const [workerName, workerSource] = worker
  const workerFile = join(work, WORKER_FILE)
  const { metafile } = buildSync({
    entryPoints: [workerSource],
    outfile: workerFile,
    bundle: true,
    metafile: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minify: true,
    define: { 'import.meta.url': 'undefined' },
    logLevel: 'error',
  })
  writeFileSync(`${workerFile}.meta.json`, JSON.stringify(metafile))
  const [engineName, engineFile] = engine
  return {
    [engineName]: brotliOf(engineFile, work, packing),
    [workerName]: workerFile,
    ...(await fontAssets(fonts, work, (bytes) => brotli(bytes, packing))),
    ...webAssets(join(root, 'dist/web'), work),
  }
}

/** A packed copy of the file in `work`: the executable must stay small. @returns its path */
export function brotliOf(file: string, work: string, packing: Packing = 'small'): string {
  const packed = join(work, `${basename(file)}.br`)
  writeFileSync(packed, brotli(readFileSync(file), packing))
  return packed
}

function brotli(bytes: Uint8Array, packing: Packing): Uint8Array {
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    [constants.BROTLI_PARAM_QUALITY]: packing === 'small' ? 11 : 4,
  }
  return brotliCompressSync(bytes, { params })
}

/** `web/<path>` for every file that Vite made, in the order of their names, and `web/<path>.gz` for each text. */
function webAssets(folder: string, work: string): Assets {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
  const packed = join(work, 'web')
  mkdirSync(packed, { recursive: true })
  return Object.fromEntries(
    files.flatMap((path, index): [string, string][] => {
      const file = join(folder, path)
      const bytes = readFileSync(file)
      const isPacked = files.includes(`${path}.gz`)
      if (isPacked || !TEXTS.has(extname(path)) || bytes.length < WORTH_PACKING_BYTES) return [[`web/${path}`, file]]
      const gz = join(packed, `${index}.gz`)
      writeFileSync(gz, gzipSync(bytes, { level: 9 }))
      return [
        [`web/${path}`, file],
        [`web/${path}.gz`, gz],
      ]
    }),
  )
}
