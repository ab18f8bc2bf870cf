// What the fire tests hold against a relay: without a fault of each kind it is not known whether they would see one.
import { expect, it } from 'vitest'
import { FireKitchen } from './fire-kitchen.ts'

const job = (jobId: string, seq: number, possibleDuplicate = false) =>
  ({ jobId, seq, possibleDuplicate, doc: { order: { orderId: jobId } } }) as Parameters<FireKitchen['take']>[1]
const isNew = { number: false, job: false }

it('a job that arrives again by its own number is the same job', () => {
  const kitchen = new FireKitchen()
  kitchen.take('gw_a', job('pj_1', 1), isNew)
  kitchen.take('gw_a', job('pj_1', 1), { number: true, job: true })
  expect(kitchen).toMatchObject({ again: 1, faults: [] })
})

it('a job that arrives by another number must be marked', () => {
  const kitchen = new FireKitchen()
  kitchen.take('gw_a', job('pj_1', 1), isNew)
  kitchen.take('gw_a', job('pj_1', 2, true), { number: false, job: true })
  expect(kitchen.faults).toEqual([])
  kitchen.take('gw_a', job('pj_1', 3), { number: false, job: true })
  expect(kitchen.faults).toEqual(['job pj_1 came again, by number 3, without the mark'])
})

it('a job by a number that the gateway has for another job is lost', () => {
  const kitchen = new FireKitchen()
  kitchen.take('gw_a', job('pj_1', 1), isNew)
  kitchen.take('gw_a', job('pj_2', 1), { number: true, job: false })
  expect(kitchen.faults).toEqual(['gw_a got job pj_2 by number 1, which it has for another job'])
})

it('a job at two gateways is one too many', () => {
  const kitchen = new FireKitchen()
  kitchen.take('gw_a', job('pj_1', 1), isNew)
  kitchen.take('gw_b', job('pj_1', 1, true), isNew)
  expect(kitchen.faults).toEqual(['job pj_1 came to gw_a and to gw_b'])
})
