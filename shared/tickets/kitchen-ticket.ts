// Walk 7/10: comes from gateway/queue/printer-worker.ts, goes on to gateway/printers/print-ticket.ts. Lays out the kitchen ticket: order -> lines; render-ticket.ts makes bytes of them.
import type { KitchenLine, KitchenOrder } from '#shared/order.ts'
import { namesAllergy } from './allergy-words.ts'
import { maskedGuest } from './guest-name.ts'
import { fireBanner, heldLines } from './held-courses.ts'
import {
  BLANK_LINE,
  barLines,
  hangingLines,
  length,
  type RunStyle,
  ruleLine,
  type TicketLine,
  textLines,
} from './line-layout.ts'
import { modifierSign, removalInCapitals, removalsFirst } from './modifier-words.ts'
import { orderNumber } from './order-number.ts'
import { copyBanners, copyMark, kitchenBanners, type TicketMarks, testMarks } from './ticket-marks.ts'
import { bannerLines, paperText, type TicketPaper } from './ticket-paper.ts'
import { TicketTimes } from './ticket-times.ts'

export interface KitchenTicketInput {
  kind: 'order' | 'fire' | 'void' | 'reprint'
  order: KitchenOrder
  /** The lines of the order that this printer makes. */
  items: readonly KitchenLine[]
  station: string | null
  /** Of kind `fire`, or of the VOID slip of one: the course, and when it was fired. */
  fired?: { course: number; atMs: number }
  /** Of kind `void`: why, in the client's words. */
  voidReason?: string
  /** Lines of this printer that wait until their course is fired. */
  later?: readonly KitchenLine[]
  /** Stations that make other lines of the same order. */
  alsoAt: readonly string[]
  printerName: string
  marks: TicketMarks
  /** One of the tickets of a printer that makes one for each line. */
  piece?: { n: number; of: number }
  copy?: { n: number; of: number }
  /** Short id of the job, for people to compare. */
  ticketLabel: string
  /** 1 for the first try. */
  attempt: number
  nowMs: number
}

/**
 * The lines of one kitchen ticket, none wider than the paper. All foreign text is sanitised here. No prices.
 * Pure: the same input gives the same ticket.
 */
export function kitchenTicketLines(input: KitchenTicketInput, paper: TicketPaper): TicketLine[] {
  const ticket = new TicketText(input, paper)
  return [
    BLANK_LINE, // the rail's clip covers the top
    ...ticket.banners(),
    ...ticket.voidReason(),
    ...ticket.number(),
    ...ticket.station(),
    ...ticket.times(),
    ruleLine(paper.columns),
    ...input.items.flatMap((item) => ticket.item(item)),
    ruleLine(paper.columns),
    ...heldLines(input.later ?? [], paper),
    ...ticket.foot(),
  ]
}

// Longest texts on paper, in characters. The API allows more than a cook reads.
const LIMITS = { name: 120, modifier: 80, note: 500, label: 40, orderId: 128, guest: 60 } as const
const MAX_MODIFIERS = 60

const BIG: RunStyle = { heightScale: 2 }
const BIG_BOLD: RunStyle = { heightScale: 2, bold: true }
/** Left of the second and further lines of a note: a note cannot look like a section of the ticket. */
const NOTE_MARK = '  > '
/** Rows of stars or dashes frame our banners and sections, not somebody's name. */
const REPEATED_SIGN = /([^\p{L}\p{N}\s.])\1+/gu
const LOOKS_LIKE_A_MARK =
  /[*#-]$|^[*-]|\b(void|duplicate|late|incomplete|reprint|rail|do not make|test order|allergy)\b/i

class TicketText {
  readonly #input: KitchenTicketInput
  readonly #paper: TicketPaper
  readonly #times: TicketTimes

  constructor(input: KitchenTicketInput, paper: TicketPaper) {
    this.#input = input
    this.#paper = paper
    this.#times = new TicketTimes(input.order.timeZone, input.nowMs)
  }

  /** Foreign text, ready for paper. */
  #text(text: string, maxLength: number, lineBreaks = false): string {
    return paperText(this.#paper, text, { maxLength, lineBreaks })
  }

  /** A name that stands where our own words could: without their frame. */
  #label(text: string): string {
    return this.#text(text, LIMITS.label).replace(REPEATED_SIGN, '$1')
  }

  banners(): TicketLine[] {
    const { kind, marks, order, copy, fired } = this.#input
    const label = (text: string) => this.#label(text)
    const since =
      fired !== undefined
        ? `fired ${this.#times.time(fired.atMs)}`
        : order.fireAtMs === null
          ? `ordered ${this.#times.time(order.queuedAtMs)}`
          : `due ${this.#times.time(order.fireAtMs)}`
    const addOnTo = label(order.addOnTo ?? '')
    return bannerLines(this.#paper, [
      ...testMarks(marks),
      ...(kind === 'void' ? ['*** VOID ***', 'DO NOT MAKE'] : []),
      ...copyBanners({ ...marks, isReprint: kind === 'reprint' || marks.isReprint === true }),
      ...kitchenBanners(marks, since, label),
      ...fireBanner(fired),
      ...(addOnTo === '' ? [] : [`ADD-ON TO #${addOnTo}`]),
      ...copyMark(copy),
    ])
  }

  /** Why it was called off: what a cook asks first. */
  voidReason(): TicketLine[] {
    const reason = this.#text(this.#input.voidReason ?? '', LIMITS.note)
    if (reason === '') return []
    return hangingLines(this.#paper.columns, { first: 'REASON: ', next: NOTE_MARK, text: reason })
  }

  /** `#42   PICKUP`, as large as the paper allows. */
  number(): TicketLine[] {
    const { columns } = this.#paper
    const number = `#${this.#text(orderNumber(this.#input.order), LIMITS.orderId)}`
    const source = this.#label(this.#input.order.source)
    // Only a plain name may stand large beside the number.
    const isPlain = source !== '' && !LOOKS_LIKE_A_MARK.test(source)
    const both = isPlain ? `${number}   ${source}` : number
    const style = (widthScale: 1 | 2): RunStyle & { align: 'center' } => ({ ...BIG_BOLD, widthScale, align: 'center' })
    const isOneLine = (isPlain || source === '') && length(both) * 2 <= columns
    if (isOneLine) return [{ align: 'center', runs: [{ ...BIG_BOLD, widthScale: 2, text: both }] }]
    return [
      ...textLines(columns, number, style(length(number) * 2 <= columns ? 2 : 1)),
      ...(source === ''
        ? []
        : hangingLines(columns, { first: 'via ', text: source, ...(isPlain ? { style: BIG } : {}) })),
    ]
  }

  station(): TicketLine[] {
    const own = this.#label(this.#input.station ?? '')
    const others = this.#input.alsoAt.map((name) => this.#label(name)).filter((name) => name !== '')
    const also = others.length === 0 ? '' : `ALSO AT: ${others.join(', ')}`
    const { piece } = this.#input
    const both = [own, piece === undefined ? '' : `TICKET ${piece.n}/${piece.of}`, also].filter((part) => part !== '')
    if (both.length === 0) return []
    const { columns } = this.#paper
    if (length(both.join('    ')) <= columns) return [{ align: 'left', runs: [{ ...BIG, text: both.join('    ') }] }]
    return both.flatMap((part) => textLines(columns, part, BIG))
  }

  times(): TicketLine[] {
    const { queuedAtMs, fireAtMs, readyByMs } = this.#input.order
    const parts = [`${this.#times.time(queuedAtMs)} ordered`]
    if (fireAtMs !== null) parts.push(`FIRE ${this.#times.time(fireAtMs)}`)
    if (readyByMs !== null) parts.push(`READY BY ${this.#times.time(readyByMs)}`)
    const { columns } = this.#paper
    const line = parts.join('   ')
    return length(line) <= columns
      ? [{ align: 'left', runs: [{ text: line }] }]
      : parts.flatMap((part) => textLines(columns, part, {}))
  }

  item(item: KitchenLine): TicketLine[] {
    const name = this.#text(item.name, LIMITS.name) || this.#text(item.umsId, LIMITS.name) || '?'
    // The quantity is a prefix of the first line, so it can never part from its item.
    const quantity = `${String(item.qty).padStart(2)}  `
    const lines = hangingLines(this.#paper.columns, { first: quantity, text: name, style: BIG_BOLD })
    for (const modifier of removalsFirst(item.modifiers.map((it) => it.name)).slice(0, MAX_MODIFIERS)) {
      lines.push(...this.#modifier(modifier))
    }
    const more = item.modifiers.length - MAX_MODIFIERS
    if (more > 0) lines.push(...this.#modifier(`... and ${more} more: ask!`))
    if (item.note !== undefined) lines.push(...this.#note(item.note))
    return lines
  }

  #modifier(asSent: string): TicketLine[] {
    const name = this.#text(asSent, LIMITS.modifier)
    const { columns } = this.#paper
    const sign = modifierSign(name)
    // Also when the printer has no letters for it: then the mark is all that the cook can read.
    if (namesAllergy(asSent) || namesAllergy(name))
      return this.#allergy({ first: `    ${sign} `, next: '      ', text: name })
    if (name === '') return []
    return hangingLines(columns, {
      first: `    ${sign} `,
      text: removalInCapitals(name),
      style: { bold: sign === '-' },
    })
  }

  #note(asSent: string): TicketLine[] {
    const note = this.#text(asSent, LIMITS.note, true)
    if (namesAllergy(asSent) || namesAllergy(note))
      return this.#allergy({ first: NOTE_MARK, next: NOTE_MARK, text: note })
    if (note === '') return []
    return hangingLines(this.#paper.columns, {
      first: NOTE_MARK,
      next: NOTE_MARK,
      text: note,
      style: { underline: true },
      prefixStyle: {},
    })
  }

  #allergy(content: { first: string; next: string; text: string }): TicketLine[] {
    const style: RunStyle = { alarm: true, bold: true }
    return [
      ...barLines(this.#paper.columns, '!! ALLERGY !!'),
      ...hangingLines(this.#paper.columns, { ...content, style, prefixStyle: {} }),
    ]
  }

  foot(): TicketLine[] {
    const { order, items, printerName, ticketLabel, attempt, nowMs } = this.#input
    const { columns } = this.#paper
    const count = items.reduce((sum, item) => sum + item.qty, 0)
    const guest = this.#text(maskedGuest(order.customer?.name ?? ''), LIMITS.guest)
    const summary = [`items ${count}`, ...(guest === '' ? [] : [`guest: ${guest}`])]
    const job = [
      `job ${this.#text(ticketLabel, LIMITS.label)}`,
      this.#text(printerName, LIMITS.label),
      `try ${attempt}`,
      this.#times.timeWithSeconds(nowMs),
    ]
    return [
      ...this.#row(summary),
      ...hangingLines(columns, { first: 'order ', text: this.#text(order.orderId, LIMITS.orderId) }),
      ...this.#row(job),
    ]
  }

  /** Parts side by side, or wrapped when they do not fit. */
  #row(parts: readonly string[]): TicketLine[] {
    const line = parts.filter((part) => part !== '').join('  ')
    return length(line) <= this.#paper.columns
      ? [{ align: 'left', runs: [{ text: line }] }]
      : textLines(this.#paper.columns, line, {})
  }
}
