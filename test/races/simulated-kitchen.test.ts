// The simulated kitchens of two relays print what a client takes back at the same moment.
import { afterEach, beforeEach, describe, it } from 'vitest'
import { recordPrintResult } from '#cloud/orders/record-print-result.ts'
import { SimulatedKitchen } from '#cloud/sandbox/simulated-kitchen.ts'
import { asId } from '#shared/ids.ts'
import { workEnded } from '#test/harness/databases-at-work.ts'
import { atOnce, failures, race, resultOf, when } from './race.ts'
import { type Relay, TwoRelays } from './two-relays.ts'

const PRINT_MS = 300

let relays: TwoRelays
let kitchens: SimulatedKitchen[]
beforeEach(async () => {
  relays = await TwoRelays.open()
  kitchens = [relays.a, relays.b].map(kitchenOf)
  for (const kitchen of kitchens) await kitchen.start()
})
afterEach(async () => {
  for (const kitchen of kitchens) await kitchen.stop()
  await relays.close()
})

const kitchenOf = (relay: Relay): SimulatedKitchen =>
  new SimulatedKitchen({
    ...relay,
    recordResult: (result) => recordPrintResult(relay, result),
    retentionDays: 90,
    deletionClock: relays.clock,
  })

/** Until both kitchens have done what they can, sweeps included. */
async function settled(): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await workEnded()
    await relays.clock.advance(1_000)
  }
}

describe('the void of an order that the simulated kitchen prints at this moment', () => {
  it('leaves either no ticket and an order that reports this, or a ticket with its VOID slip', async () => {
    await race(async (round) => {
      const { body } = await relays.a.api.inject({ orderId: `order-${round}` })
      const jobId = asId<'pj'>(body.printJobId)
      const { serviceOrderId } = body
      await workEnded()
      // Some voids come before the claim, some while it prints, some after.
      if (round % 3 > 0) await relays.clock.advance(PRINT_MS - 1)
      const results = await atOnce(
        () => relays.clock.advance(1),
        () => relays.relay(round).desk.void(serviceOrderId),
      )
      await settled()
      const papers = await relays.db.read
        .selectFrom('sandbox_tickets')
        .select(['kind', 'printer_id'])
        .where('print_job_id', '=', jobId)
        .execute()
      const order = await relays.a.orders.find(await relays.merchant(), serviceOrderId)
      const row = await relays.db.read
        .selectFrom('dispatches')
        .select(['state', 'cancel_answered_at'])
        .where('id', '=', jobId)
        .executeTakeFirstOrThrow()
      const slips = papers.filter(({ kind }) => kind === 'void').length
      const tickets = papers.length - slips
      return [
        ...failures(results),
        ...when(resultOf(results[1])?.status !== 200, 'the order was not voided'),
        ...when(order?.print_state === 'cancelled' && tickets > 0, 'a ticket was printed that is said not to be'),
        ...when(order?.print_state === 'printed' && tickets === 0, 'no ticket was printed that is said to be'),
        ...when(tickets > 0 && slips < tickets, 'a ticket on paper has no VOID slip'),
        ...when(tickets === 0 && slips > 0, 'there is a VOID slip of what was never printed'),
        ...when(new Set(papers.map((p) => `${p.kind} ${p.printer_id}`)).size < papers.length, 'a ticket came twice'),
        ...when(row.cancel_answered_at === null, 'nobody has answered the cancel'),
      ]
    })
  })

  it('prints each order once without a void', async () => {
    await race(async (round) => {
      const { body } = await relays.relay(round).api.inject({ orderId: `order-${round}` })
      await settled()
      const papers = await relays.db.read
        .selectFrom('sandbox_tickets')
        .select('printer_id')
        .where('print_job_id', '=', body.printJobId)
        .execute()
      const order = await relays.a.orders.find(await relays.merchant(), body.serviceOrderId)
      return [
        ...when(order?.print_state !== 'printed', `the order is ${order?.print_state}`),
        ...when(new Set(papers.map((p) => p.printer_id)).size < papers.length, 'a ticket came twice'),
      ]
    })
  })
})
