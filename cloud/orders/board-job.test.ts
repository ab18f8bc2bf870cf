// An order with print false and the displays of its kitchen: handed over where there are some, taken back by a void, never a print job.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CustomerDataStore } from '#cloud/storage/customer-data-store.ts'
import { CAP_KITCHEN, CAP_PRINT_JOBS } from '#shared/wire/gateway-link.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { OrderDesk, printer } from '#test/fixtures/order-desk.ts'
import { ForgetCustomers } from './forget-customers.ts'

const DAY_MS = 86_400_000
let desk: OrderDesk
let clock: ManualClock
beforeEach(async () => {
  clock = new ManualClock()
  desk = await OrderDesk.open(clock)
})
afterEach(() => desk.api.close())

const injected = async (body: object = {}) => (await desk.api.inject({ print: false, ...body })).body
const withDisplays = () => desk.pair([printer('pass')], [CAP_PRINT_JOBS, CAP_KITCHEN])

describe('an order with print false', () => {
  test('is sent to a gateway that has displays, as a job without paper that ends by itself', async () => {
    await withDisplays()
    const woken: string[] = []
    desk.api.stores.dispatches.changed.subscribe((location) => woken.push(location))
    const { printJobId } = await injected()
    expect([printJobId, woken]).toEqual([null, [desk.api.locationId]])
    const [job] = await desk.handOver()
    expect(JSON.parse(job?.doc ?? '')).toMatchObject({ kind: 'board', order: { orderId: 'order-1' } })
    expect(job?.expiresAtMs).toBe(desk.clock.now() + DAY_MS / 2)
  })

  test('does not count as one with a lost outcome while it is on the displays, only after its end', async () => {
    await withDisplays()
    await injected()
    const [job] = await desk.handOver()
    const asked = () => {
      const about = { gatewayId: desk.gatewayId, stream: 'stream-a', upToSeq: job?.seq ?? 0 }
      return desk.api.stores.dispatches.requeueForgotten({ ...about, nowMs: clock.now() })
    }
    expect(await asked()).toEqual([])
    clock.jump(DAY_MS / 2 + 1)
    expect(await asked()).toEqual([job?.jobId])
  })

  test('goes nowhere where no gateway has displays', async () => {
    await desk.pair([printer('pass')])
    await injected()
    expect(await desk.handOver()).toEqual([])
  })

  test('is taken back from the displays by a void, and its end changes nothing of the order', async () => {
    await withDisplays()
    const { serviceOrderId } = await injected()
    const [job] = await desk.handOver()
    expect((await desk.void(serviceOrderId)).status).toBe(200)
    expect(await desk.asked()).toEqual([job?.jobId])
    await desk.report(job?.jobId ?? '', 'cancelled')
    expect((await desk.get(`/v1/order/${serviceOrderId}`)).body).toMatchObject({ status: 'voided', printState: 'none' })
  })

  test('has no print job that a client could look up or cancel', async () => {
    await withDisplays()
    await injected()
    const [job] = await desk.handOver()
    expect((await desk.get(`/v1/print/job/${job?.jobId}`)).body).toMatchObject({ code: 'print_job.not_found' })
  })

  test("keeps its customer's data no longer than the order does", async () => {
    await withDisplays()
    await injected({ customer: { name: 'Zoë Secretname' } })
    const forget = new ForgetCustomers({
      ...desk.api.stores,
      customerData: new CustomerDataStore(desk.api.db),
      retentionDays: 90,
    })
    const stored = async () => JSON.stringify(await desk.api.db.read.selectFrom('dispatches').select('doc').execute())
    expect(await stored()).toContain('Secretname')
    clock.jump(91 * DAY_MS)
    await forget.sweep()
    expect(await stored()).not.toContain('Secretname')
    await forget.stop()
  })
})
