// Customers of live restaurants are not shown to developers, nor to those who run the relay: what of an event or a request speaks of one is replaced.
import type { Doing } from './handler.ts'

const REPLACED = '***'
/** Fields whose text may name or reach a customer, wherever they stand. */
const OF_CUSTOMERS = new Set(['customer', 'note'])

/** Whether the person who asks may not see customers here: a developer, or an operator who looks at the account and is no member of it. */
export function masksCustomers(doing: Doing): boolean {
  if (doing.by !== 'person' || doing.merchant === null) return false
  return doing.merchant.environment === 'live' && (doing.role === 'developer' || doing.role === null)
}

/** The same JSON value with the text inside of customers' fields replaced. */
export function withoutCustomers<T>(value: T): T {
  // The same shape: only text inside of it changes.
  return masked(value) as T
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [name, OF_CUSTOMERS.has(name) ? replaced(inside) : masked(inside)]),
  )
}

function replaced(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : REPLACED
  if (Array.isArray(value)) return value.map(replaced)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, replaced(inside)]))
}
