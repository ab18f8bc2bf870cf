// The head of a kitchen ticket: banners, allergies, number and guest of the order, station, times.
import type { KitchenLine, KitchenOrder } from '#shared/order.ts'
import { TEXT_LENGTHS } from '#shared/text-lengths.ts'
import { type AllergyWarning, orderAllergies } from './allergies.ts'
import { fireBanner } from './held-courses.ts'
import {
  BLANK_LINE,
  barLines,
  frameLines,
  hangingLines,
  length,
  type RunStyle,
  type TicketLine,
  type TicketRun,
  textLines,
} from './line-layout.ts'
import { orderNumber } from './order-number.ts'
import { alarmStyle, labelText, looksLikeOurs, unframed } from './own-words.ts'
import type { TicketMarks } from './ticket-marks.ts'
import { copyBanners, copyMark, kitchenBanners, testMarks } from './ticket-marks.ts'
import { bannerLines, paperText, type TicketPaper } from './ticket-paper.ts'
import type { TicketTimes } from './ticket-times.ts'

export interface KitchenTicketInput {
  kind: 'order' | 'fire' | 'void' | 'reprint'
  order: KitchenOrder
  /** The lines of the order that this printer makes. */
  items: readonly KitchenLine[]
  station: string | null
  /** On a ticket of kind `fire`, or the VOID slip of one: the course, and when it was fired. */
  fired?: { course: number; atMs: number }
  /** Lines of this printer that are held until their course is fired. */
  later?: readonly KitchenLine[]
  /** Stations that make other lines of the same order. */
  alsoAt: readonly string[]
  printerName: string
  marks: TicketMarks
  /** Which ticket this is, on a printer that prints one ticket for each line. */
  piece?: { n: number; of: number }
  copy?: { n: number; of: number }
  /** On a ticket of kind `void`: the reason, in the client's words. */
  voidReason?: string
  /** Short id of the job, for people to compare. */
  ticketLabel: string
  /** 1 for the first attempt. */
  attempt: number
  nowMs: number
}

const BIG: RunStyle = { heightScale: 2 }
const BIG_BOLD: RunStyle = { heightScale: 2, bold: true }
/** Only letters and the punctuation of a list. */
const PLAIN_LIST = /^[\p{L}\p{M}\p{N} ,()'-]+$/u

const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['dine-in', 'DINE-IN'],
  ['takeaway', 'TO GO'],
  ['delivery', 'DELIVERY'],
  ['drive-through', 'DRIVE-THRU'],
  ['catering', 'CATERING'],
  ['curbside', 'CURBSIDE'],
])

/** Banners such as VOID and POSSIBLE DUPLICATE, the mark of an add-on, and the reason of a void. */
export function markLines(
  { kind, marks, order, copy, fired, voidReason }: KitchenTicketInput,
  paper: TicketPaper,
  times: TicketTimes,
): TicketLine[] {
  const since =
    fired !== undefined
      ? `fired ${times.time(fired.atMs)}`
      : order.fireAtMs === null
        ? `ordered ${times.time(order.queuedAtMs)}`
        : `due ${times.time(order.fireAtMs)}`
  const addOnTo = labelText(paper, order.addOnTo ?? '', TEXT_LENGTHS.orderId)
  const isPlain = addOnTo !== '' && !looksLikeOurs(addOnTo)
  const banners = bannerLines(paper, [
    ...testMarks(marks),
    ...(kind === 'void' ? ['*** VOID ***', 'DO NOT MAKE'] : []),
    ...copyBanners({ ...marks, isReprint: kind === 'reprint' || marks.isReprint === true }),
    ...kitchenBanners(marks, since, (text) => labelText(paper, text)),
    // A voided course must not be made, so it has no FIRE banner.
    ...(kind === 'void' ? [] : fireBanner(fired)),
    ...(addOnTo === '' ? [] : [isPlain ? `ADD-ON TO #${addOnTo}` : 'ADD-ON']),
    ...copyMark(copy),
  ])
  const reason = kind === 'void' ? labelText(paper, voidReason ?? '', TEXT_LENGTHS.reason) : ''
  return [
    ...banners,
    ...(addOnTo === '' || isPlain ? [] : hangingLines(paper.columns, { first: 'add-on to ', text: addOnTo })),
    ...(reason === ''
      ? []
      : hangingLines(paper.columns, { first: 'REASON: ', next: '  >  ', text: reason, style: BIG })),
  ]
}

/**
 * `#42   DINE-IN   TABLE 12`, as large as the paper allows; without type and table `#42   PICKUP`. Below it who took the order, and the
 * number of guests.
 */
export function orderLines(order: KitchenOrder, paper: TicketPaper): TicketLine[] {
  const { columns } = paper
  const number = paperText(paper, orderNumber(order), { maxLength: TEXT_LENGTHS.orderId })
  const source = labelText(paper, order.source, TEXT_LENGTHS.source)
  const type = order.orderType === undefined ? undefined : TYPE_WORDS.get(order.orderType)
  const otherType = type === undefined ? labelText(paper, order.orderType ?? '') : ''
  const table = labelText(paper, order.table ?? '', TEXT_LENGTHS.table)
  const small: [string, string][] = []
  const large: [string, string][] = [['#', number]]
  // Only a plain name may be large next to the number. Without one of our words before it, only one that fits the line.
  const enlarge = (words: string, lead: string, ownWord = ''): void => {
    if (words === '') return
    const mayBeLarge = !looksLikeOurs(words) && (ownWord !== '' || length(words) <= columns)
    if (mayBeLarge) large.push([ownWord, words])
    else small.push([lead, words])
  }
  if (type !== undefined) large.push(['', type])
  enlarge(otherType, 'type ')
  enlarge(table, 'table ', 'TABLE ')
  if (large.length === 1) enlarge(source, 'via ')
  else if (source !== '') small.push(['via ', source])
  if (order.guests !== undefined) small.push(['guests ', String(order.guests)])
  const server = labelText(paper, order.server ?? '', TEXT_LENGTHS.server)
  if (server !== '') small.push(['server ', server])
  return [...packedLarge(large, columns), ...packedSmall(small, columns)]
}

/**
 * Double size, as many parts as fit on each line, each after its own label if it has one. A part wider than the line is double height only
 * and continues on lines with the label, so that no line consists of foreign text alone.
 */
function packedLarge(parts: readonly [string, string][], columns: number): TicketLine[] {
  const lines: { lead: string; text: string }[] = []
  for (const [lead, text] of parts) {
    const last = lines.at(-1)
    const together = `${last?.text}   ${lead}${text}`
    if (last !== undefined && length(last.lead + together) * 2 <= columns) last.text = together
    else lines.push({ lead, text })
  }
  return lines.flatMap(({ lead, text }): TicketLine[] => {
    const words = lead + text
    if (length(words) * 2 <= columns) return [{ align: 'center', runs: [{ ...BIG_BOLD, widthScale: 2, text: words }] }]
    if (length(words) <= columns) return textLines(columns, words, { ...BIG_BOLD, align: 'center' })
    return hangingLines(columns, { first: lead, text, style: BIG_BOLD })
  })
}

/** Side by side, each foreign text after one of our labels. A part that does not fit gets its own line. */
function packedSmall(parts: readonly [string, string][], columns: number): TicketLine[] {
  const lines: TicketLine[] = []
  let open = ''
  const close = (): void => {
    if (open !== '') lines.push({ align: 'left', runs: [{ text: open }] })
    open = ''
  }
  for (const [lead, text] of parts) {
    const words = lead + text
    if (open !== '' && length(open) + 3 + length(words) > columns) close()
    if (length(words) > columns) lines.push(...hangingLines(columns, { first: lead, text }))
    else open = open === '' ? words : `${open}   ${words}`
  }
  close()
  return lines
}

export function stationLines({ station, alsoAt, piece }: KitchenTicketInput, paper: TicketPaper): TicketLine[] {
  const own = labelText(paper, station ?? '', TEXT_LENGTHS.station)
  const others = alsoAt.map((name) => labelText(paper, name, TEXT_LENGTHS.station)).filter((name) => name !== '')
  const also = others.length === 0 ? '' : `ALSO AT: ${others.join(', ')}`
  const both = [own, piece === undefined ? '' : `TICKET ${piece.n}/${piece.of}`, also].filter((part) => part !== '')
  if (both.length === 0) return []
  const { columns } = paper
  if (length(both.join('    ')) <= columns) return [{ align: 'left', runs: [{ ...BIG, text: both.join('    ') }] }]
  return both.flatMap((part) => textLines(columns, part, BIG))
}

/** When it was ordered; in bold, when to start and finish it, or when this course was fired. */
export function timeLines(
  { order: { queuedAtMs, fireAtMs, readyByMs }, fired }: Pick<KitchenTicketInput, 'order' | 'fired'>,
  { columns }: TicketPaper,
  times: TicketTimes,
): TicketLine[] {
  const runs: TicketRun[] = [{ text: `${times.time(queuedAtMs)} ordered` }]
  if (fired !== undefined) runs.push({ text: `FIRED ${times.time(fired.atMs)}`, bold: true })
  else if (fireAtMs !== null) runs.push({ text: `FIRE ${times.time(fireAtMs)}`, bold: true })
  // That time was promised for the first course.
  if (readyByMs !== null && fired === undefined) runs.push({ text: `READY BY ${times.time(readyByMs)}`, bold: true })
  const isOneLine = length(runs.map(({ text }) => text).join('   ')) <= columns
  if (!isOneLine) return runs.flatMap(({ text, ...style }) => textLines(columns, text, style))
  return [{ align: 'left', runs: runs.flatMap((run, i) => (i === 0 ? [run] : [{ text: '   ' }, run])) }]
}

/** A warning with all the seats and items that it applies to. */
interface SaidOf extends Pick<AllergyWarning, 'words' | 'from'> {
  seats: number[]
  items: string[]
}

/** `!! ALLERGY: peanuts !!`, and each note or modifier of the order that mentions one. Printed on the ticket of every station. */
export function allergyLines(order: KitchenOrder, paper: TicketPaper): TicketLine[] {
  const said = saidOnce(orderAllergies(order))
  if (said.length === 0) return []
  // Not limited: an order is at most 128 kB, which limits the paper.
  const inBars = said.map((warning) => barWords(warning, paper))
  // A line without a seat has the same text as the order, which is printed once.
  const bars = [...new Set(inBars)].flatMap((words) => (words === null ? [] : barLines(paper.columns, words)))
  const quoted = said.filter((_, i) => inBars[i] === null)
  return [
    ...bars,
    ...(quoted.length === 0 ? [] : [...barLines(paper.columns, '!! ALLERGY !!'), ...quotedLines(quoted, paper)]),
    BLANK_LINE,
  ]
}

/** Warnings of the whole order are separate from those of lines, since they apply to everyone. */
function saidOnce(warnings: readonly AllergyWarning[]): SaidOf[] {
  const all = new Map<string, SaidOf>()
  for (const { words, from, seat, item } of warnings) {
    const key = `${from} ${item === undefined} ${words}`
    const said = all.get(key) ?? { words, from, seats: [], items: [] }
    all.set(key, said)
    if (seat !== undefined && !said.seats.includes(seat)) said.seats.push(seat)
    if (item !== undefined && !said.items.includes(item)) said.items.push(item)
  }
  return [...all.values()]
}

const seatsOf = (seats: readonly number[]): string =>
  seats.length === 0 ? '' : `seat${seats.length === 1 ? '' : 's'} ${seats.join(', ')}`

/**
 * Null if the text is not from the client's list, could be mistaken for another banner, or needs a second line, which could not be
 * distinguished from a banner. Then it is quoted.
 */
function barWords({ words: said, from, seats }: SaidOf, paper: TicketPaper): string | null {
  if (from !== 'list') return null
  const list = labelText(paper, said, TEXT_LENGTHS.allergens)
  if (!PLAIN_LIST.test(list) || looksLikeOurs(list)) return null
  const words = `!! ALLERGY${seats.length === 0 ? '' : ` ${seatsOf(seats).toUpperCase()}`}: ${list} !!`
  return length(words) > paper.columns ? null : words
}

/** The subject, then the text, with a mark before each line, so that no line can be mistaken for one of ours. */
function quotedLines(warnings: readonly SaidOf[], paper: TicketPaper): TicketLine[] {
  let last = ''
  return warnings.flatMap(({ words, seats, items }) => {
    const names = items.map((item) => labelText(paper, item, TEXT_LENGTHS.itemName) || '?')
    const whose = [seatsOf(seats), ...names].filter((part) => part !== '').join(', ')
    // Keyed by what was sent: two dishes may look the same on paper.
    const key = JSON.stringify([seats, items])
    const isNew = key !== last
    last = key
    const head = { first: ' > ', next: ' > ', text: `${whose}:`, style: { bold: true } }
    // Complete at any length: the allergen may be anywhere in the text.
    const text = unframed(paperText(paper, words, { maxLength: TEXT_LENGTHS.allergens })) || '?'
    const style = alarmStyle(text)
    return [
      ...(isNew && whose !== '' ? hangingLines(paper.columns, head) : []),
      ...hangingLines(paper.columns, { first: ' > ', next: ' > ', text, style, prefixStyle: BIG }),
    ]
  })
}

/** The note of the whole order. */
export function orderNoteLines(order: KitchenOrder, paper: TicketPaper): TicketLine[] {
  const text = paperText(paper, order.note ?? '', { maxLength: TEXT_LENGTHS.note, lineBreaks: true })
  return text === '' ? [] : frameLines(paper.columns, { title: 'ORDER NOTE', text, style: BIG })
}
