// What an account has used in a month and what it will pay: the answer of GET /v1/usage.
import type { AccountStore } from '#cloud/storage/account-store.ts'
import type { InvoiceStore } from '#cloud/storage/invoice-store.ts'
import type { AccountsTable, InvoicesTable } from '#cloud/storage/schema-accounts.ts'
import type { UsageStore } from '#cloud/storage/usage-store.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import type { AccountId } from '#shared/ids.ts'
import type { Invoice, InvoiceLine, Usage } from '#shared/wire/api/account.ts'
import { costOf, dollars, type MonthCost } from './invoice.ts'
import { monthOf, rangeOf } from './months.ts'
import { planOf } from './plans.ts'

export interface UsageReportDeps {
  accounts: AccountStore
  usage: UsageStore
  invoices: InvoiceStore
  clock: Clock
  /** Writes down what was counted so far, so that the report is exact. */
  meter?: { flush(): Promise<void> }
}

/**
 * The month of one environment. Without `month` the current one, whose invoice is a draft. An issued invoice is returned as it was issued,
 * whatever the plan is now; a month that is not billed has none.
 * @throws Error for an account that does not exist: the caller has authenticated it
 */
export async function usageReport(
  deps: UsageReportDeps,
  of: { accountId: AccountId; environment: 'sandbox' | 'live'; month?: string | undefined },
): Promise<Usage> {
  const nowMs = deps.clock.now()
  const { accountId, environment, month = monthOf(nowMs) } = of
  await deps.meter?.flush()
  const account = await deps.accounts.find(accountId)
  if (account === null) throw new Error(`no account ${accountId}`)
  const plan = planOf(account, environment)
  const days = await deps.usage.days(accountId, environment, month)
  const calls = days.reduce((sum, day) => sum + day.calls, 0)
  const cost = costOf(plan, month, calls)
  const issued = environment === 'live' ? await deps.invoices.find(accountId, month) : null
  return {
    month,
    environment,
    plan: plan.name,
    included: plan.includedCalls,
    calls,
    overageCalls: cost.overageCalls,
    overageAmount: dollars(cost.overageCents),
    webhookEvents: await deps.usage.webhookEvents(accountId, environment, rangeOf(month)),
    days,
    invoice:
      environment === 'live' && isBilled(account, month, { issued, calls, nowMs }) ? invoiceOf(issued, cost) : null,
  }
}

/** Whether the month has an invoice or gets one when it has ended, by the rule of issue-invoices.ts: no draft for a month that is not billed. */
function isBilled(
  { plan, live_approved_at }: AccountsTable,
  month: string,
  { issued, calls, nowMs }: { issued: InvoicesTable | null; calls: number; nowMs: number },
): boolean {
  if (issued !== null) return true
  if (plan === 'sandbox' || month > monthOf(nowMs)) return false
  return calls > 0 || (live_approved_at !== null && month >= monthOf(live_approved_at))
}

function invoiceOf(issued: InvoicesTable | null, cost: MonthCost): Invoice {
  if (issued === null) return { status: 'draft', lines: cost.lines, total: dollars(cost.totalCents), issuedAt: null }
  return {
    status: 'issued',
    lines: JSON.parse(issued.lines) as InvoiceLine[],
    total: dollars(issued.total_cents),
    issuedAt: toIso(issued.issued_at),
  }
}
