// The test order of a box: created here, accepted in the same way as the relay's, with a line for every station. It is never reported to the relay.
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { EpochMs } from '#shared/clock.ts'
import { newId } from '#shared/ids.ts'
import { type KitchenOrder, kitchenOrder } from '#shared/order.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import type { OrderIntake } from './accept-order.ts'

export interface TestOrdersDeps {
  intake: Pick<OrderIntake, 'acceptOwn'>
  /** Relay time. */
  time: TimeSource
  site: Pick<SiteFacts, 'timeZone'>
}

/** The paper of a test is not wanted when its printer is switched on an hour later. */
const EXPIRES_AFTER_MS = 600_000
const MOST_LINES = 100

/** One line of the order. */
interface Line {
  /** Null: what has no station, for the default printer. */
  station: string | null
  /** Part of its name, so that typing it in proves that this paper was read. */
  number: string
}

export class TestOrders {
  readonly #deps: TestOrdersDeps

  constructor(deps: TestOrdersDeps) {
    this.#deps = deps
  }

  /** When this returns, the order survives a power cut. @returns the id of its job */
  place(lines: readonly Line[]): string {
    const { intake, time, site } = this.#deps
    const nowMs = time.now()
    const order = testOrder({ lines, nowMs, timeZone: site.timeZone })
    const jobId = newId('pj', nowMs)
    intake.acceptOwn(jobId, { kind: 'order', order, isTest: true }, nowMs + EXPIRES_AFTER_MS)
    return jobId
  }
}

/** Its amounts are there so that printers of receipts print one, too. */
function testOrder(facts: { lines: readonly Line[]; nowMs: EpochMs; timeZone: string }): KitchenOrder {
  const serviceOrderId = newId('ord', facts.nowMs)
  const items = facts.lines.slice(0, MOST_LINES).map(({ station, number }) => ({
    ...{ umsId: 'test', qty: 1, priceCents: 0, station },
    name: `Test item${station === null ? '' : ` for ${station}`}: ${number}`,
  }))
  return kitchenOrder.parse({
    serviceOrderId,
    // Its last characters are random, so that two tests can be distinguished.
    orderId: `TEST-${serviceOrderId.slice(-4).toUpperCase()}`,
    ...{ merchantId: '', locationId: '', source: 'TEST' },
    queuedAtMs: facts.nowMs,
    timeZone: facts.timeZone,
    items,
    receipt: { currency: '', totalCents: 0, tipCents: 0 },
  })
}
