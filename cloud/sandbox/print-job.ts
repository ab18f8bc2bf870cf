// How a simulated kitchen prints one job: the tickets that would be on paper, and its printers' answers. Pure.
import type { FinalState } from '#cloud/storage/dispatch-states.ts'
import type { EpochMs } from '#shared/clock.ts'
import type { PrintJobId } from '#shared/ids.ts'
import type { TicketEvidence } from '#shared/print-job.ts'
import { profileById } from '#shared/tickets/printer-profiles.ts'
import { renderJobTicket } from '#shared/tickets/render-job.ts'
import type { RenderedTicket } from '#shared/tickets/render-ticket.ts'
import type { Route, TicketPart } from '#shared/tickets/route.ts'
import { routeJob } from '#shared/tickets/route-job.ts'
import type { TextRaster } from '#shared/tickets/text-raster.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { simulatedProfileId } from './fixture-merchants.ts'

/** A ticket that reaches the kitchen later than this carries the LATE banner, as a gateway's does. */
const LATE_AFTER_MS = 600_000

export interface JobToPrint {
  jobId: PrintJobId
  /** Null: it cannot be read. Such a job fails, as at a gateway. */
  doc: JobDoc | null
  /** The default printer first. */
  routes: readonly Route[]
  notBeforeMs: EpochMs | null
  possibleDuplicate: boolean
  nowMs: EpochMs
  /** Draws what the printer has no characters for; null: such characters are transliterated. */
  raster: TextRaster | null
}

/** Paper that came out of a printer. */
export interface PrintedTicket {
  ticketId: string
  printerId: string
  printerName: string
  kind: Exclude<JobDoc['kind'], 'board'> | 'void'
  profileId: string
  bytes: Uint8Array
  /** Its text, when some of it was drawn; null: the bytes tell it. */
  text: string | null
}

/** The job on paper, each ticket confirmed as by a printer that answers GS ( H. */
export async function printJob(job: JobToPrint): Promise<{
  state: FinalState
  paper: PrintedTicket[]
  evidence: TicketEvidence[]
}> {
  const { doc } = job
  // A simulated kitchen has no displays and is given no job for them.
  if (doc === null || doc.kind === 'board') return { state: 'failed', paper: [], evidence: [] }
  const paper: PrintedTicket[] = []
  const evidence: TicketEvidence[] = []
  for (const routed of routedParts(job)) {
    const rendered = await render(job, doc, { part: routed, kind: doc.kind })
    if (rendered !== null) paper.push(ticketOf(routed, doc.kind, rendered))
    evidence.push(evidenceOf(job, routed, rendered))
  }
  return { state: evidence.every(({ state }) => state === 'printed') ? 'printed' : 'failed', paper, evidence }
}

function evidenceOf(job: JobToPrint, routed: RoutedPart, rendered: RenderedTicket | null): TicketEvidence {
  return rendered === null
    ? { ...unprinted(routed), state: 'failed', attempts: 1, reason: 'layout-error' }
    : {
        ...unprinted(routed),
        state: 'printed',
        attempts: 1,
        confirmation: 'confirmed',
        method: 'gs-paren-h',
        firstByteAtMs: job.nowMs,
        printedAtMs: job.nowMs,
        possibleDuplicate: job.possibleDuplicate,
        unprintable: rendered.unprintable,
      }
}

/** Evidence of a job that was taken back, or came too late, before anything was printed. */
export function unprintedEvidence(job: JobToPrint, reason: 'cancelled' | 'expired'): TicketEvidence[] {
  return routedParts(job).map((routed) => ({ ...unprinted(routed), state: 'cancelled', attempts: 0, reason }))
}

/** The VOID slips, one for each ticket of a job that was cancelled after it was printed. */
export async function voidSlips(job: JobToPrint, reason: string | null): Promise<PrintedTicket[]> {
  const slips: PrintedTicket[] = []
  for (const { part, ...where } of routedParts(job)) {
    const routed = { ...where, part: reason === null ? part : { ...part, voidReason: reason } }
    const slip = job.doc === null ? null : await render(job, job.doc, { part: routed, kind: 'void' })
    if (slip !== null) slips.push({ ...ticketOf(routed, 'void', slip), ticketId: `${routed.ticketId}v` })
  }
  return slips
}

interface RoutedPart {
  ticketId: string
  part: TicketPart
  printerName: string
}

function routedParts({ jobId, doc, routes }: JobToPrint): RoutedPart[] {
  if (doc === null) return []
  return routeJob(doc, routes).map((part, index) => ({
    ticketId: `${jobId}-${index + 1}`,
    part,
    printerName: routes.find((route) => route.printerId === part.printerId)?.name ?? '',
  }))
}

/** Null when the ticket cannot be laid out: one job must not stop the kitchen. */
async function render(
  job: JobToPrint,
  doc: JobDoc,
  { part: { ticketId, part, printerName }, kind }: { part: RoutedPart; kind: PrintedTicket['kind'] },
): Promise<RenderedTicket | null> {
  try {
    return await renderJobTicket(
      {
        doc,
        part,
        kind,
        printerName,
        marks: {
          possibleDuplicate: job.possibleDuplicate,
          lateSinceMs: kind === 'order' || kind === 'fire' ? lateSince(job, doc) : null,
        },
        ticketLabel: `${job.jobId.slice(-4)}${ticketId.slice(job.jobId.length)}`.toUpperCase(),
        attempt: 1,
        nowMs: job.nowMs,
      },
      profileById(simulatedProfileId(part.printerId)),
      job.raster,
    )
  } catch {
    return null
  }
}

function lateSince({ notBeforeMs, nowMs }: JobToPrint, doc: JobDoc): EpochMs | null {
  if (!('order' in doc)) return null
  const sentAtMs = doc.kind === 'fire' ? doc.firedAtMs : Math.max(doc.order.queuedAtMs, doc.order.fireAtMs ?? 0)
  const dueAtMs = Math.max(sentAtMs, notBeforeMs ?? 0)
  return nowMs - dueAtMs > LATE_AFTER_MS ? dueAtMs : null
}

function ticketOf(
  { ticketId, part: { printerId }, printerName }: RoutedPart,
  kind: PrintedTicket['kind'],
  { bytes, text }: RenderedTicket,
): PrintedTicket {
  return { ticketId, printerId, printerName, kind, profileId: simulatedProfileId(printerId), bytes, text: text ?? null }
}

function unprinted({ ticketId, part, printerName }: RoutedPart) {
  return {
    ticketId,
    printerId: part.printerId,
    printerName,
    confirmation: null,
    method: null,
    firstByteAtMs: null,
    printedAtMs: null,
    possibleDuplicate: false,
    reason: null,
  }
}
