// The box's web pages, built when they are missing or older than what they are made of. Plain JavaScript: `npm start` calls it on any Node.
import { spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { endOf, ROOT } from './bootstrap.mjs'

const BUILT = join(ROOT, 'dist', 'web', 'admin.html')
const SOURCES = ['gateway/web', 'shared', 'vite.config.ts', 'package-lock.json']

/** @returns {Promise<boolean>} false when building failed: the gateway then has its plain status page only */
export async function ensureWebPages(env) {
  if (newestOf(BUILT) > Math.max(...SOURCES.map((path) => newestOf(join(ROOT, path))))) return true
  process.stdout.write('Building the web pages (up to half a minute) ...\n')
  const vite = join(ROOT, 'node_modules', '.bin', 'vite')
  const { code } = await endOf(spawn(vite, ['build', '--logLevel', 'error'], { cwd: ROOT, stdio: 'inherit', env }))
  return code === 0
}

/** When the file, or anything in the folder, was changed last; 0 when it is not there. Milliseconds. */
function newestOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0
  return Math.max(0, ...readdirSync(path).map((name) => newestOf(join(path, name))))
}
