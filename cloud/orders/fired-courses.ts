// Which courses of an order were fired, as its row keeps it.
import type { OrdersTable } from '#cloud/storage/schema.ts'
import type { EpochMs } from '#shared/clock.ts'

/** Of `orders.fired_courses`: when each course was fired, by its number. */
export function firedCourses({ fired_courses }: Pick<OrdersTable, 'fired_courses'>): Map<number, EpochMs> {
  const entries = Object.entries(JSON.parse(fired_courses ?? '{}') as Record<string, number>)
  return new Map(entries.map(([course, atMs]) => [Number(course), atMs]))
}

/** The column with one more course. */
export function withFired(order: Pick<OrdersTable, 'fired_courses'>, course: number, atMs: EpochMs): string {
  return JSON.stringify(Object.fromEntries(new Map([...firedCourses(order), [course, atMs]])))
}
