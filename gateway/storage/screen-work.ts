// Cooks' actions at displays on the lines of a ticket that was still waiting for its printer: they are printed on the ticket.
import type { Statement } from 'better-sqlite3'
import type { StoredDoc } from '#shared/tickets/local-doc.ts'
import { fold, type TicketPart } from '#shared/tickets/route.ts'
import type { ScreenWork } from '#shared/tickets/ticket-marks.ts'
import type { GatewayDatabase } from './database.ts'

interface Work {
  ready: ReadonlyMap<string, number>
  started: ReadonlyMap<string, number>
  struck: ReadonlySet<number>
}

export class ScreenWorkRows {
  readonly #isTouched: Statement<[string], { n: number }>
  readonly #stations: Statement<[string], { station: string; started: number | null; ready: number | null }>
  readonly #struck: Statement<[string], { line: number }>
  readonly #slip: Statement<[string], { at: number | null }>
  readonly #fired: Statement<[string, number], { at: number }>

  constructor({ sqlite: sql }: GatewayDatabase) {
    this.#isTouched = sql.prepare('select 1 as n from kitchen_orders where order_id = ?')
    this.#stations = sql.prepare(
      'select station, started_at_ms as started, ready_at_ms as ready from kitchen_stations where order_id = ?',
    )
    this.#struck = sql.prepare('select line from kitchen_lines where order_id = ?')
    this.#slip = sql.prepare('select max(paper_at_ms) as at from kitchen_seen where order_id = ?')
    this.#fired = sql.prepare('select fired_at_ms as at from kitchen_courses where order_id = ? and course = ?')
  }

  /**
   * For the kitchen ticket of an order or of a course; null: no action at a display, or another document. A recalled order must be made
   * again, so it counts as not made.
   */
  of(doc: StoredDoc, { items, paper = 'kitchen' }: Pick<TicketPart, 'items' | 'paper'>): ScreenWork | null {
    if ((doc.kind !== 'order' && doc.kind !== 'fire') || paper !== 'kitchen') return null
    const { order } = doc
    const orderId = order.serviceOrderId
    const sinceMs = doc.kind === 'fire' ? (this.#fired.get(orderId, doc.course)?.at ?? doc.firedAtMs) : 0
    const slipAtMs = this.#slip.get(orderId)?.at ?? null
    const onSlip = slipAtMs !== null && slipAtMs >= sinceMs ? 'on-slip' : null
    if (!this.#isTouched.get(orderId)) return onSlip
    const work = this.#workOf(orderId)
    const states = items.map((place) => {
      const key = fold(order.items[place]?.station ?? '')
      const isSince = (times: ReadonlyMap<string, number>) => (times.get(key) ?? -1) >= sinceMs
      if (work.struck.has(place) || isSince(work.ready)) return 'made'
      return isSince(work.started) ? 'started' : 'open'
    })
    if (states.includes('made')) return states.every((state) => state === 'made') ? 'made' : 'partly-made'
    return states.includes('started') ? 'started' : onSlip
  }

  #workOf(orderId: string): Work {
    const stations = this.#stations.all(orderId)
    return {
      ready: new Map(stations.flatMap(({ station, ready }) => (ready === null ? [] : [[station, ready]]))),
      started: new Map(stations.flatMap(({ station, started }) => (started === null ? [] : [[station, started]]))),
      struck: new Set(this.#struck.all(orderId).map(({ line }) => line)),
    }
  }
}
