// Planted faults of the account side of the dashboard: grants, keys, usage, the audit log, latency.
import { type Mutant, rooms, unit } from './mutant.ts'

export const ACCOUNT_MUTANTS: readonly Mutant[] = [
  {
    name: 'grants-scopes-are-not-asked',
    file: 'cloud/auth/authorize.ts',
    original: 'if (grantScopes === null || wanted === null || grantScopes.includes(wanted)) return merchant',
    replacement: 'if (grantScopes !== undefined) return merchant',
    harm: 'A partner that was allowed to read the menu voids orders of the restaurant.',
    tests: unit('cloud/auth/authorize.test.ts', 'cloud/control/grants.test.ts'),
  },
  {
    name: 'grants-scope-of-the-call-is-not-told',
    file: 'cloud/api/authenticate.ts',
    original: 'principal.wanted = access',
    replacement: 'principal.wanted = null',
    harm: 'The API takes every grant as one with all scopes.',
    tests: unit('cloud/control/grants.test.ts'),
  },
  {
    name: 'grants-removed-hears-on',
    file: 'cloud/webhooks/delivery-worker.ts',
    original: "if (delivery.audience === 'merchant' && !(await endpoints.hearsMerchant(endpoint.id))) {",
    replacement: "if (delivery.audience === 'merchant' && (await endpoints.byId(endpoint.id)) === null) {",
    harm: 'A partner whose grant was taken back is told for days what the restaurant sells out of.',
    tests: rooms('cloud/webhooks/grant-removed.room.test.ts'),
  },
  {
    name: 'grants-narrowing-widens',
    file: 'cloud/control/grant-handlers.ts',
    original: 'if (wider.length > 0)',
    replacement: 'if (wider.length > 99)',
    harm: 'Taking a scope away gives another one without that anybody approved it.',
    tests: unit('cloud/control/grants.test.ts'),
  },
  {
    name: 'keys-developer-gives-live-writes',
    file: 'cloud/control/key-handlers.ts',
    original: "doing.role !== 'developer' || environment !== 'live' || writes.length === 0",
    replacement: "doing.role !== 'developer' || environment === 'live' || writes.length === 0",
    harm: 'Whoever writes code for a restaurant gives themselves a key that voids its orders.',
    tests: unit('cloud/control/keys.test.ts'),
  },
  {
    name: 'audit-of-all-accounts',
    file: 'cloud/control/audit-handlers.ts',
    original: "doing.by === 'console' ? doing.accountId : accountOf(doing)",
    replacement: 'null',
    harm: 'Every owner reads what all other restaurants have changed.',
    tests: unit('cloud/control/usage.test.ts'),
  },
  {
    name: 'usage-projection-of-the-days-left',
    file: 'cloud/billing/projection.ts',
    original: '(calls * (toMs - fromMs)) / passedMs',
    replacement: '(calls * (toMs - nowMs)) / passedMs',
    harm: 'An owner is told a bill that is smaller than the one that comes.',
    tests: unit('cloud/control/usage.test.ts'),
  },
]
