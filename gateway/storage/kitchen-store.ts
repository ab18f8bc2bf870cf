// The kitchen's work on disk: states of orders and stations, actions by their ids, facts for the relay, which screens have shown what.
import { createHash } from 'node:crypto'
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import type { KitchenAct, KitchenState } from '#shared/wire/kitchen.ts'
import { type ActEffect, afterFires, type KitchenFact, type WorkedOrder } from '#shared/wire/kitchen-acts.ts'
import type { CourseStore } from './course-store.ts'
import { type GatewayDatabase, isDiskFull } from './database.ts'

/** What a display has shown of an order, and what followed. */
export interface Seen {
  displayId: string
  /** Drawn on the screen. */
  seenAtMs: EpochMs | null
  /** Printed because the screen was silent. */
  paperAtMs: EpochMs | null
  voidSeenAtMs: EpochMs | null
  changeSeenAtMs: EpochMs | null
  /** Somebody touched the screen while it showed the order. */
  noticedAtMs: EpochMs | null
  /** The buzzer called for it. */
  buzzedAtMs: EpochMs | null
}

/** The fields that identify an action, without the rest of the display's message. */
export type NotedAct = Pick<KitchenAct, 'id' | 'kind' | 'orderId' | 'stations' | 'line' | 'course'>

/** New facts about it. */
export type SeenNow = Pick<Seen, 'displayId'> & Partial<Seen>

/** A fact for the relay, as a `kitchen` message carries it. `course`: only with `fired`. */
export interface OpenFact {
  orderId: string
  fact: KitchenFact | 'fired'
  course?: number | undefined
  atMs: EpochMs
}
export type FactId = Pick<OpenFact, 'orderId' | 'fact' | 'course'>

interface OrderRow {
  ready_at_ms: number | null
  picked_up_at_ms: number | null
  recalled_at_ms: number | null
}

interface SeenRow {
  order_id: string
  display_id: string
  seen_at_ms: number | null
  paper_at_ms: number | null
  void_seen_at_ms: number | null
  change_seen_at_ms: number | null
  noticed_at_ms: number | null
  buzzed_at_ms: number | null
}

const SEEN_TIMES = [
  'seen_at_ms',
  'paper_at_ms',
  'void_seen_at_ms',
  'change_seen_at_ms',
  'noticed_at_ms',
  'buzzed_at_ms',
] as const

type Bind = Record<string, string | number | null>

export class KitchenStore {
  /** A fact was added for the relay, or removed. */
  readonly factsChanged = new Signal()
  readonly #db: GatewayDatabase
  readonly #courses: CourseStore
  readonly #order: Statement<[string], OrderRow>
  readonly #stations: Statement<[string], { station: string; started_at_ms: number | null; ready_at_ms: number | null }>
  readonly #struck: Statement<[string], { line: number }>
  readonly #unstrike: Statement<[string, string]>
  readonly #strike: Statement<[string, number, number]>
  readonly #putOrder: Statement<[Bind]>
  readonly #putStation: Statement<[Bind]>
  readonly #act: Statement<[string], { outcome: string }>
  readonly #putAct: Statement<[string, string, number]>
  readonly #putFact: Statement<[string, KitchenFact, number, number]>
  readonly #dropFact: Statement<[string, KitchenFact, number]>
  readonly #openFacts: Statement<[number, number], { order_id: string; fact: KitchenFact; at_ms: number }>
  readonly #nextDue: Statement<[number], { due: number | null }>
  readonly #ackFact: Statement<[number, string, KitchenFact]>
  readonly #seen: Statement<[string], SeenRow>
  readonly #shownOn: Statement<[string, number], { name: string; atMs: EpochMs }>
  readonly #putSeen: Statement<[Bind]>
  readonly #unsee: Readonly<Record<'void' | 'change', Statement<[string, string]>>>
  /** Acknowledged, but not yet noted on disk. */
  readonly #acknowledged = new Set<string>()
  readonly #prune: readonly Statement<[number]>[]

  constructor(db: GatewayDatabase, courses: CourseStore) {
    this.#db = db
    this.#courses = courses
    courses.fired.subscribe(() => this.factsChanged.notify())
    const sql = db.sqlite
    this.#order = sql.prepare(
      'select ready_at_ms, picked_up_at_ms, recalled_at_ms from kitchen_orders where order_id = ?',
    )
    this.#stations = sql.prepare('select station, started_at_ms, ready_at_ms from kitchen_stations where order_id = ?')
    this.#struck = sql.prepare('select line from kitchen_lines where order_id = ? order by line')
    this.#unstrike = sql.prepare(
      'delete from kitchen_lines where order_id = ? and line not in (select value from json_each(?))',
    )
    this.#strike = sql.prepare('insert or ignore into kitchen_lines (order_id, line, struck_at_ms) values (?, ?, ?)')
    this.#putOrder = sql.prepare(
      `insert or replace into kitchen_orders (order_id, ready_at_ms, picked_up_at_ms, recalled_at_ms, updated_at_ms)
       values (@orderId, @readyAtMs, @pickedUpAtMs, @recalledAtMs, @nowMs)`,
    )
    this.#putStation = sql.prepare(
      `insert or replace into kitchen_stations (order_id, station, started_at_ms, ready_at_ms)
       values (@orderId, @key, @startedAtMs, @readyAtMs)`,
    )
    this.#act = sql.prepare('select outcome from kitchen_acts where act_id = ?')
    this.#putAct = sql.prepare(`insert into kitchen_acts (act_id, outcome, at_ms) values (?, ?, ?)`)
    // A stored fact was or will be reported, so a second one is ignored.
    this.#putFact = sql.prepare(
      'insert or ignore into kitchen_facts (order_id, fact, at_ms, due_at_ms) values (?, ?, ?, ?)',
    )
    this.#dropFact = sql.prepare(
      'delete from kitchen_facts where order_id = ? and fact = ? and due_at_ms > ? and acked_at_ms is null',
    )
    this.#openFacts = sql.prepare(
      'select order_id, fact, at_ms from kitchen_facts where acked_at_ms is null and due_at_ms <= ? order by fact_id limit ?',
    )
    this.#nextDue = sql.prepare(
      'select min(due_at_ms) as due from kitchen_facts where acked_at_ms is null and due_at_ms > ?',
    )
    this.#ackFact = sql.prepare('update kitchen_facts set acked_at_ms = ? where order_id = ? and fact = ?')
    this.#seen = sql.prepare('select * from kitchen_seen where order_id = ?')
    this.#shownOn = sql.prepare(
      `select d.name, s.seen_at_ms as atMs from kitchen_seen s join displays d on d.display_id = s.display_id
       where s.order_id = ? and s.seen_at_ms is not null order by s.seen_at_ms limit ?`,
    )
    this.#putSeen = sql.prepare(
      `insert into kitchen_seen (order_id, display_id, ${SEEN_TIMES.join(', ')})
       values (@orderId, @displayId, @seenAtMs, @paperAtMs, @voidSeenAtMs, @changeSeenAtMs, @noticedAtMs, @buzzedAtMs)
       on conflict (order_id, display_id) do update set
         ${SEEN_TIMES.map((time) => `${time} = coalesce(${time}, excluded.${time})`).join(', ')}`,
    )
    const unsee = (column: 'void_seen_at_ms' | 'change_seen_at_ms'): Statement<[string, string]> =>
      sql.prepare(
        `update kitchen_seen set ${column} = null where order_id = ? and display_id = ? and ${column} is not null`,
      )
    this.#unsee = { void: unsee('void_seen_at_ms'), change: unsee('change_seen_at_ms') }
    const oldOrders = 'select order_id from kitchen_orders where updated_at_ms < ?'
    this.#prune = [
      sql.prepare('delete from kitchen_acts where at_ms < ?'),
      sql.prepare('delete from kitchen_facts where acked_at_ms < ?'),
      sql.prepare(`delete from kitchen_seen where coalesce(${SEEN_TIMES.join(', ')}, 0) < ?`),
      sql.prepare(`delete from kitchen_lines where order_id in (${oldOrders})`),
      sql.prepare(`delete from kitchen_stations where order_id in (${oldOrders})`),
      sql.prepare('delete from kitchen_orders where updated_at_ms < ?'),
      sql.prepare('delete from display_codes where expires_at_ms < ?'),
    ]
  }

  /** Everything that `work` writes is one durable commit. */
  transaction<T>(work: () => T): T {
    return this.#db.transaction(work)
  }

  /** @param blank the order with its stations, untouched */
  state(orderId: string, blank: WorkedOrder): KitchenState {
    const row = this.#order.get(orderId)
    const known = new Map(this.#stations.all(orderId).map((station) => [station.station, station]))
    const courses = this.#coursesOf(orderId, blank)
    const stations = blank.stations.map((station) => {
      const found = known.get(station.key)
      return found ? { ...station, startedAtMs: found.started_at_ms, readyAtMs: found.ready_at_ms } : station
    })
    const struckLines = this.#struck.all(orderId).map(({ line }) => line)
    return {
      courses,
      ...afterFires({ ...blank, courses, stations, struckLines }),
      readyAtMs: row?.ready_at_ms ?? null,
      pickedUpAtMs: row?.picked_up_at_ms ?? null,
      recalledAtMs: row?.recalled_at_ms ?? null,
    }
  }

  /** Few orders have courses: the others cost no read of the disk. */
  #coursesOf(orderId: string, { courses }: KitchenState): KitchenState['courses'] {
    if (courses.length === 0) return courses
    const times = new Map(this.#courses.of(orderId).map(({ course, firedAtMs }) => [course, firedAtMs]))
    return courses.map((later) => ({ ...later, firedAtMs: times.get(later.course) ?? null }))
  }

  /** Whether an action with this id was done before, and as which. Actions of earlier versions were stored without their fields. */
  doneAs(act: NotedAct): 'new' | 'the-same' | 'another' {
    const noted = this.#act.get(act.id)?.outcome
    if (noted === undefined) return 'new'
    return noted === DONE || noted === outcomeOf(act) ? 'the-same' : 'another'
  }

  /** Stores an action. In the caller's transaction. */
  noteAct(act: NotedAct, nowMs: EpochMs): void {
    this.#putAct.run(act.id, outcomeOf(act), nowMs)
  }

  /**
   * Stores the changes of an action, and its facts for the relay, due when they can no longer be undone. An order that loses a fact which is
   * due or acknowledged is marked as recalled, even if by the times of the taps it was undone in time: a tablet's clock is not the
   * box's. In the caller's transaction.
   */
  save(
    orderId: string,
    { state, gained, lost }: ActEffect,
    when: { atMs: EpochMs; nowMs: EpochMs; dueAtMs: EpochMs },
  ): void {
    const isTold = lost.map((fact) => this.#takeBack({ orderId, fact }, when.nowMs)).includes(false)
    const recalledAtMs = state.recalledAtMs ?? (isTold ? when.atMs : null)
    const { readyAtMs, pickedUpAtMs } = state
    this.#putOrder.run({ orderId, readyAtMs, pickedUpAtMs, recalledAtMs, nowMs: when.nowMs })
    for (const { key, startedAtMs, readyAtMs: readyMs } of state.stations)
      this.#putStation.run({ orderId, key, startedAtMs, readyAtMs: readyMs })
    this.#unstrike.run(orderId, JSON.stringify(state.struckLines))
    for (const line of state.struckLines) this.#strike.run(orderId, line, when.atMs)
    for (const fact of gained) this.#putFact.run(orderId, fact, when.atMs, when.dueAtMs)
    if (gained.length + lost.length > 0) this.#db.afterCommit(() => this.factsChanged.notify())
  }

  /** @returns false when it is due or acknowledged: then it stays */
  #takeBack(fact: { orderId: string; fact: KitchenFact }, nowMs: EpochMs): boolean {
    return !this.#acknowledged.has(keyOf(fact)) && this.#dropFact.run(fact.orderId, fact.fact, nowMs).changes === 1
  }

  /**
   * Facts that are due and that the relay has not acknowledged, fired courses first, then oldest first, at most one of an order: completed
   * waits for ready and ready for fired, so that the relay never gets them in the wrong order.
   * @param withFired false: to a relay that does not support courses
   */
  openFacts(nowMs: EpochMs, limit: number, withFired = true): OpenFact[] {
    const orders = new Set<string>()
    const most = 2 * limit + this.#acknowledged.size
    const fired = withFired ? this.#courses.open(most).map((open): OpenFact => ({ ...open, fact: 'fired' })) : []
    const facts = this.#openFacts
      .all(nowMs, most)
      .map(({ order_id, fact, at_ms }): OpenFact => ({ orderId: order_id, fact, atMs: at_ms }))
    return [...fired, ...facts]
      .filter((open) => {
        if (this.#acknowledged.has(keyOf(open)) || orders.has(open.orderId)) return false
        orders.add(open.orderId)
        return true
      })
      .slice(0, limit)
  }

  /** When the next fact becomes due; null if there is none. */
  nextDueMs(nowMs: EpochMs): EpochMs | null {
    return this.#nextDue.get(nowMs)?.due ?? null
  }

  /** The relay has these facts on its disk. Without a commit of its own: a loss in a crash costs one message more. */
  acknowledge(facts: readonly FactId[], nowMs: EpochMs): void {
    if (facts.length === 0) return
    for (const fact of facts) this.#acknowledged.add(keyOf(fact))
    this.#db.rideAlong(() => {
      for (const { orderId, fact, course = 0 } of facts) {
        if (fact === 'fired') this.#courses.acknowledge(orderId, course, nowMs)
        else this.#ackFact.run(nowMs, orderId, fact)
      }
      this.#db.afterCommit(() => {
        for (const fact of facts) this.#acknowledged.delete(keyOf(fact))
        this.factsChanged.notify()
      })
    })
  }

  /** The first screens that have drawn the order and still exist: at most `most`, relay time. */
  shownOn(orderId: string, most: number): { name: string; atMs: EpochMs }[] {
    return this.#shownOn.all(orderId, most)
  }

  seen(orderId: string): Seen[] {
    return this.#seen.all(orderId).map((row) => ({
      displayId: row.display_id,
      seenAtMs: row.seen_at_ms,
      paperAtMs: row.paper_at_ms,
      voidSeenAtMs: row.void_seen_at_ms,
      changeSeenAtMs: row.change_seen_at_ms,
      noticedAtMs: row.noticed_at_ms,
      buzzedAtMs: row.buzzed_at_ms,
    }))
  }

  /** In the caller's transaction. Existing values stay. */
  putSeen(orderId: string, now: SeenNow): void {
    this.#putSeen.run({ orderId, ...NOTHING_SEEN, ...now })
  }

  /** A display undoes that it has seen a void or a change. In the caller's transaction. @returns false if it had not */
  unsee(orderId: string, displayId: string, what: 'void' | 'change'): boolean {
    return this.#unsee[what].run(orderId, displayId).changes === 1
  }

  /** Shown on a display, or noticed there. Without a separate commit, because a loss costs at most one backup ticket or one sound. */
  noteSeen(orderIds: readonly string[], now: SeenNow): void {
    if (orderIds.length === 0) return
    this.#db.rideAlong(() => {
      for (const orderId of orderIds) this.putSeen(orderId, now)
    })
  }

  /** Deletes what is older. If the disk is full, it is left for the next time. */
  prune(beforeMs: EpochMs): void {
    try {
      this.#db.transaction(() => {
        for (const statement of this.#prune) statement.run(beforeMs)
        this.#courses.prune(beforeMs)
      })
    } catch (error) {
      if (!isDiskFull(error)) throw error
    }
  }
}

const DONE = 'done'

/** Includes the fields of the action, so that its id is used for no other one; a program of an earlier version only checks whether the row exists. */
function outcomeOf({ kind, orderId, stations, line, course }: NotedAct): string {
  const what = JSON.stringify([kind, orderId, stations, line ?? null, course ?? null])
  return `${DONE} ${createHash('sha256').update(what).digest('base64url').slice(0, 16)}`
}

const NOTHING_SEEN = {
  seenAtMs: null,
  paperAtMs: null,
  voidSeenAtMs: null,
  changeSeenAtMs: null,
  noticedAtMs: null,
  buzzedAtMs: null,
}

function keyOf({ orderId, fact, course = 0 }: FactId): string {
  return `${fact} ${course} ${orderId}`
}
