// Courses of an order: what the kitchen makes at once, and what waits until somebody fires it. Pure.
import type { KitchenOrder } from '#shared/order.ts'

/**
 * The courses of an order that wait to be fired, lowest first: all but its lowest. An order of one course has none, so that nothing waits
 * for ever in an order that a client numbered from 2.
 */
export function laterCourses(items: readonly Pick<KitchenOrder['items'][number], 'course'>[]): number[] {
  const courses = new Set(items.flatMap(({ course }) => course ?? []))
  return [...courses].sort((a, b) => a - b).slice(1)
}

/** Whether a line is printed and made as soon as its order comes. */
export function isDueAtOnce(
  later: readonly number[],
  { course }: Pick<KitchenOrder['items'][number], 'course'>,
): boolean {
  return course === undefined || !later.includes(course)
}
