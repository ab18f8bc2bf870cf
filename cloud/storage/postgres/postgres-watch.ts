// Watches the server of the relay's database: logs when it goes away and when it is back, and probes it meanwhile.

import type { Trouble, TroubleChange } from '#cloud/storage/storage-gate.ts'
import { SERVER_TROUBLES } from '#cloud/storage/storage-refusal.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { Service } from '#shared/service.ts'
import type { PostgresDatabase } from './postgres-database.ts'

const LOOK_EVERY_MS = 500

const BEGINS: Partial<Record<Trouble, string>> = {
  away: 'the database cannot be reached: nothing is stored and no order is taken until it is back',
  readOnly: 'the database takes no writes: nothing is stored and no order is taken until it does',
  stuck:
    'the database does not confirm what it stores, perhaps because its synchronous standby is away: nothing is stored and no order is taken until it does; reads continue',
  full: 'the disk of the database is full: nothing is stored and no order is taken until there is room; reads continue',
}
const ENDS: Partial<Record<Trouble, string>> = {
  away: 'the database is back: orders are taken',
  readOnly: 'the database takes writes again: orders are taken',
  stuck: 'the database confirms what it stores again: orders are taken',
  full: 'there is room on the disk of the database again: orders are taken',
}

export class PostgresWatch implements Service {
  readonly warnings: string[] = []
  readonly #options: { db: PostgresDatabase; clock: Clock; log: Logger }
  readonly #unsubscribe: (() => void)[]
  #cancel: Cancel | null = null

  constructor(options: { db: PostgresDatabase; clock: Clock; log: Logger }) {
    this.#options = options
    const { db, clock, log } = options
    const lines = new SampledLog(log, clock)
    this.#unsubscribe = [
      db.gate.changed.subscribe((change) => this.#changed(change)),
      db.gate.failed.subscribe((err) => lines.error('server', { err }, 'the database had a fault: see its own log')),
    ]
  }

  async start(): Promise<void> {
    this.#cancel ??= this.#options.clock.every(LOOK_EVERY_MS, () => this.#look())
  }

  async stop(): Promise<void> {
    this.#cancel?.()
    this.#cancel = null
    for (const end of this.#unsubscribe) end()
  }

  #look(): void {
    const { db } = this.#options
    if (([...SERVER_TROUBLES, 'full'] as const).some((trouble) => db.gate.has(trouble))) void db.probe()
  }

  #changed({ trouble, began, lastedMs, cause }: TroubleChange): void {
    const { log } = this.#options
    if (began) log.error({ trouble, ...(cause !== null && { err: cause }) }, BEGINS[trouble])
    else log.warn({ trouble, ms: Math.round(lastedMs) }, ENDS[trouble])
  }
}
