// Characters that could not be printed are counted, from the paper to the result, the history and the list of repairs.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { healthOf } from '#gateway/care/health.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { healthyBox } from '#test/fixtures/healthy-box.ts'

let core: GatewayCore
beforeEach(() => {
  core = new GatewayCore()
})
afterEach(() => core.stop())

async function printed(jobId: string, name: string) {
  core.accept(jobId, {
    order: { posOrderId: '20261121-002', items: [{ umsId: 'u', name, qty: 1, modifiers: [], station: null }] },
  })
  await core.queue.start()
  return core.result(jobId)
}

it('are in the result for the relay, in the history, and in a finding while it is new', async () => {
  // This queue has no raster, so Korean is printed as question marks.
  const report = await printed('pj_1', '땅콩 Noodles?')
  expect(report).toMatchObject({ jobId: 'pj_1', state: 'printed', tickets: [{ unprintable: 2 }] })
  expect(core.history.ticket('pj_1-1')?.ticket.unprintable).toBe(2)
  const since = core.relayTime.now() - 1_000
  const [ticket] = core.history.withUnprintable(since, 5)
  expect(ticket).toMatchObject({ ticketId: 'pj_1-1', unprintable: 2, orderNumber: '2' })
  expect(core.history.withUnprintable(core.relayTime.now() + 1, 5)).toEqual([])
  expect(healthOf(healthyBox({ unprintable: ticket ? [ticket] : [] })).map(({ id }) => id)).toEqual([
    'unprintable:pj_1-1',
  ])
})

it('are none if the paper has everything', async () => {
  await printed('pj_1', 'Jalapeño?')
  expect(core.history.ticket('pj_1-1')?.ticket.unprintable).toBe(0)
  expect(core.history.withUnprintable(0, 5)).toEqual([])
})
