// Planted faults of the figures: what they would tell wrongly, and whom that would wake or let sleep.
import { type Mutant, rooms, unit } from './mutant.ts'

const FIGURES = unit('cloud/metrics/relay-metrics.test.ts')
const PAPER = unit('cloud/metrics/paper-seconds.test.ts')
const BACKLOG = unit('cloud/storage/backlog-store.test.ts')

export const METRICS_MUTANTS: readonly Mutant[] = [
  {
    name: 'traces-leave-the-clients-trace',
    file: 'shared/tracing/walk-spans.ts',
    original: 'parent === null ? ROOT_CONTEXT : contextOf(parent)',
    replacement: 'ROOT_CONTEXT',
    harm: 'An order cannot be found in the trace of the client that sent it.',
    tests: { project: 'flows', files: ['test/flows/traced-order.test.ts'] },
  },
  {
    name: 'metrics-offline-kitchen-is-failure',
    file: 'cloud/metrics/relay-metrics.ts',
    original: "const isOffline = refusal === 'printer.offline'",
    replacement: 'const isOffline = false',
    harm: 'A restaurant whose box has no power wakes whoever runs the relay.',
    tests: FIGURES,
  },
  {
    name: 'metrics-paper-of-a-kitchen-that-was-away',
    file: 'cloud/metrics/paper-seconds.ts',
    original: 'if (ways.length === 0 || ways.some(({ way }) => way === null)) return null',
    replacement: '',
    harm: 'Each printer that is switched on in the morning looks like an order that took all night.',
    tests: PAPER,
  },
  {
    name: 'metrics-stuck-job-in-a-far-place',
    file: 'cloud/storage/backlog-store.ts',
    original: 'after = ids.length < PIECE ? undefined : ids.at(-1)',
    replacement: 'after = undefined',
    harm: 'Behind a hundred kitchens that are switched off nobody hears of the one that is online and gets nothing.',
    tests: BACKLOG,
  },
  {
    name: 'metrics-asks-at-each-scrape',
    file: 'cloud/metrics/backlog-reader.ts',
    original: 'if (nowMs - this.#readMs >= KEPT_MS) {',
    replacement: 'if (nowMs >= this.#readMs) {',
    harm: 'Whoever scrapes often makes the database count all the time.',
    tests: unit('cloud/metrics/backlog-reader.test.ts'),
  },
  {
    name: 'metrics-answer-to-anything',
    file: 'cloud/metrics/metrics-server.ts',
    original: "path !== '/metrics' ? 404",
    replacement: "path === '' ? 404",
    harm: 'Any path tells the figures, and a wrong one in a scrape job goes unnoticed.',
    tests: rooms('cloud/metrics/metrics-server.room.test.ts'),
  },
]
