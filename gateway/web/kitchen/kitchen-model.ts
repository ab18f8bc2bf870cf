// The state of the kitchen page: the gateway's board, the cook's actions, the state of the link, the gateway's clock. Components read snapshots.
import { type Cancel, type Clock, systemClock } from '#shared/clock.ts'
import { LiveClient } from '#shared/ui/live-client.ts'
import type {
  ActKind,
  ActResult,
  BoardOrder,
  BoardPrinter,
  KitchenAct,
  KitchenBeat,
  KitchenHello,
  KitchenPatch,
} from '#shared/wire/kitchen.ts'
import { KITCHEN_TIMES } from '#shared/wire/kitchen-acts.ts'
import { ActDesk, type ActWhat, type Place } from './act-desk.ts'
import { Bell } from './bell.ts'
import * as grid from './board-model.ts'
import { stripOf, viewsOf } from './board-view.ts'
import { browserEdge, type KitchenEdge } from './edge.ts'
import { GridKeeper } from './grid-keeper.ts'
import { pressed } from './keys.ts'
import { mayFetchNewPage } from './new-page.ts'
import { OrderShelf } from './order-shelf.ts'
import type { PanelName } from './panel-names.ts'
import { withReadable } from './readable-order.ts'
import { refusalCode } from './refusal-words.ts'
import { keepSettings, type ScreenSettings } from './screen-settings.ts'
import { SignsOfLife } from './signs-of-life.ts'
import { firstSnapshot, greeted, redrawn, type Snapshot, screenIdOf, withAdopter, withSettings } from './snapshot.ts'
import type { Refused, RefusedReason } from './snapshot-parts.ts'
import { TapQueue } from './tap-queue.ts'
import { UndoList } from './undo-list.ts'

export type { Snapshot }

const NOTICE_MS = 8_000
const REPEAT_SOUND_MS = 10_000
const LOOK_FOR_NEW_PAGE_MS = 60_000

export class KitchenModel {
  readonly sounds: KitchenEdge['sounds']
  readonly #clock: Clock
  readonly #edge: KitchenEdge
  readonly #live: LiveClient
  readonly #taps: TapQueue
  readonly #signs: SignsOfLife
  readonly #undos: UndoList
  readonly #desk: ActDesk
  readonly #listeners = new Set<() => void>()
  /** Called every second, to update ages. */
  readonly #tickers = new Set<() => void>()
  readonly #panelListeners = new Set<(name: PanelName) => void>()
  readonly #shelf = new OrderShelf()
  readonly #bell: Bell
  readonly #screenId: string
  readonly #grid: GridKeeper
  #touchedAtMs = 0
  #isOutdated = false
  #offsetMs = 0
  #snapshot: Snapshot
  #cancelNotice: Cancel = () => undefined

  constructor(clock: Clock = systemClock, edge: KitchenEdge = browserEdge()) {
    this.#clock = clock
    this.#edge = edge
    this.sounds = edge.sounds
    this.#screenId = screenIdOf(edge)
    this.#snapshot = firstSnapshot()
    this.#undos = new UndoList(edge)
    this.#bell = new Bell({ play: (noise) => edge.sounds.play(noise), modes: () => this.#snapshot.settings.sounds })
    this.#taps = this.#openTaps()
    this.#grid = new GridKeeper({
      clock,
      open: () => this.#snapshot.views.open,
      taps: () => this.#taps.shown,
      changed: ({ shown, selected, page, pages }) => this.#put({ shown, selected, page, pages }),
    })
    this.#signs = new SignsOfLife({
      clock,
      post: edge.post,
      isOnShift: () => this.#snapshot.isOnShift,
      isOnBoard: () => this.#snapshot.phase === 'board',
      signedOut: () => this.#signedOut(),
    })
    this.#desk = this.#openDesk()
    this.#live = new LiveClient({
      open: () => edge.openFeed('/kitchen/api/live'),
      clock,
      random: edge.random,
      events: ['hello', 'patch', 'printers', 'beat'],
      onEvent: (name, data) => this.#heard(name, data),
      onState: (link) => this.#put({ link }),
      onBroken: () => void this.#signs.checkSignIn(),
      silentAfterMs: KITCHEN_TIMES.deadAfterMs,
    })
  }

  readonly subscribe = (listener: () => void): Cancel => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly subscribeTick = (listener: () => void): Cancel => {
    this.#tickers.add(listener)
    return () => this.#tickers.delete(listener)
  }

  /** Calls the listener with the drawer that a key opens or closes. */
  readonly onPanel = (listener: (name: PanelName) => void): Cancel => {
    this.#panelListeners.add(listener)
    return () => this.#panelListeners.delete(listener)
  }

  readonly snapshot = (): Snapshot => this.#snapshot

  /** The gateway's time, in epoch milliseconds, as far as it is known. */
  nowMs(): number {
    return Math.round(this.#clock.monotonicMs() + this.#offsetMs)
  }

  /** Actions that the gateway has not accepted yet. */
  get waitingActs(): readonly KitchenAct[] {
    return this.#taps.waiting
  }

  start(code: string | null): void {
    this.#edge.apply(this.#snapshot.settings)
    this.#touchedAtMs = this.#clock.monotonicMs()
    if (code === null) this.#live.start()
    else void this.signIn(code)
    this.#clock.every(1_000, () => {
      this.#lookAtUndos()
      for (const tick of this.#tickers) tick()
    })
    this.#signs.start()
    this.#clock.every(REPEAT_SOUND_MS, () => this.#bell.again(this.#snapshot.views.open, this.#snapshot.viewer))
    this.#clock.every(LOOK_FOR_NEW_PAGE_MS, () => this.#fetchNewPage())
  }

  /** Changes settings and stores them in this browser. */
  set(change: Partial<ScreenSettings>): void {
    const settings = { ...this.#snapshot.settings, ...change }
    keepSettings(settings)
    this.#edge.apply(settings)
    this.#snapshot = withSettings(this.#snapshot, settings)
    this.#rebuild()
  }

  /** Somebody has touched the screen: the visible page counts as seen. */
  touched(): void {
    this.#touchedAtMs = this.#clock.monotonicMs()
    this.#bell.seen()
    const { pages, page } = this.#grid.state
    this.#signs.noticed(pages[page] ?? this.#snapshot.views.open.map(({ orderId }) => orderId))
  }

  /** A finger or key goes down: nothing moves until `touchEnded`. @param place CSS pixels of the screen; null: not a finger */
  touchBegan(place: Place | null = null): void {
    this.touched()
    this.#desk.touchAt(place)
    this.#grid.move((state, nowMs) => grid.touchBegan(state, nowMs))
  }

  readonly touchEnded = (): void => this.#grid.move(grid.touchEnded)

  select(orderId: string): void {
    this.#grid.move((state) => grid.select(state, orderId))
  }

  /** @param by pages; the first ticket of the new page is selected */
  turnPage(by: number): void {
    this.#grid.move((state) => grid.turnPage(state, by))
  }

  /** Turns to the page of the order and selects it. */
  goTo(orderId: string): void {
    this.#grid.move((state) => grid.goTo(state, orderId))
  }

  /** Called by the view after each layout. @param pages ids in rendering order, including holes; an id may be on several pages */
  drawn(pages: grid.DrawnPages): void {
    if (JSON.stringify(pages) !== JSON.stringify(this.#grid.state.pages))
      this.#grid.move((state) => grid.drawn(state, pages))
  }

  /** @returns whether it was one of the board's keys */
  press(key: string): boolean {
    return pressed(key, {
      board: () => this.#grid.state,
      viewer: () => this.#snapshot.viewer,
      desk: this.#desk,
      select: (orderId) => this.select(orderId),
      find: (orderId) => this.goTo(orderId),
      move: (by) => this.#grid.move((state) => grid.moveSelection(state, by)),
      turn: (by) => this.turnPage(by),
      canUndo: () => this.#undos.newest(this.nowMs()) !== null,
      togglePanel: (name) => void this.#panelListeners.forEach((listen) => void listen(name)),
      isTooSoon: () => this.#grid.isJustMoved,
      deny: () => this.#bell.play('deny'),
    })
  }

  /** @returns the gateway's code if it refuses, `no-answer` without an answer; null if this display is signed in */
  async signIn(code: string): Promise<string | null> {
    const { status, body } = await this.#edge.post('/kitchen/api/sign-in', { code })
    if (status === 200) {
      this.#put({ phase: 'connecting' })
      this.#live.stop()
      this.#live.start()
      return null
    }
    this.#put({ phase: 'signed-out' })
    return status === 0 ? 'no-answer' : refusalCode(body)
  }

  startShift(): void {
    this.#put({ isOnShift: true })
    void this.sounds.unlock().then(() => this.#put({}))
    void this.#signs.say()
  }

  /** A tap by finger on an order as shown. It is shown at once, and sent until the gateway has it. Selects the order. */
  tap(kind: ActKind, order: BoardOrder, stations: readonly string[] | null = null): void {
    this.select(order.orderId)
    this.#desk.tap(kind, { order, stations, by: 'finger' })
  }

  /** Strikes a line off, or undoes that. @param line its index in the order */
  strike(order: BoardOrder, line: number): void {
    this.select(order.orderId)
    this.#desk.strike(order, line)
  }

  /** Fires a held course at once. Its tickets print, so it cannot be undone. */
  fire(order: BoardOrder, course: number): void {
    this.#desk.fire(order, course)
  }

  /** The first call arms (`armed` of the snapshot), the second within three seconds fires. */
  askFire(order: BoardOrder, course: number): void {
    this.select(order.orderId)
    this.#desk.askFire(order, course)
  }

  /** Answers the question in `asking`. */
  answer(isYes: boolean): void {
    this.#desk.answer(isYes)
  }

  /** Undoes an action. @param id of the action; default: the newest one that the button offers */
  undo(id?: string): void {
    this.#desk.undo(id)
  }

  /** These orders are on the screen. @param boardAtMs time of the board that is shown, on displays without cooks' orders; epoch ms */
  readonly rendered = (ids: readonly string[], boardAtMs?: number): void => this.#signs.rendered(ids, boardAtMs)

  /** The page cannot be rendered: it stops reporting, so that other displays show its orders. Taps are still sent. */
  readonly failed = (): void => this.#signedOut('connecting')

  #openTaps(): TapQueue {
    const { post, remember, remembered } = this.#edge
    return new TapQueue({
      clock: this.#clock,
      load: () => remembered('ticketrail.taps'),
      save: (text) => remember('ticketrail.taps', text),
      send: async (acts) => {
        const { status, body } = await post('/kitchen/api/acts', { acts })
        return { status, results: (body as { results?: ActResult[] } | null)?.results ?? [] }
      },
      changed: () => this.#rebuild(),
      refused: ({ orderId }, reason) => this.#refuse({ orderId, number: this.#shelf.numberOf(orderId) }, reason),
      signedOut: () => this.#signedOut(),
    })
  }

  #openDesk(): ActDesk {
    return new ActDesk({
      clock: this.#clock,
      nowMs: () => this.nowMs(),
      settings: () => this.#snapshot.settings,
      viewer: () => this.#snapshot.viewer,
      order: (orderId) => this.#shelf.drawn(orderId),
      undos: this.#undos,
      send: (kind, order, what) => this.#send(kind, order, what),
      play: (noise) => this.#bell.play(noise),
      refuse: (order, reason) => this.#refuse(order, reason),
      changed: () => this.#rebuild(),
    })
  }

  /** Leaves out revisions for a gateway that does not support them. */
  #send(kind: ActKind, { orderId, rev }: BoardOrder, { lines, ...what }: ActWhat): string {
    const seen = rev === undefined ? {} : { seenRev: rev, lines: [...lines], screen: this.#screenId }
    const id = this.#edge.randomId()
    const act: KitchenAct = { id, kind, orderId, ...what, ...seen, atMs: Math.max(0, this.nowMs()) }
    this.#taps.add(act)
    return id
  }

  #fetchNewPage(): void {
    const { hello, views, waitingTaps, link } = this.#snapshot
    if (!this.#isOutdated || !hello) return
    const untouchedMs = this.#clock.monotonicMs() - this.#touchedAtMs
    const use = { nowMs: this.nowMs(), timeZone: hello.timeZone, open: views.open.length, waitingTaps, untouchedMs }
    if (mayFetchNewPage({ ...use, isLive: link === 'live' })) this.#edge.reload()
  }

  #heard(name: string, data: unknown): void {
    const { nowMs } = data as KitchenBeat
    if (typeof nowMs === 'number') {
      this.#offsetMs = nowMs - this.#clock.monotonicMs()
      if (name === 'beat') this.#undos.heardBeat(this.#offsetMs)
      this.#snapshot = { ...this.#snapshot, heardAtMs: nowMs }
    }
    if (name === 'hello') this.#hello(withReadable(data as KitchenHello))
    else if (name === 'patch') this.#patch(withReadable(data as KitchenPatch))
    else if (name === 'printers') this.#put({ printers: data as BoardPrinter[] })
  }

  #hello({ orders, ...hello }: KitchenHello): void {
    const before = this.#snapshot.hello
    // The gateway has another version than this page: reload it, at night.
    if (before && before.app !== hello.app) this.#isOutdated = true
    this.#shelf.fill(orders)
    this.#taps.told(orders.map(({ orderId }) => orderId))
    this.#signs.begin(this.#shelf)
    this.#bell.keepOnly(this.#shelf)
    this.#snapshot = greeted(this.#snapshot, hello)
    this.#rebuild()
    this.#taps.flush()
  }

  #patch({ orders, gone, adopter }: KitchenPatch): void {
    this.#snapshot = withAdopter(this.#snapshot, adopter)
    // Compared with what was shown: actions of this display make no sound here.
    const changes = orders.map((after) => ({ before: this.#shelf.drawn(after.orderId) ?? undefined, after }))
    for (const order of orders) this.#shelf.put(order)
    for (const orderId of gone) this.#shelf.remove(orderId)
    if (gone.length > 0) {
      this.#signs.keepOnly(this.#shelf)
      this.#bell.keepOnly(this.#shelf)
    }
    this.#taps.told(orders.map(({ orderId }) => orderId))
    this.#rebuild()
    this.#bell.ring(changes, this.#snapshot.viewer)
  }

  /** Computes the shown orders again. Unchanged ones stay the same object. */
  #rebuild(): void {
    const { viewer, settings } = this.#snapshot
    const { waiting, shown: taps } = this.#taps
    const views = viewsOf(this.#shelf.draw(taps, viewer), viewer)
    if (settings.first === 'newest') views.open.reverse()
    this.#desk.settle()
    const strip = stripOf(views.open, viewer)
    this.#snapshot = {
      ...redrawn(this.#snapshot, { views, strip, waiting: new Set(waiting.map(({ orderId }) => orderId)) }),
      waitingTaps: waiting.length,
      undos: this.#undos.acts,
      undo: this.#undos.newest(this.nowMs()),
      asking: this.#desk.asking,
      armed: this.#desk.armed,
    }
    this.#grid.move()
  }

  /** The button offers an action only for a while. */
  #lookAtUndos(): void {
    const { undo, undos } = this.#snapshot
    this.#undos.dropOld(this.nowMs())
    const newest = this.#undos.newest(this.nowMs())
    if (newest !== undo || this.#undos.acts !== undos) this.#put({ undo: newest, undos: this.#undos.acts })
  }

  #refuse({ orderId, number }: Pick<Refused, 'orderId' | 'number'>, reason: RefusedReason): void {
    this.#cancelNotice()
    this.#put({ refused: { orderId, number, reason } })
    this.#cancelNotice = this.#clock.after(NOTICE_MS, () => this.#put({ refused: null }))
  }

  #signedOut(phase: Snapshot['phase'] = 'signed-out'): void {
    this.#live.stop()
    this.#put({ phase })
  }

  #put(change: Partial<Snapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change }
    for (const listener of this.#listeners) listener()
  }
}
