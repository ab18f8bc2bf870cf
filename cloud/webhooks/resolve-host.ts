// Resolves the hosts of webhooks without blocking Node's thread pool: getaddrinfo shares four threads, and a name server that does not
// answer would block one for many seconds. With thirty such endpoints every other receiver timed out.
import { lookup, Resolver } from 'node:dns/promises'

/** All addresses of a host name. Rejects like node:dns. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>

interface HostResolverOptions {
  /** Current name servers, as `address:port`. Default: those of the system. */
  servers?: () => readonly string[]
  /** Timeout of the first query. Default: 2 s. */
  answerMs?: number
  /** For names that no name server has. Default: the system's getaddrinfo. */
  system?: Resolve
}

/** Per query and server. The second query waits twice as long. */
const ANSWER_MS = 2_000
const TRIES = 2
/** Concurrent queries to the system: half of its threads. */
const SYSTEM_AT_ONCE = 2
/** More than the attempts that can be in flight: later ones have no time to wait. */
const SYSTEM_WAITING = 64

/** A temporary failure, like getaddrinfo's EAI_AGAIN. */
class NoAnswer extends Error {
  readonly code = 'EAI_AGAIN'
}

/**
 * Queries the name servers by UDP, which uses no thread. A name that they do not have (from /etc/hosts or a search domain), and localhost,
 * is resolved by the system, a few at a time. A name whose server does not answer is never passed to the system.
 */
export function hostResolver(options: HostResolverOptions = {}): Resolve {
  const { servers, answerMs = ANSWER_MS, system = (hostname) => lookup(hostname, { all: true }) } = options
  const fresh = (): Resolver => {
    const made = new Resolver({ timeout: answerMs, tries: TRIES })
    if (servers) made.setServers(servers())
    return made
  }
  let resolver = fresh()
  const askSystem = limited(system)
  return async (hostname) => {
    if (isOwnName(hostname)) return askSystem(hostname)
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = answers.flatMap((answer, i) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })) : [],
    )
    if (found.length > 0) return found
    if (answers.some((answer) => answer.status === 'rejected' && answer.reason.code === 'ETIMEOUT')) {
      // A resolver reads the system's name servers once, and they may have changed.
      resolver = fresh()
      throw new NoAnswer('the name server does not answer')
    }
    return askSystem(hostname)
  }
}

/** RFC 6761: never sent to a name server. A developer's receiver must be found without internet. */
function isOwnName(hostname: string): boolean {
  return /^(?:.+\.)?localhost\.?$/i.test(hostname)
}

function limited(resolve: Resolve): Resolve {
  let asking = 0
  const waiting: (() => void)[] = []
  return async (hostname) => {
    if (waiting.length >= SYSTEM_WAITING) throw new NoAnswer('too many names are being looked up')
    if (asking >= SYSTEM_AT_ONCE) await new Promise<void>((turn) => waiting.push(turn))
    else asking += 1
    try {
      return await resolve(hostname)
    } finally {
      // Passes the place to the next one, or frees it.
      const next = waiting.shift()
      if (next) next()
      else asking -= 1
    }
  }
}
