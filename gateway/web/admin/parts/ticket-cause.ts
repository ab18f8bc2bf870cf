// Why a ticket is not on paper, the one cause that counts, and what to do about it. Pure.
import type { PrinterAnswer, TicketHistoryAnswer } from '#gateway/control/answers.ts'
import type { Messages } from '#gateway/web/admin/messages/en.ts'
import { SETTLED_BEFORE } from '#shared/settled-before.ts'
import type { Formats } from '#shared/ui/languages.ts'
import { entry } from '#shared/ui/sentences.ts'
import { lookup, printerStanding, type Standing } from './words.ts'

/** @param printer where it waits; undefined: it is not set up any more. @returns null: it is on paper, or on its way there, or the relay had its result already */
export function ticketCause(
  ticket: TicketHistoryAnswer,
  printer: PrinterAnswer | undefined,
  { t, formats }: { t: Messages; formats: Pick<Formats, 'dateTime'> },
): Standing | null {
  const { state, notBefore, reason } = ticket
  if (reason === SETTLED_BEFORE) return null
  switch (state) {
    case 'held':
      return {
        tone: 'idle',
        words: notBefore === null ? t.job.states.held : t.job.causes.scheduled(formats.dateTime(notBefore)),
        hint: '',
      }
    case 'queued':
      return waitingCause(printer, t)
    case 'parked':
    case 'failed':
    case 'uncertain':
      return { tone: state === 'parked' ? 'warn' : 'bad', ...reasonOf(ticket, t) }
    case 'cancelled':
      return { tone: 'warn', ...reasonOf(ticket, t) }
    default:
      return null
  }
}

function waitingCause(printer: PrinterAnswer | undefined, t: Messages): Standing {
  if (printer === undefined) return { tone: 'bad', words: t.job.causes.noPrinter, hint: t.job.causes.noPrinterHint }
  const { words, hint, tone } = printerStanding(printer, t)
  if (printer.settings.paused || printer.state === 'offline')
    return { tone, words: printer.name + t.common.colon + words, hint }
  return { tone: 'idle', words: t.job.causes.turn(printer.name), hint: '' }
}

function reasonOf({ state, reason, attemptList }: TicketHistoryAnswer, t: Messages): { words: string; hint: string } {
  // Of an attempt that ended in doubt or failed, when the ticket itself names nothing.
  const why = reason ?? attemptList.findLast(({ reason: of }) => of !== null)?.reason ?? null
  const words = why === null ? lookup(t.job.states, state) : lookup({ ...t.printer.reasons, ...t.job.reasons }, why)
  const hint = why === null ? undefined : (entry(t.job.hints, why) ?? entry(t.printer.hints, why))
  return { words, hint: hint ?? entry(t.job.stateHints, state) ?? '' }
}
