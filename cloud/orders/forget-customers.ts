// Blanks customers' names, telephone numbers and e-mail addresses once the retention time is over. Orders, ids and hashes stay for ever.
import type { CustomerDataStore } from '#cloud/storage/customer-data-store.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { Clock } from '#shared/clock.ts'
import type { ServiceOrderId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Orders blanked in one commit: a few milliseconds, so that no new order waits long. */
const PIECE = 20

export interface ForgetCustomersDeps {
  db: RelayDatabase
  customerData: CustomerDataStore
  /** Days from the taking of an order. */
  retentionDays: number
  clock: Clock
  log: Logger
}

export class ForgetCustomers implements Service {
  readonly #deps: ForgetCustomersDeps
  readonly #rounds: Rounds
  /** Everything up to this order is blanked; a restart looks from the beginning once. */
  #done: ServiceOrderId | null = null

  constructor(deps: ForgetCustomersDeps) {
    this.#deps = deps
    this.#rounds = new Rounds({
      clock: deps.clock,
      everyMs: HOUR_MS,
      pass: () => this.sweep(),
      failed: (error) => deps.log.error({ err: error }, 'customer data of old orders could not be blanked'),
    })
  }

  async start(): Promise<void> {
    await this.#rounds.start()
    this.#rounds.wake()
  }

  stop(): Promise<void> {
    return this.#rounds.stop()
  }

  /** One pass over what has become old since the last one. @returns how many orders were blanked */
  async sweep(): Promise<number> {
    const { db, customerData, retentionDays, clock, log } = this.#deps
    const beforeMs = clock.now() - retentionDays * DAY_MS
    let count = 0
    while (!this.#rounds.stopping) {
      const { orderIds, last } = await customerData.page(this.#done, beforeMs)
      if (last === null) break
      for (let i = 0; i < orderIds.length; i += PIECE) {
        const piece = orderIds.slice(i, i + PIECE)
        await db.unit(async (tx) => {
          for (const orderId of piece) await customerData.blank(tx, orderId)
        })
      }
      count += orderIds.length
      this.#done = last
    }
    await this.#deletePapers(beforeMs)
    if (count > 0) log.info({ orders: count }, 'customer data of old orders was blanked')
    return count
  }

  /** Notes, receipts, labels and reprints, in pieces. */
  async #deletePapers(beforeMs: number): Promise<void> {
    const { db, customerData } = this.#deps
    while (!this.#rounds.stopping && (await db.unit((tx) => customerData.deletePapers(tx, beforeMs))) > 0);
  }
}
