// The summary of an order, and the request that makes the same order again.
import { describe, expect, test } from 'vitest'
import { words as t } from '#cloud/web/messages/orders-en.ts'
import { formatsFor } from '#shared/ui/languages.ts'
import type { OrderResource } from '#shared/wire/api/orders.ts'
import { injectOrder } from '#shared/wire/api/orders.ts'
import { EVERY_DETAIL } from '#test/fixtures/order-details.ts'
import { againBody } from './again-body.ts'
import { lookup, moneyWords, readyWords } from './order-words.ts'

const NOW_MS = Date.UTC(2026, 10, 20, 18, 0, 0)
const at = (minutes: number) => new Date(NOW_MS + minutes * 60_000).toISOString()
const formats = formatsFor('en', 'UTC')
const say = (change: Partial<Parameters<typeof readyWords>[0]>) =>
  readyWords({ status: 'accepted', fireAt: null, estimatedReadyAt: at(8), ...change }, { t, formats, nowMs: NOW_MS })

describe('when an order is ready', () => {
  test('is shown in minutes, and when it is late by how many', () => {
    expect(say({})).toEqual({ words: 'in 8 min', isLate: false })
    expect(say({ status: 'printed', estimatedReadyAt: at(-3) })).toEqual({ words: '3 min late', isLate: true })
  })

  test('is not shown for what is ready or over', () => {
    for (const status of ['ready', 'completed', 'voided', 'refunded'] as const)
      expect(say({ status, estimatedReadyAt: at(-30) })).toBeNull()
  })

  test('of an advance order is its start, until that has come', () => {
    expect(say({ fireAt: at(120) })?.words).toMatch(/^starts .*20:00/)
    expect(say({ fireAt: at(-1) })?.words).toBe('in 8 min')
  })
})

test('a value of a newer relay is shown unchanged', () => {
  expect([lookup(t.jobs, 'reprint'), lookup(t.jobs, 'hologram'), lookup(t.jobs, 'constructor')]).toEqual([
    'Reprint',
    'hologram',
    'constructor',
  ])
})

test('amounts are formatted for the reader’s language', () => {
  expect([moneyWords(32.95, 'USD', 'en-US'), moneyWords(1200, 'JPY', 'en-US')]).toEqual(['$32.95', '¥1,200'])
})

test('a repetition is a whole request with an id of its own, for now', () => {
  const order = {
    ...{ merchantId: 'M-TEST-001', locationId: 'loc_1', orderId: 'first', source: 'kiosk', total: 25, tip: 3 },
    ...{ print: true, customer: { name: 'Ana' }, orderType: null, table: '7', guests: null, server: null, note: null },
    ...{ allergens: [], fireAt: at(60), addOnTo: 'earlier' },
    items: [
      { umsId: 'A', name: 'Burger', qty: 2, price: 12.5, modifiers: ['M'], modifierDetails: [{ umsId: 'M', qty: 2 }] },
      { umsId: 'B', name: 'Soup', qty: 1, price: 0, modifiers: ['N'], note: 'hot' },
    ],
  } as unknown as OrderResource
  const body = againBody(order, 'again-1')
  expect(injectOrder.parse(body)).toEqual({
    ...{ merchantId: 'M-TEST-001', locationId: 'loc_1', orderId: 'again-1', source: 'kiosk', total: 25, tip: 3 },
    ...{ print: true, customer: { name: 'Ana' }, table: '7' },
    items: [
      { umsId: 'A', qty: 2, price: 12.5, modifiers: [{ umsId: 'M', qty: 2 }] },
      { umsId: 'B', qty: 1, price: 0, modifiers: ['N'], note: 'hot' },
    ],
  })
})

test('the same once more has every detail that the kitchen got', () => {
  const order = { ...EVERY_DETAIL, items: [], total: 0, tip: 0, customer: null } as unknown as OrderResource
  expect(againBody(order, 'again-1')).toMatchObject(EVERY_DETAIL)
})
