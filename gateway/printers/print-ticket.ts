// Walk 8/10: comes from shared/tickets/kitchen-ticket.ts, goes on to gateway/link/cloud-link.ts. One attempt to print one ticket, from connecting to the proof, in any printer language, and its result.
import { logWalk } from '#shared/log.ts'
import { bestMethod, isProof } from './confirm-ladder.ts'
import { Delivery, type Failure, type Ticket } from './delivery.ts'
import { keepConnection, letGoUnproved } from './keep-connection.ts'
import { askStatus, connect, introduce, lost, type NotReady, verify } from './make-ready.ts'
import type { Printer } from './printer.ts'
import type { DocumentFrame } from './printer-language.ts'
import { FINE } from './printer-status.ts'
import type { StatusConnection } from './status-connection.ts'
import type { SendOutcome } from './transport.ts'

/** Number of whole tickets in a row after which another one will not prove more: a weak power supply resets the printer at each cut. */
const MOST_DROPPED = 3

type Printed = Extract<SendOutcome, { kind: 'printed' }>
type Uncertain = Extract<SendOutcome, { kind: 'uncertain' }>

/** Call it one at a time for each printer. Never rejects. */
export async function printTicket<C extends StatusConnection>(
  printer: Printer<C>,
  ticket: Ticket,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const startedAtMs = printer.clock.monotonicMs()
  // 1. Reach the printer, read its status, check that it answers in order, identify a new one. It gets no byte of the ticket before that.
  const notReady =
    (await connect(printer, signal)) ??
    (await askStatus(printer, 'ticket', signal)) ??
    (await verify(printer, 'ticket', signal)) ??
    (await introduce(printer, 'ticket', signal))
  if (notReady) keepConnection(printer)
  if (notReady) return { kind: 'not-sent', readiness: notReady }
  const connection = printer.slot.current
  if (!connection?.open) return { kind: 'not-sent', readiness: lost(printer, connection) }
  // An incomplete ticket is closed first, with a separate slip: if that fails, nothing of this ticket was sent.
  const notClosed = await closeIncomplete(printer, connection, { attemptId: ticket.attemptId, signal })
  if (notClosed) return { kind: 'not-sent', readiness: notClosed, slipUnproved: true }

  // 2. Send: initialization, the document, and after its cut the proving query.
  const { document } = ticket
  const frame = markedFrame(printer, connection, ticket)
  const delivery = new Delivery({ printer, connection, document, frame, signal })
  // 3. Wait for the proof, as long as the printer may need, and judge.
  const failure = (await delivery.send()) ?? (await delivery.prove())
  const outcome = failure
    ? uncertain(delivery, failure, mayYetProve(printer, frame, delivery))
    : printed(delivery, frame, printer.clock.now())

  // 4. Settle: record the state of the printer and what the next ticket must begin with. Then keep or close the connection.
  if (outcome.kind === 'printed') settlePrinted(printer, connection)
  else await settleUncertain(printer, { connection, delivery }, outcome)
  logAttempt(printer, ticket, { outcome, startedAtMs })
  return outcome
}

function printed({ instants }: Delivery, { method }: DocumentFrame, printedAtMs: number): Printed {
  return {
    kind: 'printed',
    confirmation: isProof(method) ? 'confirmed' : 'assumed',
    method,
    ...instants,
    printedAtMs,
  }
}

function uncertain({ instants, bytesWritten }: Delivery, { reason, detail }: Failure, answering: boolean): Uncertain {
  return { kind: 'uncertain', reason, detail, ...instants, bytesWritten, answering }
}

/** True if a further copy of a ticket without proof may be proved. */
function mayYetProve<C extends StatusConnection>(
  { dropped }: Printer<C>,
  { method, isKnownToAnswer }: DocumentFrame,
  { hasHalfClosed, isDropped }: Delivery,
): boolean {
  // Everything was delivered, and the end of the connection is this printer's only evidence.
  if (method === 'dle-eot' && hasHalfClosed) return false
  if (isDropped && dropped + 1 >= MOST_DROPPED) return false
  return isKnownToAnswer
}

function settlePrinted<C extends StatusConnection>(printer: Printer<C>, connection: C): void {
  printer.mayStandUncut = false
  printer.slips = 0
  printer.dropped = 0
  printer.health.report(connection.condition ?? FINE)
  if (connection.open) keepConnection(printer)
  else printer.slot.drop()
}

async function settleUncertain<C extends StatusConnection>(
  printer: Printer<C>,
  { connection, delivery }: { connection: C; delivery: Delivery },
  outcome: Uncertain,
): Promise<void> {
  printer.dropped = delivery.isDropped ? printer.dropped + 1 : 0
  printer.mayStandUncut = true
  printer.mayWaitForParameters = true
  const isUnproved = outcome.reason === 'timed-out' && connection.end === null
  if (isUnproved) printer.language.proofFailed(connection)
  if (outcome.reason !== 'shutdown' && !connection.condition?.blocked) {
    printer.health.failed(isUnproved ? 'not-responding' : outcome.reason)
  }
  await letGoUnproved(printer, connection, outcome)
}

function logAttempt<C extends StatusConnection>(
  { clock, log }: Printer<C>,
  { document, attemptId }: Ticket,
  { outcome, startedAtMs }: { outcome: Printed | Uncertain; startedAtMs: number },
): void {
  const { kind, firstByteAtMs: _, connectedAtMs: __, lastByteAtMs: ___, ...facts } = outcome
  const ids = { walk: '8/10', ...document.trace, attemptId }
  const line = { ...ids, outcome: kind, ...facts, ms: clock.monotonicMs() - startedAtMs }
  logWalk(log, line, kind === 'printed' ? 'the ticket stands on paper' : 'nothing proves that the ticket is on paper')
}

// The slip that closes a ticket which a broken connection left half-printed: a separate piece of paper, never part of an attempt.

/**
 * Maximum number of slips until the printer prints a ticket completely. One that resets at each cut would print nothing but slips; without
 * another one, a part of a ticket may be above the next, which is marked POSSIBLE DUPLICATE itself.
 */
const MOST_SLIPS = 3
const SLIP = { heightMm: 20, lines: 2 } as const

/**
 * Prints the slip, if one is due, and waits until the printer has proved it; so a printer that fails at it has got no byte of the next
 * ticket. Null: nothing is incomplete any more, or nothing can prove a slip here (`markedFrame` then puts the mark before the ticket).
 */
async function closeIncomplete<C extends StatusConnection>(
  printer: Printer<C>,
  connection: C,
  { attemptId, signal }: { attemptId: string; signal: AbortSignal },
): Promise<NotReady | null> {
  if (!isSlipDue(printer) || !isProof(bestMethod(printer.language.capability()))) return null
  const bytes = printer.language.incompleteMark
  const frame = printer.language.frame(connection, { attemptId: `${attemptId}.slip`, documentBytes: bytes.length })
  printer.slips++
  const delivery = new Delivery({ printer, connection, document: { bytes, ...SLIP }, frame, signal })
  const failure = (await delivery.send()) ?? (await delivery.prove())
  if (!failure) {
    printer.mayStandUncut = false
    return null
  }
  printer.mayWaitForParameters = true
  if (connection.end !== null) return lost(printer, connection)
  connection.unconfirmed = true
  printer.slot.retire(true)
  const { reason, detail } = failure
  return connection.condition?.blocked ? { kind: 'blocked', reason, detail } : { kind: 'busy', reason, detail }
}

/** The frame of the ticket. The mark is before it if a separate slip could not be proved. */
function markedFrame<C extends StatusConnection>(
  printer: Printer<C>,
  connection: C,
  { document, attemptId }: Ticket,
): DocumentFrame {
  const { language } = printer
  const mark = isSlipDue(printer) ? language.incompleteMark : null
  const documentBytes = document.bytes.length + (mark?.length ?? 0)
  const frame = language.frame(connection, { attemptId, documentBytes })
  if (mark === null) return frame
  printer.slips++
  return { ...frame, head: Buffer.concat([mark, frame.head]) }
}

function isSlipDue<C extends StatusConnection>({ mayStandUncut, slips }: Printer<C>): boolean {
  return mayStandUncut && slips < MOST_SLIPS
}
