// Planted faults of the dashboard's page.
import { type Mutant, unit } from './mutant.ts'

export const DASHBOARD_MUTANTS: readonly Mutant[] = [
  {
    name: 'dashboard-restaurant-of-another-account',
    file: 'cloud/web/place-search.ts',
    original: '...(isElsewhere ? { merchant: undefined } : {}),',
    replacement: '',
    harm: 'Whoever changes to another account asks there for a restaurant of the one before.',
    tests: unit('cloud/web/place-search.test.ts'),
  },
  {
    name: 'dashboard-invitation-without-a-page',
    file: 'cloud/web/sign-in/door-place.ts',
    original: "if (path === 'invite') return { view: 'invite', code: hash.slice(1) }",
    replacement: "if (path === 'invite') return { view: 'sign-in' }",
    harm: 'An invited person sees the sign-in instead of the invitation and has no way in.',
    tests: unit('cloud/web/sign-in/door-place.test.ts'),
  },
  {
    name: 'dashboard-search-to-no-page',
    file: 'cloud/web/search-targets.ts',
    original: 'if (target === undefined || !hasRoute(target.to)) return null',
    replacement: 'if (target === undefined) return null',
    harm: 'The search offers an order and leads to an address where nothing is.',
    tests: unit('cloud/web/search-targets.test.ts'),
  },
  {
    name: 'dashboard-made-up-event-offered-live',
    file: 'cloud/web/workbench/api-calls.ts',
    original: "...(environment === 'sandbox' ? [post('testEvent'",
    replacement: "...(environment !== null ? [post('testEvent'",
    harm: 'The workbench shows a call for a live endpoint that the API refuses.',
    tests: unit('cloud/web/workbench/api-calls.test.ts'),
  },
  {
    name: 'dashboard-list-shifts-under-the-hand',
    file: 'cloud/web/parts/held-rows.ts',
    original: 'const rows = held.rows.filter((row) => !gone.has(keyOf(row)))',
    replacement: 'const rows = head.rows.filter((row) => !gone.has(keyOf(row)))',
    harm: 'An order comes in at the moment of a press, and the press hits the order beside it.',
    tests: unit('cloud/web/parts/held-rows.test.ts'),
  },
  {
    name: 'dashboard-file-runs-a-formula',
    file: 'cloud/web/parts/csv.ts',
    original: '(?=[=+',
    replacement: '(?=[=',
    harm: 'A guest whose name is a formula runs it in the spreadsheet of the accountant.',
    tests: unit('cloud/web/parts/csv.test.ts'),
  },
  {
    name: 'dashboard-first-order-with-a-wrong-total',
    file: 'cloud/web/parts/quick-start/first-order.ts',
    original: 'total: cents / 100',
    replacement: 'total: Math.floor(cents / 100)',
    harm: 'The very first order that somebody sends is refused because its total is not that of its items.',
    tests: unit('cloud/web/parts/quick-start/first-order.test.ts'),
  },
  {
    name: 'dashboard-later-orders-count-as-now',
    file: 'cloud/web/parts/home/now-figures.ts',
    original: 'const now = open.filter((order) => !isLater(order))',
    replacement: 'const now = open.filter((order) => isLater(order) || order)',
    harm: 'Orders for tonight stand among those that are not on paper yet, and somebody looks for a broken printer.',
    tests: unit('cloud/web/parts/home/now-figures.test.ts'),
  },
]
