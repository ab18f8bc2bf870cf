// What an account has used, what is left of its rates, and its invoices.
import { costOf, dollars } from '#cloud/billing/invoice.ts'
import { monthOf, rangeOf } from '#cloud/billing/months.ts'
import { type Plan, planOf } from '#cloud/billing/plans.ts'
import { usageReport } from '#cloud/billing/usage-report.ts'
import type { InvoicesTable } from '#cloud/storage/schema-accounts.ts'
import { toIso } from '#shared/clock.ts'
import type { InvoiceLine } from '#shared/wire/api/account.ts'
import { accountOf } from './act.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { Handlers } from './handler.ts'
import { requireAccount } from './require.ts'
import type { InvoiceAnswer, USAGE_OPERATIONS, UsageAnswer } from './usage-list.ts'

const HOUR_MS = 3_600_000

export const USAGE_HANDLERS: Pick<Handlers, keyof typeof USAGE_OPERATIONS> = {
  'usage.get': async (context, doing, { environment, month }) => {
    const accountId = accountOf(doing)
    const { clock, usage, accountRequests, running } = context
    const meter = running?.meter
    const account = await requireAccount(context, accountId)
    const report = await usageReport({ ...context, ...(meter ? { meter } : {}) }, { accountId, environment, month })
    const nowMs = clock.now()
    const plan = planOf(account, environment)
    const hour = Math.floor(nowMs / HOUR_MS) * HOUR_MS
    const range = { fromMs: hour, toMs: hour + HOUR_MS }
    const atOnce = (await running?.rateLimits?.left({ accountId, environment, plan })) ?? null
    const asked = await accountRequests.wantedPlan(accountId)
    return {
      report,
      projection: projectionOf(plan, { month: month ?? monthOf(nowMs), calls: report.calls, nowMs }),
      rates: {
        steadyPerMinute: plan.steadyPerMinute,
        burstPerMinute: plan.burstPerMinute,
        // What may come at once now, and what a minute adds to it.
        withinMinute: atOnce === null ? null : Math.min(plan.burstPerMinute, atOnce + plan.steadyPerMinute),
      },
      webhooks: {
        perHour: plan.webhookEventsPerHour,
        sentThisHour: await usage.webhookEvents(accountId, environment, range),
      },
      asked: asked === null ? null : { wants: asked.wants, text: asked.text, askedAt: toIso(asked.askedAtMs) },
    }
  },

  'invoices.list': async ({ invoices }, doing) => (await invoices.ofAccount(accountOf(doing))).map(invoiceAnswer),

  'invoices.get': async (context, doing, { invoiceId }) => {
    const account = await requireAccount(context, accountOf(doing))
    const row = (await context.invoices.ofAccount(account.id)).find(({ id }) => id === invoiceId)
    if (row === undefined)
      throw new ControlRefusal('not-found', `There is no invoice ${invoiceId}.`, { said: { key: 'invoice.unknown' } })
    return { ...invoiceAnswer(row), account: { accountId: account.id, name: account.name, plan: account.plan } }
  },
}

function projectionOf(
  plan: Plan,
  { month, calls, nowMs }: { month: string; calls: number; nowMs: number },
): UsageAnswer['projection'] {
  const projected = projectedCalls(month, calls, nowMs)
  if (projected === null) return null
  return { calls: projected, overageAmount: dollars(costOf(plan, month, projected).overageCents) }
}

function invoiceAnswer(row: InvoicesTable): InvoiceAnswer {
  return {
    invoiceId: row.id,
    month: row.month,
    plan: row.plan,
    totalCents: row.total_cents,
    issuedAt: toIso(row.issued_at),
    // Written by issue-invoices.ts.
    lines: JSON.parse(row.lines) as InvoiceLine[],
  }
}

/** The projection starts after this much of the month: earlier, a few calls would count as a trend. */
const LEAST_MS = 86_400_000

/**
 * Calls of the whole month at the rate so far, rounded; null for a month that has not begun or has ended, and on its first day.
 * @param month `2026-11`
 * @param calls of the month so far
 */
function projectedCalls(month: string, calls: number, nowMs: number): number | null {
  if (month !== monthOf(nowMs)) return null
  const { fromMs, toMs } = rangeOf(month)
  const passedMs = nowMs - fromMs
  return passedMs < LEAST_MS ? null : Math.round((calls * (toMs - fromMs)) / passedMs)
}
