// The summary of an order: whether its tickets are on paper, its progress, when it is ready. Pure.
import type { OrderRowAnswer, Proof } from '#cloud/control/order-list.ts'
import type { OrdersWords } from '#cloud/web/messages/orders-en.ts'
import { fromIso } from '#shared/clock.ts'
import type { OrderStatus } from '#shared/order.ts'
import type { Formats } from '#shared/ui/languages.ts'
import type { Tone } from '#shared/ui/parts/mark.tsx'

export const PROOF_TONES: Readonly<Record<Proof, Tone>> = {
  confirmed: 'ok',
  assumed: 'ok',
  uncertain: 'warn',
  waiting: 'warn',
  scheduled: 'idle',
  failed: 'bad',
  cancelled: 'idle',
  none: 'idle',
}

export const STATE_TONES: Readonly<Record<OrderStatus, Tone>> = {
  accepted: 'warn',
  printed: 'ok',
  ready: 'ok',
  completed: 'idle',
  voided: 'idle',
  refunded: 'idle',
}

/** Still to be made or handed over. */
export const isOpen = (status: OrderStatus): boolean =>
  status === 'accepted' || status === 'printed' || status === 'ready'

/** `in 8 min`, `3 min late`; empty for an order that is ready or over. An advance order shows when it starts. */
export function readyWords(
  { status, fireAt, estimatedReadyAt }: Pick<OrderRowAnswer, 'status' | 'fireAt' | 'estimatedReadyAt'>,
  { t, formats, nowMs }: { t: OrdersWords; formats: Formats; nowMs: number },
): { words: string; isLate: boolean } | null {
  if (status !== 'accepted' && status !== 'printed') return null
  const startsMs = fireAt === null ? null : fromIso(fireAt)
  if (fireAt !== null && startsMs !== null && startsMs > nowMs)
    return { words: t.firesAt(formats.dateTime(fireAt)), isLate: false }
  const leftMs = (fromIso(estimatedReadyAt) ?? nowMs) - nowMs
  return leftMs >= 0
    ? { words: t.readyIn(formats.span(leftMs)), isLate: false }
    : { words: t.late(formats.span(-leftMs)), isLate: true }
}

/** The table's text for the word; otherwise the word itself, which a newer relay may have sent. */
export function lookup(table: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(table, word) ? (table[word] ?? word) : word
}

/** By language and currency: a page shows few, and making one takes longer than all that a row of a list draws besides. */
const moneyFormats = new Map<string, Intl.NumberFormat>()

/** Money as the reader writes it. */
export function moneyWords(amount: number, currency: string, locale: string): string {
  const key = `${locale} ${currency}`
  const format = moneyFormats.get(key) ?? new Intl.NumberFormat(locale, { style: 'currency', currency })
  moneyFormats.set(key, format)
  return format.format(amount)
}
