// route: the routing rules, and where an order would go and why.

import type { OperationBody } from '#gateway/control/operations.ts'
import { LineError, text, word } from '#shared/cli/command.ts'
import { readJson } from '#shared/cli/read-input.ts'
import { table } from '#shared/cli/terminal.ts'
import { plain } from '#shared/terminal-text.ts'
import type { WhatIf, WhatIfTicket } from '#shared/tickets/what-if.ts'
import { type Command, EXIT } from './command.ts'

export const routeCommands: readonly Command[] = [
  {
    name: 'route rules',
    usage: '',
    summary: 'Show the routing rules; with --json as the document that route set takes',
    options: {},
    examples: ['', '--json > rules.json'],
    run: async ({ call }) => {
      const { rules } = await call('routing.get', {})
      const rows = rules.map(({ name, when, print, stop }, index) => [
        index + 1,
        name,
        Object.entries(when).map(([field, value]) => `${field} ${value}`),
        print.printerIds,
        print.paper,
        stop,
      ])
      const headings = ['', 'rule', 'when', 'prints at', 'paper', 'stop']
      return { data: rules, text: table(headings, rows, 'No rules: stations and the default printer decide.') }
    },
  },
  {
    name: 'route set',
    usage: '<file>',
    summary: 'Replace the routing rules by those in a JSON file; - reads standard input',
    options: {},
    examples: ['rules.json'],
    run: async (line) => {
      const rules = readJson(word(line, 0)) as OperationBody<'routing.put'>['rules']
      const saved = await line.call('routing.put', { rules })
      return { data: saved.rules, text: `${saved.rules.length} rules are in force.` }
    },
  },
  {
    name: 'route what-if',
    usage: '[file]',
    summary: 'Show where an order would go, and why; prints nothing',
    options: {
      ticket: { value: '<ticket>', text: 'The order of this ticket instead of a file' },
      rules: { value: '<file>', text: 'Rules to try, instead of those in force' },
    },
    examples: ['order.json', '--ticket pj_01jd3k5v8wz9x0y1a2b3c4d5e6-1 --rules rules.json'],
    run: async (line) => {
      const [file] = line.words
      const ticketId = text(line, 'ticket')
      const rulesFile = text(line, 'rules')
      if ((file === undefined) === (ticketId === undefined))
        throw new LineError('Give a file with an order, or --ticket.', EXIT.usage)
      const answer = await line.call('routing.what-if', {
        order: file === undefined ? undefined : readJson(file),
        ticketId,
        rules: rulesFile === undefined ? undefined : (readJson(rulesFile) as OperationBody<'routing.put'>['rules']),
      })
      return { data: answer, text: wordsOf(answer) }
    },
  },
]

function wordsOf({ tickets, notes, printsNow }: WhatIf): string {
  const parts = tickets.map((ticket) => [titleOf(ticket), ...ticket.why.map((why) => `    ${plain(why)}`)].join('\n'))
  const end = printsNow ? 'It would print now.' : 'It would not print now.'
  return [...parts, ...notes.map(plain), end].join('\n')
}

function titleOf({ printerName, paper, items, alsoAt, piece, copy, waitsFor }: WhatIfTicket): string {
  const what = items.map(({ name, qty }) => `${qty} ${name}`).join(', ')
  const marks = [
    piece ? `${piece.n}/${piece.of}` : '',
    copy ? `copy ${copy.n}/${copy.of}` : '',
    alsoAt.length === 0 ? '' : `also at ${alsoAt.join(', ')}`,
    waitsFor === null ? '' : `waits for: ${waitsFor}`,
  ].filter((mark) => mark !== '')
  return plain([`${printerName === '' ? 'no printer yet' : printerName}, ${paper}: ${what}`, ...marks].join('; '))
}
