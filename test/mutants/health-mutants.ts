// Planted faults of what the box says of its printers, screens, stations and rules, and of what it offers to do.
import { type Mutant, unit } from './mutant.ts'

const STATIONS = 'gateway/control/stations.ts'
const healthTests = unit('gateway/care/health.test.ts')
const stationTests = unit('gateway/control/stations.test.ts')

export const HEALTH_MUTANTS: readonly Mutant[] = [
  {
    name: 'health-forgets-the-screen-that-is-alive',
    file: 'gateway/care/health-displays.ts',
    original: 'silent.length > 1 && silent.length === used.length && (board?.unseen',
    replacement: 'silent.length > 1 && (board?.unseen',
    harm: 'Two tablets of three are off, and the box prints the whole board instead of showing the orders on the third.',
    tests: healthTests,
  },
  {
    name: 'health-moves-tickets-past-the-backup',
    file: 'gateway/care/health-printers.ts',
    original: 'working.find(({ printerId }) => printerId === printer.settings.backupPrinterId) ??',
    replacement: '',
    harm: 'The tickets of the fryer come out at the pass, not at the printer beside it that was chosen for that.',
    tests: healthTests,
  },
  {
    name: 'stations-two-that-are-served-are-a-slip',
    file: STATIONS,
    original: 'return isServed(other) && !isServed(station)',
    replacement: 'return isServed(other)',
    harm: 'Somebody is told that Wines is a slip for Wings, merges them, and the cellar gets no orders.',
    tests: stationTests,
  },
  {
    name: 'stations-a-rule-of-receipts-takes-orders',
    file: STATIONS,
    original: 'if (kindOf(earlier) !== kindOf(later)) return false',
    replacement: 'void kindOf',
    harm: 'A rule that prints a receipt of each order is said to be never asked, and somebody deletes it.',
    tests: stationTests,
  },
]
