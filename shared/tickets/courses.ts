// Courses of an order: what the kitchen makes at once, and what waits until it is fired. Pure.
import type { KitchenOrder } from '#shared/order.ts'

type Line = Pick<KitchenOrder['items'][number], 'course'>

/** The courses of these lines, lowest first, each once. */
export function coursesOf(items: readonly Line[]): number[] {
  return [...new Set(items.flatMap(({ course }) => course ?? []))].sort((a, b) => a - b)
}

/**
 * The courses of an order that wait to be fired, lowest first: all but its lowest. An order of one course has none, so that nothing waits
 * for ever in an order that a client numbered from 2.
 */
export function laterCourses(items: readonly Line[]): number[] {
  return coursesOf(items).slice(1)
}

/** Whether a line is printed and made as soon as its order comes. */
export function isDueAtOnce(later: readonly number[], { course }: Line): boolean {
  return course === undefined || !later.includes(course)
}
