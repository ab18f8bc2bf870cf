// The trace of each order: begun by the client's header or here, stored with the order, and sent to its gateway and its webhooks. Without an
// endpoint for spans, a client's header is only passed on.
import type { OrderStore } from '#cloud/storage/order-store.ts'
import type { Clock } from '#shared/clock.ts'
import { asId, isId } from '#shared/ids.ts'
import type { WalkLine } from '#shared/log.ts'
import { readTraceparent } from '#shared/traceparent.ts'

/** Makes spans, where an endpoint is set: shared/tracing/walk-spans.ts. */
export interface SpanMaker {
  begin(
    parent: string | null,
    startMs: number,
  ): { traceparent: string; end(line: WalkLine | null, endMs: number): void }
  add(parent: string, line: WalkLine, endMs: number): void
}

/** One call of inject. */
export interface BegunTrace {
  /** Stored with the order; null: the order is not traced. */
  readonly traceparent: string | null
  /** The call was refused, or failed. */
  failed(): void
}

interface OrderTracesDeps {
  orders: Pick<OrderStore, 'traceparentOf' | 'hasTraced'>
  spans: SpanMaker | null
  /** Others take orders into the same database. */
  isShared: boolean
  clock: Pick<Clock, 'now' | 'monotonicMs'>
}

const MOST_REMEMBERED = 10_000
const UNTRACED: BegunTrace = { traceparent: null, failed: () => {} }

export class OrderTraces {
  readonly #deps: OrderTracesDeps
  /** Of the newest orders. */
  readonly #known = new Map<string, string | null>()
  readonly #open = new Map<string, ReturnType<SpanMaker['begin']>>()
  /** Some order in the database may have a trace: otherwise none is read. */
  #areStored = true

  constructor(deps: OrderTracesDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    const { orders, spans, isShared } = this.#deps
    this.#areStored = isShared || spans !== null || (await orders.hasTraced())
  }

  /** @param header as the client sent it @param arrivedMs of the call, monotonic */
  begin(header: unknown, arrivedMs: number): BegunTrace {
    const parent = header === undefined ? null : readTraceparent(header)
    const { spans, clock } = this.#deps
    if (spans === null && parent === null) return UNTRACED
    this.#areStored = true
    if (spans === null) return { traceparent: parent, failed: () => {} }
    const span = spans.begin(parent, clock.now() - (clock.monotonicMs() - arrivedMs))
    const { traceparent } = span
    this.#open.set(traceparent, span)
    const failed = (): void => {
      if (this.#open.delete(traceparent)) span.end(null, clock.now())
    }
    return { traceparent, failed }
  }

  /** @param subjectId of an event: an order, or something that has no trace */
  async of(subjectId: string): Promise<string | null> {
    if (!this.#areStored || !isId('ord', subjectId)) return null
    const known = this.#known.get(subjectId)
    if (known !== undefined) return known
    const stored = await this.#deps.orders.traceparentOf(asId(subjectId))
    this.#remember(subjectId, stored)
    return stored
  }

  /** Called at each step of the walk at this relay. Must not throw. */
  readonly walked = (line: WalkLine): void => {
    const { walk, serviceOrderId } = line
    const traceparent = typeof line['traceparent'] === 'string' ? line['traceparent'] : null
    // The one line of an order that was stored just now. A replay's trace is another one than its order's.
    if (walk === '2/10' && serviceOrderId !== undefined && this.#areStored) this.#remember(serviceOrderId, traceparent)
    if (this.#deps.spans === null) return
    const endMs = this.#deps.clock.now()
    if (walk === '1/10' && traceparent !== null) {
      const span = this.#open.get(traceparent)
      this.#open.delete(traceparent)
      span?.end(line, endMs)
    } else if (traceparent !== null) this.#deps.spans.add(traceparent, line, endMs)
    else if (serviceOrderId !== undefined) this.#add(serviceOrderId, line, endMs)
  }

  #add(orderId: string, line: WalkLine, endMs: number): void {
    const add = (traceparent: string | null): void => {
      if (traceparent !== null) this.#deps.spans?.add(traceparent, line, endMs)
    }
    // A missing span does no harm.
    this.of(orderId).then(add, () => {})
  }

  #remember(orderId: string, traceparent: string | null): void {
    this.#known.set(orderId, traceparent)
    if (this.#known.size <= MOST_REMEMBERED) return
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest)
      break
    }
  }
}
