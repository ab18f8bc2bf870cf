// The effect of each observation on the metrics, and what they must never contain.
import { beforeEach, describe, expect, test } from 'vitest'
import { createLogger, logWalk, tellingWalk } from '#shared/log.ts'
import { SETTLED_BEFORE } from '#shared/settled-before.ts'
import { RelayMetrics } from './relay-metrics.ts'

let metrics: RelayMetrics
let waits: { offline: number } | null
beforeEach(() => {
  metrics = new RelayMetrics()
  waits = { offline: 3 }
  metrics.look({
    backlog: { read: async () => (waits === null ? undefined : backlogWith(waits.offline)) },
    unitsWaiting: () => 7,
    gatewaysHere: () => 2,
    wakeUpLagMs: () => 250,
    leases: () => [{ name: 'fire', isHeld: true }],
  })
})

const backlogWith = (offline: number) => ({
  deliveries: { pending: 4, retrying: 5 },
  oldestDeliveryMs: 1_500,
  dispatches: { queued: 6, sent: 1, accepted: 0 },
  oldestDispatchMs: 61_000,
  gateways: { offline, unknown: 1 },
  numbers: { failed: 2, retrying: 1 },
})

/** Lines of this metric with a value above 0, without the prefix. */
async function told(name: string): Promise<string[]> {
  const text = await metrics.registry.getSingleMetricAsString(`ticketrail_${name}`)
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#') && !line.endsWith(' 0') && line !== '')
    .map((line) => line.replaceAll('ticketrail_', ''))
}

const walked = (line: object) => metrics.walked({ walk: '1/10', ms: 100, ...line })
const injected = (status: number, refusal: string | null) =>
  metrics.answered({ route: 'POST /v1/order/inject', status, refusal, ms: 3 })

test('there are twenty-one of the relay, and the figures of Node without its garbage collector', async () => {
  const names = metrics.registry.getMetricsAsArray().map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('ticketrail_'))).toHaveLength(21)
  expect(names).toContain('nodejs_eventloop_lag_p99_seconds')
  expect(names.filter((name) => name.includes('_gc_'))).toEqual([])
})

test('the conflict counter is there with 0 before the first conflict: a counter that begins with 1 has not risen', async () => {
  const text = await metrics.registry.getSingleMetricAsString('ticketrail_db_unit_again_total')
  expect(text).toContain('ticketrail_db_unit_again_total{code="23505",constraint="dispatches_seq"} 0')
})

test.each([
  ['inject_duration_seconds', '0.18'],
  ['order_to_paper_seconds', '2'],
  ['webhook_first_attempt_delay_seconds', '0.2'],
])('the target of %s is the bound of a bucket', async (name, bound) => {
  walked({ outcome: 'accepted' })
  metrics.recorded({ tickets: [], printed: ON_PAPER })
  metrics.walked({ walk: '10/10', ms: 1, error: null, waitedMs: 5 })
  expect((await told(name)).join()).toContain(`le="${bound}"`)
})

describe('an order', () => {
  test('counts by its outcome, and its time when it was taken', async () => {
    walked({ outcome: 'accepted' })
    walked({ outcome: 'printer-offline' })
    walked({ outcome: 'replayed' })
    expect(await told('orders_total')).toEqual([
      'orders_total{outcome="accepted"} 1',
      'orders_total{outcome="printer_offline"} 1',
      'orders_total{outcome="replayed"} 1',
    ])
    expect(await told('inject_duration_seconds')).toContain('inject_duration_seconds_count 3')
  })

  test('that is refused or fails counts as that, and one whose kitchen is away does not', async () => {
    injected(422, 'request.invalid')
    injected(503, 'service.unavailable')
    injected(503, 'printer.offline')
    injected(200, null)
    expect(await told('orders_total')).toEqual([
      'orders_total{outcome="refused"} 1',
      'orders_total{outcome="failed"} 1',
    ])
  })

  test('whose kitchen is away is no failure of the service', async () => {
    injected(503, 'printer.offline')
    injected(503, 'service.unavailable')
    const counts = (await told('http_request_duration_seconds')).filter((line) => line.includes('_count'))
    expect(counts).toEqual([
      'http_request_duration_seconds_count{route="POST /v1/order/inject",status="503 printer.offline"} 1',
      'http_request_duration_seconds_count{route="POST /v1/order/inject",status="503"} 1',
    ])
  })

  test('is counted by the log line of its walk, also by a log that leaves it out', async () => {
    const log = tellingWalk(createLogger('cloud', 'silent', { destination: process.stdout }), metrics.walked)
    logWalk(log.child({ part: 'api' }), { walk: '1/10', ms: 1, outcome: 'accepted' }, 'an order came in')
    expect(await told('orders_total')).toEqual(['orders_total{outcome="accepted"} 1'])
  })
})

test('a path that does not exist adds no label', async () => {
  metrics.answered({ route: null, status: 404, refusal: 'request.not_found', ms: 1 })
  expect((await told('http_request_duration_seconds')).at(-1)).toContain('{route="none",status="404"}')
})

const ON_PAPER = {
  order: {
    result: '{"ways":[{"station":null,"way":"printer","name":"Hot"}]}',
    queued_at: 1_000,
    fire_at: null,
    fired_at: 1_000,
  },
  confirmation: 'confirmed' as const,
  printedAtMs: 2_200,
}
const ticket = (change: object = {}) => ({ possibleDuplicate: true, reason: null, attempts: 1, ...change })

describe('a result', () => {
  test('has the time from order to paper, and its source', async () => {
    metrics.recorded({ tickets: [ticket({ possibleDuplicate: false })], printed: ON_PAPER })
    expect(await told('order_to_paper_seconds')).toContain('order_to_paper_seconds_sum{confidence="confirmed"} 1.2')
    expect(await told('possible_duplicates_total')).toEqual([])
  })

  test('counts the tickets that were tried with a mark', async () => {
    const tickets = [
      ticket(),
      ticket(),
      ticket({ possibleDuplicate: false }),
      ticket({ attempts: 0, reason: SETTLED_BEFORE }),
    ]
    metrics.recorded({ tickets, printed: null })
    expect(await told('possible_duplicates_total')).toEqual(['possible_duplicates_total 2'])
  })
})

describe('an attempt of a webhook', () => {
  test('counts by its outcome', async () => {
    metrics.walked({ walk: '10/10', ms: 10, error: null, waitedMs: 30 })
    metrics.walked({ walk: '10/10', ms: 10, error: 'timeout', waitedMs: undefined })
    expect(await told('webhook_attempts_total')).toEqual([
      'webhook_attempts_total{outcome="delivered"} 1',
      'webhook_attempts_total{outcome="timeout"} 1',
    ])
    expect(await told('webhook_first_attempt_delay_seconds')).toContain('webhook_first_attempt_delay_seconds_sum 0.03')
  })
})

test('a gauge has its value at the time of the scrape', async () => {
  expect(await told('gateways')).toEqual([
    'gateways{presence="offline"} 3',
    'gateways{presence="unknown"} 1',
    'gateways{presence="online"} 2',
  ])
  expect(await told('telephone_numbers')).toEqual([
    'telephone_numbers{state="failed"} 2',
    'telephone_numbers{state="retrying"} 1',
  ])
  expect(await told('dispatch_oldest_seconds')).toEqual(['dispatch_oldest_seconds 61'])
  expect(await told('webhook_backlog')).toEqual([
    'webhook_backlog{state="pending"} 4',
    'webhook_backlog{state="retrying"} 5',
  ])
  expect(await told('wakeup_lag_seconds')).toEqual(['wakeup_lag_seconds 0.25'])
  expect(await told('lease_held')).toEqual(['lease_held{name="fire"} 1'])
  expect(await told('db_units_waiting')).toEqual(['db_units_waiting 7'])
})

test('a gauge that cannot be read does not keep its old value', async () => {
  expect(await told('gateways')).toHaveLength(3)
  waits = null
  expect(await told('gateways')).toEqual(['gateways{presence="online"} 2'])
  expect(await told('dispatch_oldest_seconds')).toEqual([])
})
