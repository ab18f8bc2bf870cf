// The menu: every page that has a line of its own there, in four groups, and one group for operators. A page without a route yet is not shown.
import type { Right } from '#cloud/control/roles.ts'
import type { CloudIconName } from './icons.tsx'
import type { Messages } from './messages/en.ts'

export type NavGroup = keyof Messages['nav']['groups']

export interface NavPage {
  to: string
  key: keyof Messages['nav']['pages'] & CloudIconName
  group: NavGroup
  /** The right that is needed to see the page; without it the page is not shown. */
  right: Right
}

/** In the order of the menu. */
export const NAV_PAGES: readonly NavPage[] = [
  { to: '/', key: 'home', group: 'run', right: 'member' },
  { to: '/orders', key: 'orders', group: 'run', right: 'serve' },
  { to: '/kitchens', key: 'kitchens', group: 'run', right: 'kitchen' },
  { to: '/menu', key: 'menu', group: 'run', right: 'serve' },
  { to: '/receptionist', key: 'calls', group: 'receptionist', right: 'serve' },
  { to: '/receptionist/setup', key: 'receptionistSetup', group: 'receptionist', right: 'kitchen' },
  { to: '/receptionist/knowledge', key: 'knowledge', group: 'receptionist', right: 'kitchen' },
  { to: '/receptionist/try', key: 'tryCall', group: 'receptionist', right: 'serve' },
  { to: '/quick-start', key: 'quickStart', group: 'build', right: 'build' },
  { to: '/keys', key: 'keys', group: 'build', right: 'build' },
  { to: '/webhooks', key: 'webhooks', group: 'build', right: 'build' },
  { to: '/events', key: 'events', group: 'build', right: 'build' },
  { to: '/requests', key: 'requests', group: 'build', right: 'build' },
  { to: '/sandbox', key: 'sandbox', group: 'build', right: 'build' },
  { to: '/usage', key: 'usage', group: 'account', right: 'build' },
  { to: '/reliability', key: 'reliability', group: 'account', right: 'kitchen' },
  { to: '/people', key: 'people', group: 'account', right: 'govern' },
  { to: '/partners', key: 'partners', group: 'account', right: 'build' },
  { to: '/audit', key: 'audit', group: 'account', right: 'audit' },
  { to: '/settings', key: 'settings', group: 'account', right: 'kitchen' },
  { to: '/operator', key: 'operator', group: 'operator', right: 'operator' },
  { to: '/operator/fleet', key: 'fleet', group: 'operator', right: 'operator' },
  { to: '/operator/outbox', key: 'outbox', group: 'operator', right: 'operator' },
]

export const GROUPS: readonly NavGroup[] = ['run', 'receptionist', 'build', 'account', 'operator']
