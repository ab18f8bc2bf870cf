// Issues the invoices of months that have ended: one of an account and month, however often it runs or the relay was down.
import type { AccountStore } from '#cloud/storage/account-store.ts'
import { recordAudit } from '#cloud/storage/audit-store.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { InvoiceStore } from '#cloud/storage/invoice-store.ts'
import type { AccountsTable } from '#cloud/storage/schema-accounts.ts'
import type { UsageStore } from '#cloud/storage/usage-store.ts'
import type { Clock } from '#shared/clock.ts'
import { type AccountId, newId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { Sweeps } from '#shared/rounds.ts'
import { costOf } from './invoice.ts'
import { monthOf, monthsBetween } from './months.ts'
import { planOf } from './plans.ts'

export interface IssuedInvoice {
  accountId: AccountId
  accountName: string
  /** `2026-11` */
  month: string
  /** Null: by contract. */
  totalCents: number | null
}

export interface IssueInvoicesDeps {
  /** In the unit that issues it. */
  tell?: (tx: Tx, invoice: IssuedInvoice) => Promise<void>
  db: RelayDatabase
  accounts: AccountStore
  usage: UsageStore
  invoices: InvoiceStore
  meter: { flush(): Promise<void> }
  clock: Clock
  log: Logger
}

/** Soon after midnight: until then a change of plan would still apply to the month before. A check with nothing to do takes a microsecond. */
const LOOK_MS = 60_000
/** Calls that were answered just before midnight are written down by then. */
const GRACE_MS = 60_000

export class IssueInvoices extends Sweeps<IssueInvoicesDeps> {
  /** All months before this one have their invoices: until the next one begins there is nothing to check. */
  #doneBefore = ''

  constructor(deps: IssueInvoicesDeps) {
    super(deps, { everyMs: LOOK_MS, failed: 'invoices could not be issued' })
  }

  /** Issues what is due now. @returns how many */
  override async sweep(): Promise<number> {
    const { accounts, meter, clock, log } = this.deps
    const current = monthOf(clock.now() - GRACE_MS)
    if (current === this.#doneBefore) return 0
    await meter.flush()
    let issued = 0
    let isDone = true
    for (const account of await accounts.list()) {
      if (this.stopping) return issued
      try {
        for (const month of await this.#dueMonths(account, current)) if (await this.#issue(account, month)) issued++
      } catch (error) {
        // A contract that cannot be read must not keep the others' invoices back.
        log.error({ accountId: account.id, err: error }, "an account's invoices could not be issued; tried again")
        isDone = false
      }
    }
    if (isDone) this.#doneBefore = current
    if (issued > 0) log.info({ issued }, 'invoices issued')
    return issued
  }

  /** Months that have ended without an invoice: from the approval for live keys on, and any other month with live calls. */
  async #dueMonths(account: AccountsTable, current: string): Promise<string[]> {
    if (account.plan === 'sandbox') return []
    const { usage, invoices } = this.deps
    const approved = account.live_approved_at
    const months = new Set([
      ...(approved === null ? [] : monthsBetween(monthOf(approved), current)),
      ...(await usage.liveMonths(account.id)),
    ])
    for (const { month } of await invoices.ofAccount(account.id)) months.delete(month)
    return [...months].filter((month) => month < current).sort()
  }

  async #issue(account: AccountsTable, month: string): Promise<boolean> {
    const { db, usage, invoices, clock, tell } = this.deps
    const days = await usage.days(account.id, 'live', month)
    const calls = days.reduce((sum, day) => sum + day.calls, 0)
    const cost = costOf(planOf(account, 'live'), month, calls)
    const now = clock.now()
    const id = newId('inv', now)
    return db.unit(async (tx) => {
      const isNew = await invoices.issue(tx, {
        id,
        account_id: account.id,
        month,
        plan: account.plan,
        lines: JSON.stringify(cost.lines),
        total_cents: cost.totalCents,
        issued_at: now,
      })
      if (isNew) {
        const after = JSON.stringify({ month, plan: account.plan, calls, totalCents: cost.totalCents })
        await recordAudit(tx, {
          at: now,
          actor: 'relay',
          account_id: account.id,
          action: 'invoice.issue',
          subject: id,
          after,
        })
        const { totalCents } = cost
        await tell?.(tx, { accountId: account.id, accountName: account.name, month, totalCents })
      }
      return isNew
    })
  }
}
