// printers identify, test, verify, sheet, drawer: the technician's set-up of one printer.

import type { TicketHistoryAnswer } from '#gateway/control/answers.ts'
import { type Output, word } from '#shared/cli/command.ts'
import { facts } from '#shared/cli/terminal.ts'
import { systemClock } from '#shared/clock.ts'
import { type Command, EXIT, type Line } from './command.ts'
import { ALLOW_ADDRESS, addressFrom, allowAddressOf } from './printer-commands.ts'
import { addressOf } from './status-commands.ts'

const ASK_EVERY_MS = 200
const WAIT_MS = 20_000

export const printerPaperCommands: readonly Command[] = [
  {
    name: 'printers identify',
    usage: '<printer|address>',
    summary: 'Ask a device what it is; prints nothing',
    options: ALLOW_ADDRESS,
    examples: ['Grill', '192.168.1.50'],
    run: async ({ words: [typed = ''], call, options }) => {
      const printers = await call('printers.list', {})
      const known = printers.find(
        ({ name, printerId }) => printerId === typed || name.toLowerCase() === typed.toLowerCase(),
      )
      const identity = await call(
        'printers.identify',
        known ? { printer: typed } : { ...addressFrom(typed), allowAddress: allowAddressOf({ options }) },
      )
      const text = facts([
        ['address', addressOf(identity)],
        ['answer', identity.answer],
        ['maker', identity.maker],
        ['model', identity.model],
        ['hardware', identity.mac],
        ['profile', identity.suggestedProfileId],
        ['proof', identity.confirm ? `${identity.confirm.level}: ${identity.confirm.words}` : null],
        ['', identity.words],
      ])
      return { data: identity, text, exitCode: identity.answer === 'unreachable' ? EXIT.printerFault : EXIT.ok }
    },
  },
  {
    name: 'printers test',
    usage: '<printer>',
    summary: 'Print the test ticket: widths, styles, accents, cut, and a code to type in',
    options: {},
    examples: ['Grill'],
    run: async (line) => {
      const { ticketId } = await line.call('printers.test', { printer: word(line, 0) })
      return await untilPrinted(line, ticketId, `Type in its code: printers verify ${word(line, 0)} <code>`)
    },
  },
  {
    name: 'printers verify',
    usage: '<printer> <code>',
    summary: 'Enter the code on the test ticket, which marks the printer as tested',
    options: {},
    examples: ['Grill 4711'],
    run: async (line) => {
      const { printer } = await line.call('printers.verify', { printer: word(line, 0), code: word(line, 1) })
      const { level, words } = printer.confirm
      return { data: printer, text: `${printer.name} is tested.\n${level}: ${words}` }
    },
  },
  {
    name: 'printers sheet',
    usage: '<printer>',
    summary: 'Print the code page sheet; give the correct rows to printers set --code-pages',
    options: {},
    examples: ['Grill'],
    run: async (line) => {
      const { ticketId } = await line.call('printers.sheet', { printer: word(line, 0) })
      const next = `Pick the rows that read right: printers set ${word(line, 0)} --code-pages 16:windows1252,18:cp852`
      return await untilPrinted(line, ticketId, next)
    },
  },
  {
    name: 'printers drawer',
    usage: '<printer>',
    summary: 'Open the cash drawer at this printer',
    options: {},
    examples: ['Counter'],
    run: async (line) => {
      const { ticketId } = await line.call('printers.drawer', { printer: word(line, 0) })
      return await untilPrinted(line, ticketId, '')
    },
  },
]

/** Waits for the printer's result; a printer that cannot print now keeps it in its queue. */
async function untilPrinted(line: Line, ticketId: string, next: string): Promise<Output> {
  const deadline = systemClock.monotonicMs() + WAIT_MS
  let ticket = await line.call('jobs.show', { ticketId })
  while (isWaiting(ticket) && systemClock.monotonicMs() < deadline) {
    const printers = await line.call('printers.list', {})
    const printer = printers.find(({ printerId }) => printerId === ticket.printerId)
    if (printer?.state === 'offline' || printer?.settings.paused) {
      const why = printer.settings.paused ? 'it is paused' : printer.hint
      return fault(ticket, `${printer.name} does not print now: ${why}`)
    }
    await systemClock.sleep(ASK_EVERY_MS)
    ticket = await line.call('jobs.show', { ticketId })
  }
  if (ticket.state !== 'printed')
    return fault(ticket, `The ticket is ${ticket.state}${ticket.reason === null ? '' : `: ${ticket.reason}`}.`)
  const text = [`Printed, ${ticket.confirmation} by ${ticket.method}.`, next].filter((part) => part !== '').join('\n')
  return { data: ticket, text }
}

function isWaiting({ state }: TicketHistoryAnswer): boolean {
  return state === 'queued' || state === 'sending'
}

function fault(ticket: TicketHistoryAnswer, words: string): Output {
  return { data: ticket, text: words, exitCode: EXIT.printerFault }
}
