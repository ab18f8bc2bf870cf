// The order by which people try a box: made here, taken by the same way as the relay's, for every station that there is. The relay never hears of it.
import type { DisplayStore } from '#gateway/storage/display-store.ts'
import type { PrinterStore } from '#gateway/storage/printer-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { EpochMs } from '#shared/clock.ts'
import { newId } from '#shared/ids.ts'
import { type KitchenOrder, kitchenOrder } from '#shared/order.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import { fold, PAPER_STATION } from '#shared/tickets/route.ts'
import type { OrderIntake } from './accept-order.ts'

export interface TestOrdersDeps {
  intake: Pick<OrderIntake, 'acceptOwn'>
  printers: Pick<PrinterStore, 'all'>
  displays: Pick<DisplayStore, 'all'>
  /** Relay time. */
  time: TimeSource
  site: Pick<SiteFacts, 'timeZone'>
}

/** Nobody wants the paper of a test when its printer is switched on an hour later. */
const EXPIRES_AFTER_MS = 600_000
const MOST_STATIONS = 32

export class TestOrders {
  readonly #deps: TestOrdersDeps

  constructor(deps: TestOrdersDeps) {
    this.#deps = deps
  }

  /** When this returns, the order survives a power cut. @returns the id of its job */
  place(): string {
    const { intake, printers, displays, time, site } = this.#deps
    const nowMs = time.now()
    const stations = [...printers.all(), ...displays.all()].flatMap((one) => one.stations)
    const order = testOrder({ stations, nowMs, timeZone: site.timeZone })
    const jobId = newId('pj', nowMs)
    intake.acceptOwn(jobId, { kind: 'order', order, isTest: true }, nowMs + EXPIRES_AFTER_MS)
    return jobId
  }
}

/**
 * A line for the default printer, and one for each station: every printer that takes kitchen tickets by its station gets one. Its amounts
 * are there so that printers of receipts print one, too.
 */
function testOrder(facts: { stations: readonly string[]; nowMs: EpochMs; timeZone: string }): KitchenOrder {
  const serviceOrderId = newId('ord', facts.nowMs)
  const stations = new Map(facts.stations.map((name) => [fold(name), name]))
  // Names that choose the paper of print jobs, not cooks.
  for (const name of [PAPER_STATION.receipt, PAPER_STATION.label]) stations.delete(name)
  const items = [null, ...[...stations.values()].slice(0, MOST_STATIONS)].map((station) => ({
    ...{ umsId: 'test', qty: 1, priceCents: 0, station },
    name: station === null ? 'Test item' : `Test item for ${station}`,
  }))
  return kitchenOrder.parse({
    serviceOrderId,
    // Its last characters are chance, so that two tests are told apart.
    orderId: `TEST-${serviceOrderId.slice(-4).toUpperCase()}`,
    ...{ merchantId: '', locationId: '', source: 'TEST' },
    queuedAtMs: facts.nowMs,
    timeZone: facts.timeZone,
    items,
    receipt: { currency: '', totalCents: 0, tipCents: 0 },
  })
}
