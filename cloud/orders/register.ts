// The built-in point of sale: gives each order the next number of the merchant's business day. It has no book of its own to correct.
import type { Tx } from '#cloud/storage/database.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { RegisterStore } from '#cloud/storage/register-store.ts'
import type { OrdersTable } from '#cloud/storage/schema.ts'
import type { EpochMs } from '#shared/clock.ts'
import type { PosAdapter } from './pos-adapter.ts'

export class Register implements PosAdapter {
  readonly #store: RegisterStore
  /** Making a formatter costs 50 us, using it 1 us. */
  readonly #formats = new Map<string, Intl.DateTimeFormat>()
  /** For each zone, the last computed day: it is valid for the whole minute. */
  readonly #days = new Map<string, { minute: number; day: string }>()

  constructor(store: RegisterStore) {
    this.#store = store
  }

  /** posOrderId such as `2026-11-20-17`: the day in the merchant's zone and the order's number on that day. */
  async accepted(tx: Tx, merchant: MerchantRecord, order: Pick<OrdersTable, 'queued_at'>): Promise<string> {
    const day = this.businessDay(merchant.timeZone, order.queued_at)
    return `${day}-${await this.#store.next(tx, merchant.key, day)}`
  }

  async voided(): Promise<void> {}

  async refunded(): Promise<void> {}

  wake(): void {}

  /** `2026-11-20` in that zone. */
  businessDay(timeZone: string, nowMs: EpochMs): string {
    const minute = Math.floor(nowMs / 60_000)
    const known = this.#days.get(timeZone)
    if (known?.minute === minute) return known.day
    const day = this.#formatOf(timeZone).format(nowMs)
    this.#days.set(timeZone, { minute, day })
    return day
  }

  #formatOf(timeZone: string): Intl.DateTimeFormat {
    let format = this.#formats.get(timeZone)
    if (!format) {
      // en-CA writes a date as 2026-11-20.
      format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
      this.#formats.set(timeZone, format)
    }
    return format
  }
}
