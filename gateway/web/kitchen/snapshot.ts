// The state of the kitchen page at one moment, for its components. Immutable; unchanged parts stay the same objects.
import { type AgeThresholds, thresholdsOf } from '#shared/kitchen-times.ts'
import type { LiveState } from '#shared/ui/live-client.ts'
import type { BoardPrinter, KitchenHello } from '#shared/wire/kitchen.ts'
import { type DrawnPages, EMPTY_BOARD, type ShownOrder, sameOrNew } from './board-model.ts'
import type { Viewer, Views } from './board-view.ts'
import type { KitchenEdge } from './edge.ts'
import { keptSettings, type ScreenSettings } from './screen-settings.ts'
import type { Armed, Asking, Refused, StripItem, Undo } from './snapshot-parts.ts'

export interface Snapshot {
  phase: 'connecting' | 'signed-out' | 'board'
  link: LiveState
  /** When the last heartbeat arrived, by the gateway's clock. */
  heardAtMs: number
  hello: Omit<KitchenHello, 'orders'> | null
  viewer: Viewer
  views: Views
  /** What the grid shows, in order. A hole keeps the place of a ticket that has just left. */
  shown: readonly ShownOrder[]
  /** Id of the selected order, shared by touch, keys and bump bar. Null: none. */
  selected: string | null
  /** Page of the grid, from 0. */
  page: number
  /** Which orders are on which page, as the grid has rendered them; empty before that. */
  pages: DrawnPages
  /** To acknowledge, oldest first. */
  strip: readonly StripItem[]
  /** Newest first, at most ten, none older than half an hour. */
  undos: readonly Undo[]
  /** The newest one, while the button offers it. */
  undo: Undo | null
  asking: Asking | null
  armed: Armed | null
  /** Orders with taps that the gateway has not accepted yet. */
  waiting: ReadonlySet<string>
  waitingTaps: number
  printers: readonly BoardPrinter[]
  /** An order that could not be changed. */
  refused: Refused | null
  isOnShift: boolean
  settings: ScreenSettings
  /** The ages at which orders are soon late, and late: of this display, otherwise of the gateway. */
  thresholds: AgeThresholds
}

const NOBODY: Viewer = { displayId: '', stations: [], served: [] }
const SCREEN_KEY = 'ticketrail.screen-id'

export function firstSnapshot(): Snapshot {
  const { shown, selected, page, pages } = EMPTY_BOARD
  const settings = keptSettings()
  return {
    phase: 'connecting',
    link: 'waiting',
    heardAtMs: 0,
    hello: null,
    viewer: NOBODY,
    views: { open: [], scheduled: [], done: [] },
    shown,
    selected,
    page,
    pages,
    strip: [],
    undos: [],
    undo: null,
    asking: null,
    armed: null,
    waiting: new Set(),
    waitingTaps: 0,
    printers: [],
    refused: null,
    isOnShift: false,
    settings,
    thresholds: thresholdsFor(null, settings),
  }
}

export function withSettings(before: Snapshot, settings: ScreenSettings): Snapshot {
  return { ...before, settings, thresholds: thresholdsFor(before.hello, settings) }
}

/** @param hello null: nothing received from the gateway yet */
export function thresholdsFor(
  hello: Pick<KitchenHello, 'thresholds'> | null,
  { ownThresholds }: Pick<ScreenSettings, 'ownThresholds'>,
): AgeThresholds {
  return thresholdsOf(hello?.thresholds ?? {}, ownThresholds)
}

/** With the gateway's whole board and settings. */
export function greeted(before: Snapshot, hello: NonNullable<Snapshot['hello']>): Snapshot {
  const { printers, adopter } = hello
  const thresholds = thresholdsFor(hello, before.settings)
  return { ...before, phase: 'board', hello, viewer: viewerOf(hello, adopter), thresholds, printers }
}

/** @param adopter undefined: unchanged */
export function withAdopter(before: Snapshot, adopter: KitchenHello['adopter']): Snapshot {
  const { hello } = before
  if (adopter === undefined || !hello) return before
  return { ...before, hello: { ...hello, adopter }, viewer: viewerOf(hello, adopter) }
}

/** @param adopter undefined: from an older gateway */
function viewerOf(
  { display, served }: Pick<KitchenHello, 'display' | 'served'>,
  adopter: KitchenHello['adopter'],
): Viewer {
  return { ...display, served, adopts: adopter === undefined ? undefined : adopter === display.displayId }
}

/** One id per browser, kept across reloads, by which it recognizes its own actions. */
export function screenIdOf({ remember, remembered, randomId }: KitchenEdge): string {
  const kept = remembered(SCREEN_KEY)
  if (kept !== null && /^[a-z0-9]{8,40}$/.test(kept)) return kept
  const fresh = randomId()
  remember(SCREEN_KEY, fresh)
  return fresh
}

/** Unchanged parts stay the same objects and are not rendered again. */
export function redrawn(before: Snapshot, next: Pick<Snapshot, 'views' | 'strip' | 'waiting'>): Snapshot {
  const strip = JSON.stringify(next.strip) === JSON.stringify(before.strip) ? before.strip : next.strip
  return {
    ...before,
    views: sameViews(before.views, next.views),
    strip,
    waiting: sameSet(before.waiting, next.waiting),
  }
}

function sameViews(before: Views, next: Views): Views {
  const open = sameOrNew(before.open, next.open)
  const scheduled = sameOrNew(before.scheduled, next.scheduled)
  const done = sameOrNew(before.done, next.done)
  const isSame = open === before.open && scheduled === before.scheduled && done === before.done
  return isSame ? before : { open, scheduled, done }
}

function sameSet(before: ReadonlySet<string>, next: ReadonlySet<string>): ReadonlySet<string> {
  return before.size === next.size && [...next].every((one) => before.has(one)) ? before : next
}
