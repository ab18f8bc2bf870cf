// What each plan gives, and what a contract changes of it.
import { expect, test } from 'vitest'
import { PLAN_TABLE, planOf } from './plans.ts'

test('the plans are those of the specification', () => {
  expect(PLAN_TABLE.sandbox).toMatchObject({ includedCalls: null, steadyPerMinute: 500, burstPerMinute: 1_000 })
  expect(PLAN_TABLE.starter).toMatchObject({
    includedCalls: 100_000,
    overageCents: 5,
    feeCents: 19_900,
    steadyPerMinute: 1_000,
    burstPerMinute: 2_000,
    webhookEventsPerHour: 5_000,
    locations: 1,
    platforms: 3,
  })
  expect(PLAN_TABLE.growth).toMatchObject({
    includedCalls: 1_000_000,
    overageCents: 3,
    feeCents: null,
    steadyPerMinute: 5_000,
    burstPerMinute: 10_000,
  })
})

test('sandbox keys have the rates of the sandbox whatever the account pays for', () => {
  expect(planOf({ plan: 'growth', plan_overrides: null }, 'sandbox')).toEqual(PLAN_TABLE.sandbox)
  expect(planOf({ plan: 'growth', plan_overrides: null }, 'live')).toEqual(PLAN_TABLE.growth)
})

test('a contract changes single figures, and those of the sandbox by themselves', () => {
  const account = {
    plan: 'enterprise' as const,
    plan_overrides: '{"feeCents":150000,"includedCalls":5000000,"sandbox":{"steadyPerMinute":900}}',
  }
  expect(planOf(account, 'live')).toEqual({ ...PLAN_TABLE.enterprise, feeCents: 150_000, includedCalls: 5_000_000 })
  expect(planOf(account, 'sandbox')).toMatchObject({
    ...PLAN_TABLE.sandbox,
    steadyPerMinute: 900,
    burstPerMinute: 1_800,
  })
})

test('a raised steady rate raises the burst with it, and a burst of its own is never below it', () => {
  const ratesOf = (plan_overrides: string) => {
    const { steadyPerMinute, burstPerMinute } = planOf({ plan: 'starter', plan_overrides }, 'live')
    return [steadyPerMinute, burstPerMinute]
  }
  expect(ratesOf('{"steadyPerMinute":60000}')).toEqual([60_000, 120_000])
  expect(ratesOf('{"burstPerMinute":5000}')).toEqual([1_000, 5_000])
  expect(ratesOf('{"steadyPerMinute":60000,"burstPerMinute":5000}')).toEqual([60_000, 60_000])
})

test('an account may send ten times as many bytes at once as per minute in the long run', () => {
  const bytesOf = (environment: 'sandbox' | 'live', plan_overrides: string | null) => {
    const { bodyBytesPerMinute, bodyBytesAtOnce } = planOf({ plan: 'starter', plan_overrides }, environment)
    return [bodyBytesPerMinute, bodyBytesAtOnce]
  }
  expect(bytesOf('sandbox', null)).toEqual([1_000_000, 10_000_000])
  expect(bytesOf('live', null)).toEqual([20_000_000, 200_000_000])
  expect(bytesOf('live', '{"bodyBytesPerMinute":1000}')).toEqual([1_000, 10_000])
  expect(bytesOf('sandbox', '{"sandbox":{"bodyBytesAtOnce":5}}')).toEqual([1_000_000, 5])
})

test('broken overrides are refused, not ignored', () => {
  expect(() => planOf({ plan: 'starter', plan_overrides: '{"feeCent":1}' }, 'live')).toThrow(/feeCent/)
})

test('a contract cannot remove all webhooks: they would wait forever', () => {
  for (const overrides of ['{"webhookEventsPerHour":0}', '{"sandbox":{"webhookEventsPerHour":0}}'])
    expect(() => planOf({ plan: 'starter', plan_overrides: overrides }, 'live')).toThrow(/webhookEventsPerHour/)
})
