// The slip that closes a ticket which a broken connection left half-printed: a piece of paper of its own, never part of an attempt.
import { bestMethod, isProof } from './confirm-ladder.ts'
import { Delivery, type Ticket } from './delivery.ts'
import { lost, type NotReady } from './make-ready.ts'
import type { Printer } from './printer.ts'
import type { DocumentFrame } from './printer-language.ts'
import type { StatusConnection } from './status-connection.ts'

/**
 * Slips of one printer until it prints a ticket without fault. One that resets at each cut would print nothing but slips; without another one a
 * part of a ticket may be above the next, which has POSSIBLE DUPLICATE itself.
 */
const MOST_SLIPS = 3
const SLIP = { heightMm: 20, lines: 2 } as const

/**
 * Prints the slip, if one is due, and waits until the printer has proved it; so a printer that fails at it has got no byte of the next
 * ticket. Null: nothing is incomplete any more, or nothing can prove a slip here (`markedFrame` then puts the mark before the ticket).
 */
export async function closeIncomplete<C extends StatusConnection>(
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

/** The frame of the ticket. The mark is before it if a slip of its own could not be proved. */
export function markedFrame<C extends StatusConnection>(
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
