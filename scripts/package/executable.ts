// One executable of the gateway: its bundle and assets inside Node's own program, as Node's single executable application.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { buildSync } from 'esbuild'
import { inject } from 'postject'
import { unsafeSegments } from './check-elf.ts'
import { type Arch, nodeBinary, strip } from './node-binary.ts'

const SENTINEL = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
/** Without these, SIGUSR1 opens a debugger in a shipped box, and a small box's memory is spent on a large young generation. */
const NODE_FLAGS = [
  '--disable-sigusr1',
  '--disable-warning=DEP0169',
  '--max-old-space-size=192',
  '--max-semi-space-size=1',
]
/** Page sizes of Linux kernels: a Raspberry Pi 5 has 16 KiB. */
const PAGE_SIZES: Readonly<Record<Arch, readonly number[]>> = { x64: [4_096], arm64: [4_096, 16_384, 65_536] }

export interface ExecutableOptions {
  root: string
  /** Folder for what is made on the way. */
  work: string
  arch: Arch
  output: string
  /** Stripped Node program of this architecture; default: the registry's, held to the lock file. */
  node?: string
}

/** The gateway as one CommonJS file, the same for every architecture. The list of its sources is written to `<file>.meta.json`. */
export function bundleGateway(root: string, work: string): string {
  const outfile = join(work, 'gateway.cjs')
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: ['gateway/main.ts'],
    outfile,
    bundle: true,
    metafile: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minify: true,
    keepNames: true,
    legalComments: 'none',
    // CommonJS has none; what needs a place on disk asks `isSea()` first.
    define: { 'import.meta.url': 'undefined' },
    logLevel: 'error',
  })
  writeFileSync(`${outfile}.meta.json`, JSON.stringify(metafile))
  return outfile
}

/** Native half of SQLite, stripped. @returns its path */
export function sqliteAddonOf(root: string, work: string, arch: Arch): string {
  const addon = join(work, `better_sqlite3-${arch}.node`)
  copyFileSync(join(root, `node_modules/better-sqlite3/prebuilds/linux-${arch}.node`), addon)
  chmodSync(addon, 0o644)
  strip(addon, arch, ['--strip-unneeded'])
  return addon
}

/** @throws when the result could not run on a kernel with larger pages */
export async function buildExecutable(
  { root, work, arch, output, node }: ExecutableOptions,
  main: string,
  assets: Readonly<Record<string, string>>,
): Promise<void> {
  mkdirSync(work, { recursive: true })
  const blob = join(work, `${arch}.blob`)
  const config = join(work, `${arch}.sea.json`)
  const sea = {
    // It is stored in the executable as it is written here: a path from the root would reveal where it was built.
    main: relative(work, main),
    output: blob,
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    // A code cache is not the same twice.
    useCodeCache: false,
    execArgv: NODE_FLAGS,
    // NODE_OPTIONS of the caller must not change what was tested.
    execArgvExtension: 'none',
    assets,
  }
  writeFileSync(config, JSON.stringify(sea))
  execFileSync(process.execPath, ['--experimental-sea-config', config], {
    cwd: work,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  copyFileSync(node ?? nodeBinary(root, join(root, 'dist/cache'), arch), output)
  chmodSync(output, 0o755)
  await inject(output, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse: SENTINEL })
  for (const pageBytes of PAGE_SIZES[arch]) {
    const unsafe = unsafeSegments(output, pageBytes)
    if (unsafe.length > 0)
      throw new Error(`${output} cannot run with pages of ${pageBytes} bytes: ${unsafe.join('; ')}`)
  }
}
