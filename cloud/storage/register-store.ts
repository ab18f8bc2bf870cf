// Counters of the built-in register, one per merchant and business day.
import type { MerchantKey } from '#shared/ids.ts'
import { prepared, type RelayDatabase, type Tx } from './database.ts'
import { holdPositions } from './hold.ts'

export class RegisterStore {
  readonly #next

  constructor(db: RelayDatabase) {
    this.#next = prepared((p) =>
      db.read
        .insertInto('register_counters')
        .values({ merchant_id: p('merchant'), business_day: p('day'), value: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['merchant_id', 'business_day'])
            .doUpdateSet((e) => ({ value: e('register_counters.value', '+', 1) })),
        )
        .returning('value'),
    )
  }

  /** The next number of the day, from 1. Undone with the caller's unit, so no number is lost to a refused order. */
  async next(tx: Tx, merchantKey: MerchantKey, businessDay: string): Promise<number> {
    // A caller that takes a number records an event as well: both in one order of locks.
    await holdPositions(tx, merchantKey)
    const [row] = await this.#next(tx, { merchant: merchantKey, day: businessDay })
    if (!row) throw new Error('the register gave no number')
    return row.value
  }
}
