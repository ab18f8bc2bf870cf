// Gets a fresh clone ready to run: installs the packages of package-lock.json when they are missing or stale, and finds Node 24.
// Plain JavaScript, because it runs on the machine's own Node (20 or newer) before anything is installed.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MODULES = join(ROOT, 'node_modules')
const NEEDED_MAJOR = 24
/** Lines of npm's own output that are shown when it fails. */
const SHOWN_LINES = 12

/** A failure that is told in one paragraph, without a stack. */
export class PlainError extends Error {}

/**
 * Installs when needed, then returns the Node to run TypeScript with.
 * @param {{install: boolean}} options `install: false` never calls npm.
 * @returns {Promise<string>} path of a Node 24 or newer
 */
export async function bootstrap({ install }) {
  const missing = staleReason()
  if (missing && !install) throw new PlainError(`${missing} Run \`npm ci\` first, or leave out --no-install.`)
  if (missing) await npmCi(missing)
  return findNode()
}

/**
 * Why node_modules does not match package-lock.json, or null when it does. npm writes node_modules/.package-lock.json last,
 * so an interrupted installation is found too. Optional packages of other platforms may be absent.
 */
export function staleReason() {
  const wanted = packagesOf(join(ROOT, 'package-lock.json'))
  if (!wanted) throw new PlainError('package-lock.json is missing: is this a complete copy of the project?')
  const installed = packagesOf(join(MODULES, '.package-lock.json'))
  if (!installed) return 'The packages are not installed yet.'
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '' || entry.link) continue
    const present = installed[path]
    if (!present && entry.optional) continue
    if (present?.version !== entry.version || !existsSync(join(ROOT, path)))
      return `The installed packages are out of date (${path.replace('node_modules/', '')}).`
  }
  return null
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null
  } catch {
    return null
  }
}

/** Node from node_modules (pinned by the lock file), else the running one when it is new enough. */
function findNode() {
  const own = join(MODULES, '.bin', 'node')
  if (existsSync(own)) return own
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) return process.execPath
  throw new PlainError(
    `Node ${NEEDED_MAJOR} is needed and this is Node ${process.versions.node}. It comes with the packages on 64-bit Linux ` +
      `(x64, arm64); here it is missing (${process.platform} ${process.arch}). Delete node_modules and run this again, or ` +
      `install Node ${NEEDED_MAJOR} or newer yourself.`,
  )
}

/** Runs `npm ci` and says every second how far it is. No package may run install scripts: none of ours needs one. */
async function npmCi(reason) {
  const paths = packagesToCount()
  const startedMs = performance.now()
  const flags = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  process.stdout.write(`${reason} Installing ${paths.length} packages with npm ci (about 950 MB on disk, once).\n`)
  const { command, args } = npmCommand()
  const child = spawn(command, [...args, ...flags, '--loglevel=error', '--progress=false'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk) => {
    output = (output + chunk).slice(-20_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const progress = showProgress(() => ({
    done: paths.filter((path) => existsSync(join(ROOT, path, 'package.json'))).length,
    total: paths.length,
    seconds: Math.round((performance.now() - startedMs) / 1_000),
  }))
  const ended = await endOf(child)
  progress.end(ended.code === 0)
  if (ended.code !== 0) throw npmFailure(ended, output)
}

function packagesToCount() {
  return Object.entries(packagesOf(join(ROOT, 'package-lock.json')) ?? {})
    .filter(([path, entry]) => path !== '' && !(entry.optional && !platformFits(entry)))
    .map(([path]) => path)
}

/** Optional packages that name no system belong to others that do not fit either (WebAssembly builds). */
function platformFits(entry) {
  const fits = (list, value) => [list ?? []].flat().includes(value)
  const glibc = !entry.libc || entry.libc.includes('glibc')
  return fits(entry.os, process.platform) && fits(entry.cpu, process.arch) && glibc
}

/** The npm that called us, else the one on the path. */
function npmCommand() {
  const cli = process.env.npm_execpath
  if (cli?.endsWith('.js') && /npm/.test(cli)) return { command: process.execPath, args: [cli] }
  return { command: 'npm', args: [] }
}

function npmFailure(ended, output) {
  if (ended.error?.code === 'ENOENT') return new PlainError('npm is not installed. Install Node 20 or newer with npm.')
  const told = output.split('\n').filter((line) => /^npm error \S/.test(line) && !/complete log of this run/.test(line))
  const lines = (told.length > 0 ? told : output.trim().split('\n').slice(-SHOWN_LINES)).slice(0, SHOWN_LINES)
  const network = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(output)
  const advice = network
    ? 'The package registry cannot be reached. Check the network (or `npm config get registry`) and run this again.'
    : 'See the lines of npm above. After a fix, run this again.'
  return new PlainError(
    `${lines.join('\n')}\n\nnpm ci failed (${ended.signal ?? `exit code ${ended.code}`}). ${advice}`,
  )
}

/** A line that is rewritten on a terminal and repeated every 5 s elsewhere. */
function showProgress(read) {
  const terminal = process.stdout.isTTY
  const text = () => {
    const { done, total, seconds } = read()
    return `  installed ${done} of ${total} packages, ${seconds} s`
  }
  const timer = setInterval(
    () => process.stdout.write(terminal ? `\r\u001b[2K${text()}` : `${text()}\n`),
    terminal ? 500 : 5_000,
  )
  return {
    end(good) {
      clearInterval(timer)
      process.stdout.write(`${terminal ? '\r\u001b[2K' : ''}${text()}${good ? ', done.' : ', failed.'}\n`)
    },
  }
}

/** Resolves when the child has ended, also when it could not be started. */
export function endOf(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, signal: null, error }))
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
}

/** The exit code that a shell would give. */
export function exitCodeOf({ code, signal }) {
  return signal ? 128 + (constants.signals[signal] ?? 1) : (code ?? 1)
}

/** Environment in which `node` and the installed tools are ours. */
export function environmentWith(node) {
  const path = [join(MODULES, '.bin'), dirname(node), process.env.PATH ?? ''].join(delimiter)
  return { ...process.env, PATH: path }
}

/** Runs a script's main function and turns a PlainError into one clear message and exit code 1. */
export async function runMain(main) {
  try {
    process.exitCode = await main(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof PlainError)) throw error
    process.stderr.write(`\n${error.message}\n`)
    process.exitCode = 1
  }
}
