// Accounts as operators see them: list, create, approve, withdraw, and the contract's changes of the plan.
import { monthOf } from '#cloud/billing/months.ts'
import { overPlan } from '#cloud/billing/plan-limits.ts'
import { overridesOf, PLAN_TABLE, type PlanOverrides, planOf } from '#cloud/billing/plans.ts'
import type { NoticeValues } from '#cloud/notices/notice-kinds.ts'
import { addSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import type { AccountRequestRow } from '#cloud/storage/account-request-store.ts'
import type { AuditAction } from '#cloud/storage/audit-actions.ts'
import { ListCursors } from '#cloud/storage/cursor.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { AccountsTable } from '#cloud/storage/schema-accounts.ts'
import { isoOrNull, toIso } from '#shared/clock.ts'
import { asId } from '#shared/ids.ts'
import type { ACCOUNT_OPERATIONS, AccountAnswer, AccountRequest } from './account-list.ts'
import { accountOf } from './act.ts'
import type { AuditEntry, ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { Handlers } from './handler.ts'
import { requireAccount } from './require.ts'
import { tellOwners } from './tell-owners.ts'

export const ACCOUNT_HANDLERS: Pick<Handlers, keyof typeof ACCOUNT_OPERATIONS> = {
  'op.accounts': async (context, _doing, { limit, cursor, waiting }) => {
    const { accountRequests, clock } = context
    const { rows, nextCursor } = await pageOfAccounts(context, { waiting, limit, cursor })
    const ids = rows.map(({ id }) => id)
    const open = await accountRequests.openOf(ids)
    const figures = await accountRequests.figures(ids, monthOf(clock.now()))
    const data = rows.map((row) => ({
      ...accountAnswer(row),
      liveMerchants: figures.merchants.get(row.id) ?? 0,
      callsThisMonth: figures.calls.get(row.id) ?? 0,
      requests: open.filter(({ accountId }) => accountId === row.id).map(requestAnswer),
    }))
    return { data, nextCursor }
  },

  'op.account': async (context, _doing, { accountId }) => {
    const row = await requireAccount(context, accountId)
    return { account: accountAnswer(row), overrides: overridesOf(row), live: planOf(row, 'live') }
  },

  'op.create': async (context, doing, { name }) => {
    const { accountId, apiKey, merchants } = await addSandboxAccount(doing.tx, context, { name })
    const answer = { accountId, name, apiKey, merchants: merchants.map(({ merchantId }) => merchantId) }
    return { answer, audit: { accountId, action: 'account.create', subject: accountId, after: { name } } }
  },

  'op.approve': async (context, doing, { accountId, plan }) => {
    const before = await requireAccount(context, accountId)
    const live_approved_at = before.live_approved_at ?? context.clock.now()
    await refuseOverPlan(doing.tx, context, { ...before, plan })
    await context.accounts.change(doing.tx, accountId, { plan, live_approved_at })
    const answered = await context.accountRequests.answer(doing.tx, accountId, {
      answer: 'approved',
      atMs: context.clock.now(),
    })
    const answer = before.live_approved_at === null ? 'live' : 'plan'
    const isNews = answered > 0 || answer === 'live' || before.plan !== plan
    return {
      ...(isNews && { wake: await tellAnswer(doing.tx, context, { account: { ...before, plan }, answer }) }),
      answer: accountAnswer({ ...before, plan, live_approved_at }),
      audit: changed(before, 'account.approve', { plan, live_approved_at }),
    }
  },

  'op.withdraw': async (context, doing, { accountId }) => {
    const before = await requireAccount(context, accountId)
    const live = (await context.apiKeys.ofAccount(accountId)).filter(
      (key) => key.environment === 'live' && key.revoked_at === null,
    )
    await context.accounts.change(doing.tx, accountId, { live_approved_at: null })
    for (const key of live) await context.apiKeys.revoke(doing.tx, key.id, context.clock.now())
    const revokedKeys = live.map(({ id }) => id)
    return {
      answer: { ...accountAnswer({ ...before, live_approved_at: null }), revokedKeys },
      audit: changed(before, 'account.withdraw', { live_approved_at: null }),
    }
  },

  'op.refuse': async (context, doing, { accountId }) => {
    const account = await requireAccount(context, accountId)
    const atMs = context.clock.now()
    const refused = await context.accountRequests.answer(doing.tx, accountId, { answer: 'refused', atMs })
    if (refused === 0)
      throw new ControlRefusal('refused', `${accountId} waits for no answer.`, { said: { key: 'account.no-request' } })
    return {
      wake: await tellAnswer(doing.tx, context, { account, answer: 'refused' }),
      answer: { accountId, refused },
      audit: { accountId, action: 'account.refuse', subject: accountId, after: { refused } },
    }
  },

  'op.plan': async (context, doing, { accountId, plan, contract = {}, reset }) => {
    const before = await requireAccount(context, accountId)
    if (plan !== undefined && before.live_approved_at === null)
      throw new ControlRefusal('refused', `${accountId} is not approved for live: approve it on the plan ${plan}.`, {
        said: { key: 'plan.not-live', values: { accountId, plan } },
      })
    if (plan === undefined && !reset && isEmpty(contract))
      throw new ControlRefusal('refused', 'Nothing to change: name a plan, or something of the contract.', {
        said: { key: 'plan.nothing' },
      })
    const overrides = merged(reset ? {} : overridesOf(before), contract)
    const change = { plan: plan ?? before.plan, plan_overrides: isEmpty(overrides) ? null : JSON.stringify(overrides) }
    const after = { ...before, ...change }
    await refuseOverPlan(doing.tx, context, after)
    await context.accounts.change(doing.tx, accountId, change)
    const atMs = context.clock.now()
    const answered =
      plan === undefined ? 0 : await context.accountRequests.answer(doing.tx, accountId, { answer: 'approved', atMs })
    const isNews = answered > 0 || after.plan !== before.plan
    return {
      ...(isNews && { wake: await tellAnswer(doing.tx, context, { account: after, answer: 'plan' }) }),
      answer: { accountId, plan: after.plan, overrides, live: planOf(after, 'live') },
      audit: changed(before, 'plan.set', change),
    }
  },

  'plans.list': async () => Object.values(PLAN_TABLE),

  'plans.ask': async (context, doing, { plan, text = '' }) => {
    const accountId = accountOf(doing)
    const account = await requireAccount(context, accountId)
    if (account.live_approved_at === null)
      throw new ControlRefusal('refused', 'This account is not live yet: ask for live keys first.', {
        said: { key: 'plan.ask-live-first' },
      })
    if (account.plan === plan)
      throw new ControlRefusal('refused', `This account has the plan ${plan} already.`, {
        said: { key: 'plan.same', values: { plan } },
      })
    const askedAtMs = context.clock.now()
    await context.accountRequests.askPlan(doing.tx, { account_id: accountId, plan, text, asked_at: askedAtMs })
    return {
      answer: { plan, askedAt: toIso(askedAtMs) },
      audit: { accountId, action: 'plan.ask', subject: accountId, after: { plan } },
    }
  },
}

/** @throws ServiceError request.invalid: no cursor of this list */
async function pageOfAccounts(
  { accounts, accountRequests }: ControlContext,
  { waiting, limit, cursor }: { waiting: boolean; limit: number; cursor: string | undefined },
): Promise<{ rows: AccountsTable[]; nextCursor: string | null }> {
  const cursors = new ListCursors({ list: waiting ? 'accounts that wait' : 'accounts', of: [], filters: {} })
  const last = cursors.decode(cursor)
  const lastId = last && asId<'acc'>(last.id)
  if (!waiting) {
    const found = await accounts.page({ after: lastId, limit: limit + 1 })
    return cursors.page(found, limit, ({ id }) => ({ at: 0, id }))
  }
  const after = last && lastId && { askedAtMs: last.at, accountId: lastId }
  const found = await accountRequests.waiting({ after, limit: limit + 1 })
  const { rows, nextCursor } = cursors.page(found, limit, ({ askedAtMs: at, accountId: id }) => ({ at, id }))
  return { rows: await accounts.named(rows.map(({ accountId }) => accountId)), nextCursor }
}

/** Mail to the owners of what they get, or do not. @param account as it is now @returns `wake` */
function tellAnswer(
  tx: Tx,
  context: ControlContext,
  {
    account: { id, name: accountName, plan },
    answer,
  }: { account: AccountsTable; answer: NoticeValues['request-answered']['answer'] },
): Promise<() => void> {
  const values = { answer, plan, accountName, atMs: context.clock.now() }
  return tellOwners(tx, context, { accountId: id, notice: { kind: 'request-answered', values } })
}

function accountAnswer(row: AccountsTable): AccountAnswer {
  return {
    accountId: row.id,
    name: row.name,
    plan: row.plan,
    liveApprovedAt: isoOrNull(row.live_approved_at),
    createdAt: toIso(row.created_at),
  }
}

function requestAnswer({ wants, text, askedAtMs }: AccountRequestRow): AccountRequest {
  return { wants, text, askedAt: toIso(askedAtMs) }
}

function changed({ id, plan, plan_overrides, live_approved_at }: AccountsTable, action: AuditAction, after: unknown) {
  const before = { plan, plan_overrides, live_approved_at }
  return { accountId: id, action, subject: id, before, after } satisfies AuditEntry
}

const isEmpty = (values: object): boolean => Object.keys(values).length === 0

/** The stored overrides with the contract's changes; the sandbox's figures are merged one by one, too. */
function merged(stands: PlanOverrides, { sandbox: newSandbox, ...live }: PlanOverrides): PlanOverrides {
  const { sandbox: oldSandbox, ...rest } = stands
  const sandbox = { ...oldSandbox, ...newSandbox }
  return { ...rest, ...live, ...(isEmpty(sandbox) ? {} : { sandbox }) }
}

/** A smaller plan must have room for what the account has. @throws ControlRefusal */
async function refuseOverPlan(tx: Tx, context: ControlContext, account: AccountsTable): Promise<void> {
  const locations = await context.locations.countLive(tx, account.id)
  const platforms = await context.channels.mostPlatforms(account.id)
  const reasons = overPlan(planOf(account, 'live'), { locations, platforms })
  if (reasons.length === 0) return
  throw new ControlRefusal('refused', `${reasons.join(' ')} Take some away first, or raise them by contract.`, {
    said: { key: 'plan.too-small', values: { plan: account.plan, locations, platforms } },
  })
}
