// Two relays on one database, each with a handle and stores of its own; they share the clock. Whether units waited for each other without end
// is asked at the close.
import { expect } from 'vitest'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { openStores, type Stores } from '#cloud/storage/stores.ts'
import type { LocationId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import type { RelayApi } from '#test/doubles/relay-api.ts'
import { deadlocksOf } from '#test/fixtures/fresh-relay-database.ts'
import { OrderDesk } from '#test/fixtures/order-desk.ts'

/** One of them: its stores and all that services ask for. */
export type Relay = Omit<Stores, keyof RelayApi['stores']> & RelayApi['stores'] & { desk: OrderDesk; api: RelayApi }

export class TwoRelays {
  readonly clock: ManualClock
  readonly a: Relay
  readonly b: Relay

  private constructor(clock: ManualClock, a: OrderDesk, b: OrderDesk) {
    this.clock = clock
    this.a = relayOf(a)
    this.b = relayOf(b)
  }

  static async open(): Promise<TwoRelays> {
    const clock = new ManualClock()
    const a = await OrderDesk.open(clock)
    return new TwoRelays(clock, a, await OrderDesk.open(clock, a))
  }

  /** No two units may ever have waited for each other. */
  async close(): Promise<void> {
    await this.b.api.close()
    await this.a.api.close()
    expect(deadlocksOf(this.a.db)).toBe(0)
  }

  get db(): RelayDatabase {
    return this.a.db
  }

  get locationId(): LocationId {
    return this.a.api.locationId
  }

  /** M-TEST-001. */
  merchant(): Promise<MerchantRecord> {
    return this.a.merchants.byKey(this.a.api.merchantKey)
  }

  /** Either of them. */
  relay(number: number): Relay {
    return number % 2 === 0 ? this.a : this.b
  }
}

function relayOf(desk: OrderDesk): Relay {
  const { api } = desk
  return { ...openStores(api.db), ...api.stores, desk, api }
}
