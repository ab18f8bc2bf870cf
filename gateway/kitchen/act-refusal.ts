// Why an action on an order is refused: because of the order's state, or because of changes since the screen saw it. Pure.
import type { ActResult, BoardLine, BoardOrder, FireRefusal, KitchenAct } from '#shared/wire/kitchen.ts'
import { firedMs, heldCourses, type WorkedOrder } from '#shared/wire/kitchen-acts.ts'
import type { OrderEvent } from './revisions.ts'

export type Refusal = NonNullable<ActResult['reason']>

/** @returns null when the action is possible in the order's current state */
export function refusalOf(
  order: BoardOrder,
  { kind, line, course }: Pick<KitchenAct, 'kind' | 'line' | 'course'>,
): Refusal | null {
  if (kind === 'fire') return fireRefusalOf(order, course)
  if (kind === 'void-seen' || kind === 'void-unseen') return order.voidedAtMs === null ? 'not-voided' : null
  if (order.voidedAtMs !== null) return 'voided'
  if (kind === 'start-now') return order.isScheduled ? null : 'not-scheduled'
  if (order.isScheduled) return 'scheduled'
  if (kind === 'pick-up' && heldCourses(order).length > 0) return 'courses-held'
  if (kind === 'change-seen' || kind === 'change-unseen') return order.addOnTo === null ? 'not-changed' : null
  const isOfLine = kind === 'strike' || kind === 'unstrike'
  return isOfLine && order.lines[line ?? -1] === undefined ? 'unknown-line' : null
}

export function fireRefusalOf(order: BoardOrder, course: number | undefined): FireRefusal | null {
  if (order.voidedAtMs !== null) return 'voided'
  if (order.isScheduled) return 'scheduled'
  return order.courses.some((later) => later.course === course) ? null : 'unknown-course'
}

export interface SeenOrder {
  /** Its current state on disk. */
  now: WorkedOrder & { lines: readonly BoardLine[] }
  act: Pick<KitchenAct, 'kind' | 'stations' | 'lines' | 'seenRev'>
  /** What others did since the screen saw the order; null: not known, because the program has started since. */
  since: readonly OrderEvent[] | null
}

/** @returns null when nothing has changed since that matters, or the action is of an older page, which does not send what it saw */
export function staleness({ now, act, since }: SeenOrder): Refusal | null {
  const { kind, stations, lines, seenRev } = act
  if (seenRev === undefined) return null
  if (lines?.some((place) => now.lines[place] === undefined)) return 'unknown-line'
  if (kind !== 'ready' && kind !== 'pick-up' && kind !== 'recall') return null
  if (kind !== 'recall' && lines && newWork(now, stations).some((place) => !lines.includes(place))) return 'new-work'
  // What is handed out was ready on the screen.
  if (kind === 'pick-up' && now.readyAtMs === null) return 'came-back'
  if (since === null) return now.recalledAtMs !== null && now.recalledAtMs > seenRev ? 'came-back' : null
  if (since.some((event) => event.kind === 'came-back' && doMeet(event.stations, stations))) return 'came-back'
  const isOfStations = kind === 'recall' && stations !== null
  return isOfStations && since.some((event) => event.kind === 'handed-out') ? 'handed-out' : null
}

/** Places of the lines that these stations have to make, or have made, by now. */
function newWork({ lines, courses }: SeenOrder['now'], stations: readonly string[] | null): number[] {
  return lines.flatMap((line, place) =>
    (stations === null || stations.includes(line.station)) && firedMs(line, courses) !== null ? [place] : [],
  )
}

function doMeet(some: readonly string[] | null, others: readonly string[] | null): boolean {
  return some === null || others === null || some.some((key) => others.includes(key))
}
