// Handles taps and keys: asks for confirmation where required, ignores accidental second taps, and keeps the actions that can be undone.
import type { Clock } from '#shared/clock.ts'
import type { ActKind, BoardOrder, KitchenAct } from '#shared/wire/kitchen.ts'
import { heldCourses } from '#shared/wire/kitchen-acts.ts'
import { BOARD_TIMES } from './board-model.ts'
import { isExpo, openStations, seenPlaces, type Viewer } from './board-view.ts'
import type { ScreenSettings } from './screen-settings.ts'
import { type Armed, type Asking, type RefusedReason, UNDO_KINDS, type UndoKind } from './snapshot-parts.ts'
import type { Noise } from './sounds.ts'
import type { UndoableAct, UndoList } from './undo-list.ts'

/** Where a finger went down, in CSS pixels of the screen. */
export interface Place {
  x: number
  y: number
}

/** The input of an action: a finger, or a key of a bump bar by its name. */
export type Hand = 'finger' | (string & {})

export type ActWhat = Pick<KitchenAct, 'stations' | 'line' | 'course'> & { lines: readonly number[] }

export interface ActDeskLinks {
  clock: Clock
  /** The gateway's clock, in epoch milliseconds. */
  nowMs: () => number
  settings: () => Pick<ScreenSettings, 'doubleTap' | 'expoAsk'>
  viewer: () => Viewer
  /** The order as this display shows it now. Null: it is not on the board any more. */
  order: (orderId: string) => BoardOrder | null
  undos: UndoList
  /** Sends the action. @returns its id */
  send: (kind: ActKind, order: BoardOrder, what: ActWhat) => string
  play: (noise: Noise) => void
  refuse: (order: BoardOrder, reason: RefusedReason) => void
  changed: () => void
}

interface LastAct {
  atMs: number
  by: Hand
  place: Place | null
  orderId: string
  kind: ActKind
  line: number | undefined
}

interface Bump {
  kind: 'ready' | 'pick-up'
  order: BoardOrder
  stations: readonly string[] | null
}

/** Taps closer than two fingertips are at the same place. */
const SAME_PLACE_PX = 40
/** A second press of Fire within this time is the bounce of the first. */
const BOUNCE_MS = 300

export class ActDesk {
  readonly #links: ActDeskLinks
  #place: Place | null = null
  #last: LastAct | null = null
  #asked: (Asking & { bump: Bump }) | null = null
  #armed: (Armed & { atMs: number }) | null = null
  #cancelArmed: () => void = () => undefined
  #undoKeyAtMs = Number.NEGATIVE_INFINITY

  constructor(links: ActDeskLinks) {
    this.#links = links
  }

  get asking(): Asking | null {
    return this.#asked
  }

  get armed(): Armed | null {
    return this.#armed
  }

  /** @param place null: unknown */
  touchAt(place: Place | null): void {
    this.#place = place
  }

  /** @returns false if the tap was ignored, because it followed another one at the same place */
  tap(kind: ActKind, { order, stations, by }: Omit<Bump, 'kind'> & { by: Hand }): boolean {
    if (this.#isBounce({ kind, orderId: order.orderId, line: undefined, by })) return this.#denied(by)
    if (kind !== 'ready' && kind !== 'pick-up') {
      this.#act(kind, order, { by, stations })
      return true
    }
    const { settings } = this.#links
    if (by === 'finger' && settings().doubleTap && !this.#isArmed({ kind, orderId: order.orderId })) {
      this.#arm({ kind, orderId: order.orderId }, BOARD_TIMES.doubleTapMs)
      return true
    }
    this.#disarm()
    const open = kind === 'ready' && isExpo(this.#links.viewer()) ? openStations(order, this.#links.viewer()) : []
    if (open.length === 0 || settings().expoAsk === 'allow') this.#act(kind, order, { by, stations })
    else if (settings().expoAsk === 'forbid') this.#links.refuse(order, 'stations-open')
    else {
      this.#asked = { orderId: order.orderId, number: order.number, open, bump: { kind, order, stations } }
      this.#links.changed()
    }
    return true
  }

  /** Strikes a line off, or undoes that. */
  strike(order: BoardOrder, line: number): void {
    const kind = order.struckLines.includes(line) ? 'unstrike' : 'strike'
    if (this.#isBounce({ kind, orderId: order.orderId, line, by: 'finger' })) return
    this.#act(kind, order, { by: 'finger', stations: null, line })
  }

  /** Fires a held course at once. Its tickets print, so it cannot be undone. */
  fire(order: BoardOrder, course: number, by: Hand = 'finger'): void {
    this.#disarm()
    this.#act('fire', order, { by, stations: null, course })
  }

  /** The first call arms, the second one fires. */
  askFire(order: BoardOrder, course: number, by: Hand = 'finger'): void {
    const armed = { kind: 'fire', orderId: order.orderId, course } as const
    if (!this.#isArmed(armed)) this.#arm(armed, BOARD_TIMES.fireAgainMs)
    else if (this.#links.clock.monotonicMs() - (this.#armed?.atMs ?? 0) >= BOUNCE_MS) this.fire(order, course, by)
  }

  /** The same for the lowest held course. */
  askFireNext(order: BoardOrder, by: Hand): void {
    const [next] = order.voidedAtMs === null ? heldCourses(order) : []
    if (next) this.askFire(order, next.course, by)
    else this.#denied(by)
  }

  /** Answers the question in `asking`. */
  answer(isYes: boolean): void {
    const asked = this.#asked
    this.#asked = null
    if (asked && isYes) this.#act(asked.bump.kind, asked.bump.order, { by: 'finger', stations: asked.bump.stations })
    this.#links.changed()
  }

  /** @param id of the action; default: the newest one that the button offers */
  undo(id?: string): void {
    const { undos, nowMs, order: find } = this.#links
    const wanted = id ?? undos.newest(nowMs())?.id
    const act = wanted === undefined ? null : undos.take(wanted)
    const order = act && find(act.orderId)
    this.#last = null
    if (act && order) this.#takeBack(act, order)
    this.#links.changed()
  }

  /** Undo by key, which people press repeatedly: one action each time. */
  undoInARow(): void {
    this.#undoKeyAtMs = this.#links.clock.monotonicMs()
    this.undo()
  }

  /** The key was pressed with nothing left to undo. @returns whether the press belongs to a series, which it then prolongs */
  goesOnUndoing(): boolean {
    const now = this.#links.clock.monotonicMs()
    const isInRow = now - this.#undoKeyAtMs < BOARD_TIMES.undoRunMs
    if (isInRow) this.#undoKeyAtMs = now
    return isInRow
  }

  /** Drops questions, armed actions and undo entries of orders that have left the board or were changed by others. */
  settle(): void {
    const { order: find, undos, nowMs } = this.#links
    if (this.#asked) {
      const now = find(this.#asked.orderId)
      if (!now || now.voidedAtMs !== null || now.readyAtMs !== null) this.#asked = null
    }
    undos.dropOld(nowMs())
    undos.drop((act) => {
      const order = find(act.orderId)
      return order === null || isOver(act, order)
    })
  }

  #act(
    kind: ActKind,
    order: BoardOrder,
    { by, ...what }: { by: Hand } & Omit<ActWhat, 'lines' | 'stations'> & { stations: readonly string[] | null },
  ): void {
    const { clock, nowMs, undos, play } = this.#links
    const { orderId, number } = order
    const place = by === 'finger' ? this.#place : null
    this.#last = { atMs: clock.monotonicMs(), by, place, orderId, kind, line: what.line }
    if (kind === 'ready' || kind === 'pick-up') play('ready')
    const stations = what.stations === null ? null : [...what.stations]
    const id = this.#send(kind, order, { ...what, stations })
    const undoable = UNDO_KINDS.find((one) => one === kind)
    if (undoable) undos.add({ id, orderId, number, kind: undoable, atMs: nowMs(), stations, line: what.line })
    this.#links.changed()
  }

  #takeBack({ kind, stations, line }: UndoableAct, order: BoardOrder): void {
    const own = stations === null ? null : [...stations]
    this.#send(BACK[kind], order, { stations: own, ...(line !== undefined && { line }) })
  }

  /** Adds the indices of the order's lines that this display shows. @returns the action's id */
  #send(kind: ActKind, order: BoardOrder, what: Omit<ActWhat, 'lines'>): string {
    const lines = seenPlaces(order, { kind, ...what }, this.#links.viewer())
    return this.#links.send(kind, order, { ...what, lines })
  }

  #isBounce({ kind, orderId, line, by }: Pick<LastAct, 'kind' | 'orderId' | 'line' | 'by'>): boolean {
    const last = this.#last
    if (!last || this.#links.clock.monotonicMs() - last.atMs >= BOARD_TIMES.sameSpotMs) return false
    // For a key: only the same key on the same order is ignored. A newly selected order may be bumped at once.
    if (by !== 'finger') return last.by === by && last.orderId === orderId
    if (last.by !== 'finger') return false
    if (last.place && this.#place)
      return Math.hypot(last.place.x - this.#place.x, last.place.y - this.#place.y) < SAME_PLACE_PX
    const isOfLine = kind === 'strike' || kind === 'unstrike'
    return last.orderId === orderId && last.line === (isOfLine ? line : undefined)
  }

  #denied(by: Hand): false {
    if (by !== 'finger') this.#links.play('deny')
    return false
  }

  #isArmed({ kind, orderId, course }: Armed): boolean {
    const armed = this.#armed
    return armed?.kind === kind && armed.orderId === orderId && armed.course === course
  }

  #arm(armed: Armed, forMs: number): void {
    const { clock, changed } = this.#links
    this.#cancelArmed()
    this.#armed = { ...armed, atMs: clock.monotonicMs() }
    this.#cancelArmed = clock.after(forMs, () => {
      this.#armed = null
      changed()
    })
    changed()
  }

  #disarm(): void {
    this.#cancelArmed()
    this.#armed = null
  }
}

const BACK: Readonly<Record<UndoKind, ActKind>> = {
  ready: 'recall',
  'pick-up': 'recall',
  start: 'unstart',
  strike: 'unstrike',
  unstrike: 'strike',
  'void-seen': 'void-unseen',
  'change-seen': 'change-unseen',
}

/** True if another display has undone it, or the order has changed since. */
function isOver({ kind, stations, line }: UndoableAct, order: BoardOrder): boolean {
  const own = order.stations.filter(({ key }) => stations === null || stations.includes(key))
  if (kind !== 'void-seen' && order.voidedAtMs !== null) return true
  switch (kind) {
    case 'void-seen':
      return order.voidedAtMs === null
    case 'pick-up':
      return order.pickedUpAtMs === null
    case 'ready':
      return order.pickedUpAtMs !== null || own.every(({ readyAtMs }) => readyAtMs === null)
    case 'start':
      return own.every(({ startedAtMs, readyAtMs }) => startedAtMs === null || readyAtMs !== null)
    case 'strike':
      return !order.struckLines.includes(line ?? -1)
    case 'unstrike':
      return order.struckLines.includes(line ?? -1)
    case 'change-seen':
      return order.addOnTo === null
  }
}
