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
]
