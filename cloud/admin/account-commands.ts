// accounts, plans: who may use the relay and what they pay for.
import { z } from 'zod'
import { gatewaysOf, overPlan } from '#cloud/billing/plan-limits.ts'
import { overridesOf, PLAN_TABLE, type Plan, type PlanOverrides, planOf, planOverrides } from '#cloud/billing/plans.ts'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import type { AccountsTable } from '#cloud/storage/schema-accounts.ts'
import { toIso } from '#shared/clock.ts'
import type { AccountId } from '#shared/ids.ts'
import { AdminError, type Command, defineCommand } from './command.ts'
import { type AdminContext, audited } from './context.ts'
import { accountField, nameField, requireAccount, wholeNumber } from './fields.ts'
import { facts, money, table } from './print.ts'

const paidPlan = z
  .enum(['starter', 'growth', 'enterprise'], { error: 'must be starter, growth or enterprise' })
  .describe('starter, growth or enterprise')

const unlimitedOr = (max: number) =>
  z.union([z.literal('none').transform(() => null), wholeNumber(max)], {
    error: `must be a whole number up to ${max}, or none`,
  })
const dollars = z
  .string()
  .regex(/^\d{1,7}(\.\d\d)?$/, { error: 'must be dollars such as 499 or 499.00' })
  .transform((amount) => Math.round(Number(amount) * 100))

function accountRow(account: AccountsTable) {
  return {
    accountId: account.id,
    name: account.name,
    plan: account.plan,
    liveApprovedAt: account.live_approved_at === null ? null : toIso(account.live_approved_at),
    createdAt: toIso(account.created_at),
  }
}

/** For people. What no plan says of an enterprise stands in its contract. */
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
    run: async ({ accounts }) => {
      const rows = (await accounts.list()).map(accountRow)
      return { data: rows, text: table(rows, 'No accounts yet: `accounts create --name "..."` makes one.') }
    },
  }),

  defineCommand({
    name: 'accounts create',
    summary: 'A new account with a sandbox key and its own copy of the test merchants',
    options: { name: nameField },
    example: '--name "Kiosk Company"',
    run: async (context, { name }) => {
      const { accountId, apiKey, merchants } = await createSandboxAccount(context, { name })
      await context.db.unit((tx) =>
        audited(tx, context, { accountId, action: 'account.create', subject: accountId, after: { name } }),
      )
      const data = { accountId, name, apiKey, merchants: merchants.map(({ merchantId }) => merchantId) }
      return { data, text: `${facts(data)}\n\nThe key is shown this once: only its hash is stored.` }
    },
  }),

  defineCommand({
    name: 'accounts show',
    summary: 'One account with its plan and what a contract changes of it',
    options: { account: accountField },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async (context, { account }) => {
      const row = await requireAccount(context, account)
      const data = { ...accountRow(row), overrides: overridesOf(row), live: planOf(row, 'live') }
      return { data, text: facts({ ...accountRow(row), ...planRow(data.live), contract: row.plan_overrides }) }
    },
  }),

  defineCommand({
    name: 'accounts approve',
    summary: 'Let an account have live keys, on this plan: billing begins',
    options: { account: accountField, plan: paidPlan },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6 --plan starter',
    run: async (context, { account, plan }) => {
      const before = await requireAccount(context, account)
      const live_approved_at = before.live_approved_at ?? context.clock.now()
      await refuseOverPlan(context, { ...before, plan })
      await changeAccount(context, before, { plan, live_approved_at }, 'account.approve')
      const data = accountRow({ ...before, plan, live_approved_at })
      const next = `Next: keys create --account ${account} --environment live (read-only unless --scopes says more).`
      return { data, text: `${facts(data)}\n\n${next}` }
    },
  }),

  defineCommand({
    name: 'accounts withdraw',
    summary: 'End the live approval of an account and revoke its live keys at once',
    options: { account: accountField },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async (context, { account }) => {
      const before = await requireAccount(context, account)
      const keys = (await context.apiKeys.ofAccount(account)).filter(
        (key) => key.environment === 'live' && key.revoked_at === null,
      )
      await changeAccount(context, before, { live_approved_at: null }, 'account.withdraw', async (tx) => {
        for (const key of keys) await context.apiKeys.revoke(tx, key.id, context.clock.now())
      })
      const data = { ...accountRow({ ...before, live_approved_at: null }), revokedKeys: keys.map((key) => key.id) }
      return { data, text: `${facts(data)}\n\nA month in which it made live calls is still billed.` }
    },
  }),

  defineCommand({
    name: 'plans list',
    summary: 'What each plan includes and costs',
    options: {},
    example: '',
    run: async () => {
      const plans = Object.values(PLAN_TABLE)
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
    run: async (context, { account, plan, reset, ...changes }) => {
      const before = await requireAccount(context, account)
      if (plan !== undefined && before.live_approved_at === null)
        throw new AdminError(`${account} is not approved for live: use \`accounts approve --plan ${plan}\`.`)
      if (plan === undefined && !reset && Object.keys(given(changes)).length === 0)
        throw new AdminError('Nothing to change: name at least one option. `accounts show` has what stands.')
      const overrides = merged(reset ? {} : overridesOf(before), changes)
      const plan_overrides = Object.keys(overrides).length === 0 ? null : JSON.stringify(overrides)
      const after = { ...before, plan: plan ?? before.plan, plan_overrides }
      await refuseOverPlan(context, after)
      await changeAccount(context, before, { plan: after.plan, plan_overrides }, 'plan.set')
      const data = { accountId: account, plan: after.plan, overrides, live: planOf(after, 'live') }
      return { data, text: facts({ accountId: account, ...planRow(data.live), contract: plan_overrides }) }
    },
  }),
]

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

function merged(before: PlanOverrides, changes: PlanChanges): PlanOverrides {
  const { sandbox: sandboxBefore, ...liveBefore } = before
  const sandbox = {
    ...sandboxBefore,
    ...given({
      steadyPerMinute: changes.sandboxSteady,
      burstPerMinute: changes.sandboxBurst,
      bodyBytesPerMinute: changes.sandboxBytesPerMinute,
      bodyBytesAtOnce: changes.sandboxBytesAtOnce,
      gateways: changes.sandboxGateways,
    }),
  }
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
  return planOverrides.parse({
    ...liveBefore,
    ...live,
    ...(Object.keys(sandbox).length === 0 ? {} : { sandbox }),
  })
}

function given<T extends Record<string, unknown>>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>
}

async function changeAccount(
  context: AdminContext,
  before: AccountsTable,
  change: Parameters<AdminContext['accounts']['change']>[2],
  action: string,
  more?: (tx: Parameters<AdminContext['accounts']['change']>[0]) => Promise<void>,
): Promise<void> {
  const { id, plan, plan_overrides, live_approved_at } = before
  await context.db.unit(async (tx) => {
    await context.accounts.change(tx, id, change)
    await more?.(tx)
    await audited(tx, context, {
      accountId: id,
      action,
      subject: id,
      before: { plan, plan_overrides, live_approved_at },
      after: change,
    })
  })
}

/** A smaller plan must have room for what the account has. @throws AdminError */
async function refuseOverPlan(context: AdminContext, account: AccountsTable): Promise<void> {
  const locations = await context.db.unit((tx) => context.locations.countLive(tx, account.id))
  const platforms = await mostPlatforms(context, account.id)
  const reasons = overPlan(planOf(account, 'live'), { locations, platforms })
  if (reasons.length > 0) throw new AdminError(`${reasons.join(' ')} Take some away first, or raise them by contract.`)
}

async function mostPlatforms({ merchants, channels }: AdminContext, accountId: AccountId): Promise<number> {
  let most = 0
  for (const merchant of await merchants.list(accountId)) {
    if (merchant.environment !== 'live') continue
    const connected = (await channels.list(merchant.id)).filter((channel) => channel.status === 'connected')
    most = Math.max(most, new Set(connected.map((channel) => channel.platform)).size)
  }
  return most
}
