// A ticket that a virtual printer has cut: what tests and `npm start` get to read.
import type { PaperTicket } from '#shared/escpos/paper-ticket.ts'
import type { CutTicket } from './virtual-printer-mechanism.ts'

/** One cut piece of paper. Times are epoch milliseconds. */
export interface VirtualTicket {
  text(): string
  receivedAtMs: number
  cutAtMs: number
  /** Which connection brought it, counted from 1. */
  connection: number
  drawerPulses: number
  beeps: number
  /** The paper with its styles; null when only texts are kept. */
  paper: PaperTicket | null
}

/** The ticket with its paper. */
export function ticketOf({ paper, receivedAtMs, cutAtMs, client }: CutTicket): VirtualTicket {
  const { drawerPulses, beeps } = paper
  const facts = { receivedAtMs, cutAtMs, connection: client.number, drawerPulses, beeps }
  // Read once: judges of thousands of tickets ask for all of them again and again.
  let text: string | null = null
  return {
    ...facts,
    text: () => {
      text ??= paper.text()
      return text
    },
    paper,
  }
}

/** The same without the paper; its closure must not hold it either. */
export function textOf(cut: CutTicket): VirtualTicket {
  return { ...ticketOf(cut), text: constant(cut.paper.text()), paper: null }
}

function constant(text: string): () => string {
  return () => text
}
