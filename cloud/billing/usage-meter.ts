// Counts the calls of every key, in memory, and writes them down every few seconds: the hot path adds one to a number.
import type { ApiKeyStore } from '#cloud/storage/api-key-store.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { StorageRefusal } from '#cloud/storage/storage-refusal.ts'
import type { CallCount, UsageStore } from '#cloud/storage/usage-store.ts'
import { type Cancel, type Clock, toIso } from '#shared/clock.ts'
import type { KeyId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'

export interface UsageMeterDeps {
  db: RelayDatabase
  usage: UsageStore
  apiKeys: ApiKeyStore
  clock: Clock
  log: Logger
}

/** An answered call of an authenticated key. */
export type AnsweredCall = Pick<CallCount, 'accountId' | 'environment' | 'keyId'> & { status: number }

const FLUSH_MS = 5_000
const DAY_MS = 86_400_000
/** Rows of one unit: other writers wait for it. */
const ROWS_AT_ONCE = 100

/** Refusals by rate and our own faults are not sold. */
export function isMetered(status: number): boolean {
  return status !== 429 && status < 500
}

export class UsageMeter implements Service {
  readonly #deps: UsageMeterDeps
  #counts = new Map<string, CallCount>()
  #lastUsed = new Map<KeyId, number>()
  #day = { number: -1, name: '' }
  #flushing: Promise<void> = Promise.resolve()
  #stop: Cancel | null = null

  constructor(deps: UsageMeterDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    this.#stop ??= this.#deps.clock.every(FLUSH_MS, () => {
      this.flush().catch((error: unknown) => this.#deps.log.error({ err: error }, 'usage could not be written'))
    })
  }

  /** Writes what is left. */
  async stop(): Promise<void> {
    this.#stop?.()
    this.#stop = null
    await this.flush()
  }

  /** Adds one, and remembers when the key was used. */
  count(call: AnsweredCall): void {
    const now = this.#deps.clock.now()
    this.#lastUsed.set(call.keyId, now)
    if (isMetered(call.status)) this.#add({ ...call, day: this.#dayOf(now), calls: 1 })
  }

  /**
   * Resolves when everything counted so far is in the database. What could not be written is kept for the next time, except what may have
   * been written.
   */
  flush(): Promise<void> {
    const next = this.#flushing.catch(() => undefined).then(() => this.#write())
    this.#flushing = next
    return next
  }

  async #write(): Promise<void> {
    const { db, usage, apiKeys } = this.#deps
    const counts = [...this.#counts.values()]
    const lastUsed = [...this.#lastUsed]
    this.#counts = new Map()
    this.#lastUsed = new Map()
    while (counts.length > 0 || lastUsed.length > 0) {
      const rows = counts.slice(0, ROWS_AT_ONCE)
      const keys = lastUsed.slice(0, ROWS_AT_ONCE)
      try {
        await db.unit(async (tx) => {
          await usage.add(tx, rows)
          await apiKeys.markUsed(tx, keys)
        })
      } catch (error) {
        // It is not known whether these were written. They are not billed twice; a relay that is killed loses as many.
        if (error instanceof StorageRefusal && error.reason === 'unknown') counts.splice(0, ROWS_AT_ONCE)
        for (const row of counts) this.#add(row)
        for (const [keyId, atMs] of lastUsed) if (!this.#lastUsed.has(keyId)) this.#lastUsed.set(keyId, atMs)
        throw error
      }
      counts.splice(0, ROWS_AT_ONCE)
      lastUsed.splice(0, ROWS_AT_ONCE)
    }
  }

  #add({ accountId, environment, keyId, day, calls }: CallCount): void {
    const name = `${day}/${keyId}`
    const known = this.#counts.get(name)
    if (known) known.calls += calls
    else this.#counts.set(name, { accountId, environment, keyId, day, calls })
  }

  #dayOf(nowMs: number): string {
    const number = Math.floor(nowMs / DAY_MS)
    if (number !== this.#day.number) this.#day = { number, name: toIso(nowMs).slice(0, 10) }
    return this.#day.name
  }
}
