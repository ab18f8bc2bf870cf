// Some connections to the server for one purpose, so that no other waits for them: whose turn it is, and a pool that can be replaced.
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg'
import { ServiceError } from '#shared/errors.ts'
import { type SessionLimits, whyNotUsable, withDriverErrors } from './postgres-connection.ts'
import { ofDriver } from './postgres-fault.ts'

const IDLE_MS = 60_000
const CONNECTION_LIVES_S = 1_800

/** Of connections that ended while nothing was asked on them. */
const ends = new WeakMap<ClientBase, unknown>()

/** Why it is known to have ended: queries on it no longer reach the server. Null: as far as known, it is open. */
export const endOf = (client: ClientBase): unknown => ends.get(client) ?? null

export class Lane {
  readonly turns: Turns
  readonly #config: PoolConfig
  readonly #limits: SessionLimits
  readonly #ended: (error: unknown, pool: Pool) => void
  #pool: Pool

  /** @param ended a connection that nobody used was ended by the server or the network */
  constructor(
    config: ClientConfig,
    { count, limits }: { count: number; limits: SessionLimits },
    ended: (error: unknown, pool: Pool) => void,
  ) {
    this.turns = new Turns(count)
    this.#limits = limits
    this.#config = { ...config, max: count, idleTimeoutMillis: IDLE_MS, maxLifetimeSeconds: CONNECTION_LIVES_S }
    this.#ended = ended
    this.#pool = this.#made()
  }

  /** Whatever came of another one is of before. */
  get pool(): Pool {
    return this.#pool
  }

  /** Each connection ends when its unit does; new ones are made. After a close there are none. */
  renew(): void {
    const old = this.#pool
    if (old.ending) return
    this.#pool = this.#made()
    old.end().catch(() => {})
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  #made(): Pool {
    const pool = new Pool({
      ...this.#config,
      verify: (client, done) => void whyNotUsable(client, this.#limits).then((fault) => done(fault ?? undefined)),
    })
    pool.on('connect', (client) => client.on('error', (error) => ends.set(client, ofDriver(error))))
    pool.on('error', (error: Error & { client?: unknown }) => {
      // The driver hangs the whole client on it, which is nothing for a log.
      delete error.client
      if (!pool.ending) this.#ended(ofDriver(error), pool)
    })
    return pool
  }
}

/** @throws ConnectionLost, ReadOnlyServer, or an error of the server */
export const connectionOf = (pool: Pool): Promise<PoolClient> => withDriverErrors(() => pool.connect())

/** Probes the server on a new connection, for its current state and without waiting for a lane. Null: it is there and accepts writes. */
export async function whyNotServing(config: ClientConfig): Promise<unknown> {
  try {
    const client = new Client(config)
    client.on('error', () => {})
    try {
      await withDriverErrors(() => client.connect())
      return await whyNotUsable(client)
    } finally {
      client.end().catch(() => {})
    }
  } catch (error) {
    // Such as a file of a certificate that is gone.
    return ofDriver(error)
  }
}

/** One more is refused with 503. */
const MOST_WAITING = 2_048

interface Waiting {
  goOn: () => void
  refuse: (error: Error) => void
}

/**
 * Who may use one of the connections: so many at a time, the others in the order in which they came. They wait here, and not in the pool, which
 * takes long waiting for a server that is away.
 */
class Turns {
  #waiting: Waiting[] = []
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** @throws ServiceError service.unavailable, or the error of `refuseAll` */
  take(): Promise<void> | undefined {
    if (this.#free === 0) {
      if (this.#waiting.length >= MOST_WAITING) throw new ServiceError('service.unavailable', { retryAfterSeconds: 1 })
      return new Promise((goOn, refuse) => this.#waiting.push({ goOn, refuse }))
    }
    this.#free -= 1
    return undefined
  }

  give(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free += 1
    else next.goOn()
  }

  /** Those that wait need not wait to the end of those that do not. */
  refuseAll(error: () => Error): void {
    const refused = this.#waiting
    this.#waiting = []
    for (const { refuse } of refused) refuse(error())
  }
}
