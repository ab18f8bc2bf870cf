// The page's memory: the board as the gateway tells it, taps that wait, the link's state, the gateway's clock. Components read snapshots.
import { type Clock, systemClock } from '#shared/clock.ts'
import { openFeed, randomFraction, remember, remembered } from '#shared/ui/browser.ts'
import { LiveClient, type LiveState } from '#shared/ui/live-client.ts'
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
import { heldCourses, KITCHEN_TIMES } from '#shared/wire/kitchen-acts.ts'
import { type Viewer, type Views, viewsOf, withTaps } from './board-view.ts'
import { post, randomId, reload } from './browser.ts'
import { mayFetchNewPage } from './new-page.ts'
import { applySettings, keepSettings, keptSettings, type ScreenSettings } from './screen-settings.ts'
import { keepOnly, type Sound, soundOf, Unheard } from './sound-events.ts'
import { Sounds } from './sounds.ts'
import { TapQueue } from './tap-queue.ts'

export interface Undo {
  order: BoardOrder
  kind: 'ready' | 'pick-up'
  stations: readonly string[] | null
}

export interface Snapshot {
  phase: 'connecting' | 'signed-out' | 'board'
  link: LiveState
  /** When the last sign of life came, by the gateway's clock. */
  heardAtMs: number
  hello: Omit<KitchenHello, 'orders'> | null
  viewer: Viewer
  views: Views
  /** Orders with taps that the gateway has not taken. */
  waiting: ReadonlySet<string>
  waitingTaps: number
  printers: readonly BoardPrinter[]
  undo: Undo | null
  /** An order that could not be changed. */
  refused: { number: string; reason: ActResult['reason'] } | null
  isOnShift: boolean
  settings: ScreenSettings
}

const HERE_EVERY_MS = 5_000
const HERE_SOON_MS = 50
const NOTICE_MS = 8_000
const REPEAT_SOUND_MS = 10_000
const LOOK_FOR_NEW_PAGE_MS = 60_000
/** As many as one sign of life may name. */
const MOST_NAMED = 500
const NOBODY: Viewer = { displayId: '', stations: [], served: [] }

export class KitchenModel {
  readonly sounds = new Sounds()
  readonly #clock: Clock
  readonly #live: LiveClient
  readonly #taps: TapQueue
  readonly #listeners = new Set<() => void>()
  /** Called every second, for ages. */
  readonly #tickers = new Set<() => void>()
  readonly #orders = new Map<string, BoardOrder>()
  /** Drawn orders kept as the same objects while nothing of them changed, so that only changed cards are drawn again. */
  readonly #drawnAs = new Map<string, { of: BoardOrder; taps: string; order: BoardOrder }>()
  readonly #rendered = new Set<string>()
  #unsaid: string[] = []
  /** Orders that somebody has seen here, and those of which the box does not know it. */
  readonly #noticed = new Set<string>()
  #unsaidNoticed: string[] = []
  readonly #unheard = new Unheard()
  #touchedAtMs = 0
  #isOutdated = false
  #offsetMs = 0
  #snapshot: Snapshot
  #cancelHere: (() => void) | null = null
  #cancelUndo: () => void = () => undefined
  #cancelNotice: () => void = () => undefined

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
    this.#snapshot = {
      phase: 'connecting',
      link: 'waiting',
      heardAtMs: 0,
      hello: null,
      viewer: NOBODY,
      views: { open: [], scheduled: [], done: [] },
      waiting: new Set(),
      waitingTaps: 0,
      printers: [],
      undo: null,
      refused: null,
      isOnShift: false,
      settings: keptSettings(),
    }
    this.#taps = new TapQueue({
      clock,
      load: () => remembered('ticketrail.taps'),
      save: (text) => remember('ticketrail.taps', text),
      send: async (acts) => {
        const { status, body } = await post('/kitchen/api/acts', { acts })
        return { status, results: (body as { results?: ActResult[] } | null)?.results ?? [] }
      },
      changed: () => this.#rebuild(),
      refused: (act, reason) => this.#refused(act, reason),
      signedOut: () => this.#signedOut(),
    })
    this.#live = new LiveClient({
      open: () => openFeed('/kitchen/api/live'),
      clock,
      random: randomFraction,
      events: ['hello', 'patch', 'printers', 'beat'],
      onEvent: (name, data) => this.#heard(name, data),
      onState: (link) => this.#put({ link }),
      onBroken: () => void this.#checkSignIn(),
      silentAfterMs: KITCHEN_TIMES.deadAfterMs,
    })
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly subscribeTick = (listener: () => void): (() => void) => {
    this.#tickers.add(listener)
    return () => this.#tickers.delete(listener)
  }

  readonly snapshot = (): Snapshot => this.#snapshot

  /** The gateway's clock, as well as it is known. */
  nowMs(): number {
    return Math.round(this.#clock.monotonicMs() + this.#offsetMs)
  }

  start(code: string | null): void {
    this.#apply(this.#snapshot.settings)
    this.#touchedAtMs = this.#clock.monotonicMs()
    if (code === null) this.#live.start()
    else void this.signIn(code)
    this.#clock.every(1_000, () => {
      for (const tick of this.#tickers) tick()
    })
    this.#clock.every(HERE_EVERY_MS, () => void this.#sayHere())
    this.#clock.every(REPEAT_SOUND_MS, () => this.#soundAgain())
    this.#clock.every(LOOK_FOR_NEW_PAGE_MS, () => this.#fetchNewPage())
  }

  /** Kept in this browser. */
  set(change: Partial<ScreenSettings>): void {
    const settings = { ...this.#snapshot.settings, ...change }
    keepSettings(settings)
    this.#apply(settings)
    this.#put({ settings })
  }

  /** Somebody stands here: what the screen shows was seen. */
  touched(): void {
    this.#touchedAtMs = this.#clock.monotonicMs()
    this.#unheard.clear()
    const fresh = this.#snapshot.views.open
      .map(({ orderId }) => orderId)
      .filter((id) => this.#rendered.has(id) && !this.#noticed.has(id))
    if (fresh.length === 0) return
    for (const id of fresh) this.#noticed.add(id)
    this.#unsaidNoticed.push(...fresh)
    this.#sayHereSoon()
  }

  /** @returns the gateway's words when it refuses; null when this screen is signed in */
  async signIn(code: string): Promise<string | null> {
    const { status, body } = await post('/kitchen/api/sign-in', { code })
    if (status === 200) {
      this.#put({ phase: 'connecting' })
      this.#live.stop()
      this.#live.start()
      return null
    }
    this.#put({ phase: 'signed-out' })
    return status === 0 ? '' : ((body as { message?: string } | null)?.message ?? '')
  }

  startShift(): void {
    this.#put({ isOnShift: true })
    void this.sounds.unlock().then(() => this.#put({}))
    void this.#sayHere()
  }

  /** A tap: shown at once, sent until the gateway has it. */
  tap(kind: ActKind, order: BoardOrder, stations: readonly string[] | null = null): void {
    this.#cancelUndo()
    const canUndo = kind === 'ready' || kind === 'pick-up'
    this.#put({ undo: canUndo ? { order, kind, stations } : null })
    if (canUndo) {
      this.#play('ready')
      this.#cancelUndo = this.#clock.after(KITCHEN_TIMES.undoMs, () => this.#put({ undo: null }))
    }
    this.#add(kind, order, { stations: stations === null ? null : [...stations] })
  }

  /** Strikes a line off, or takes that back. What can be undone stays so. */
  strike(order: BoardOrder, line: number): void {
    this.#add(order.struckLines.includes(line) ? 'unstrike' : 'strike', order, { stations: null, line })
  }

  /** Fires a held course. Its tickets print, so there is no way back. */
  fire(order: BoardOrder, course: number): void {
    this.#add('fire', order, { stations: null, course })
  }

  /** The lowest course that is held. */
  fireNext(order: BoardOrder): void {
    const [next] = order.voidedAtMs === null ? heldCourses(order) : []
    if (next) this.fire(order, next.course)
  }

  undo(): void {
    const { undo } = this.#snapshot
    if (undo) this.tap('recall', undo.order, undo.stations)
  }

  /** These orders are on the screen. */
  rendered(orderIds: readonly string[]): void {
    const fresh = orderIds.filter((id) => !this.#rendered.has(id))
    if (fresh.length === 0) return
    for (const id of fresh) this.#rendered.add(id)
    this.#unsaid.push(...fresh)
    this.#sayHereSoon()
  }

  #add(kind: ActKind, { orderId }: BoardOrder, what: Pick<KitchenAct, 'stations' | 'line' | 'course'>): void {
    this.#taps.add({ id: randomId(), kind, orderId, ...what, atMs: Math.max(0, this.nowMs()) })
  }

  #apply(settings: ScreenSettings): void {
    this.sounds.volume = settings.volume
    applySettings(settings)
  }

  #play(sound: Sound): void {
    if (this.#snapshot.settings.sounds[sound] !== 'off') this.sounds.play(sound)
  }

  #soundAgain(): void {
    const { settings, views, viewer } = this.#snapshot
    for (const sound of this.#unheard.toRepeat(settings.sounds, views.open, viewer)) this.#play(sound)
  }

  #fetchNewPage(): void {
    const { hello, views, waitingTaps, link } = this.#snapshot
    if (!this.#isOutdated || !hello) return
    const untouchedMs = this.#clock.monotonicMs() - this.#touchedAtMs
    const use = {
      nowMs: this.nowMs(),
      timeZone: hello.timeZone,
      open: views.open.length,
      waitingTaps,
      untouchedMs,
      isLive: link === 'live',
    }
    if (mayFetchNewPage(use)) reload()
  }

  #sayHereSoon(): void {
    this.#cancelHere ??= this.#clock.after(HERE_SOON_MS, () => void this.#sayHere())
  }

  async #sayHere(): Promise<void> {
    this.#cancelHere?.()
    this.#cancelHere = null
    if (this.#snapshot.phase !== 'board') return
    const rendered = this.#unsaid.splice(0, MOST_NAMED)
    const noticed = this.#unsaidNoticed.splice(0, MOST_NAMED)
    const { status } = await post('/kitchen/api/here', { rendered, noticed, onShift: this.#snapshot.isOnShift })
    if (status !== 200) {
      this.#unsaid.unshift(...rendered)
      this.#unsaidNoticed.unshift(...noticed)
    }
    if (status === 401) this.#signedOut()
  }

  #heard(name: string, data: unknown): void {
    const { nowMs } = data as KitchenBeat
    if (typeof nowMs === 'number') {
      this.#offsetMs = nowMs - this.#clock.monotonicMs()
      this.#snapshot = { ...this.#snapshot, heardAtMs: nowMs }
    }
    if (name === 'hello') this.#hello(data as KitchenHello)
    else if (name === 'patch') this.#patch(data as KitchenPatch)
    else if (name === 'printers') this.#put({ printers: data as BoardPrinter[] })
  }

  #hello({ orders, ...hello }: KitchenHello): void {
    const before = this.#snapshot.hello
    // Another program than the one that this page came from: a new page, at night.
    if (before && before.app !== hello.app) this.#isOutdated = true
    this.#orders.clear()
    for (const order of orders) this.#orders.set(order.orderId, order)
    this.#taps.told(orders.map(({ orderId }) => orderId))
    // The gateway may have started anew: it is told again what this screen shows, and what was seen on it.
    this.#unsaid = []
    this.#rendered.clear()
    this.#forgetGone()
    this.#unsaidNoticed = [...this.#noticed]
    const viewer = { ...hello.display, served: hello.served }
    this.#snapshot = { ...this.#snapshot, phase: 'board', hello, viewer, printers: hello.printers }
    this.#rebuild()
    this.#taps.flush()
  }

  #patch({ orders, gone }: KitchenPatch): void {
    const sounds = new Set<Sound>()
    for (const order of orders) {
      // As it was drawn: of what was tapped here nobody is told here.
      const before = this.#drawnAs.get(order.orderId)?.order ?? this.#orders.get(order.orderId)
      const sound = soundOf(before, order, this.#snapshot.viewer)
      if (sound !== null) {
        sounds.add(sound)
        this.#unheard.add(sound, order.orderId)
      }
      this.#orders.set(order.orderId, order)
    }
    for (const orderId of gone) this.#orders.delete(orderId)
    if (gone.length > 0) this.#forgetGone()
    this.#taps.told(orders.map(({ orderId }) => orderId))
    this.#rebuild()
    for (const sound of sounds) this.#play(sound)
  }

  #forgetGone(): void {
    keepOnly(this.#rendered, this.#orders)
    keepOnly(this.#noticed, this.#orders)
    this.#unheard.keepOnly(this.#orders)
  }

  #rebuild(): void {
    const { viewer } = this.#snapshot
    const orders = [...this.#orders.values()].map((order) => this.#drawn(order, viewer))
    for (const orderId of this.#drawnAs.keys()) if (!this.#orders.has(orderId)) this.#drawnAs.delete(orderId)
    const { waiting } = this.#taps
    this.#put({
      views: viewsOf(orders, viewer),
      waiting: new Set(waiting.map(({ orderId }) => orderId)),
      waitingTaps: waiting.length,
    })
  }

  #drawn(order: BoardOrder, viewer: Viewer): BoardOrder {
    const mine = this.#taps.shown.filter(({ orderId }) => orderId === order.orderId)
    const taps = mine.map(({ id }) => id).join(' ')
    const known = this.#drawnAs.get(order.orderId)
    if (known?.of === order && known.taps === taps) return known.order
    const drawn = withTaps(order, mine, viewer)
    this.#drawnAs.set(order.orderId, { of: order, taps, order: drawn })
    return drawn
  }

  #refused({ orderId }: KitchenAct, reason: ActResult['reason']): void {
    this.#cancelNotice()
    this.#put({ refused: { number: this.#orders.get(orderId)?.number ?? '', reason } })
    this.#cancelNotice = this.#clock.after(NOTICE_MS, () => this.#put({ refused: null }))
  }

  /** A feed that breaks says nothing of why: a refused sign of life does. */
  async #checkSignIn(): Promise<void> {
    const { status } = await post('/kitchen/api/here', { rendered: [], noticed: [], onShift: this.#snapshot.isOnShift })
    if (status === 401) this.#signedOut()
  }

  #signedOut(): void {
    this.#live.stop()
    this.#put({ phase: 'signed-out' })
  }

  #put(change: Partial<Snapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change }
    for (const listener of this.#listeners) listener()
  }
}
