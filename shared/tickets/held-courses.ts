// Courses on a ticket: the banner of a fired course, and the list of held courses at the foot.
import type { KitchenLine } from '#shared/order.ts'
import { coursesOf } from './courses.ts'
import { hangingLines, ruleLine, type TicketLine } from './line-layout.ts'
import { labelText } from './own-words.ts'
import type { TicketPaper } from './ticket-paper.ts'

/** Further held items are only counted: the ticket is for what is made now. */
const MOST_NAMES = 8
const LONGEST_NAME = 40

/** `*** FIRE COURSE 2 ***`, for the ticket of a fired course. */
export function fireBanner(fired: { course: number } | undefined): string[] {
  return fired === undefined ? [] : [`*** FIRE COURSE ${fired.course} ***`]
}

/** `HOLD COURSE 2: 1 Steak, 2 Fish`: one line for each course that this printer will get later. These items must not be made yet. */
export function heldLines(later: readonly KitchenLine[], paper: TicketPaper): TicketLine[] {
  const courses = coursesOf(later)
  if (courses.length === 0) return []
  const lines = courses.flatMap((course) => {
    const items = later.filter((item) => item.course === course)
    const named = items.slice(0, MOST_NAMES).map((item) => `${item.qty} ${nameOf(item, paper)}`)
    const more = items.length > MOST_NAMES ? [`and ${items.length - MOST_NAMES} more`] : []
    return hangingLines(paper.columns, {
      first: `HOLD COURSE ${course}: `,
      next: '    ',
      text: [...named, ...more].join(', '),
    })
  })
  return [...lines, ruleLine(paper.columns)]
}

function nameOf({ name, umsId }: KitchenLine, paper: TicketPaper): string {
  return labelText(paper, name, LONGEST_NAME) || labelText(paper, umsId, LONGEST_NAME) || '?'
}
