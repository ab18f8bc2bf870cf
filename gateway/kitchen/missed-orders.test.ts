// The orders that a screen has not drawn, checked each second: cheap for a screen that draws, and one disk read for each order.
import { expect, it } from 'vitest'
import { boardOfOrder } from '#test/fixtures/two-station-orders.ts'
import { MissedOrders } from './missed-orders.ts'

const display = { displayId: 'dsp_1', stations: [] } as never
const screens = { displays: [], served: [], adopter: 'dsp_1' }
const orders = ['ord_1', 'ord_2', 'ord_3'].map((orderId) => boardOfOrder(orderId))

/** @param drawn since the start @param before it, from the disk @returns a check, and for which orders the disk was read */
function looked(missed: MissedOrders, nowMs: number, { drawn = [] as string[], before = [] as string[] } = {}) {
  const asked: string[] = []
  const hadDrawn = (id: string): boolean => asked.push(id) > 0 && before.includes(id)
  const sent = { orders, screens, hasDrawn: (id: string) => drawn.includes(id), hadDrawn }
  return { sinceMs: missed.look(display, sent, nowMs), asked }
}

it('a screen that has drawn the newest order misses nothing, and no other order is read', () => {
  expect(looked(new MissedOrders(), 1_000, { drawn: ['ord_3'] })).toEqual({ sinceMs: null, asked: [] })
  expect(looked(new MissedOrders(), 1_000, { before: ['ord_3'] })).toEqual({ sinceMs: null, asked: ['ord_3'] })
})

it('one that draws nothing misses them since the first check, and the disk is read once for each', () => {
  const missed = new MissedOrders()
  expect(looked(missed, 1_000)).toEqual({ sinceMs: 1_000, asked: ['ord_3', 'ord_2', 'ord_1'] })
  expect(looked(missed, 9_000)).toEqual({ sinceMs: 1_000, asked: [] })
  missed.forget('dsp_1')
  expect(looked(missed, 20_000).sinceMs).toBe(20_000)
})
