// Our programs, each bundled once a run for the tests that start them: a start from the sources costs twice the processor time.
import { createHash, randomUUID } from 'node:crypto'
import { globSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin, stop } from 'esbuild'
import { systemClock } from '#shared/clock.ts'
import { moduleOf, PROGRAMS } from './compiled-code.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const FOLDER = join(ROOT, 'node_modules/.cache/ticketrail-tests/built')
/** They run in threads of their own, and start as often as a copy of a database is made. */
const THREADS = ['cloud/backup/file-worker.ts', 'cloud/storage/sqlite/check-worker.ts']
const KEPT_MS = 24 * 3_600_000
const HERE = 'import.meta.url'
const THREAD_FILE = /new URL\('([^']+)', import\.meta\.url\)/g

/** Of everything that goes into the bundles. */
const SOURCES = ['{shared,gateway,cloud}/**/*.{ts,mjs,json}', 'package-lock.json', 'test/harness/built-programs.ts']
const NO_SOURCES = ['{gateway,cloud}/web/**', '**/*.test.ts']

/**
 * Global setup of the projects that start programs. Every run looks whether the sources are still those of the bundles.
 * @returns what ends it
 */
export async function setup(): Promise<() => void> {
  if (process.env['TEST_PROGRAMS'] !== undefined) return () => {}
  process.env['TEST_PROGRAMS'] = await bundles()
  return () => {
    delete process.env['TEST_PROGRAMS']
  }
}

/** @returns the folder of the bundles of the sources as they are now */
async function bundles(): Promise<string> {
  const folder = join(FOLDER, await fingerprint())
  if (isThere(folder)) return folder
  const work = join(FOLDER, `work-${randomUUID()}`)
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...PROGRAMS, ...THREADS],
    outdir: work,
    outbase: ROOT,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What is imported only when it is needed is read only then.
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // Logs and answers name classes.
    keepNames: true,
    // A comment with one letter beyond Latin-1 doubles the memory of its file: without them a start takes an eighth less processor time.
    minifyWhitespace: true,
    legalComments: 'none',
    // One is native, one is loaded by paths into its folder, one is not installed.
    external: ['better-sqlite3', 'prom-client', 'pg-native'],
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`,
    },
    plugins: [sourcesKeepTheirPlaces(folder), packagesOfLater],
    logLevel: 'error',
  })
  await stop()
  try {
    renameSync(work, folder)
  } catch (error) {
    rmSync(work, { recursive: true })
    // Another run was quicker.
    if (!isThere(folder)) throw error
  }
  removeOld()
  return folder
}

async function fingerprint(): Promise<string> {
  // A bundle holds whole paths: one that was copied here with its packages is another tree's.
  const hash = createHash('sha256').update(`${ROOT}\0`)
  for (const file of globSync(SOURCES, { cwd: ROOT, exclude: NO_SOURCES }).sort())
    hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex').slice(0, 32)
}

/** Node reads those that our code imports by `import()`: of a CommonJS package, what esbuild splits off has no names. */
const packagesOfLater: Plugin = {
  name: 'packages of later',
  setup({ onResolve }) {
    onResolve({ filter: /^[^.#/]/ }, ({ path, kind, importer }) =>
      kind === 'dynamic-import' && !importer.includes('/node_modules/') ? { path, external: true } : null,
    )
  },
}

/**
 * What a source finds beside itself (pages, fonts, workers in plain JavaScript), it finds from its bundle, too. Threads begin in the bundle.
 * @param folder where the bundles will stand
 */
function sourcesKeepTheirPlaces(folder: string): Plugin {
  const bundled = new Map(THREADS.map((file) => [pathToFileURL(join(ROOT, file)).href, join(folder, moduleOf(file))]))
  return {
    name: 'sources keep their places',
    setup({ onLoad }) {
      onLoad({ filter: /\/(shared|gateway|cloud)\/.*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        if (path.includes('/node_modules/') || !text.includes(HERE)) return null
        const here = pathToFileURL(path).href
        const contents = text
          .replace(THREAD_FILE, (whole, name) => {
            const thread = bundled.get(new URL(name, here).href)
            return thread === undefined ? whole : `new URL('${pathToFileURL(thread).href}')`
          })
          .replaceAll(HERE, JSON.stringify(here))
        return { contents, loader: 'ts' }
      })
    },
  }
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

/** Those of sources that are no more. Another run may have begun with them. */
function removeOld(): void {
  const oldest = systemClock.now() - KEPT_MS
  for (const name of readdirSync(FOLDER)) {
    const path = join(FOLDER, name)
    const mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? oldest
    if (mtimeMs < oldest) rmSync(path, { recursive: true, force: true })
  }
}
