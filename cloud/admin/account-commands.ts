// accounts, plans: which accounts may use the relay, and what they pay for.
import { z } from 'zod'
import { gatewaysOf } from '#cloud/billing/plan-limits.ts'
import type { Plan, PlanOverrides } from '#cloud/billing/plans.ts'
import type { AccountAnswer } from '#cloud/control/account-list.ts'
import { perform } from '#cloud/control/perform.ts'
import { PAID_PLANS } from '#shared/wire/paid-plans.ts'
import { allPages } from './all-pages.ts'
import { type Command, defineCommand } from './command.ts'
import { consoleAct } from './context.ts'
import { accountField, nameField, wholeNumber } from './fields.ts'
import { facts, money, table } from './print.ts'

const paidPlan = z
  .enum(PAID_PLANS, { error: 'must be starter, growth or enterprise' })
  .describe('starter, growth or enterprise')

const unlimitedOr = (max: number) =>
  z.union([z.literal('none').transform(() => null), wholeNumber(max)], {
    error: `must be a whole number up to ${max}, or none`,
  })
const dollars = z
  .string()
  .regex(/^\d{1,7}(\.\d\d)?$/, { error: 'must be dollars such as 499 or 499.00' })
  .transform((amount) => Math.round(Number(amount) * 100))

function accountRow({ accountId, name, plan, liveApprovedAt, createdAt }: AccountAnswer) {
  return { accountId, name, plan, liveApprovedAt, createdAt }
}

/** For people. For an enterprise the contract has what the plan does not. */
function planRow(plan: Plan) {
  const open = plan.name === 'enterprise' ? 'by contract' : 'unlimited'
  return {
    plan: plan.name,
    fee: money(plan.feeCents),
    includedCalls: plan.includedCalls ?? open,
    overage: money(plan.overageCents),
    steadyPerMinute: plan.steadyPerMinute,
    burstPerMinute: plan.burstPerMinute,
    bytesPerMinute: plan.bodyBytesPerMinute,
    bytesAtOnce: plan.bodyBytesAtOnce,
    webhooksPerHour: plan.webhookEventsPerHour ?? open,
    locations: plan.locations ?? open,
    platforms: plan.platforms ?? open,
    gateways: plan.gateways ?? `${gatewaysOf({ ...plan, gateways: null }, 1)} a location`,
  }
}

export const accountCommands: readonly Command[] = [
  defineCommand({
    name: 'accounts list',
    summary: 'All accounts, newest first',
    options: {},
    example: '',
    run: async (context) => {
      const accounts = await allPages(async (cursor) => {
        const raw = { limit: 100, ...(cursor === null ? {} : { cursor }) }
        const { data, nextCursor } = await perform(context, consoleAct(), { name: 'op.accounts', raw })
        return { rows: data, next: nextCursor }
      })
      const rows = accounts.map(accountRow)
      return { data: rows, text: table(rows, 'No accounts yet: `accounts create --name "..."` makes one.') }
    },
  }),

  defineCommand({
    name: 'accounts create',
    summary: 'A new account with a sandbox key and its own copy of the test merchants',
    options: { name: nameField },
    example: '--name "Kiosk Company"',
    run: async (context, raw) => {
      const data = await perform(context, consoleAct(), { name: 'op.create', raw })
      return { data, text: `${facts({ ...data })}\n\nThe key is shown this once: only its hash is stored.` }
    },
  }),

  defineCommand({
    name: 'accounts show',
    summary: 'One account with its plan and what a contract changes of it',
    options: { account: accountField },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async (context, { account: accountId }) => {
      const shown = await perform(context, consoleAct(), { name: 'op.account', raw: { accountId } })
      const { account, overrides, live } = shown
      const data = { ...accountRow(account), overrides, live }
      return { data, text: facts({ ...accountRow(account), ...planRow(live), contract: contractOf(overrides) }) }
    },
  }),

  defineCommand({
    name: 'accounts approve',
    summary: 'Let an account have live keys, on this plan: billing begins',
    options: { account: accountField, plan: paidPlan },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6 --plan starter',
    run: async (context, { account: accountId, plan }) => {
      const data = await perform(context, consoleAct(), { name: 'op.approve', raw: { accountId, plan } })
      const next = `Next: keys create --account ${accountId} --environment live (read-only unless --scopes says more).`
      return { data, text: `${facts({ ...data })}\n\n${next}` }
    },
  }),

  defineCommand({
    name: 'accounts withdraw',
    summary: 'End the live approval of an account and revoke its live keys at once',
    options: { account: accountField },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async (context, { account: accountId }) => {
      const data = await perform(context, consoleAct(), { name: 'op.withdraw', raw: { accountId } })
      return { data, text: `${facts({ ...data })}\n\nA month in which it made live calls is still billed.` }
    },
  }),

  defineCommand({
    name: 'plans list',
    summary: 'What each plan includes and costs',
    options: {},
    example: '',
    run: async (context) => {
      const plans = await perform(context, consoleAct(), { name: 'plans.list', raw: {} })
      return { data: plans, text: table(plans.map(planRow), '') }
    },
  }),

  defineCommand({
    name: 'plans set',
    summary:
      "Change an account's plan (once it is approved for live), or what its contract changes, from the next call on",
    options: {
      account: accountField,
      plan: paidPlan.optional(),
      fee: dollars.optional().describe('Monthly fee in dollars'),
      includedCalls: unlimitedOr(999_999_999)
        .optional()
        .describe('Calls a month within the fee, or none for unlimited'),
      overageCents: wholeNumber(10_000).optional().describe('Cents for each further call'),
      steady: wholeNumber(999_999).optional().describe('Calls a minute that may go on for ever'),
      burst: wholeNumber(999_999).optional().describe('Most calls in any minute; without it twice the steady rate'),
      bytesPerMinute: wholeNumber(999_999_999)
        .optional()
        .describe('Bytes of request bodies a minute that may go on for ever'),
      bytesAtOnce: wholeNumber(999_999_999).optional().describe('And at once; without it ten times those of a minute'),
      webhooksPerHour: unlimitedOr(999_999_999).optional().describe('Webhook events an hour, or none for unlimited'),
      locations: unlimitedOr(99_999).optional().describe('Live locations, or none for unlimited'),
      platforms: unlimitedOr(999).optional().describe('Connected platforms a merchant, or none for unlimited'),
      gateways: unlimitedOr(99_999).optional().describe('Gateways, or none for some a location'),
      sandboxGateways: unlimitedOr(99_999).optional().describe('Gateways of its sandbox, or none for some a location'),
      sandboxSteady: wholeNumber(999_999).optional().describe('Calls a minute of its sandbox keys'),
      sandboxBurst: wholeNumber(999_999).optional().describe('Most sandbox calls in any minute'),
      sandboxBytesPerMinute: wholeNumber(999_999_999)
        .optional()
        .describe('Bytes of request bodies a minute of its sandbox keys'),
      sandboxBytesAtOnce: wholeNumber(999_999_999).optional().describe('And at once'),
      reset: z.boolean().default(false).describe('First forget what the contract changed so far'),
    },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6 --plan growth --fee 499',
    run: async (context, { account: accountId, plan, reset, ...changes }) => {
      const raw = { accountId, ...given({ plan }), reset, contract: contractIn(changes) }
      const data = await perform(context, consoleAct(), { name: 'op.plan', raw })
      return { data, text: facts({ accountId, ...planRow(data.live), contract: contractOf(data.overrides) }) }
    },
  }),
]

/** As it is stored; null: none. */
function contractOf(overrides: PlanOverrides): string | null {
  return Object.keys(overrides).length === 0 ? null : JSON.stringify(overrides)
}

type PlanChanges = {
  fee?: number | undefined
  includedCalls?: number | null | undefined
  overageCents?: number | undefined
  steady?: number | undefined
  burst?: number | undefined
  bytesPerMinute?: number | undefined
  bytesAtOnce?: number | undefined
  webhooksPerHour?: number | null | undefined
  locations?: number | null | undefined
  platforms?: number | null | undefined
  gateways?: number | null | undefined
  sandboxGateways?: number | null | undefined
  sandboxSteady?: number | undefined
  sandboxBurst?: number | undefined
  sandboxBytesPerMinute?: number | undefined
  sandboxBytesAtOnce?: number | undefined
}

/** The options under the names of the contract. */
function contractIn(changes: PlanChanges): Record<string, unknown> {
  const sandbox = given({
    steadyPerMinute: changes.sandboxSteady,
    burstPerMinute: changes.sandboxBurst,
    bodyBytesPerMinute: changes.sandboxBytesPerMinute,
    bodyBytesAtOnce: changes.sandboxBytesAtOnce,
    gateways: changes.sandboxGateways,
  })
  const live = given({
    feeCents: changes.fee,
    includedCalls: changes.includedCalls,
    overageCents: changes.overageCents,
    steadyPerMinute: changes.steady,
    burstPerMinute: changes.burst,
    bodyBytesPerMinute: changes.bytesPerMinute,
    bodyBytesAtOnce: changes.bytesAtOnce,
    webhookEventsPerHour: changes.webhooksPerHour,
    locations: changes.locations,
    platforms: changes.platforms,
    gateways: changes.gateways,
  })
  return { ...live, ...(Object.keys(sandbox).length === 0 ? {} : { sandbox }) }
}

function given<T extends Record<string, unknown>>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>
}
