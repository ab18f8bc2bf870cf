// Go-back-N with a cumulative acknowledgement: what is held, what is freed, what is refused.
import { expect, test } from 'vitest'
import { asId } from '#shared/ids.ts'
import { LINK_LIMITS } from '#shared/wire/gateway-link.ts'
import { SendWindow } from './send-window.ts'

const message = (seq: number, bytes = 100) => ({ seq, jobId: asId<'pj'>(`j${seq}`), bytes, payload: `p${seq}` })

test('an acknowledgement frees everything up to it, in order', () => {
  const window = new SendWindow(10)
  for (let seq = 11; seq <= 14; seq++) window.add(message(seq))
  expect(window.acknowledge(12)?.map((m) => m.seq)).toEqual([11, 12])
  expect(window.acknowledge(12)).toEqual([])
  expect(window.acknowledge(5)).toEqual([])
  expect(window.acked).toBe(12)
  expect(window.unacked.map((m) => m.seq)).toEqual([13, 14])
  expect(window.acknowledge(14)?.length).toBe(2)
  expect(window.empty).toBe(true)
  expect(window.last).toBe(14)
})

test('a number that was never sent acknowledges nothing', () => {
  const window = new SendWindow(0)
  window.add(message(1))
  expect(window.acknowledge(2)).toBeNull()
  expect(window.unacked.length).toBe(1)
})

test('a hole in the stream is a bug', () => {
  const window = new SendWindow(3)
  expect(() => window.add(message(5))).toThrow('sequence 5 after 3')
})

test('room is bounded in jobs and in bytes', () => {
  const window = new SendWindow(0)
  for (let seq = 1; seq <= LINK_LIMITS.windowJobs; seq++) window.add(message(seq, 1_000))
  expect(window.roomJobs).toBe(0)
  window.acknowledge(8)
  expect(window.roomJobs).toBe(8)
  expect(window.roomBytes).toBe(LINK_LIMITS.windowBytes - 8_000)
  window.add(message(17, LINK_LIMITS.windowBytes))
  expect(window.roomBytes).toBe(0)
})
