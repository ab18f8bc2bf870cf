// The state of printers and tickets, as a tone and words in the page's language. Words of a newer box are shown as they came.
import type { LinkAnswer, NoteAnswer, PrinterAnswer, TicketAnswer } from '#gateway/control/answers.ts'
import type { Messages } from '#gateway/web/admin/messages/en.ts'
import { fromIso } from '#shared/clock.ts'
import { lossKey } from '#shared/health.ts'
import { SETTLED_BEFORE } from '#shared/settled-before.ts'
import type { Tone } from '#shared/ui/parts/mark.tsx'
import { entry, filled, type Written } from '#shared/ui/sentences.ts'

export interface Standing {
  tone: Tone
  words: string
  /** What to do; empty when nothing is to be done. */
  hint: string
}

/** A word of a table by a key from outside. */
export function lookup(table: Readonly<Record<string, string>>, key: string): string {
  return entry(table, key) ?? key.replaceAll('-', ' ')
}

export function printerStanding(printer: PrinterAnswer, t: Messages): Standing {
  const reasons = printer.reasons.filter((reason) => reason !== 'none')
  const [worst] = reasons
  const taker = printer.told.find(({ key }) => key === 'away')?.values['backup']
  const backup = taker === undefined ? undefined : String(taker)
  const hint = worst === undefined ? '' : printerHint(worst, { said: printer.hint, backup }, t)
  const named = reasons.map((reason) => lookup(t.printer.reasons, reason)).join(t.common.comma)
  const withWhy = (words: string) => (named === '' ? words : words + t.common.colon + named)
  if (printer.settings.paused) return { tone: 'warn', words: withWhy(t.printer.paused), hint: t.printer.pausedHint }
  switch (printer.state) {
    case 'online':
      return { tone: worst === undefined ? 'ok' : 'warn', words: withWhy(t.printer.ready), hint }
    case 'offline':
      return { tone: 'bad', words: withWhy(t.printer.notPrinting), hint: hint || printer.hint }
    default:
      return { tone: 'idle', words: t.printer.notAsked, hint: '' }
  }
}

const WAITING_REASONS = new Set(['connecting-to-device', 'timed-out', 'busy'])

/**
 * What to do, and what happens to the tickets.
 * @param said the box's text, used when the page has no sentence
 * @param backup name of the printer that prints its tickets meanwhile
 */
export function printerHint(
  reason: string,
  { said, backup }: { said: string; backup: string | undefined },
  t: Messages,
): string {
  const own = entry<string>(t.printer.hints, reason)
  if (own === undefined) return said
  // No values of a sentence are filled in but the name.
  if (backup !== undefined)
    return spaced(
      own,
      t.health.costs['tickets-at-backup'].other.replace('{backup}', () => backup),
    )
  return WAITING_REASONS.has(reason) ? spaced(own, t.printer.ticketsWait) : own
}

/** Chinese sentences follow one another without a space. */
function spaced(one: string, other: string): string {
  return one.endsWith('。') ? one + other : `${one} ${other}`
}

/** A note without a sentence on the page is shown in the box's words. */
export function noteWords({ key, values, text }: NoteAnswer, t: Messages, formats: Written): string {
  const own = entry(t.printer.notes, key)
  return own === undefined ? text : filled(own, values, formats)
}

export function ticketStanding(ticket: TicketAnswer, t: Messages): Standing {
  const why = ticket.reason === null ? '' : lookup({ ...t.printer.reasons, ...t.job.reasons }, ticket.reason)
  // Whatever state the relay had for it: nothing is missing, and no one needs to check.
  if (ticket.reason === SETTLED_BEFORE) return { tone: 'idle', words: t.job.states[SETTLED_BEFORE], hint: why }
  switch (ticket.state) {
    case 'printed':
      return ticket.confirmation === 'confirmed'
        ? { tone: 'ok', words: t.job.states.confirmed, hint: '' }
        : { tone: 'ok', words: t.job.states.assumed, hint: t.job.assumedHint }
    case 'held':
    case 'queued':
    case 'sending':
      return { tone: 'idle', words: t.job.states[ticket.state], hint: why }
    case 'parked':
      return { tone: 'warn', words: t.job.states.parked, hint: why }
    case 'cancelled':
      return { tone: 'warn', words: t.job.states.cancelled, hint: why }
    case 'uncertain':
      return { tone: 'bad', words: t.job.states.uncertain, hint: why }
    case 'failed':
      return { tone: 'bad', words: t.job.states.failed, hint: why }
    default:
      return { tone: 'idle', words: ticket.state, hint: why }
  }
}

/** Until then a box that has just started, or was just paired, is still connecting. */
const CONNECTING_MS = 15_000

/** @param nowMs the box's time; without it a box that connects is taken for one that could not */
export function linkStanding(
  { state, trouble, detail = '', since = '' }: Pick<LinkAnswer, 'state'> & Partial<LinkAnswer>,
  t: Messages,
  nowMs: number = Number.POSITIVE_INFINITY,
): Standing {
  const { title, text } = t.health.sentences[trouble === 'refused' ? 'relay-refuses' : 'relay-certificate']
  if (state === 'connecting' && trouble) return { tone: 'bad', words: title, hint: text }
  switch (state) {
    case 'connected':
      return { tone: 'ok', words: t.link.connected, hint: '' }
    case 'connecting': {
      if (nowMs - (fromIso(since) ?? 0) < CONNECTING_MS) return { tone: 'idle', words: t.link.trying, hint: '' }
      return { tone: 'warn', words: t.link.connecting, hint: hintOfLoss(detail, t) }
    }
    case 'unpaired':
      return { tone: 'idle', words: t.link.unpaired, hint: t.link.unpairedHint }
    default:
      return { tone: 'bad', words: t.link.unusable, hint: t.link.unusableHint }
  }
}

/** By the system's text for the connection; the same words as in the finding. */
function hintOfLoss(detail: string, t: Messages): string {
  const key = lossKey(detail)
  return key === 'relay-unreachable' ? t.link.connectingHint : t.health.sentences[key].text
}

/** The name of a ticket: its order's number, as on paper; otherwise its kind. */
export function ticketName(
  { orderNumber, ticketId, kind }: Pick<TicketAnswer, 'orderNumber' | 'ticketId' | 'kind'>,
  t: Messages,
) {
  if (orderNumber === '') return entry(t.job.kinds, kind) ?? ticketId
  const number = t.orders.number(orderNumber)
  if (kind === 'test-order') return `${t.job.kinds['test-order']} ${number}`
  if (kind === 'void') return `VOID ${number}`
  return kind === 'reprint' ? `REPRINT ${number}` : number
}
