// Blanks customers' names, telephone numbers and e-mail addresses once the retention time is over. The orders stay until theirs is.
import type { CustomerDataStore } from '#cloud/storage/customer-data-store.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import { holdName } from '#cloud/storage/hold.ts'
import type { Clock } from '#shared/clock.ts'
import type { ServiceOrderId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { Sweeps } from '#shared/rounds.ts'

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

export class ForgetCustomers extends Sweeps<ForgetCustomersDeps> {
  constructor(deps: ForgetCustomersDeps) {
    super(deps, { everyMs: HOUR_MS, failed: 'customer data of old orders could not be blanked' })
  }

  /** One pass over what is old and has a customer. @returns how many orders were blanked */
  override async sweep(): Promise<number> {
    const { db, customerData, retentionDays, clock, log } = this.deps
    const beforeMs = clock.now() - retentionDays * DAY_MS
    let count = 0
    // An order whose customer cannot be found where it should be is not read twice in a pass.
    let after: ServiceOrderId | null = null
    while (!this.stopping) {
      const orderIds: ServiceOrderId[] = await customerData.page(after, beforeMs)
      for (let i = 0; i < orderIds.length; i += PIECE) {
        const piece = orderIds.slice(i, i + PIECE)
        await db.unit(async (tx) => {
          await holdName(tx, 'forget')
          for (const orderId of piece) await customerData.blank(tx, orderId)
        })
      }
      count += orderIds.length
      after = orderIds.at(-1) ?? null
      if (after === null) break
    }
    await this.#deletePapers(beforeMs)
    if (count > 0) log.info({ orders: count }, 'customer data of old orders was blanked')
    return count
  }

  /** Notes, receipts, labels and reprints, in pieces. */
  async #deletePapers(beforeMs: number): Promise<void> {
    const { db, customerData } = this.deps
    const deletePiece = async (tx: Tx): Promise<number> => {
      await holdName(tx, 'forget')
      return customerData.deletePapers(tx, beforeMs)
    }
    while (!this.stopping && (await db.unit(deletePiece)) > 0);
  }
}
