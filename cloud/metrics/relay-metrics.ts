// The relay's metrics: their names, what they count, and the observers that count it. Labels never contain an id; docs/metrics.md explains them.
import { createRequire } from 'node:module'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Hindrance } from '#cloud/storage/database.ts'
import type { WalkLine } from '#shared/log.ts'
import { isShownMarked } from '#shared/settled-before.ts'
import type { BacklogReader } from './backlog-reader.ts'
import { type OrderOnPaper, paperSeconds } from './paper-seconds.ts'

/** Seconds. Each target of docs/metrics.md is a bound of one bucket: 0.18 of inject, 0.2 of webhooks, 2 of paper. */
const BUCKETS = {
  http: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  inject: [0.005, 0.01, 0.025, 0.05, 0.1, 0.18, 0.25, 0.5, 1, 2.5, 5],
  paper: [0.1, 0.25, 0.5, 1, 1.5, 2, 3, 5, 10, 30, 60, 300],
  webhook: [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 30, 300],
  unit: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
}
const INJECT = 'POST /v1/order/inject'
/** Not a 5xx of the service's making: what was asked for is stored, and prints when the kitchen is back. */
const PRINTER_OFFLINE = '503 printer.offline'

/** One answer of the API. */
export interface Answered {
  /** Null: there is no such route. */
  route: string | null
  status: number
  refusal: string | null
  ms: number
}

/** One result of a kitchen. */
export interface Recorded {
  tickets: readonly { possibleDuplicate: boolean; reason: string | null; attempts: number }[]
  /** Null: no order is on paper by it. */
  printed: OrderOnPaper | null
}

/** Values that are read on request. */
export interface Looked {
  backlog: Pick<BacklogReader, 'read'>
  unitsWaiting: () => number
  /** Gateways that are connected to this relay. */
  gatewaysHere: () => number
  /** Null: no notifications are sent, or none has come back yet. */
  wakeUpLagMs: () => number | null
  leases: () => readonly { name: string; isHeld: boolean }[]
}

export class RelayMetrics {
  readonly registry = new Registry()
  readonly #http = this.#seconds('http_request_duration', 'Answers of the API.', {
    labelNames: ['route', 'status'],
    buckets: BUCKETS.http,
  })
  readonly #inject = this.#seconds('inject_duration', 'Injected orders, from arrival to answer.', {
    labelNames: [],
    buckets: BUCKETS.inject,
  })
  readonly #orders = this.#counter('orders_total', 'Calls of inject, by their outcome.', ['outcome'])
  readonly #paper = this.#seconds(
    'order_to_paper',
    'Orders that were due at once, where gateway and printers were there: from their acceptance to the last ticket on paper.',
    { labelNames: ['confidence'], buckets: BUCKETS.paper },
  )
  readonly #firstAttempts = this.#seconds(
    'webhook_first_attempt_delay',
    'From an event to the beginning of the first attempt to deliver it.',
    { labelNames: [], buckets: BUCKETS.webhook },
  )
  readonly #attempts = this.#counter('webhook_attempts_total', 'Attempts of webhooks, by their outcome.', ['outcome'])
  readonly #hellos = this.#counter('gateway_hello_total', 'Gateways that were welcomed, by what led to it.', ['why'])
  readonly #messages = this.#counter('link_messages_total', 'Messages from gateways (up) and to them (down).', [
    'direction',
    'type',
  ])
  readonly #rewinds = this.#counter('link_rewinds_total', 'Times that unacknowledged jobs were sent again.')
  readonly #duplicates = this.#counter(
    'possible_duplicates_total',
    'Tickets with the mark POSSIBLE DUPLICATE on their paper.',
  )
  readonly #units = this.#seconds(
    'db_unit_duration',
    'Units of work of the database, from asking for a turn to the disk.',
    { labelNames: ['unit'], buckets: BUCKETS.unit },
  )
  readonly #hindered = this.#counter('db_unit_again_total', 'Units that another one was in the way of, by SQLSTATE.', [
    'code',
    'constraint',
  ])

  constructor() {
    collectNodeMetrics(this.registry)
    // Named in an alert: a counter that begins with 1 has not risen.
    this.#hindered.inc({ code: '23505', constraint: 'dispatches_seq' }, 0)
  }

  readonly answered = ({ route, status, refusal, ms }: Answered): void => {
    const isOffline = refusal === 'printer.offline'
    this.#http.observe({ route: route ?? 'none', status: isOffline ? PRINTER_OFFLINE : status }, ms / 1_000)
    if (route !== INJECT || status < 400 || isOffline) return
    this.#orders.inc({ outcome: status < 500 ? 'refused' : 'failed' })
  }

  readonly walked = (line: WalkLine): void => {
    if (line.walk === '1/10') {
      this.#orders.inc({ outcome: String(line['outcome']).replace('-', '_') })
      this.#inject.observe(line.ms / 1_000)
    } else if (line.walk === '10/10') {
      this.#attempts.inc({ outcome: typeof line['error'] === 'string' ? line['error'] : 'delivered' })
      if (typeof line['waitedMs'] === 'number') this.#firstAttempts.observe(line['waitedMs'] / 1_000)
    }
  }

  readonly recorded = ({ tickets, printed }: Recorded): void => {
    const marked = tickets.filter((ticket) => ticket.attempts > 0 && isShownMarked(ticket)).length
    if (marked > 0) this.#duplicates.inc(marked)
    const seconds = printed === null ? null : paperSeconds(printed)
    if (printed !== null && seconds !== null) this.#paper.observe({ confidence: printed.confirmation }, seconds)
  }

  readonly unitEnded = (unit: string, ms: number): void => this.#units.observe({ unit }, ms / 1_000)

  readonly unitHindered = ({ code, constraint }: Hindrance): void =>
    this.#hindered.inc({ code, constraint: constraint ?? '' })

  readonly link = {
    heard: (type: string): void => this.#messages.inc({ direction: 'up', type }),
    said: (type: string): void => this.#messages.inc({ direction: 'down', type }),
    hello: (why: string): void => this.#hellos.inc({ why }),
    rewound: (): void => this.#rewinds.inc(),
  }

  /** Adds the values that are read on request. */
  look({ backlog, unitsWaiting, gatewaysHere, wakeUpLagMs, leases }: Looked): void {
    this.#gauge('db_units_waiting', 'Units that wait for their turn.', {
      labelNames: [],
      collect: (gauge) => gauge.set(unitsWaiting()),
    })
    this.#gauge('wakeup_lag_seconds', 'What a note between relays takes.', {
      labelNames: [],
      collect: (gauge) => {
        gauge.remove()
        const ms = wakeUpLagMs()
        if (ms !== null) gauge.set(ms / 1_000)
      },
    })
    this.#gauge('lease_held', 'Whether this relay does what one does for all.', {
      labelNames: ['name'],
      collect: (gauge) => {
        for (const { name, isHeld } of leases()) gauge.set({ name }, isHeld ? 1 : 0)
      },
    })
    this.#gauge(
      'gateways',
      'Gateways: online at this relay, offline and unknown in the whole database, 10000 at most.',
      {
        labelNames: ['presence'],
        collect: async (gauge) => {
          setEach(gauge, 'presence', (await backlog.read())?.gateways)
          gauge.set({ presence: 'online' }, gatewaysHere())
        },
      },
    )
    this.#gauge('telephone_numbers', 'Telephone numbers that could not be wired or unwired, of the whole database.', {
      labelNames: ['state'],
      collect: async (gauge) => setEach(gauge, 'state', (await backlog.read())?.numbers),
    })
    this.#gauge('webhook_backlog', 'Deliveries that wait, of the whole database, 10000 at most.', {
      labelNames: ['state'],
      collect: async (gauge) => setEach(gauge, 'state', (await backlog.read())?.deliveries),
    })
    this.#gauge('webhook_oldest_seconds', 'How long an attempt has been due that has not begun.', {
      labelNames: [],
      collect: async (gauge) => setOne(gauge, (await backlog.read())?.oldestDeliveryMs),
    })
    this.#gauge('dispatch_backlog', 'Jobs that no kitchen has settled, of the whole database, 10000 at most.', {
      labelNames: ['state'],
      collect: async (gauge) => setEach(gauge, 'state', (await backlog.read())?.dispatches),
    })
    this.#gauge('dispatch_oldest_seconds', 'How long a job has waited that may go to a gateway which is online.', {
      labelNames: [],
      collect: async (gauge) => setOne(gauge, (await backlog.read())?.oldestDispatchMs),
    })
  }

  #seconds<L extends string>(
    name: string,
    help: string,
    { labelNames, buckets }: { labelNames: readonly L[]; buckets: number[] },
  ): Histogram<L> {
    return new Histogram({ name: `ticketrail_${name}_seconds`, help, labelNames, buckets, registers: [this.registry] })
  }

  #counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name: `ticketrail_${name}`, help, labelNames, registers: [this.registry] })
  }

  #gauge<L extends string>(
    name: string,
    help: string,
    { labelNames, collect }: { labelNames: readonly L[]; collect: (gauge: Gauge<L>) => Promise<void> | void },
  ): void {
    new Gauge({
      name: `ticketrail_${name}`,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        return collect(this)
      },
    })
  }
}

/** A value that cannot be read now is left out, rather than reported as it was. */
function setEach<L extends string>(
  gauge: Gauge<L>,
  label: L,
  values: Readonly<Record<string, number>> | undefined,
): void {
  if (values === undefined) gauge.reset()
  for (const [name, value] of Object.entries(values ?? {})) gauge.set({ [label]: name } as Record<L, string>, value)
}

function setOne(gauge: Gauge, ms: number | undefined): void {
  if (ms === undefined) gauge.remove()
  else gauge.set(ms / 1_000)
}

const NODE_METRICS = [
  'processCpuTotal',
  'processStartTime',
  'osMemoryHeap',
  'processOpenFileDescriptors',
  'processMaxFileDescriptors',
  'eventLoopLag',
  'processResources',
  'heapSizeAndUsed',
  'heapSpacesSizeAndUsed',
  'version',
] as const
/** Of the clock that watches the event loop: each tick wakes the program. */
const LOOP_TICK_MS = 20

type Collect = (registry: Registry, options: { eventLoopMonitoringPrecision: number }) => void

/**
 * prom-client's own metrics of Node, without its observer of the garbage collector, which is called at each collection and costs time.
 * `collectDefaultMetrics` has no way to leave one out.
 */
function collectNodeMetrics(registry: Registry): void {
  const load = createRequire(import.meta.url)
  for (const part of NODE_METRICS) {
    const collect = load(`prom-client/lib/metrics/${part}.js`) as Collect
    collect(registry, { eventLoopMonitoringPrecision: LOOP_TICK_MS })
  }
}
