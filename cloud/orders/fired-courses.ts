// Which courses of an order were fired, as its row keeps it.
import type { OrdersTable } from '#cloud/storage/schema.ts'
import type { EpochMs } from '#shared/clock.ts'
import type { PrintJobId } from '#shared/ids.ts'

export interface FiredCourse {
  atMs: EpochMs
  /** The job of its FIRE tickets; null when this relay made none: no paper, fired in the kitchen, or fired by an older relay. */
  printJobId: PrintJobId | null
  /** Nothing could print them when the course was fired. */
  printPending?: true
}

/** The time alone when there is no print job: so older relays wrote every course. */
type Kept = EpochMs | FiredCourse

/** Of `orders.fired_courses`: what is known of each course that was fired, by its number. */
export function firedCourses({ fired_courses }: Pick<OrdersTable, 'fired_courses'>): Map<number, FiredCourse> {
  const entries = Object.entries(JSON.parse(fired_courses ?? '{}') as Record<string, Kept>)
  return new Map(
    entries.map(([course, kept]) => [
      Number(course),
      typeof kept === 'number' ? { atMs: kept, printJobId: null } : kept,
    ]),
  )
}

/** The column with one more course. */
export function withFired(order: Pick<OrdersTable, 'fired_courses'>, course: number, fired: FiredCourse): string {
  const all = [...firedCourses(order), [course, fired] as const]
  return JSON.stringify(
    Object.fromEntries(all.map(([number, one]): [number, Kept] => [number, one.printJobId === null ? one.atMs : one])),
  )
}
