// When gateways that cannot be answered in time are to come back. Times are monotonic milliseconds.
import { beforeEach, expect, test } from 'vitest'
import { asId, type GatewayId } from '#shared/ids.ts'
import { HelloBookings } from './hello-bookings.ts'

/** What one hello costs before any was measured. */
const EACH_MS = 2
const gateway = (n: number): GatewayId => asId(`gw_${n}`)
let bookings: HelloBookings
beforeEach(() => {
  bookings = new HelloBookings()
})
const bookMany = (many: number, nowMs = 0) => {
  for (let n = 0; n < many; n++) bookings.book(gateway(n), 0, nowMs)
}

test('gateways are due one after the other, behind those that wait', () => {
  bookings.book(gateway(0), 500, 0)
  bookings.book(gateway(1), 500, 0)
  const [first, second] = [bookings.dueMs(gateway(0)), bookings.dueMs(gateway(1))]
  expect(first).toBe(502 * EACH_MS)
  expect(second).toBe((first ?? 0) + EACH_MS)
  expect([bookings.told, bookings.dueMs(gateway(2))]).toEqual([2, null])
})

test('the time of those that have left is free again: the next is due behind those that remain', () => {
  bookMany(1_000)
  for (let n = 10; n < 1_000; n++) bookings.forget(gateway(n))
  expect(bookings.bookedMs(0, 0)).toBe(11 * EACH_MS)
})

test('what is given away is never in the past', () => {
  bookMany(1)
  expect(bookings.bookedMs(0, 60_000)).toBe(60_000)
})

test('a gateway that is 15 seconds late is forgotten, and none before', () => {
  bookMany(2)
  const [first, second] = [bookings.dueMs(gateway(0)) ?? 0, bookings.dueMs(gateway(1)) ?? 0]
  bookings.prune(first + 15_000)
  expect(bookings.told).toBe(2)
  bookings.prune(first + 15_001)
  expect([bookings.told, bookings.dueMs(gateway(0)), bookings.dueMs(gateway(1))]).toEqual([1, null, second])
})

test('a wait is a quarter of a second at least and a minute at most; a gateway due later gets half a minute to a minute', () => {
  const waitBehind = (waiting: number) => {
    const waitMs = bookings.book(gateway(0), waiting, 0)
    const dueMs = bookings.dueMs(gateway(0)) ?? 0
    bookings.forget(gateway(0))
    return { waitMs, dueMs }
  }
  expect(waitBehind(0).waitMs).toBe(250)
  const soon = waitBehind(20_000)
  expect(soon.waitMs).toBe(soon.dueMs)
  for (const waiting of [30_000, 40_000, 100_000]) {
    const { waitMs, dueMs } = waitBehind(waiting)
    expect([dueMs > 60_000, waitMs >= 30_000, waitMs <= 60_000]).toEqual([true, true, true])
  }
})

test('the cost of a hello is measured where others wait behind it, and not of one alone', () => {
  bookings.began(0)
  bookings.done(1_000, { waiting: 0, working: 0 })
  expect(bookings.eachMs).toBe(EACH_MS)
  bookings.began(2_000)
  bookings.done(2_018, { waiting: 1, working: 0 })
  expect(bookings.eachMs).toBe(EACH_MS + 1)
})
