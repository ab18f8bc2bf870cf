// What becomes of a kitchen's open orders when its gateway is gone for good.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { OrderDesk, printer } from '#test/fixtures/order-desk.ts'
import { revokeGateway } from './gateway-registry.ts'

let desk: OrderDesk
beforeEach(async () => {
  desk = await OrderDesk.open(new ManualClock())
  await desk.pair([printer('pass', { isDefault: true })])
})
afterEach(() => desk.close())

test('orders that a revoked gateway has and has not reported wait for the next one, marked; what it reported stays', async () => {
  const { dispatches } = desk.api.stores
  const ids: string[] = []
  for (const orderId of ['printed', 'accepted']) ids.push((await desk.api.inject({ orderId })).body.printJobId)
  await desk.handOver()
  await desk.report(ids[0] ?? '', 'printed')
  const voided = (await desk.api.inject({ orderId: 'voided' })).body.serviceOrderId
  await desk.handOver()
  await desk.void(voided)
  expect(await revokeGateway(desk.api.stores, desk.gatewayId)).toBe(1)
  expect((await desk.get(`/v1/order/${voided}`)).body).toMatchObject({ status: 'voided', printState: 'uncertain' })
  expect(await desk.asked()).toEqual([])
  const states = ids.map(async (id) => (await desk.get(`/v1/print/job/${id}`)).body.state)
  expect(await Promise.all(states)).toEqual(['printed', 'queued'])
  const { locationId } = desk.api
  const next = { locationId, gatewayId: desk.gatewayId, stream: 'x', epoch: 1, lastSeq: 0 }
  expect(await dispatches.hasQueued(locationId, desk.clock.now())).toBe(true)
  const window = { maxJobs: 16, maxBytes: 1e6, atLeastOne: true, nowMs: desk.clock.now() }
  // The revoked one gets nothing more.
  expect(await desk.api.db.unit((tx) => dispatches.claim(tx, { ...next, ...window }))).toBeNull()
  const waiting = desk.api.db.read.selectFrom('dispatches').select(['id', 'possible_duplicate', 'gateway_id'])
  expect(await waiting.where('state', '=', 'queued').execute()).toEqual([
    { id: ids[1], possible_duplicate: 1, gateway_id: null },
  ])
})
