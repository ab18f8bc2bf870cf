// Lays out the receipt of an order for the guest: items and amounts, without the marks of the kitchen.
import { decimalsOf } from '#shared/currency.ts'
import type { KitchenLine, KitchenOrder } from '#shared/order.ts'
import { TEXT_LENGTHS } from '#shared/text-lengths.ts'
import type { Bitmap } from './bitmap.ts'
import { BLANK_LINE, hangingLines, length, type RunStyle, ruleLine, type TicketLine, textLines } from './line-layout.ts'
import { orderNumber } from './order-number.ts'
import { copyBanners, copyMark, type TicketMarks, testMarks } from './ticket-marks.ts'
import { bannerLines, paperText, type TicketPaper } from './ticket-paper.ts'
import { TicketTimes } from './ticket-times.ts'
import { wrapText } from './wrap-text.ts'

export interface ReceiptTicketInput {
  order: KitchenOrder
  marks: Pick<TicketMarks, 'possibleDuplicate' | 'isReprint' | 'isTest'>
  copy?: { n: number; of: number }
  /** Not wider than the paper. */
  logo?: Bitmap
  nowMs: number
}

const LONGEST_CURRENCY = 8
const MAX_MODIFIERS = 60
const CENTERED = { align: 'center' } as const

/** The lines of one receipt, none wider than the paper. Empty for an order without amounts. Pure. */
export function receiptTicketLines(input: ReceiptTicketInput, paper: TicketPaper): TicketLine[] {
  const { order, logo, marks, copy, nowMs } = input
  const { receipt } = order
  if (receipt === undefined) return []
  const text = (words: string, maxLength: number) => paperText(paper, words, { maxLength })
  const amountText = amountsOf(receipt.currency)
  const { columns } = paper
  const times = new TicketTimes(order.timeZone, nowMs)
  const merchant = text(receipt.merchantName ?? '', TEXT_LENGTHS.merchant)
  const number = `Order #${text(orderNumber(order), TEXT_LENGTHS.orderId)}`
  return [
    ...bannerLines(paper, [...testMarks(marks), ...copyBanners(marks), ...copyMark(copy)]),
    ...(logo === undefined ? [] : [{ ...CENTERED, runs: [], bitmap: logo }]),
    ...(merchant === '' ? [] : largeLines(columns, merchant)),
    ...textLines(columns, times.dateAndTime(order.queuedAtMs), CENTERED),
    ...textLines(columns, number, { heightScale: 2, bold: true, ...CENTERED }),
    ruleLine(columns),
    ...order.items.flatMap((item) => itemLines(item, paper, amountText)),
    ruleLine(columns),
    ...sumLines(receipt, text(receipt.currency, LONGEST_CURRENCY), columns),
    BLANK_LINE,
    ...hangingLines(columns, { first: 'order ', text: text(order.orderId, TEXT_LENGTHS.orderId) }),
  ]
}

function itemLines(
  { qty, name, umsId, priceCents, modifiers }: KitchenLine,
  paper: TicketPaper,
  amountText: AmountText,
): TicketLine[] {
  const words =
    paperText(paper, name, { maxLength: TEXT_LENGTHS.itemName }) ||
    paperText(paper, umsId, { maxLength: TEXT_LENGTHS.itemName })
  const amount = priceCents === undefined ? '' : amountText(priceCents * qty)
  const each = qty > 1 && priceCents !== undefined ? [`      ${qty} x ${amountText(priceCents)}`] : []
  return [
    ...amountLines(paper.columns, { first: `${String(qty).padStart(2)}  `, words: words || '?', amount }),
    ...each.map((line): TicketLine => ({ align: 'left', runs: [{ text: line }] })),
    ...modifiers.slice(0, MAX_MODIFIERS).flatMap((modifier) => {
      const note = paperText(paper, modifier.name, { maxLength: TEXT_LENGTHS.itemName })
      return note === '' ? [] : hangingLines(paper.columns, { first: '      ', text: note })
    }),
  ]
}

function sumLines(
  { totalCents, tipCents, currency: code }: NonNullable<KitchenOrder['receipt']>,
  currency: string,
  columns: number,
): TicketLine[] {
  const amountText = amountsOf(code)
  const row = (words: string, cents: number) => amountLines(columns, { first: '', words, amount: amountText(cents) })
  const total = { first: '', words: `TOTAL ${currency}`.trim(), amount: amountText(totalCents + tipCents) }
  return [
    ...(tipCents === 0 ? [] : [...row('Subtotal', totalCents), ...row('Tip', tipCents)]),
    ...amountLines(columns, total, { heightScale: 2, bold: true }),
  ]
}

/** Words on the left, wrapped beside the amount, which is on the right of the last line. */
function amountLines(
  columns: number,
  { first, words, amount }: { first: string; words: string; amount: string },
  style: RunStyle = {},
): TicketLine[] {
  const room = Math.max(1, columns - length(first) - (amount === '' ? 0 : length(amount) + 2))
  const rows = wrapText(words, room)
  return rows.map((row, index) => {
    const prefix = index === 0 ? first : ' '.repeat(length(first))
    const isLast = index === rows.length - 1
    const gap = ' '.repeat(Math.max(0, columns - length(prefix) - length(row) - length(amount)))
    return {
      align: 'left',
      runs: [{ ...style, text: isLast && amount !== '' ? prefix + row + gap + amount : prefix + row }],
    }
  })
}

/** Double width if it fits one line. */
function largeLines(columns: number, text: string): TicketLine[] {
  const widthScale = length(text) * 2 <= columns ? 2 : 1
  return textLines(columns, text, { heightScale: 2, widthScale, bold: true, ...CENTERED })
}

type AmountText = (cents: number) => string

/** `1250` -> `12.50`; `130000` -> `1300` if the currency has no decimals. A relay may send a currency that this gateway does not have. */
function amountsOf(currency: string): AmountText {
  const isWhole = /^[A-Z]{3}$/.test(currency) && decimalsOf(currency) === 0
  return (cents) => {
    const digits = String(Math.abs(cents)).padStart(3, '0')
    const sign = cents < 0 ? '-' : ''
    const isRound = isWhole && digits.endsWith('00')
    return isRound ? `${sign}${digits.slice(0, -2)}` : `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
  }
}
