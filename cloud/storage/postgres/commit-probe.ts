// Checks whether the server confirms a COMMIT that must be on disk: it does not while it waits for a synchronous standby that is away. Such
// a COMMIT holds its connection and its rows forever, so one probe waits for it, and transactions no longer do.
import { Client, type ClientConfig } from 'pg'
import type { StorageGate } from '#cloud/storage/storage-gate.ts'
import { type Clock, systemClock } from '#shared/clock.ts'
import { whyNotUsable, withDriverErrors } from './postgres-connection.ts'

/** Writes a few bytes into the log of the server, and into no table. */
const A_COMMIT = `begin; select pg_logical_emit_message(true, 'ticketrail', 'probe'); commit`

class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed'
  constructor() {
    super('the server does not confirm a COMMIT: does it wait for a synchronous standby?')
  }
}

export class CommitProbe {
  readonly #config: ClientConfig
  readonly #gate: StorageGate
  readonly #withinMs: number
  readonly #clock: Pick<Clock, 'after'> = systemClock
  /** Whose COMMIT is waited for, as long as that takes: a second one would be held just the same. */
  #asked: Client | null = null

  constructor(options: { config: ClientConfig; gate: StorageGate; withinMs: number }) {
    this.#config = options.config
    this.#gate = options.gate
    this.#withinMs = options.withinMs
  }

  /**
   * Resolves when the result is known, or after the time limit of a transaction; then the gate reports it, and its end too. Never rejects.
   */
  async ask(): Promise<void> {
    if (this.#asked !== null) return
    const { promise: known, resolve } = Promise.withResolvers<void>()
    const cancel = this.#clock.after(this.#withinMs, () => {
      this.#gate.serverFails('stuck', new NotConfirmed())
      resolve()
    })
    void this.#commit()
      // Whether the server is there at all is asked elsewhere.
      .catch(() => {})
      .then(() => {
        cancel()
        resolve()
      })
    await known
  }

  /** What waits is cut off. */
  close(): void {
    this.#asked?.end().catch(() => {})
  }

  async #commit(): Promise<void> {
    const client = new Client(this.#config)
    this.#asked = client
    client.on('error', () => {})
    try {
      await withDriverErrors(() => client.connect())
      const fault = await whyNotUsable(client)
      if (fault !== null) throw fault
      await withDriverErrors(() => client.query(A_COMMIT))
      this.#gate.commitsAnswer()
    } finally {
      this.#asked = null
      client.end().catch(() => {})
    }
  }
}
