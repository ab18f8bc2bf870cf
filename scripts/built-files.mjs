// What the relay and the box serve and Node cannot run as it is (their web pages, and the npm package), built when it is missing or older than what it is made of. Plain JavaScript: `npm start` calls it on any Node.
import { spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { endOf, ROOT } from './bootstrap.mjs'

/** @param {string} config @param {string} built @param {string[]} sources */
const page = (config, built, sources) => ({
  built,
  sources: [config, 'scripts/web-build', ...sources],
  command: [join(ROOT, 'node_modules', '.bin', 'vite'), 'build', '--config', config, '--logLevel', 'error'],
})
/** What all are made of. */
const SHARED = ['shared', 'package-lock.json']
const BUILDS = [
  page('vite.config.ts', 'dist/web/admin.html', ['gateway/web']),
  page('vite.cloud.config.ts', 'dist/cloud-web/dashboard.html', ['cloud/web', 'cloud/control']),
  {
    built: 'dist/ticketrail.tgz',
    sources: ['scripts/package', 'cloud/cli', 'docs/guides/sdk.md', 'LICENSE'],
    command: ['node', 'scripts/package/npm-package.ts'],
  },
]

/** @returns {Promise<boolean>} false when building failed: the gateway then has its plain status page only, the relay no dashboard or no npm package */
export async function ensureBuilt(env) {
  const old = BUILDS.filter(({ built, sources }) => {
    const newestSource = Math.max(...[...sources, ...SHARED].map((path) => newestOf(join(ROOT, path))))
    return newestOf(join(ROOT, built)) <= newestSource
  })
  if (old.length === 0) return true
  process.stdout.write('Building the web pages and the npm package (up to half a minute) ...\n')
  const ends = await Promise.all(
    old.map(({ command: [program, ...args] }) =>
      endOf(spawn(program, args, { cwd: ROOT, stdio: ['inherit', 'ignore', 'inherit'], env })),
    ),
  )
  return ends.every(({ code }) => code === 0)
}

/** When the file, or anything in the folder, was changed last; 0 when it is not there. Milliseconds. */
function newestOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0
  return Math.max(0, ...readdirSync(path).map((name) => newestOf(join(path, name))))
}
