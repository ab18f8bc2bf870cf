// orders and report: orders by the number on paper, with their full history; how long they took and how many were late.
import type { OrderHistoryAnswer } from '#gateway/control/answers.ts'
import type { OrderAnswer, OrderMomentAnswer } from '#gateway/control/order-answers.ts'
import type { ReportAnswer, ReportRow } from '#gateway/control/report-answers.ts'
import { LineError, oneOf, text, wholeNumber, word } from '#shared/cli/command.ts'
import { facts, table } from '#shared/cli/terminal.ts'
import type { AgeThresholds } from '#shared/kitchen-times.ts'
import { plain } from '#shared/terminal-text.ts'
import { type Command, EXIT } from './command.ts'

const STATES = ['waiting', 'trouble', 'printed', 'scheduled', 'ready', 'voided'] as const
const GROUPS = ['day', 'hour', 'weekday', 'type', 'station', 'printer'] as const
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

export const orderCommands: readonly Command[] = [
  {
    name: 'orders list',
    usage: '',
    summary: 'List orders, newest first, or those that match a search',
    options: {
      search: { value: '<words>', text: 'Number (#64), guest, dish or id; all words must fit' },
      state: { value: `<${STATES.join('|')}>`, text: 'Only in this state; trouble: somebody has to look' },
      limit: { value: '<1-100>', text: 'So many; 50 without it' },
      before: { value: '<n>', text: 'The next page, as the page before names it' },
    },
    examples: ['', '--search "#64"', '--search burger --limit 5', '--state trouble'],
    run: async (line) => {
      const state = text(line, 'state')
      const page = await line.call('orders.list', {
        search: text(line, 'search') ?? '',
        state: state === undefined ? undefined : oneOf('--state', STATES, state),
        limit: wholeNumber(line, 'limit') ?? 50,
        before: wholeNumber(line, 'before'),
      })
      const rows = page.orders.map((order) => [
        numberOf(order),
        order.clientOrderId,
        [order.orderType, order.table].filter(Boolean).join(' '),
        order.items.join(', '),
        standingOf(order),
        order.receivedAt,
      ])
      const headings = ['order', 'client id', 'type', 'items', 'state', 'received']
      const more = page.next === null ? '' : `\nMore, before ${page.lookedBackTo}: orders list --before ${page.next}`
      return { data: page, text: `${table(headings, rows, 'No orders.')}${more}` }
    },
  },
  {
    name: 'orders show',
    usage: '<order>',
    summary: 'Show one order by its number or id: tickets, displays and cooks in one timeline',
    options: {},
    examples: ['64', "'#64'", 'WEB-1042'],
    run: async (line) => {
      const order = await line.call('orders.show', { order: word(line, 0) })
      return { data: order, text: orderStory(order) }
    },
  },
  {
    name: 'report',
    usage: '',
    summary: 'Show how long orders took and how many were late, or what each printer printed',
    options: {
      from: { value: '<day>', text: 'First day, such as 2026-11-01' },
      to: { value: '<day>', text: 'Last day; the first one without it' },
      by: { value: `<${GROUPS.join('|')}>`, text: 'One row for each; day without it' },
      csv: { text: 'As CSV, for a spreadsheet' },
    },
    examples: [
      '--from 2026-11-01 --to 2026-11-30 --by station',
      '--from 2026-11-01 --to 2026-11-30 --by hour --csv > report.csv',
    ],
    run: async (line) => {
      const from = text(line, 'from')
      if (from === undefined) throw new LineError('--from names the first day, such as 2026-11-01', EXIT.usage)
      const query = { from, to: text(line, 'to') ?? from, by: oneOf('--by', GROUPS, text(line, 'by') ?? 'day') }
      if (line.options['csv'] === true) {
        const file = await line.call('report.csv', query)
        return { data: file, text: file.text.trimEnd() }
      }
      const report = await line.call('report.get', query)
      return { data: report, text: reportText(report) }
    },
  },
]

/** For people: everything that is kept of the order. */
export function orderStory(order: OrderHistoryAnswer): string {
  const lines = order.lineList.map(({ qty, name, station, modifiers, struckAt }) => [
    qty,
    [name, ...modifiers].join(', '),
    station,
    struckAt,
  ])
  const tickets = order.ticketList.map(({ ticketId, kind, printer, state, reason }) => [
    ticketId,
    kind,
    printer,
    reason === null ? state : `${state}: ${reason}`,
  ])
  const head = facts([
    ['order', numberOf(order)],
    ['client id', order.clientOrderId],
    ['id', order.serviceOrderId],
    ['type', [order.orderType, order.table].filter(Boolean).join(' ')],
    ['guest', order.guest],
    ['source', order.source],
    ['state', standingOf(order)],
    ['promised', order.readyBy],
    ['called off', order.voidedAt === null ? null : [order.voidedAt, order.voidReason].filter(Boolean).join(' ')],
  ])
  return [
    head,
    '',
    table(['qty', 'item', 'station', 'struck off'], lines, 'Its row is damaged.'),
    '',
    table(['ticket', 'kind', 'printer', 'state'], tickets, 'It has no tickets.'),
    '',
    table(['at', 'after', 'what', 'where', 'by'], order.timeline.map(momentCells), 'Nothing has happened yet.'),
  ].join('\n')
}

function momentCells({ at, afterMs, step, where, attempt, by }: OrderMomentAnswer): unknown[] {
  return [
    at,
    `+${Math.round(afterMs)} ms`,
    attempt !== null && attempt > 1 ? `${step} (try ${attempt})` : step,
    where,
    by,
  ]
}

function numberOf({ number, isTest }: Pick<OrderAnswer, 'number' | 'isTest'>): string {
  return plain(`#${number}${isTest ? ' (test)' : ''}`)
}

function standingOf({ tickets, voidedAt, readyAt, pickedUpAt, isWithoutPaper }: OrderAnswer): string {
  if (voidedAt !== null) return 'voided'
  const kitchen = pickedUpAt !== null ? 'picked up' : readyAt !== null ? 'ready' : ''
  const paper = (['trouble', 'waiting', 'printed', 'cancelled'] as const).flatMap((state) =>
    tickets[state] === 0 ? [] : `${tickets[state]} ${state}`,
  )
  return [kitchen, ...(isWithoutPaper ? ['screens only'] : paper)].filter((words) => words !== '').join(', ')
}

/** For people, with what counts as late below it. */
export function reportText(report: ReportAnswer): string {
  const { by, from, to, total, rows, printers, thresholds } = report
  const none = `Nothing is known of ${from} to ${to}.`
  if (by === 'printer') {
    const cells = printers.map(({ name, printed, copies, doubts, failed, p50Ms, p90Ms }) => [
      ...[name, printed, copies, doubts, failed],
      ...[seconds(p50Ms), seconds(p90Ms)],
    ])
    return table(['printer', 'tickets', 'copies', 'doubts', 'failed', 'half', 'nine of ten'], cells, none)
  }
  const cells = rows.map((row) => rowCells(by === 'weekday' ? (DAYS[Number(row.key) - 1] ?? row.key) : row.key, row))
  const all = total.orders === 0 ? [] : [rowCells('all', total)]
  const text = table([by, 'orders', 'half', 'nine of ten', 'late', 'called off'], [...cells, ...all], none)
  return total.orders === 0 ? text : `${text}\n${lateText(thresholds)}`
}

function lateText(thresholds: AgeThresholds): string {
  const { lateMin } = thresholds.usual
  const others = Object.entries(thresholds).flatMap(([type, own]) =>
    own === undefined || own.lateMin === lateMin ? [] : `, ${type} ${own.lateMin}`,
  )
  return `Late: after the promised time, or without one after ${lateMin} minutes${others.join('')}, as the box is set now.`
}

function rowCells(name: string, { orders, timed, p50Ms, p90Ms, late, voided }: ReportRow): unknown[] {
  const share = timed === 0 ? '-' : `${late} (${Math.round((100 * late) / timed)} %)`
  return [name, orders, seconds(p50Ms), seconds(p90Ms), share, voided]
}

function seconds(ms: number | null): string {
  if (ms === null) return '-'
  const all = Math.round(ms / 1_000)
  return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, '0')}`
}
