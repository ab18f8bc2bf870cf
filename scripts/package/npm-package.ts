// Makes the npm package `ticketrail` (the client of the API with its types, and the command line; without dependencies): the folder dist/npm, and its tarball dist/ticketrail.tgz, which the relay serves.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type BuildOptions, build } from 'esbuild'
import { VERSION } from '#shared/version.ts'
import { foldersOf, shippedParts, thirdPartyNotices } from './notices.ts'

const ROOT = new URL('../../', import.meta.url).pathname
export const NPM_FOLDER = join(ROOT, 'dist/npm')
/** The relay serves it as /docs/ticketrail.tgz (cloud/api/docs-routes.ts). */
const NPM_TARBALL = join(ROOT, 'dist/ticketrail.tgz')
const COMMAND_LINE = 'cloud/cli/main.ts'

/** Bytes that a page or a worker loads for `import { Ticketrail } from 'ticketrail'`, minified and gzipped. */
export const CLIENT_LIMIT = 3_200
/** Bytes of the tarball. */
export const PACKAGE_LIMIT = 90_000

/** What `import ... from 'ticketrail'` gives. */
const INDEX = `export { Ticketrail } from './client.ts'
export { AuthError, ConflictError, ConnectionError, isTotalMismatch, NotFoundError, RateLimitError, ServerError, TicketrailError, ValidationError } from './error.ts'
export { orderTotal } from './order-total.ts'
export type { TicketrailOptions } from './client.ts'
export type { Answer, AnswerFacts, CallOptions, FileAnswer, List, Page, PrintAnswer } from './answer.ts'
export type { ClientErrorCode } from './error.ts'
export type { EventPage, FollowQuery } from './pages.ts'
export type * from './api.ts'
`

const SHARED: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  logLevel: 'error',
}

/**
 * Builds the package again in `folder`.
 * @returns bytes of the client, minified and gzipped. @throws when the client is larger than it may be, or tsc refuses it
 */
export async function buildNpmPackage(folder = NPM_FOLDER): Promise<number> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const stdin = { contents: INDEX, resolveDir: join(ROOT, 'shared/sdk'), loader: 'ts' as const }
  await build({ ...SHARED, stdin, outfile: join(folder, 'index.js') })
  await build({ ...SHARED, entryPoints: ['shared/sdk/webhooks.ts'], outfile: join(folder, 'webhooks.js') })
  declarations(folder)
  const hasCommandLine = await commandLine(folder)
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  writeFileSync(join(folder, 'README.md'), readme())
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(hasCommandLine), null, 2)}\n`)
  return clientBytes(folder)
}

function manifest(hasCommandLine: boolean): object {
  return {
    name: 'ticketrail',
    version: VERSION,
    description:
      'Client and command line of Ticketrail: send restaurant orders to the kitchen printer, and verify webhooks',
    license: 'Apache-2.0',
    keywords: ['restaurant', 'orders', 'kitchen', 'printing', 'webhooks', 'api'],
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.3' },
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './webhooks': { types: './webhooks.d.ts', default: './webhooks.js' },
      './package.json': './package.json',
    },
    ...(hasCommandLine ? { bin: { ticketrail: './bin/ticketrail.js' } } : {}),
  }
}

/** By tsc, one file for each file of the client. Their imports name .js files, as older versions of TypeScript want it. */
function declarations(folder: string): void {
  const work = join(folder, 'declarations')
  mkdirSync(work, { recursive: true })
  const project = join(work, 'tsconfig.json')
  const compilerOptions = {
    ...{ noEmit: false, emitDeclarationOnly: true, declaration: true, isolatedModules: false },
    ...{ rootDir: join(ROOT, 'shared'), outDir: work, typeRoots: [join(ROOT, 'node_modules/@types')] },
  }
  const files = ['client.ts', 'order-total.ts', 'webhooks.ts'].map((file) => join(ROOT, 'shared/sdk', file))
  writeFileSync(project, JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] }))
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project], { stdio: 'inherit' })
  const made = readdirSync(join(work, 'sdk')).map(
    (file) => [file, readFileSync(join(work, 'sdk', file), 'utf8')] as const,
  )
  for (const [file, text] of [...made, ['index.d.ts', INDEX] as const]) {
    const published = text.replaceAll(/(['"])(\.\/[\w-]+)\.ts\1/g, '$1$2.js$1')
    if (published.includes('#shared/')) throw new Error(`${file} needs a type from outside of shared/sdk`)
    writeFileSync(join(folder, file), published)
  }
  rmSync(work, { recursive: true, force: true })
}

/** The command line in one file with all that it needs, and the licences of what is not ours. @returns false: there is none yet */
async function commandLine(folder: string): Promise<boolean> {
  if (!existsSync(join(ROOT, COMMAND_LINE))) return false
  const { metafile } = await build({
    ...SHARED,
    entryPoints: [COMMAND_LINE],
    outfile: join(folder, 'bin/ticketrail.js'),
    platform: 'node',
    target: 'node20.3',
    minify: true,
    metafile: true,
    banner: {
      js: "#!/usr/bin/env node\nimport{createRequire}from'node:module';const require=createRequire(import.meta.url);",
    },
  })
  const parts = shippedParts(ROOT, foldersOf(Object.keys(metafile.inputs)), [])
  if (parts.length > 0) {
    writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), thirdPartyNotices(parts, 'the Ticketrail command line'))
  }
  return true
}

/** The guide, with links that lead to the repository's files as plain words: the package does not have them. */
function readme(): string {
  return readFileSync(join(ROOT, 'docs/guides/sdk.md'), 'utf8').replaceAll(/\[([^\]]+)\]\((?!https?:|#)[^)]*\)/g, '$1')
}

async function clientBytes(folder: string): Promise<number> {
  const contents = `export { Ticketrail } from './index.js'`
  const stdin = { contents, resolveDir: folder }
  const { outputFiles } = await build({ ...SHARED, stdin, minify: true, write: false })
  const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
  if (bytes > CLIENT_LIMIT) throw new Error(`the client is ${bytes} bytes gzipped; it may be ${CLIENT_LIMIT}`)
  return bytes
}

/**
 * Packs the folder by `npm pack`, which writes the same bytes for the same files at any time. A reader finds the tarball before it or the new one,
 * never half of one.
 * @throws when there is no npm
 */
export function packNpmPackage(folder = NPM_FOLDER, tarball = NPM_TARBALL): void {
  mkdirSync(dirname(tarball), { recursive: true })
  const work = mkdtempSync(`${tarball}-`)
  try {
    execFileSync('npm', ['pack', folder, '--pack-destination', work, '--ignore-scripts', '--offline', '--silent'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [made = ''] = readdirSync(work)
    renameSync(join(work, made), tarball)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const bytes = await buildNpmPackage()
  packNpmPackage()
  process.stdout.write(
    `dist/npm and dist/ticketrail.tgz: ticketrail ${VERSION}, the client is ${bytes} bytes gzipped\n`,
  )
}
