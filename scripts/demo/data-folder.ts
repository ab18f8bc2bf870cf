// The demo's data folder: where each thing lies, and the lock that keeps a second starter out.
import { linkSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '#shared/parse-json.ts'
import { DemoError } from './demo-error.ts'
import { readIfThere } from './private-file.ts'

export interface DataPaths {
  root: string
  lock: string
  /** For scripts: addresses, key and pids while everything runs. */
  demo: string
  secrets: string
  printer: string
  paper: string
  logs: string
  cloudDatabase: string
  masterKey: string
  gatewayDatabase: string
  pairing: string
}

export function dataPaths(root: string): DataPaths {
  return {
    root,
    lock: join(root, 'demo.lock'),
    demo: join(root, 'demo.json'),
    secrets: join(root, 'demo-secrets.json'),
    printer: join(root, 'printer.json'),
    paper: join(root, 'paper'),
    logs: join(root, 'logs'),
    cloudDatabase: join(root, 'cloud', 'relay.db'),
    masterKey: join(root, 'cloud', 'master.key'),
    gatewayDatabase: join(root, 'gateway', 'gateway.db'),
    pairing: join(root, 'gateway', 'pairing.json'),
  }
}

/** Makes the folder (0700: it holds keys) and its parts. */
export function makeDataFolder(paths: DataPaths): void {
  try {
    mkdirSync(paths.root, { recursive: true, mode: 0o700 })
    for (const part of ['cloud', 'gateway', 'logs', 'paper']) mkdirSync(join(paths.root, part), { recursive: true })
  } catch (error) {
    throw new DemoError(`The data folder ${paths.root} cannot be made. Choose another one with --data DIR.`, {
      cause: error,
    })
  }
}

const demoFile = z.object({ pids: z.object({ cloud: z.number().int(), gateway: z.number().int() }) })

/**
 * Takes the lock, or throws when another starter uses this folder. The lock of a starter that is gone is taken over, after ending
 * the programs that it may have left behind (it was killed before it could stop them).
 * @returns a function that gives the lock back
 */
export function lockDataFolder(paths: DataPaths, endProgram: (pid: number) => void): () => void {
  for (let attempt = 0; attempt < 3; attempt++) {
    if (tryLock(paths.lock)) return () => rmSync(paths.lock, { force: true })
    const owner = Number(readIfThere(paths.lock) ?? '0')
    if (isProgram(owner, 'scripts/demo.ts'))
      throw new DemoError(
        `Ticketrail already runs with ${paths.root} (process ${owner}). ` +
          'Stop it with Ctrl-C there, or start another one with its own folder and ports: ' +
          'npm start -- --data other --cloud-port 0 --gateway-port 0 --mqtt-port 0',
      )
    for (const pid of leftBehind(paths)) endProgram(pid)
    rmSync(paths.lock, { force: true })
  }
  throw new DemoError(`The lock ${paths.lock} cannot be taken. Delete it if nothing runs.`)
}

/** The lock appears with its content in one step, so that it is never read half written. */
function tryLock(lock: string): boolean {
  const temporary = `${lock}.${process.pid}`
  writeFileSync(temporary, String(process.pid))
  try {
    linkSync(temporary, lock)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    unlinkSync(temporary)
  }
}

function leftBehind(paths: DataPaths): number[] {
  const text = readIfThere(paths.demo)
  const parsed = demoFile.safeParse(text === null ? null : parseJson(text))
  if (!parsed.success) return []
  const { cloud, gateway } = parsed.data.pids
  return [
    ...(isProgram(cloud, 'cloud/main.ts') ? [cloud] : []),
    ...(isProgram(gateway, 'gateway/main.ts') ? [gateway] : []),
  ]
}

/** True when `pid` runs that script. Process ids are reused, so a living process is not enough; without /proc it has to be. */
function isProgram(pid: number, script: string): boolean {
  if (!Number.isInteger(pid) || pid < 1) return false
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(script)
  } catch {
    return false
  }
}
