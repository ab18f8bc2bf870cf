// jobs: list tickets, show the history of each, cancel, print again, declare what is on paper.

import type { TicketHistoryAnswer } from '#gateway/control/answers.ts'
import { type Output, oneOf, text, wholeNumber, word } from '#shared/cli/command.ts'
import { facts, table } from '#shared/cli/terminal.ts'
import { isShownMarked, SETTLED_BEFORE } from '#shared/settled-before.ts'
import { plain } from '#shared/terminal-text.ts'
import { charactersOf } from '#shared/tickets/stand-in.ts'
import type { Command, Line } from './command.ts'
import { orderStory } from './order-commands.ts'

const STATES = ['held', 'queued', 'sending', 'parked', 'printed', 'failed', 'cancelled', 'uncertain'] as const
const ANSWERS = ['print', 'on-paper', 'dismiss'] as const

export const jobCommands: readonly Command[] = [
  {
    name: 'jobs list',
    usage: '',
    summary: 'List tickets, newest first',
    options: {
      order: { value: '<order>', text: 'Only of this order: its number, or an id' },
      printer: { value: '<printer>', text: 'Only of this printer' },
      state: { value: `<${STATES.join('|')}>`, text: 'Only in this state' },
      limit: { value: '<1-200>', text: 'So many; 50 without it' },
      before: { value: '<n>', text: 'The next page, as the page before names it' },
    },
    examples: ['', '--order 64', '--state parked', '--printer Grill --limit 10'],
    run: async (line) => {
      const state = text(line, 'state')
      const page = await line.call('jobs.list', {
        order: text(line, 'order'),
        printer: text(line, 'printer'),
        state: state === undefined ? undefined : oneOf('--state', STATES, state),
        limit: wholeNumber(line, 'limit') ?? 50,
        before: wholeNumber(line, 'before'),
      })
      const rows = page.tickets.map((ticket) => [
        ticket.ticketId,
        ticket.orderNumber === '' ? '' : `#${ticket.orderNumber}`,
        ticket.orderId,
        ticket.kind === ticket.paper ? ticket.kind : `${ticket.kind} ${ticket.paper}`,
        ticket.printer,
        ...(ticket.reason === SETTLED_BEFORE
          ? ['settled before', 'the relay']
          : [ticket.state, ticket.reason ?? ticket.method]),
        isShownMarked(ticket),
        ticket.receivedAt,
      ])
      const headings = ['ticket', 'order', 'client id', 'kind', 'printer', 'state', 'by', 'marked', 'received']
      const more = page.next === null ? '' : `\nMore: jobs list --before ${page.next}`
      return { data: page, text: `${table(headings, rows, 'No tickets.')}${more}` }
    },
  },
  {
    name: 'jobs show',
    usage: '<ticket|order>',
    summary:
      'Show one ticket with every step, attempt and routing decision, timed in milliseconds; or an order by its number',
    options: {},
    examples: ['pj_01jd3k5v8wz9x0y1a2b3c4d5e6-1', '64'],
    run: async (line) => (word(line, 0).startsWith('pj_') ? await ticketShown(line) : await orderShown(line)),
  },
  {
    name: 'jobs cancel',
    usage: '<ticket>',
    summary: 'Cancel a waiting ticket',
    options: {},
    examples: ['pj_01jd3k5v8wz9x0y1a2b3c4d5e6-1'],
    run: async (line) => {
      const ticket = await line.call('jobs.cancel', { ticketId: word(line, 0) })
      return { data: ticket, text: `The ticket is ${ticket.state}.` }
    },
  },
  {
    name: 'jobs move',
    usage: '<ticket> <printer>',
    summary: 'Move one waiting ticket to another printer',
    options: {},
    examples: ['pj_01jd3k5v8wz9x0y1a2b3c4d5e6-1 Fry'],
    run: async (line) => {
      const ticket = await line.call('jobs.move', { ticketId: word(line, 0), printer: word(line, 1) })
      return { data: ticket, text: `The ticket is ${ticket.state} at ${ticket.printer}.` }
    },
  },
  {
    name: 'jobs reprint',
    usage: '<ticket>',
    summary: 'Print a ticket again, marked REPRINT',
    options: { printer: { value: '<printer>', text: 'At another printer' } },
    examples: ['pj_01jd3k5v8wz9x0y1a2b3c4d5e6-1', 'pj_01jd3k5v8wz9x0y1a2b3c4d5e6-1 --printer Fry'],
    run: async (line) => {
      const queued = await line.call('jobs.reprint', { ticketId: word(line, 0), printer: text(line, 'printer') })
      return { data: queued, text: `Queued as ${queued.ticketId}.` }
    },
  },
  {
    name: 'jobs resolve',
    usage: '<ticket> <print|on-paper|dismiss>',
    summary: 'Decide about a ticket that waits for a person: print it, mark it as printed, or drop it',
    options: {},
    examples: ['pj_01jd3k5v8wz9x0y1a2b3c4d5e6-1 on-paper'],
    run: async (line) => {
      const how = oneOf('the answer', ANSWERS, word(line, 1))
      const ticket = await line.call('jobs.resolve', { ticketId: word(line, 0), how })
      return { data: ticket, text: `The ticket is ${ticket.state}.` }
    },
  },
  {
    name: 'jobs release',
    usage: '<printer>',
    summary: 'Print all tickets of a printer that wait for a person',
    options: {},
    examples: ['Grill'],
    run: async (line) => {
      const released = await line.call('printers.release', { printer: word(line, 0) })
      return { data: released, text: `${released.tickets} tickets print now.` }
    },
  },
]

async function ticketShown(line: Line): Promise<Output> {
  const ticket = await line.call('jobs.show', { ticketId: word(line, 0) })
  return { data: ticket, text: storyOf(ticket) }
}

/** All of its tickets; of an order with one ticket that one's own story too. */
async function orderShown(line: Line): Promise<Output> {
  const order = await line.call('orders.show', { order: word(line, 0) })
  const [only] = order.ticketList
  const story = only && order.ticketList.length === 1 ? `\n\n${storyOf(only)}` : ''
  return { data: order, text: `${orderStory(order)}${story}` }
}

function storyOf(ticket: TicketHistoryAnswer): string {
  const head = facts([
    ['ticket', ticket.ticketId],
    ['job', ticket.printJobId],
    ['order', ticket.orderNumber === '' ? null : `#${ticket.orderNumber}`],
    ['client id', ticket.orderId],
    ['kind', `${ticket.kind}, ${ticket.paper}`],
    ['printer', ticket.movedFrom === null ? ticket.printer : `${ticket.printer} for ${ticket.movedFrom}`],
    ['state', stateOf(ticket)],
    ['proof', ticket.confirmation === null ? null : `${ticket.confirmation} by ${ticket.method}`],
    ['marked', isShownMarked(ticket) ? 'POSSIBLE DUPLICATE' : null],
    ['not printed', ticket.unprintable ? charactersOf(ticket.unprintable) : null],
  ])
  const timeline = ticket.timeline.map(({ at, afterMs, step, attempt, by }) => [
    at,
    `+${Math.round(afterMs)} ms`,
    step,
    attempt === null ? '' : `try ${attempt}`,
    by,
  ])
  const failed = ticket.attemptList.filter(({ detail }) => detail !== null && detail !== '')
  return [
    head,
    '',
    table(['at', 'after', 'what', 'attempt', 'by'], timeline, 'Nothing has happened yet.'),
    ...failed.map(({ attempt, printer, detail }) => plain(`try ${attempt} at ${printer}: ${detail}`)),
    ...(ticket.trace.length === 0 ? [] : ['', 'Why it went there:', ...ticket.trace.map((why) => `  ${plain(why)}`)]),
  ].join('\n')
}

function stateOf({ state, reason }: TicketHistoryAnswer): string {
  if (reason === SETTLED_BEFORE)
    return 'settled before: the relay already had its result, so it was not printed from this copy of the disk'
  return reason === null ? state : `${state}: ${reason}`
}
