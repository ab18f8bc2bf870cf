// How many gateways an account may have, by its locations or its contract.
import { describe, expect, it } from 'vitest'
import { gatewayOverPlan, gatewaysOf } from './plan-limits.ts'
import { planOf } from './plans.ts'

const plan = (gateways?: number | null, sandbox?: number) =>
  planOf(
    {
      plan: 'starter',
      plan_overrides: JSON.stringify({
        ...(gateways !== undefined && { gateways }),
        ...(sandbox !== undefined && { sandbox: { gateways: sandbox } }),
      }),
    },
    sandbox === undefined ? 'live' : 'sandbox',
  )

describe('the number of gateways of an account', () => {
  it('is four for each of its locations, and four before it has any', () => {
    expect([0, 1, 3].map((locations) => gatewaysOf(plan(), locations))).toEqual([4, 4, 12])
  })

  it('is the limit of its contract, also none, in that environment', () => {
    expect([plan(2), plan(0), plan(null), plan(undefined, 9)].map((one) => gatewaysOf(one, 3))).toEqual([2, 0, 12, 9])
  })

  it('is refused with the count and what helps', () => {
    expect(gatewayOverPlan(plan(), { gateways: 3, locations: 1 })).toBeNull()
    expect(gatewayOverPlan(plan(), { gateways: 4, locations: 1 })).toBe(
      'The account has 4 gateways; 1 location may have 4. Revoke one that is not used any more.',
    )
    expect(gatewayOverPlan(plan(1), { gateways: 1, locations: 7 })).toBe(
      'The account has 1 gateway; its contract allows 1. Revoke one that is not used any more.',
    )
  })
})
