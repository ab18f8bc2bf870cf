// Customers of live restaurants are not shown to developers, nor to those who run the relay: see `withoutCustomers` of the requests room.
import type { Doing } from './handler.ts'

/** Whether the person who asks may not see customers here: a developer, or an operator who looks at the account and is no member of it. */
export function masksCustomers(doing: Doing): boolean {
  if (doing.by !== 'person' || doing.merchant === null) return false
  return doing.merchant.environment === 'live' && (doing.role === 'developer' || doing.role === null)
}
