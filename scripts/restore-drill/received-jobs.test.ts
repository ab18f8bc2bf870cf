// The drill notices whatever its gateway is sent a second time, or beside the orders that it waits for.
import { beforeEach, expect, it } from 'vitest'
import { job } from '#shared/wire/gateway-link.ts'
import { webOrder } from '#test/fixtures/kitchen-orders.ts'
import { ReceivedJobs } from './received-jobs.ts'

const ORDERS = ['ord_1', 'ord_2', 'ord_3']

let received: ReceivedJobs
beforeEach(() => {
  received = new ReceivedJobs()
})

/** A job of an order comes under a number. */
function take(seq: number, serviceOrderId: string, jobId = `pj_${serviceOrderId}`): void {
  const envelope = { v: 1, id: `${seq}`, ts: 0, e: 1, t: 'job', stream: 'stream', seq, jobId }
  const doc = { kind: 'order', order: webOrder([{ umsId: 'u', name: 'Soup', qty: 1 }], { serviceOrderId }) }
  received.take(job.parse({ ...envelope, doc, notBefore: null, expiresAt: null, possibleDuplicate: false }))
}

it('accepts each order under a number of its own', () => {
  for (const [i, id] of ORDERS.entries()) take(i + 1, id)
  expect(received.areJust(ORDERS)).toBe(true)
  expect([received.last, received.all.map(({ seq }) => seq)]).toEqual([3, [1, 2, 3]])
})

it('so is the same job under the same number once more: its acknowledgement may have been lost', () => {
  for (const [i, id] of ORDERS.entries()) take(i + 1, id)
  take(2, 'ord_2')
  expect(received.areJust(ORDERS)).toBe(true)
})

it.each([
  ['a job that is queued again under the next number', 4, 'ord_2', 'pj_ord_2'],
  ['a job that is queued again under an old number', 1, 'ord_2', 'pj_ord_2'],
  ['a job that is queued again under a number beyond the next', 9, 'ord_2', 'pj_ord_2'],
  ['an order in another job', 4, 'ord_2', 'pj_other'],
  ['another order', 4, 'ord_4', 'pj_ord_4'],
])('%s is noticed', (_what, seq, serviceOrderId, jobId) => {
  for (const [i, id] of ORDERS.entries()) take(i + 1, id)
  take(seq, serviceOrderId, jobId)
  expect(received.areJust(ORDERS)).toBe(false)
})

it('reports a second job of one order in place of another order, and an order that did not arrive', () => {
  take(1, 'ord_1')
  take(2, 'ord_2')
  expect(received.areJust(ORDERS)).toBe(false)
  take(3, 'ord_2', 'pj_other')
  expect(received.areJust(ORDERS)).toBe(false)
})
