// The web pages of the box and of the cloud, built when they are missing or older than what they are made of. Plain JavaScript: `npm start` calls it on any Node.
import { spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { endOf, ROOT } from './bootstrap.mjs'

/** What all are made of. */
const SHARED = ['shared', 'scripts/web-build', 'package-lock.json']
const BUILDS = [
  { config: 'vite.config.ts', built: 'dist/web/admin.html', sources: ['gateway/web'] },
  { config: 'vite.cloud.config.ts', built: 'dist/cloud-web/dashboard.html', sources: ['cloud/web', 'cloud/control'] },
]

/** @returns {Promise<boolean>} false when building failed: the gateway then has its plain status page only, and the cloud no dashboard */
export async function ensureWebPages(env) {
  const old = BUILDS.filter(({ config, built, sources }) => {
    const newestSource = Math.max(...[config, ...sources, ...SHARED].map((path) => newestOf(join(ROOT, path))))
    return newestOf(join(ROOT, built)) <= newestSource
  })
  if (old.length === 0) return true
  process.stdout.write('Building the web pages (up to half a minute) ...\n')
  const vite = join(ROOT, 'node_modules', '.bin', 'vite')
  const ends = await Promise.all(
    old.map(({ config }) => {
      const args = ['build', '--config', config, '--logLevel', 'error']
      return endOf(spawn(vite, args, { cwd: ROOT, stdio: 'inherit', env }))
    }),
  )
  return ends.every(({ code }) => code === 0)
}

/** When the file, or anything in the folder, was changed last; 0 when it is not there. Milliseconds. */
function newestOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0
  return Math.max(0, ...readdirSync(path).map((name) => newestOf(join(path, name))))
}
