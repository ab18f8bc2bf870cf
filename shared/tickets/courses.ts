// Courses of an order: which are made at once, and which are held until they are fired. Pure.
import type { KitchenOrder } from '#shared/order.ts'

type Line = Pick<KitchenOrder['items'][number], 'course'>

/** The courses of these lines, lowest first, without duplicates. */
export function coursesOf(items: readonly Line[]): number[] {
  return [...new Set(items.flatMap(({ course }) => course ?? []))].sort((a, b) => a - b)
}

/**
 * The courses that wait to be fired, lowest first: all except the lowest. An order with only one course has none, so nothing waits forever
 * if a client numbers from 2.
 */
export function laterCourses(items: readonly Line[]): number[] {
  return coursesOf(items).slice(1)
}

/** Returns whether a line is printed and made as soon as the order arrives. */
export function isDueAtOnce(later: readonly number[], { course }: Line): boolean {
  return course === undefined || !later.includes(course)
}
