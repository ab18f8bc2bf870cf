// What a cook's act does to an order: the one rule of the gateway, which stores it, and of the display, which shows it before the answer. Pure.
import type { BoardLine, KitchenAct, KitchenState, LaterCourse, StationState } from './kitchen.ts'

/** Beats of the live feed, and the silence after which a display says that it is not connected. */
export const KITCHEN_TIMES = {
  beatEveryMs: 5_000,
  deadAfterMs: 12_000,
  /** Ready and picked up can be taken back for this long before anybody outside the kitchen hears of them. */
  undoMs: 5_000,
  /** A display that has said nothing for this long does not show anything to anybody. */
  silentAfterMs: 15_000,
} as const

/** What the world is told of an order, beside courses that are fired. */
export type KitchenFact = 'ready' | 'completed'

/** With the places of its lines: what a fire leaves made. */
export type WorkedOrder = KitchenState & { lines: readonly Pick<BoardLine, 'station' | 'course'>[] }

export interface ActEffect {
  state: KitchenState
  /** Facts that are now true and were not before. */
  gained: readonly KitchenFact[]
  /** Facts that no longer hold: what was not told yet is not told. */
  lost: readonly KitchenFact[]
}

/** @returns null when the act changes nothing */
export function applyAct(
  before: WorkedOrder,
  act: Pick<KitchenAct, 'kind' | 'stations' | 'line' | 'course'>,
  nowMs: number,
): ActEffect | null {
  switch (act.kind) {
    case 'start':
      return started(before, act.stations, nowMs)
    case 'strike':
    case 'unstrike':
      return struck(before, act.line, act.kind === 'strike')
    case 'ready':
      return madeReady(before, act.stations, nowMs)
    case 'pick-up':
      return pickedUp(before, nowMs)
    case 'recall':
      return recalled(before, act.stations, nowMs)
    case 'fire':
      return fired(before, act.course, nowMs)
    case 'unstart':
      return unstarted(before, act.stations)
    case 'void-seen':
    case 'change-seen':
    case 'void-unseen':
    case 'change-unseen':
    case 'start-now':
      return null
  }
}

function started(before: KitchenState, only: readonly string[] | null, nowMs: number): ActEffect | null {
  const stations = changed(before.stations, only, (station) =>
    station.startedAtMs === null && station.readyAtMs === null ? { ...station, startedAtMs: nowMs } : station,
  )
  return stations && { state: { ...before, stations }, gained: [], lost: [] }
}

function unstarted(before: KitchenState, only: readonly string[] | null): ActEffect | null {
  const stations = changed(before.stations, only, (station) =>
    station.startedAtMs !== null && station.readyAtMs === null ? { ...station, startedAtMs: null } : station,
  )
  return stations && { state: { ...before, stations }, gained: [], lost: [] }
}

function struck(before: KitchenState, line: number | undefined, isStruck: boolean): ActEffect | null {
  if (line === undefined || before.struckLines.includes(line) === isStruck) return null
  const others = before.struckLines.filter((place) => place !== line)
  const struckLines = isStruck ? [...others, line].sort((a, b) => a - b) : others
  return { state: { ...before, struckLines }, gained: [], lost: [] }
}

function madeReady(before: WorkedOrder, only: readonly string[] | null, nowMs: number): ActEffect | null {
  const stations = changed(before.stations, only, (station) =>
    station.readyAtMs === null ? { ...station, readyAtMs: nowMs } : station,
  )
  if (!stations) return null
  // A tap that waited on a tablet since before a fire is of what was due then.
  const after = afterFires({ ...before, stations })
  const isReady =
    before.readyAtMs === null &&
    heldCourses(before).length === 0 &&
    after.stations.every(({ readyAtMs }) => readyAtMs !== null)
  const state = { ...before, ...after, readyAtMs: isReady ? nowMs : before.readyAtMs }
  return { state, gained: isReady ? ['ready'] : [], lost: [] }
}

function pickedUp(before: WorkedOrder, nowMs: number): ActEffect | null {
  if (before.pickedUpAtMs !== null || heldCourses(before).length > 0) return null
  // What was carried out was ready.
  const made = madeReady(before, null, nowMs)?.state ?? before
  const state = { ...made, readyAtMs: before.readyAtMs ?? nowMs, pickedUpAtMs: nowMs }
  return { state, gained: before.readyAtMs === null ? ['ready', 'completed'] : ['completed'], lost: [] }
}

function fired(before: WorkedOrder, course: number | undefined, nowMs: number): ActEffect | null {
  const isIt = (later: LaterCourse) => later.course === course && later.firedAtMs === null
  if (!before.courses.some(isIt)) return null
  const courses = before.courses.map((later) => (isIt(later) ? { ...later, firedAtMs: nowMs } : later))
  return { state: { ...before, courses, ...afterFires({ ...before, courses }) }, gained: [], lost: [] }
}

/** Courses that nobody has fired yet. */
export function heldCourses({ courses }: Pick<KitchenState, 'courses'>): LaterCourse[] {
  return courses.filter(({ firedAtMs }) => firedAtMs === null)
}

/** A station that was ready before a course of its was fired has work again; what it had made by then counts as struck off. */
export function afterFires(order: WorkedOrder): Pick<KitchenState, 'stations' | 'struckLines'> {
  const { courses, lines } = order
  if (courses.length === 0) return { stations: order.stations, struckLines: order.struckLines }
  const struck = new Set(order.struckLines)
  const stations = order.stations.map((station) => {
    const { key, readyAtMs } = station
    const times = courses.map(({ stations, firedAtMs }) => (stations.includes(key) ? (firedAtMs ?? 0) : 0))
    if (readyAtMs === null || Math.max(0, ...times) < readyAtMs) return station
    lines.forEach((line, place) => {
      if (line.station === key && (firedMs(line, courses) ?? readyAtMs) < readyAtMs) struck.add(place)
    })
    return { ...station, startedAtMs: null, readyAtMs: null }
  })
  return { stations, struckLines: [...struck].sort((a, b) => a - b) }
}

/** When a line was to be made beside its order; 0: with it, null: it is held. */
export function firedMs({ course }: Pick<BoardLine, 'course'>, courses: readonly LaterCourse[]): number | null {
  const later = course === null ? undefined : courses.find((one) => one.course === course)
  return later === undefined ? 0 : later.firedAtMs
}

/** Back one step: from picked up to ready, from ready to open. */
function recalled(before: KitchenState, only: readonly string[] | null, nowMs: number): ActEffect | null {
  if (before.pickedUpAtMs !== null) {
    const recalledAtMs = markOf(before, before.pickedUpAtMs, nowMs)
    return { state: { ...before, pickedUpAtMs: null, recalledAtMs }, gained: [], lost: ['completed'] }
  }
  const lastReadyMs = Math.max(...before.stations.map(({ readyAtMs }) => readyAtMs ?? 0))
  const stations = changed(before.stations, only, (station) =>
    station.readyAtMs === null ? station : { ...station, readyAtMs: null },
  )
  if (!stations) return null
  const recalledAtMs = markOf(before, before.readyAtMs ?? lastReadyMs, nowMs)
  const state = { ...before, stations, readyAtMs: null, recalledAtMs }
  return { state, gained: [], lost: before.readyAtMs === null ? [] : ['ready'] }
}

function markOf(before: KitchenState, sinceMs: number, nowMs: number): number | null {
  return nowMs - sinceMs > KITCHEN_TIMES.undoMs ? nowMs : before.recalledAtMs
}

/** @returns null when none of them changes */
function changed(
  stations: readonly StationState[],
  only: readonly string[] | null,
  change: (station: StationState) => StationState,
): StationState[] | null {
  const next = stations.map((station) => (only === null || only.includes(station.key) ? change(station) : station))
  return next.some((station, index) => station !== stations[index]) ? next : null
}

/**
 * Whether a display shows lines of this station: its own, everything at expo, and what no display serves where it has adopted that.
 * @param display `adopts` undefined: as pages and boxes of earlier versions have it, every display shows what none serves
 */
export function showsStation(
  display: { stations: readonly string[]; adopts?: boolean | undefined },
  served: readonly string[],
  key: string,
): boolean {
  if (display.stations.length === 0 || display.stations.includes(key)) return true
  return display.adopts !== false && !served.includes(key)
}
