// Planted faults of the dashboard's kitchens, menu and settings.
import { type Mutant, unit } from './mutant.ts'

export const FLEET_MUTANTS: readonly Mutant[] = [
  {
    name: 'fleet-gateway-of-another-account',
    file: 'cloud/control/find-gateway.ts',
    original: 'gateway !== null && location?.merchant_id === merchant.key',
    replacement: 'gateway !== null && location !== null',
    harm: "A person takes the password of another restaurant's box away.",
    tests: unit('cloud/control/gateway-operations.test.ts'),
  },
  {
    name: 'fleet-stale-change-overwrites',
    file: 'cloud/control/stale.ts',
    original: 'seen?.[name] !== undefined && seen[name] !== present[name]',
    replacement: 'seen?.[name] !== undefined && seen[name] === undefined',
    harm: 'Of two people who change one thing the later overwrites the other without a word.',
    tests: unit('cloud/control/merchant-operations.test.ts', 'cloud/control/gateway-operations.test.ts'),
  },
  {
    name: 'fleet-moves-with-open-tickets',
    file: 'cloud/control/gateway-handlers.ts',
    original: 'if (open > 0)',
    replacement: 'if (open < 0)',
    harm: 'A box takes tickets of one restaurant along to another, and nobody hears what became of them.',
    tests: unit('cloud/control/gateway-operations.test.ts'),
  },
  {
    name: 'fleet-dry-run-imports',
    file: 'cloud/control/menu-handlers.ts',
    original: 'if (!dryRun) await putAll(',
    replacement: 'await putAll(',
    harm: 'Looking at what a menu file would change changes the menu.',
    tests: unit('cloud/control/menu-operations.test.ts'),
  },
  {
    name: 'fleet-day-ends-in-utc',
    file: 'shared/time-zones.ts',
    original: "{ timeZone, hour: '2-digit'",
    replacement: "{ timeZone: timeZone && 'UTC', hour: '2-digit'",
    harm: 'An item that is sold out for today is sold again in the middle of dinner.',
    tests: unit('cloud/control/menu-operations.test.ts'),
  },
  {
    name: 'fleet-silent-box-looks-fine',
    file: 'cloud/control/kitchen-condition.ts',
    original: "if (presence === 'offline' && lastSeenAt !== null) return { kind: 'silent', since: lastSeenAt }",
    replacement: '',
    harm: 'The list of kitchens does not say that a box has gone silent.',
    tests: unit('cloud/control/kitchen-operations.test.ts'),
  },
  {
    name: 'fleet-person-signs-as-another',
    file: 'cloud/control/printer-handlers.ts',
    original: "if (doing.by === 'console') return by ?? 'operator'",
    replacement: "if (by !== undefined || doing.by === 'console') return by ?? 'operator'",
    harm: 'A person proposes a printer under the name of somebody else.',
    tests: unit('cloud/control/gateway-operations.test.ts'),
  },
]
