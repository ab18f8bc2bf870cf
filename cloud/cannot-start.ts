// Why the relay cannot start, when a person can mend it: what is wrong, in one line, and what to do.
import { readFileSync } from 'node:fs'
import { codeOf } from '#shared/code-of.ts'
import { LocalSocketInUse } from '#shared/local/local-socket.ts'
import { ConfigError } from '#shared/settings.ts'
import { CannotOpen } from './storage/cannot-open.ts'
import { DatabaseHeld } from './storage/sqlite/relay-lock.ts'

/** sysexits(3) EX_CONFIG: starting again without a change will not help. */
const EXIT_CONFIG = 78
/** sysexits(3) EX_TEMPFAIL: it may be over at the next start. */
const EXIT_LATER = 75

/** What is listened on, and the first word of its two settings: CLOUD_HTTP of CLOUD_HTTP_HOST and CLOUD_HTTP_PORT. */
interface Where {
  host: string
  setting: string
}

/** A port that another program holds. */
class PortInUse extends Error {
  override readonly name = 'PortInUse'

  constructor(what: Where & { port: number }, cause: unknown) {
    super(
      `port ${what.port} on ${what.host} is in use: end the program that holds it, or set ${what.setting}_PORT to another port (0 = any free one)`,
      { cause },
    )
  }
}

/** The relay cannot listen on the value of CLOUD_HTTP_HOST or CLOUD_MQTT_HOST. */
class HostUnusable extends Error {
  override readonly name = 'HostUnusable'
  /** A name server that does not answer yet, or a network that is not up yet. */
  readonly passes: boolean

  constructor(where: Where, why: { code: string; cause: unknown }) {
    super(`${where.setting}_HOST ${where.host} ${WHY_UNUSABLE[why.code]}`, { cause: why.cause })
    this.passes = why.code === 'EAI_AGAIN' || why.code === 'EADDRNOTAVAIL'
  }
}

const OTHER_HOST = 'set it to an address of this machine, or to a name that has one'
const WHY_UNUSABLE: Readonly<Record<string, string>> = {
  ENOTFOUND: `does not resolve: ${OTHER_HOST}`,
  EAI_AGAIN: 'cannot be resolved now: the name server does not answer',
  EADDRNOTAVAIL: `is no address of this machine, or not yet: bring its network up, or ${OTHER_HOST}`,
  EINVAL: `cannot be listened on: ${OTHER_HOST}`,
}

/** Exit code and line for the operator; null for an unforeseen error. */
export function whyNotStarted(error: unknown): { code: number; message: string } | null {
  const known = [PortInUse, HostUnusable, ConfigError, CannotOpen, DatabaseHeld, LocalSocketInUse]
  if (!(error instanceof Error && known.some((kind) => error instanceof kind))) return null
  return { code: mayPass(error) ? EXIT_LATER : EXIT_CONFIG, message: error.message }
}

function mayPass(error: Error): boolean {
  if (error instanceof CannotOpen || error instanceof HostUnusable) return error.passes
  return error instanceof DatabaseHeld
}

/** Runs `listen` and turns what a person can mend into an error that names the setting. */
export async function namingPort(where: Where, listen: () => Promise<unknown>): Promise<void> {
  try {
    await listen()
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EADDRINUSE') throw new PortInUse({ ...where, port: port(error) }, error)
    // `listen` may do more than that: an error of another host does not belong to this setting.
    if (code in WHY_UNUSABLE && hostIn(error) === where.host) throw new HostUnusable(where, { code, cause: error })
    throw error
  }
}

function hostIn(error: unknown): unknown {
  const { hostname, address } = error as { hostname?: unknown; address?: unknown }
  return hostname ?? address
}

function port(error: unknown): number {
  return Number((error as { port?: unknown }).port ?? 0)
}

/** @throws ConfigError */
export function readCertificate(file: string): string {
  let text = ''
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const why = codeOf(error) || 'unknown'
    throw new ConfigError(`CLOUD_GATEWAY_CA_FILE ${file} cannot be read (${why}).`)
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new ConfigError(`CLOUD_GATEWAY_CA_FILE ${file} holds no certificate in PEM.`)
}
