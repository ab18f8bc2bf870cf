// What a month costs: the plan's fee and the calls above what it includes. Pure.
import { fromCents } from '#shared/money.ts'
import type { InvoiceLine } from '#shared/wire/api/account.ts'
import type { Plan } from './plans.ts'

export interface MonthCost {
  lines: InvoiceLine[]
  /** Null when a price is by contract. */
  totalCents: number | null
  overageCalls: number
  overageCents: number | null
}

const count = new Intl.NumberFormat('en-US')

/**
 * The invoice of a month in which `calls` were made. Webhook events are not billed. A price in neither plan nor contract is null, and
 * the line has the text "by contract".
 * @param month `2026-11`
 */
export function costOf(plan: Plan, month: string, calls: number): MonthCost {
  const overageCalls = plan.includedCalls === null ? 0 : Math.max(0, calls - plan.includedCalls)
  const overageCents = times(overageCalls, plan.overageCents)
  const name = plan.name.charAt(0).toUpperCase() + plan.name.slice(1)
  const lines = [line(`${name} plan, ${month}${plan.feeCents === null ? ', by contract' : ''}`, 1, plan.feeCents)]
  if (overageCalls > 0) {
    const contract = plan.overageCents === null ? ', by contract' : ''
    lines.push(line(`Calls above ${count.format(plan.includedCalls ?? 0)}${contract}`, overageCalls, plan.overageCents))
  }
  const totalCents = plan.feeCents === null || overageCents === null ? null : plan.feeCents + overageCents
  return { lines, totalCents, overageCalls, overageCents }
}

function line(description: string, quantity: number, unitCents: number | null): InvoiceLine {
  const amount = times(quantity, unitCents)
  return { description, quantity, unitPrice: dollars(unitCents), amount: dollars(amount) }
}

/** Nothing costs nothing, whatever the price. */
function times(quantity: number, cents: number | null): number | null {
  if (quantity === 0) return 0
  return cents === null ? null : quantity * cents
}

export function dollars(cents: number | null): number | null {
  return cents === null ? null : fromCents(cents)
}
