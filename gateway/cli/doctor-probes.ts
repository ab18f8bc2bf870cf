// The tests that `doctor` runs itself: the connection to the relay step by step, and a box whose gateway does not run.
import { lookup } from 'node:dns/promises'
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname } from 'node:path'
import { codeOf } from '#shared/code-of.ts'
import { LOW_DISK_BYTES } from '#shared/health-limits.ts'
import type { Line } from './command.ts'
import { type Check, check } from './doctor.ts'

const PATIENCE_MS = 5_000
const USUAL_PORT: Readonly<Record<string, number>> = { 'mqtt:': 1_883, 'mqtts:': 8_883, 'ws:': 80, 'wss:': 443 }

/** Which step of the connection to the relay fails: its name, or its port. The gateway itself reports what comes after that. */
export async function relayChecks(relay: string): Promise<Check[]> {
  const { hostname, port, protocol } = new URL(relay)
  const host = hostname.replaceAll(/[[\]]/g, '')
  const address = await lookup(host).then(
    (found) => found.address,
    (error: unknown) => error,
  )
  if (typeof address !== 'string')
    return [
      check(
        'relay name',
        'fail',
        `${host} is not found (${codeOf(address) || 'unknown'}). Is there internet, and a DNS server?`,
      ),
    ]
  const named = check('relay name', 'pass', `${host} is ${address}`)
  const at = port === '' ? (USUAL_PORT[protocol] ?? 0) : Number(port)
  const fault = await reach(address, at)
  if (fault === null) return [named, check('relay port', 'pass', `${address}:${at} takes connections`)]
  const advice = 'Does a firewall hold back this port, or is the relay down?'
  return [named, check('relay port', 'fail', `${address}:${at} cannot be reached (${fault}). ${advice}`)]
}

/** Null: a program answered. */
function reach(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PATIENCE_MS })
    const end = (fault: string | null): void => {
      socket.destroy()
      resolve(fault)
    }
    socket.once('connect', () => end(null))
    socket.once('timeout', () => end('no answer'))
    socket.once('error', (error) => end(codeOf(error) || 'unknown'))
  })
}

/** What can be seen while no gateway answers. */
export async function boxWithoutGateway({ socketPath, page }: Pick<Line, 'socketPath' | 'page'>): Promise<Check[]> {
  const start =
    'not running. Start it: systemctl start ticketrail-gateway. Why it ended: journalctl -u ticketrail-gateway -n 50'
  return [
    check('gateway', 'fail', start),
    folderCheck(dirname(socketPath)),
    ...diskChecks(dirname(socketPath)),
    await portCheck(page),
  ]
}

function folderCheck(folder: string): Check {
  if (!existsSync(folder)) return check('data folder', 'warn', `${folder} is not there yet: the gateway makes it`)
  try {
    accessSync(folder, constants.R_OK | constants.W_OK)
    return check('data folder', 'pass', folder)
  } catch {
    const advice = 'Run doctor as root, or as the gateway’s own user'
    return check('data folder', 'warn', `${folder} is not this user's. ${advice}`)
  }
}

function diskChecks(folder: string): Check[] {
  if (!existsSync(folder)) return []
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const words = `${Math.round(free / 1_000_000)} MB free`
  if (free >= LOW_DISK_BYTES) return [check('disk', 'pass', words)]
  return [check('disk', 'fail', `${words}. Remove files from this machine, or use a larger card.`)]
}

/** Another program at the page's port keeps the gateway from starting. */
function portCheck({ host, port }: Line['page']): Promise<Check> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => {
      if (codeOf(error) !== 'EADDRINUSE') {
        resolve(check('page port', 'pass', `${port}: not tried by this user`))
        return
      }
      const advice = `Which: ss -ltnp 'sport = :${port}'. End it, or set GATEWAY_HTTP_PORT`
      resolve(check('page port', 'fail', `another program has port ${port}. ${advice}`))
    })
    server.listen({ host, port, exclusive: true }, () =>
      server.close(() => resolve(check('page port', 'pass', `${port} is free`))),
    )
  })
}
