// The rights of each role. An operation names the right that it needs; this table lists the roles that have it.

export const ROLES = ['staff', 'developer', 'manager', 'owner'] as const
/** Of a person in an account. */
export type Role = (typeof ROLES)[number]

/** How far a role reaches: `sandbox` reads everything and changes things of the sandbox. */
type Reach = 'no' | 'reads' | 'sandbox' | 'all'

/**
 * - `member`: what every member of an account may: to see it, and one's own settings
 * - `serve`: the daily work: orders, ready and picked up, items sold out
 * - `money`: void, refund, notes on paper
 * - `kitchen`: gateways, printers, the menu, channels, settings of a merchant
 * - `build`: keys, webhooks, events, requests
 * - `govern`: people, partners, plan, invoices
 * - `audit`: who did what, and what is kept of one person
 */
export const RIGHTS = {
  member: { staff: 'all', developer: 'all', manager: 'all', owner: 'all' },
  serve: { staff: 'all', developer: 'sandbox', manager: 'all', owner: 'all' },
  money: { staff: 'no', developer: 'sandbox', manager: 'all', owner: 'all' },
  kitchen: { staff: 'reads', developer: 'sandbox', manager: 'all', owner: 'all' },
  build: { staff: 'no', developer: 'all', manager: 'reads', owner: 'all' },
  govern: { staff: 'no', developer: 'no', manager: 'reads', owner: 'all' },
  audit: { staff: 'no', developer: 'no', manager: 'all', owner: 'all' },
} as const satisfies Record<string, Record<Role, Reach>>

/** A right in an account; `self`: about the person alone, whatever the account; `operator`: for operators. */
export type Right = keyof typeof RIGHTS | 'self' | 'operator'

interface Deed {
  kind: 'reads' | 'changes'
  environment: 'sandbox' | 'live' | null
}

/** Whether the role has the right for this. @param environment null: it is about the account, not about one of its environments */
export function roleMay(role: Role, right: keyof typeof RIGHTS, { kind, environment }: Deed): boolean {
  const reach: Reach = RIGHTS[right][role]
  if (reach === 'no') return false
  if (kind === 'reads' || reach === 'all') return true
  return reach === 'sandbox' && environment === 'sandbox'
}

/** The roles with this right, for the sentence about who can help. */
export function rolesFor(right: keyof typeof RIGHTS, deed: Deed): Role[] {
  return ROLES.filter((role) => roleMay(role, right, deed))
}
