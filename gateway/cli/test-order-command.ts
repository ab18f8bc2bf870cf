// test-order: tests everything with an order of the box itself, and shows the result at each printer and screen.
import type { PrinterAnswer, TestOrderAnswer } from '#gateway/control/answers.ts'
import { LineError, type Output, wholeNumber } from '#shared/cli/command.ts'
import { facts } from '#shared/cli/terminal.ts'
import { systemClock } from '#shared/clock.ts'
import { checkWords, openHealth, openLines } from './check-words.ts'
import { type Command, EXIT } from './command.ts'

const ASK_EVERY_MS = 200
const WAIT_SECONDS = 30
const MOST_WAIT_SECONDS = 600

export const testOrderCommand: Command = {
  name: 'test-order',
  usage: '',
  summary:
    'Send an order marked TEST ORDER to every station, printer and display, and say what is wrong with each; the relay is not told',
  options: {
    wait: { value: '<seconds>', text: `Seconds to wait for printers and displays; ${WAIT_SECONDS} by default` },
  },
  examples: ['', '--wait 120', '--json'],
  run: async (line) => {
    const seconds = wholeNumber(line, 'wait') ?? WAIT_SECONDS
    if (seconds > MOST_WAIT_SECONDS)
      throw new LineError(`--wait must be at most ${MOST_WAIT_SECONDS} seconds`, EXIT.usage)
    const placed = await line.call('orders.test', {})
    line.progress(`Test order ${placed.number} is on its way.`)
    const deadlineMs = systemClock.monotonicMs() + seconds * 1_000
    for (;;) {
      const printers = await line.call('printers.list', {})
      const order = await line.call('orders.progress', { printJobId: placed.printJobId })
      if (!mayGoOn(order, printers) || systemClock.monotonicMs() >= deadlineMs) return outputOf(order, printers)
      await systemClock.sleep(ASK_EVERY_MS)
    }
  },
}

type Ticket = TestOrderAnswer['tickets'][number]

function isOpen({ state }: Ticket): boolean {
  return state === 'queued' || state === 'sending'
}

/** Why the printer takes nothing now; null: it does, as far as is known. */
function standstill({ printerId }: Ticket, printers: readonly PrinterAnswer[]): string | null {
  const printer = printers.find((one) => one.printerId === printerId)
  if (!printer) return 'no printer is set up'
  if (printer.settings.paused) return 'the printer is paused'
  return printer.state === 'offline' ? printer.hint : null
}

/** Something is still to come that waiting can bring. */
function mayGoOn({ tickets, displays, check }: TestOrderAnswer, printers: readonly PrinterAnswer[]): boolean {
  return (
    tickets.some((ticket) => isOpen(ticket) && standstill(ticket, printers) === null) ||
    displays.some(({ isAlive, isSeen }) => isAlive && !isSeen) ||
    check.lines.some(({ state }) => state === 'waits')
  )
}

function outputOf(order: TestOrderAnswer, printers: readonly PrinterAnswer[]): Output {
  const { tickets, displays } = order
  // Where screens work alone, there is no paper to come.
  const isOnPaper = tickets.every(({ state, printerId }) => state === 'printed' || printerId === '')
  const isShown = displays.every(({ isSeen }) => isSeen)
  const open = openLines(order.check)
  const health = openHealth(order.check)
  const isWell = isOnPaper && isShown && open.length === 0 && health.length === 0
  const text = facts([
    ['order', order.number],
    ...tickets.map((ticket): [string, string] => [ticket.printer || '-', ticketWords(ticket, printers)]),
    ...displays.map(({ name, isAlive, isSeen }): [string, string] => [
      name,
      isSeen ? 'shown on the screen' : isAlive ? 'the screen has not shown it' : 'the screen is off or not signed in',
    ]),
    ...open.map((line): [string, string] => [`${line.kind} ${line.name}`.trim(), checkWords(line)]),
    ...health.map((title): [string, string] => ['health', title]),
    ['', isWell ? 'Everything works. Nobody is to make this order.' : 'Not everything works: see above.'],
  ])
  const fault = isOnPaper ? EXIT.failed : EXIT.printerFault
  return { data: order, text, exitCode: isWell ? EXIT.ok : fault }
}

function ticketWords(ticket: Ticket, printers: readonly PrinterAnswer[]): string {
  const { state, reason, confirmation, method, printedAfterMs } = ticket
  if (state === 'printed') return `${ticket.paper} printed after ${printedAfterMs} ms, ${confirmation} by ${method}`
  const why = isOpen(ticket) ? standstill(ticket, printers) : reason
  return `${ticket.paper} not printed: ${state}${why === null ? '' : `, ${why}`}`
}
