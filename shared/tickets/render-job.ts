// Renders a ticket of any job to the printer's bytes. The gateway and the simulated kitchen both print with this function.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import type { Bitmap } from './bitmap.ts'
import { codePageSheet } from './code-page-sheet.ts'
import { kitchenTicketLines } from './kitchen-ticket.ts'
import { labelTicketLines } from './label-ticket.ts'
import type { TicketLine } from './line-layout.ts'
import { isTestOrder, type StoredDoc } from './local-doc.ts'
import { localTicketLines } from './local-ticket.ts'
import { noteTicketLines } from './note-ticket.ts'
import { receiptTicketLines } from './receipt-ticket.ts'
import { type RenderedTicket, renderDocument } from './render-ticket.ts'
import type { TicketPart } from './route.ts'
import type { TextRaster } from './text-raster.ts'
import type { TicketMarks } from './ticket-marks.ts'
import type { TicketPaper } from './ticket-paper.ts'

export interface JobTicketInput {
  doc: StoredDoc
  part: TicketPart
  /** The kind of the document, or `void` for the VOID slip of a cancelled job. */
  kind: StoredDoc['kind'] | 'void'
  printerName: string
  marks: TicketMarks
  /** Short id of the job, for people to compare. */
  ticketLabel: string
  /** 1 for the first attempt. */
  attempt: number
  nowMs: number
  /** Before the first line: the printer's setting for kitchen tickets. */
  beeps?: number
  /** For the receipt of an order. Not wider than the printer's paper. */
  logo?: Bitmap
}

/**
 * Renders one ticket of a job for one printer. The same input gives the same bytes.
 * @param raster draws what the printer has no characters for; null: such characters are transliterated
 * @throws FirewallError if the bytes contain a command that no ticket may contain: then the ticket must not be printed
 */
export async function renderJobTicket(
  input: JobTicketInput,
  profile: PrinterProfile,
  raster: TextRaster | null,
): Promise<RenderedTicket> {
  const { doc } = input
  if (doc.kind === 'drawer') return drawerTicket(profile)
  const sheet = doc.kind === 'code-pages' ? codePageSheet(profile) : null
  if (sheet !== null) return sheet
  // A label may leave out what does not fit. A kitchen ticket may not, on any paper: it has every item.
  const runsOn = input.part.paper !== 'label' && input.doc.kind !== 'label'
  const timeZone = 'order' in doc ? { timeZone: doc.order.timeZone } : {}
  const options = { beeps: input.beeps ?? 0, runsOn, ...timeZone }
  return renderDocument((paper) => ticketLines(input, paper), profile, { raster, ...options })
}

/** @throws Error for a printer without a drawer: the job was sent to the wrong one */
function drawerTicket(profile: PrinterProfile): RenderedTicket {
  const bytes = drawerBytes(profile)
  if (bytes === null) throw new Error(`A printer of profile "${profile.id}" has no drawer`)
  return { bytes, heightMm: 0, lines: 0, unprintable: 0 }
}

/** Replaces the sheet on printers without characters of their own. */
const NO_CODE_PAGES = { title: 'CODE PAGES', lines: ['All text is drawn on this printer: there is nothing to pick.'] }

function ticketLines(input: JobTicketInput, paper: TicketPaper): TicketLine[] {
  const { doc, kind, ...facts } = input
  const isVoid = kind === 'void'
  const isReprint = facts.marks.isReprint === true || kind === 'reprint'
  const marks = { ...facts.marks, isReprint, isTest: isTestOrder(doc) }
  switch (doc.kind) {
    case 'order':
    case 'fire':
    case 'reprint':
      return orderLines({ ...input, marks }, doc, paper)
    case 'note':
    case 'receipt':
    case 'label':
      return noteTicketLines({ ...facts, marks, kind: isVoid ? 'void' : doc.kind, print: doc.print }, paper)
    case 'slip':
    case 'test':
      return localTicketLines({ ...facts, marks, doc }, paper)
    case 'code-pages':
      return localTicketLines({ ...facts, marks, doc: { ...doc, kind: 'slip', ...NO_CODE_PAGES } }, paper)
    case 'drawer':
    case 'board':
      return []
  }
}

/** The kitchen ticket of an order, its receipt, or the label of one piece. Only kitchen tickets have a VOID slip. */
function orderLines(
  { part, kind, logo, ...facts }: JobTicketInput,
  doc: Extract<StoredDoc, { kind: 'order' | 'fire' | 'reprint' }>,
  paper: TicketPaper,
): TicketLine[] {
  const { order } = doc
  const { station, alsoAt, piece, copy } = part
  const items = part.items.flatMap((index) => order.items[index] ?? [])
  const pieceAndCopy = { ...(piece ? { piece } : {}), ...(copy ? { copy } : {}) }
  if (part.paper === 'receipt' && kind !== 'void')
    return receiptTicketLines({ ...facts, ...pieceAndCopy, order, ...(logo ? { logo } : {}) }, paper)
  if (part.paper === 'label' && kind !== 'void')
    return items.flatMap((item) => labelTicketLines({ ...facts, ...pieceAndCopy, order, item }, paper))
  const ticketKind = kind === 'void' ? 'void' : doc.kind
  const fired = doc.kind === 'fire' ? { fired: { course: doc.course, atMs: doc.firedAtMs } } : {}
  const later = part.later?.flatMap((index) => order.items[index] ?? []) ?? []
  const why = part.voidReason === undefined ? {} : { voidReason: part.voidReason }
  const courses = { ...fired, ...why, later: kind === 'void' ? [] : later }
  return kitchenTicketLines(
    { ...facts, ...pieceAndCopy, ...courses, kind: ticketKind, order, items, station, alsoAt },
    paper,
  )
}

/** Pulse of ESC p: 100 ms on, 500 ms off, in units of 2 ms. */
const PULSE_ON = 50
const PULSE_OFF = 250

/** The document that opens the cash drawer: one pulse at the first drawer and nothing else. Null for a printer without a drawer. The transport initializes the printer first, as always. */
export function drawerBytes(profile: Pick<PrinterProfile, 'drawer' | 'dialect'>): Uint8Array | null {
  switch (profile.drawer) {
    case 'esc-p': // A Daruma's has no parameters: they would be printed.
      return profile.dialect === 'eb-daruma'
        ? Uint8Array.of(0x1b, 0x70)
        : Uint8Array.of(0x1b, 0x70, 0, PULSE_ON, PULSE_OFF)
    case 'bel': // Star: external device 1, with the pulse that is set at the printer (200 ms from the factory)
      return Uint8Array.of(0x07)
    case 'none':
      return null
  }
}
