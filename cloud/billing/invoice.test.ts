// What a month costs, by plan and by contract.
import { describe, expect, it } from 'vitest'
import { costOf } from './invoice.ts'
import { PLAN_TABLE, type Plan } from './plans.ts'

const STARTER = PLAN_TABLE.starter
const cost = (calls: number, change: Partial<Plan> = {}) => costOf({ ...STARTER, ...change }, '2026-11', calls)

describe('the cost of a month', () => {
  it('is the fee as long as the plan covers the calls, the last of them too', () => {
    for (const calls of [0, 1, 100_000])
      expect(cost(calls)).toEqual({
        lines: [{ description: 'Starter plan, 2026-11', quantity: 1, unitPrice: 199, amount: 199 }],
        totalCents: 19_900,
        overageCalls: 0,
        overageCents: 0,
      })
  })

  it('grows by the price of each call above that, and by no other', () => {
    expect(cost(100_003)).toMatchObject({ overageCalls: 3, overageCents: 15, totalCents: 19_915 })
    expect(cost(100_003).lines[1]).toEqual({
      ...{ description: 'Calls above 100,000', quantity: 3 },
      ...{ unitPrice: 0.05, amount: 0.15 },
    })
  })

  it('has no calls above a plan without a limit', () => {
    expect(cost(5_000_000, { includedCalls: null })).toMatchObject({ overageCalls: 0, totalCents: 19_900 })
  })

  it('shows "by contract" where no price is known, and then no total', () => {
    const unknownFee = cost(10, { feeCents: null })
    expect(unknownFee.totalCents).toBeNull()
    expect(unknownFee.lines[0]).toMatchObject({ description: 'Starter plan, 2026-11, by contract', amount: null })
    const unknownPrice = cost(100_001, { overageCents: null })
    expect(unknownPrice).toMatchObject({ totalCents: null, overageCents: null })
    expect(unknownPrice.lines[1]).toMatchObject({ description: 'Calls above 100,000, by contract', amount: null })
  })

  it('is known although the price of further calls is not, when there are none', () => {
    expect(cost(100_000, { overageCents: null }).totalCents).toBe(19_900)
  })
})
