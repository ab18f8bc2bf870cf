// The state of an order, as a tone and words in the page's language. Pure.
import type { OrderAnswer } from '#gateway/control/order-answers.ts'
import type { Messages } from '#gateway/web/admin/messages/en.ts'
import type { Tone } from '#shared/ui/parts/mark.tsx'
import { entry } from '#shared/ui/sentences.ts'

/** What people call it. */
export function orderName({ number, isTest }: Pick<OrderAnswer, 'number' | 'isTest'>, t: Messages): string {
  if (number === '') return t.orders.damaged
  return isTest ? `${t.orders.test} ${t.orders.number(number)}` : t.orders.number(number)
}

/** States that need attention are checked first. */
export function orderStanding(order: OrderAnswer, t: Messages): { tone: Tone; words: string } {
  const { tickets, voidedAt, readyAt, pickedUpAt, isWithoutPaper } = order
  const words = t.orders.standings
  if (tickets.trouble > 0) return { tone: 'bad', words: words.trouble(tickets.trouble) }
  if (voidedAt !== null) return { tone: 'warn', words: words.voided }
  if (pickedUpAt !== null) return { tone: 'ok', words: words.pickedUp }
  if (readyAt !== null) return { tone: 'ok', words: words.ready }
  if (tickets.waiting > 0) return { tone: 'idle', words: words.waiting(tickets.waiting) }
  if (tickets.printed > 0) return { tone: 'ok', words: words.printed }
  return { tone: 'idle', words: isWithoutPaper ? t.orders.screensOnly : words.cancelled }
}

/** The type of a newer relay is shown as it came. */
export function orderTypeWords(orderType: string | null, t: Messages): string {
  return orderType === null ? '' : (entry(t.orders.types, orderType) ?? orderType)
}
