// The plans as data: what is included, what it costs, how fast an account may call. The values are from the specification's table.
import { z } from 'zod'
import type { AccountsTable } from '#cloud/storage/schema-accounts.ts'
import type { PlanName } from '#shared/wire/api/account.ts'

/** What an account may do in one environment. Null: unlimited, or by contract where it is money. */
export interface Plan {
  name: PlanName
  /** Calls a month that the fee covers. */
  includedCalls: number | null
  /** Price of each further call. */
  overageCents: number | null
  feeCents: number | null
  /** Calls a minute that may go on for ever. */
  steadyPerMinute: number
  /** The most calls in any one minute. */
  burstPerMinute: number
  /** Bytes of request bodies a minute that may go on for ever. */
  bodyBytesPerMinute: number
  /** Bytes of request bodies that may come at once. */
  bodyBytesAtOnce: number
  /** First attempts an hour; what is over it waits for the next hour. */
  webhookEventsPerHour: number | null
  /** Live locations of the account's merchants. */
  locations: number | null
  /** Connected platforms of one live merchant. */
  platforms: number | null
  /** Gateways of the account in this environment; null: some for each of its locations (`gatewaysOf`). */
  gateways: number | null
}

const UNLIMITED = { webhookEventsPerHour: null, locations: null, platforms: null, gateways: null } as const
/** About ten times what the busiest account needs: bodies are stored, for as long as orders are kept. */
const LIVE_BODIES = { bodyBytesPerMinute: 20_000_000, bodyBytesAtOnce: 200_000_000 } as const

/**
 * Specification, "Limits". What it leaves open (Growth's fee, and all of Enterprise) is in the contract, so in the account's overrides.
 * Webhook events an hour are the specification's for Starter; the others are ours.
 */
export const PLAN_TABLE: Readonly<Record<PlanName, Plan>> = {
  sandbox: {
    ...UNLIMITED,
    name: 'sandbox',
    includedCalls: null,
    overageCents: 0,
    feeCents: 0,
    steadyPerMinute: 500,
    burstPerMinute: 1_000,
    bodyBytesPerMinute: 1_000_000,
    bodyBytesAtOnce: 10_000_000,
    webhookEventsPerHour: 1_000,
  },
  starter: {
    ...LIVE_BODIES,
    name: 'starter',
    includedCalls: 100_000,
    overageCents: 5,
    feeCents: 19_900,
    steadyPerMinute: 1_000,
    burstPerMinute: 2_000,
    webhookEventsPerHour: 5_000,
    locations: 1,
    platforms: 3,
    gateways: null,
  },
  growth: {
    ...UNLIMITED,
    ...LIVE_BODIES,
    name: 'growth',
    includedCalls: 1_000_000,
    overageCents: 3,
    feeCents: null,
    steadyPerMinute: 5_000,
    burstPerMinute: 10_000,
    webhookEventsPerHour: 50_000,
  },
  enterprise: {
    ...UNLIMITED,
    ...LIVE_BODIES,
    name: 'enterprise',
    includedCalls: null,
    overageCents: null,
    feeCents: null,
    steadyPerMinute: 5_000,
    burstPerMinute: 10_000,
  },
}

/** Minutes of the long run's bytes that may come at once, in every plan. */
const AT_ONCE = 10

const count = z.number().int().min(0)
const rate = z.number().int().min(1).max(10_000_000)
const bytes = z.number().int().min(1).max(999_999_999)
/** Not 0: what is over the allowance waits for the next hour, and would wait for ever. */
const perHour = z.number().int().min(1).nullable().exactOptional()
const rates = {
  steadyPerMinute: rate.exactOptional(),
  burstPerMinute: rate.exactOptional(),
  bodyBytesPerMinute: bytes.exactOptional(),
  bodyBytesAtOnce: bytes.exactOptional(),
}

/** What a contract changes of the plan: `accounts.plan_overrides`. `sandbox` changes the rates of the account's sandbox keys. */
export const planOverrides = z.strictObject({
  ...rates,
  includedCalls: count.nullable().exactOptional(),
  overageCents: count.nullable().exactOptional(),
  feeCents: count.nullable().exactOptional(),
  webhookEventsPerHour: perHour,
  locations: count.nullable().exactOptional(),
  platforms: count.nullable().exactOptional(),
  gateways: count.nullable().exactOptional(),
  sandbox: z
    .strictObject({ ...rates, webhookEventsPerHour: perHour, gateways: count.nullable().exactOptional() })
    .exactOptional(),
})
export type PlanOverrides = z.output<typeof planOverrides>

/** The columns of an account that determine its plan. */
export type AccountPlan = Pick<AccountsTable, 'plan' | 'plan_overrides'>

/**
 * The plan of the account in this environment: the sandbox is the same for everybody, whatever is paid. A contract that changes only the
 * steady rate changes the burst with it, and one that changes only the bytes a minute those at once.
 * @throws ZodError when the stored overrides are broken: nothing but the operator's command line writes them
 */
export function planOf(account: AccountPlan, environment: 'sandbox' | 'live'): Plan {
  const overrides = overridesOf(account)
  const { sandbox, ...live } = overrides
  const plan = environment === 'sandbox' ? PLAN_TABLE.sandbox : PLAN_TABLE[account.plan]
  const changed: Partial<Plan> = (environment === 'sandbox' ? sandbox : live) ?? {}
  // As in every plan. A burst that stayed behind a raised steady rate would leave no room for two calls at once.
  const { steadyPerMinute = plan.steadyPerMinute } = changed
  const { burstPerMinute = steadyPerMinute * 2 } = changed
  const { bodyBytesPerMinute = plan.bodyBytesPerMinute } = changed
  const { bodyBytesAtOnce = bodyBytesPerMinute * AT_ONCE } = changed
  return { ...plan, ...changed, bodyBytesAtOnce, burstPerMinute: Math.max(burstPerMinute, steadyPerMinute) }
}

/** What the contract of this account changes; empty for most. */
export function overridesOf(account: AccountPlan): PlanOverrides {
  return account.plan_overrides === null ? {} : planOverrides.parse(JSON.parse(account.plan_overrides))
}
