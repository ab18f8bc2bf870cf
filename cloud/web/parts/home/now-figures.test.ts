// The figures of the first page.
import { describe, expect, it } from 'vitest'
import type { LiveAnswers, LiveOrder } from '#cloud/control/live-answers.ts'
import { orderFigures, webhookFigures } from './now-figures.ts'

const NOW = Date.UTC(2026, 10, 29, 12)
const order = (part: Partial<LiveOrder>) => ({ status: 'accepted', printState: 'printed', fireAt: null, ...part })
const orders = (...parts: Partial<LiveOrder>[]) =>
  Object.fromEntries(parts.map((part, index) => [`ord_${index}`, order(part)])) as unknown as LiveAnswers['orders']

describe('orders now', () => {
  it('are those that are not handed over, and those for later apart', () => {
    const later = new Date(NOW + 3_600_000).toISOString()
    const earlier = new Date(NOW - 3_600_000).toISOString()
    const figures = orderFigures(
      orders(
        { printState: 'pending' },
        { status: 'ready' },
        { fireAt: later, printState: 'pending' },
        { fireAt: earlier },
        { status: 'completed' },
        { status: 'voided' },
      ),
      NOW,
    )
    expect(figures).toEqual({ open: 3, toPrint: 1, ready: 1, scheduled: 1 })
  })
})

it('webhooks are taken, failing or switched off', () => {
  const endpoints = {
    we_1: { status: 'enabled', failingSince: null },
    we_2: { status: 'enabled', failingSince: '2026-11-29T11:00:00.000Z' },
    we_3: { status: 'disabled', failingSince: '2026-11-24T11:00:00.000Z' },
  } as unknown as LiveAnswers['deliveries']
  expect(webhookFigures(endpoints)).toEqual({ taking: 1, failing: 1, disabled: 1 })
})
