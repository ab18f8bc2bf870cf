// The kitchen's room: accepts the cooks' actions, each once and on disk before the answer, and tracks which screens are connected.
import type { BoardDoc, BoardRows } from '#gateway/storage/board-rows.ts'
import type { DisplayRecord, DisplayStore } from '#gateway/storage/display-store.ts'
import type { JobStore } from '#gateway/storage/job-store.ts'
import type { KitchenStore, Seen } from '#gateway/storage/kitchen-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { thresholdsOf } from '#shared/kitchen-times.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { Signal } from '#shared/signal.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import type {
  ActResult,
  BoardOrder,
  BoardPrinter,
  FireOutcome,
  KitchenAct,
  KitchenHello,
  KitchenPresence,
} from '#shared/wire/kitchen.ts'
import { type ActEffect, applyAct, KITCHEN_TIMES } from '#shared/wire/kitchen-acts.ts'
import { fireRefusalOf, refusalOf, staleness } from './act-refusal.ts'
import { beyondScreen, ShownScopes } from './act-scope.ts'
import { type KitchenScreens, kitchenScreens } from './adoption.ts'
import { Board } from './board.ts'
import { stationKey } from './board-order.ts'
import { Buzzer } from './buzzer.ts'
import { MissedOrders } from './missed-orders.ts'
import { type OrderStanding, orderStanding } from './order-standing.ts'
import { Presence } from './presence.ts'
import { printBoard, unseenNow } from './print-board.ts'
import { type OrderEvent, Revisions } from './revisions.ts'
import { mayAct } from './screen-kinds.ts'
import { type PrintBackup, ScreenWatch } from './screen-watch.ts'
import type { UnseenOrders } from './unseen-orders.ts'

export interface KitchenDeps {
  store: KitchenStore
  displays: DisplayStore
  rows: BoardRows
  jobs: JobStore
  printers: { list: () => BoardPrinter[]; changed: Signal }
  printBackup: PrintBackup
  /** Fires a course in the caller's transaction. @returns false when it was fired before */
  intake: { fireCourse(doc: BoardDoc, course: number): boolean }
  time: TimeSource
  clock: Clock
  log: Logger
  app: string
  site: SiteFacts
}

/** Taps that waited on a screen come one message after the other: a Ready is reported only after its undo could have come, too. */
const LATE_TAPS_MS = 1_000
/** How often to check whether the display for stations without one is still connected. */
const LOOK_AT_SCREENS_MS = 1_000
const PRUNE_EVERY_MS = 3_600_000
const KEPT_MS = 30 * 24 * 3_600_000

export class Kitchen implements Service {
  readonly board: Board
  readonly presence: Presence
  /** Health of a printer changed. */
  readonly printersChanged: Signal
  /** The data about the box itself for every screen: its name, its late minutes. */
  readonly boxChanged = new Signal()
  readonly displays: DisplayStore
  /** What the link sends to the relay. */
  readonly facts: KitchenStore
  readonly #deps: KitchenDeps
  readonly #watch: ScreenWatch
  readonly #buzzer: Buzzer
  #cancelPrune: Cancel | null = null
  readonly #revisions: Revisions
  readonly #missed = new MissedOrders()
  #adopter: string | null = null
  readonly #shown = new ShownScopes()
  /** Effects of the actions in the current commit; announced after it. */
  #events: { orderId: string; event: OrderEvent }[] = []
  #cancelFired: Cancel | null = null
  #cancelAdopter: Cancel | null = null
  #cancelShown: Cancel | null = null

  constructor(deps: KitchenDeps) {
    this.#deps = deps
    this.printersChanged = deps.printers.changed
    this.displays = deps.displays
    this.facts = deps.store
    this.#revisions = new Revisions(deps.time)
    this.board = new Board({
      ...deps,
      revisions: this.#revisions,
      jobChanged: deps.jobs.jobChanged,
      paperChanged: deps.jobs.door.paperChanged,
    })
    this.presence = new Presence(deps.clock)
    const watched = { ...deps, board: this.board, presence: this.presence, screens: () => this.screens() }
    this.#watch = new ScreenWatch(watched)
    this.#buzzer = new Buzzer(watched)
  }

  async start(): Promise<void> {
    if (this.#cancelPrune) return
    const { clock, store, time } = this.#deps
    this.#cancelPrune = clock.every(PRUNE_EVERY_MS, () => store.prune(time.now() - KEPT_MS))
    this.#cancelFired = this.#deps.jobs.courses.fired.subscribe((orderId) => this.board.touch(orderId))
    this.board.start()
    this.presence.begin()
    this.#adopter = this.#look().adopter
    this.#cancelShown = this.displays.changed.subscribe(() => void this.#look())
    this.#cancelAdopter = clock.every(LOOK_AT_SCREENS_MS, () => {
      if (!this.board.isWatched) return
      this.#lookForStuckScreens()
      this.#tellAdopter()
    })
    this.#watch.start()
    this.#buzzer.start()
  }

  async stop(): Promise<void> {
    this.#cancelPrune?.()
    this.#cancelPrune = null
    this.#cancelFired?.()
    this.#cancelAdopter?.()
    this.#cancelShown?.()
    this.#watch.stop()
    this.#buzzer.stop()
    this.board.stop()
  }

  /** The box's name or late minutes were changed: every screen gets them. */
  boxWasChanged(): void {
    this.boxChanged.notify()
  }

  /** Everything that a page needs when it connects. */
  hello(display: DisplayRecord): KitchenHello {
    const { app, time, site } = this.#deps
    const { displayId, name, stations, language } = display
    const { served, adopter } = this.#tellAdopter()
    // Before the revision: reading may make the next one.
    const orders = this.board.orders()
    return {
      app,
      rev: this.board.rev,
      nowMs: time.now(),
      timeZone: site.timeZone,
      restaurant: site.ownName || site.merchantName,
      display: { displayId, name, stations: stations.map(stationKey), language },
      served,
      adopter,
      thresholds: thresholdsOf(site.ownThresholds ?? {}),
      orders,
      printers: this.printers(),
    }
  }

  #lookForStuckScreens(): void {
    const { clock } = this.#deps
    const screens = this.screens()
    const orders = this.board.sent()
    for (const display of screens.displays) {
      const { displayId } = display
      const isThere = this.presence.isFed(displayId)
      if (!isThere) this.#missed.forget(displayId)
      const hasDrawn = (orderId: string): boolean => this.presence.hasDrawn(displayId, orderId)
      const hadDrawn = (orderId: string): boolean => (this.#seenBy(displayId, orderId)?.seenAtMs ?? null) !== null
      const sent = { orders, screens, hasDrawn, hadDrawn }
      const sinceMs = isThere ? this.#missed.look(display, sent, clock.monotonicMs()) : null
      this.presence.drawsNothing(displayId, sinceMs)
    }
  }

  printers(): BoardPrinter[] {
    return this.#deps.printers.list()
  }

  /** The current kitchen screens: their stations, and which one shows the lines of all others. */
  screens(): KitchenScreens {
    const { presence } = this
    // A screen that was signed in before the program started gets the time of a sign of life to come back.
    const isLive = ({ displayId, claimedAtMs }: DisplayRecord): boolean =>
      presence.isAlive(displayId) || (claimedAtMs !== null && !presence.isSilent(displayId))
    return kitchenScreens(this.#deps.displays.all(), isLive)
  }

  /** What each screen shows is kept: a tap is judged by what it was made on. */
  #look(): KitchenScreens {
    const screens = this.screens()
    this.#shown.note(screens, this.nowMs())
    return screens
  }

  /** Pages get the display for stations without a screen when it has changed. */
  #tellAdopter(): KitchenScreens {
    const screens = this.#look()
    if (screens.adopter !== this.#adopter) {
      this.#adopter = screens.adopter
      this.board.announce({ adopter: screens.adopter })
    }
    return screens
  }

  /** What is on the board, oldest due first. */
  async orders(): Promise<readonly BoardOrder[]> {
    await this.board.catchUp()
    return this.board.orders()
  }

  /** Null: the board does not hold the order. */
  async standingOf(orderId: string): Promise<OrderStanding | null> {
    const { store } = this.#deps
    await this.board.catchUp()
    const order = this.board.find(orderId)
    if (!order) return null
    return orderStanding(order, { kitchen: this.screens(), seen: store.seen(orderId), presence: this.presence })
  }

  /** Orders that are on no connected screen. */
  async unseen(): Promise<UnseenOrders> {
    return unseenNow(await this.orders(), { ...this.#deps, kitchen: this.screens(), presence: this.presence })
  }

  /** Prints them there, each once. @returns how many */
  async printBoard(printerId: string): Promise<number> {
    return printBoard(await this.orders(), printerId, {
      ...this.#deps,
      kitchen: this.screens(),
      presence: this.presence,
    })
  }

  nowMs(): number {
    return this.#deps.time.now()
  }

  /** Takes what a display sends, in its order, in one commit. When this returns it is on disk. */
  act(display: DisplayRecord, acts: readonly KitchenAct[]): ActResult[] {
    const { store, log } = this.#deps
    const nowMs = this.nowMs()
    this.#look()
    // Nothing is read, and sent to screens, within a commit that may not come.
    for (const { orderId } of acts) this.board.find(orderId)
    this.#events = []
    const results = store.transaction(() => acts.map((act) => this.#one(display, act, nowMs)))
    for (const { orderId, event } of this.#events) this.#revisions.note(orderId, event)
    acts.forEach(({ kind, orderId }, index) => {
      const { outcome, reason } = results[index] ?? {}
      log.info({ display: display.name, kind, serviceOrderId: orderId, outcome, reason }, 'act of the kitchen')
      this.board.touch(orderId)
    })
    return results
  }

  /** The display is connected, has drawn these, and somebody reacted there when it showed those. */
  present({ displayId }: DisplayRecord, { rendered, noticed, onShift, boardAtMs }: KitchenPresence): void {
    const { store } = this.#deps
    const nowMs = this.nowMs()
    this.presence.heard(displayId, onShift)
    if (boardAtMs !== undefined) this.presence.drewBoard(displayId, boardAtMs)
    const fresh = rendered.filter((id) => this.board.find(id) && !this.presence.hasDrawn(displayId, id))
    this.presence.drawn(displayId, fresh)
    store.noteSeen(fresh, { displayId, seenAtMs: nowMs })
    const looked = noticed.filter((id) => this.board.find(id) && !this.presence.hasNoticed(displayId, id))
    this.presence.noticed(displayId, looked)
    store.noteSeen(looked, { displayId, noticedAtMs: nowMs })
  }

  /** Fires a course without a display. When this returns it is on disk. */
  fire(orderId: string, course: number): FireOutcome {
    const order = this.board.find(orderId)
    const refusal = order ? fireRefusalOf(order, course) : 'unknown-order'
    if (refusal) return refusal
    return this.#fire(orderId, course) ? 'done' : 'already'
  }

  #fire(orderId: string, course: number): boolean {
    const { rows, intake } = this.#deps
    const doc = rows.doc(this.board.jobOf(orderId) ?? '')
    return doc !== null && intake.fireCourse(doc, course)
  }

  #one(display: DisplayRecord, act: KitchenAct, nowMs: number): ActResult {
    const { store } = this.#deps
    const refused = (reason: ActResult['reason']): ActResult => ({ id: act.id, outcome: 'refused', reason })
    if (!mayAct(display.kind, act.kind)) return refused('not-this-screen')
    const doneAs = store.doneAs(act)
    if (doneAs === 'another') return refused('id-used')
    if (doneAs === 'the-same') return { id: act.id, outcome: 'already' }
    const order = this.board.find(act.orderId)
    if (!order) return refused('unknown-order')
    const stale = refusalOf(order, act) ?? this.#staleness(display, order, act)
    if (stale === 'already') return { id: act.id, outcome: 'already' }
    const reason = stale ?? this.#beyond(display, order, act)
    if (reason) return refused(reason)
    const isChange = this.#apply(display, order, { act, nowMs })
    if (isChange) store.noteAct(act, nowMs)
    return { id: act.id, outcome: isChange ? 'done' : 'already' }
  }

  /** `already`: what it is to bring back has come back. */
  #staleness({ displayId }: DisplayRecord, order: BoardOrder, act: KitchenAct): ActResult['reason'] | 'already' | null {
    const { orderId, lines } = order
    // The state after the earlier actions of the same commit.
    const now = { ...this.#deps.store.state(orderId, order), lines }
    const since = this.#revisions.since(orderId, act.seenRev ?? 0, browserOf(act, displayId))
    const reason = staleness({ now, act, since })
    return reason && act.kind === 'recall' && !applyAct(now, act, act.atMs) ? 'already' : reason
  }

  /** Whether it is about what this screen is not shown. */
  #beyond({ displayId, kind }: DisplayRecord, order: BoardOrder, act: KitchenAct): ActResult['reason'] | null {
    const now = { ...order, ...this.#deps.store.state(order.orderId, order) }
    return beyondScreen(now, act, { kind, scopes: this.#shown.at(displayId, { atMs: act.atMs, nowMs: this.nowMs() }) })
  }

  /** On disk: an earlier action of the same commit may have changed it. */
  #seenBy(displayId: string, orderId: string): Seen | undefined {
    return this.#deps.store.seen(orderId).find((seen) => seen.displayId === displayId)
  }

  #apply({ displayId }: DisplayRecord, order: BoardOrder, { act, nowMs }: { act: KitchenAct; nowMs: number }): boolean {
    const { store, rows, jobs } = this.#deps
    const { orderId } = order
    if (act.kind === 'void-seen') {
      if (this.#seenBy(displayId, orderId)?.voidSeenAtMs) return false
      store.putSeen(orderId, { displayId, voidSeenAtMs: nowMs })
      return true
    }
    if (act.kind === 'change-seen') {
      if (this.#seenBy(displayId, orderId)?.changeSeenAtMs) return false
      store.putSeen(orderId, { displayId, changeSeenAtMs: nowMs })
      return true
    }
    if (act.kind === 'void-unseen') return store.unsee(orderId, displayId, 'void')
    if (act.kind === 'change-unseen') return store.unsee(orderId, displayId, 'change')
    if (act.kind === 'start-now') {
      const jobId = this.board.jobOf(orderId) ?? ''
      rows.fireAt(jobId, nowMs)
      jobs.fireJob(jobId)
      return true
    }
    if (act.kind === 'fire') return this.#fire(orderId, act.course ?? 0)
    // The time of a tap that waited on a tablet without network, but never before its order.
    const atMs = Math.min(nowMs, Math.max(act.atMs, order.dueAtMs))
    // The state on disk, not on the board: an earlier action of the same commit has changed it.
    const effect = applyAct({ ...store.state(orderId, order), lines: order.lines }, act, atMs)
    if (!effect) return false
    const event = eventOf(act, displayId, effect)
    if (event) this.#events.push({ orderId, event })
    // The relay does not have test orders.
    const told = order.isTest ? { ...effect, gained: [], lost: [] } : effect
    const dueAtMs = Math.max(nowMs + LATE_TAPS_MS, atMs + KITCHEN_TIMES.undoMs)
    store.save(orderId, told, { atMs, nowMs, dueAtMs })
    return true
  }
}

/** What actions of other screens may conflict with. */
function eventOf(act: KitchenAct, displayId: string, { lost }: ActEffect): OrderEvent | null {
  const by = browserOf(act, displayId)
  if (act.kind === 'pick-up') return { kind: 'handed-out', stations: null, by }
  if (act.kind !== 'recall') return null
  return { kind: 'came-back', stations: lost.includes('completed') ? null : act.stations, by }
}

/** Pages of earlier versions do not send their own id: then it is the display. */
function browserOf({ screen }: KitchenAct, displayId: string): string {
  return screen ?? `display ${displayId}`
}
