// usage, invoices, audit: what was called, what it costs, and who changed what.
import { z } from 'zod'
import { perform } from '#cloud/control/perform.ts'
import { MONTH } from '#cloud/control/usage-list.ts'
import type { InvoiceLine } from '#shared/wire/api/account.ts'
import { type Command, defineCommand } from './command.ts'
import { consoleAct } from './context.ts'
import { accountField, environmentField, wholeNumber } from './fields.ts'
import { facts, money, table } from './print.ts'

const monthField = z
  .string()
  .regex(MONTH, { error: 'must be a month such as 2026-11' })
  .optional()
  .describe('Month such as 2026-11; the current one without it')

export const moneyCommands: readonly Command[] = [
  defineCommand({
    name: 'usage show',
    summary: "An account's calls, webhook events and bill of a month; a running relay is at most 5 seconds ahead",
    options: { account: accountField, month: monthField, environment: environmentField.default('live') },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6 --month 2026-11',
    run: async (context, { account, month, environment }) => {
      const raw = { environment, ...(month && { month }) }
      const { report } = await perform(context, consoleAct(account), { name: 'usage.get', raw })
      const { days, invoice, ...totals } = report
      const bill =
        invoice === null
          ? 'Nothing is billed.'
          : `${linesOf(invoice.lines)}\nTotal: ${amountOf(invoice.total)} (${invoice.status})`
      return { data: report, text: [facts(totals), table(days, 'No calls.'), bill].join('\n\n') }
    },
  }),

  defineCommand({
    name: 'invoices list',
    summary: "An account's issued invoices, newest month first",
    options: { account: accountField },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6',
    run: async (context, { account }) => {
      const data = await perform(context, consoleAct(account), { name: 'invoices.list', raw: {} })
      const rows = data.map(({ totalCents, lines: _lines, ...row }) => ({ ...row, total: money(totalCents) }))
      return { data, text: table(rows, 'No invoice yet: `usage show` has the draft of the current month.') }
    },
  }),

  defineCommand({
    name: 'audit list',
    summary: 'Who changed what, newest first',
    options: {
      account: accountField.optional(),
      limit: wholeNumber(10_000).default(50).describe('How many lines at most'),
    },
    example: '--account acc_01jd3k5v8wz9x0y1a2b3c4d5e6 --limit 20',
    run: async (context, { account, limit }) => {
      const { lines } = await perform(context, consoleAct(account ?? null), { name: 'audit.list', raw: { limit } })
      const rows = lines.map(({ at, actor, accountId, action, subject, before, after }) => ({
        ...{ at, actor, accountId, action, subject, before, after },
      }))
      return { data: rows, text: table(rows, 'Nothing was changed yet.') }
    },
  }),
]

function linesOf(lines: readonly InvoiceLine[]): string {
  const rows = lines.map(({ description, quantity, unitPrice, amount }) => ({
    line: description,
    quantity,
    each: amountOf(unitPrice),
    amount: amountOf(amount),
  }))
  return table(rows, '')
}

function amountOf(dollars: number | null): string {
  return dollars === null ? 'by contract' : `$${dollars.toFixed(2)}`
}
