// Explains any bytes for a printer: each command in words, the printed text, a drawing, and warnings.
import { NO_CHARACTER } from './code-page-characters.ts'
import { describeCommand } from './command-words.ts'
import { PaperInterpreter, type PaperOptions } from './paper.ts'
import type { PaperTicket } from './paper-ticket.ts'
import { papersToSvg } from './svg.ts'
import { EscposTokenizer, type Operation } from './tokenize.ts'

export interface PreviewOperation {
  /** Offset of its first byte. */
  offset: number
  /** Length in bytes. */
  length: number
  /** `text`, or the command in the notation of manuals: `ESC @`, `GS V`. `rest`: an incomplete command. */
  name: string
  /** A description of the command, or the characters. Never empty for text. */
  detail: string
}

export interface Preview {
  operations: readonly PreviewOperation[]
  /** The readable text. Tickets are separated by a line of scissors. */
  text: string
  svg: string
  /** The tickets in print order. The last one may still be in the printer. Blank paper after the last cut is not included. */
  tickets: readonly PaperTicket[]
  drawerPulses: number
  beeps: number
  /** Warnings as sentences. Empty if everything was interpreted and printed. */
  warnings: readonly string[]
}

/** Ten times a long ticket of pictures. Further bytes are not read. */
const MOST_BYTES = 500_000
const DETAIL_CHARACTERS = 200
const SCISSORS = '- - - - cut - - - -'

/** Interprets the bytes for one printer. Never throws, whatever the bytes. */
export function previewOf(bytes: Uint8Array, options: PaperOptions = {}): Preview {
  const family = options.family ?? 'epson'
  const paper = new PaperInterpreter(options)
  const tokenizer = new EscposTokenizer({ family })
  const operations: PreviewOperation[] = []
  let offset = 0
  const note = (length: number, name: string, detail: string): void => {
    operations.push({ offset, length, name, detail })
    offset += length
  }
  for (const operation of tokenizer.push(bytes.subarray(0, MOST_BYTES))) {
    const name = operation.kind === 'text' ? 'text' : operation.name
    note(operation.bytes.length, name, detailOf(operation, paper, family.startsWith('star')))
    paper.apply(operation)
  }
  const rest = tokenizer.reset()
  if (rest.length > 0) note(rest.length, 'rest', 'a command that does not end: the printer waits for more')
  const tickets = ticketsOf(paper)
  return {
    operations,
    text: tickets.map((ticket) => ticket.text()).join(`\n${SCISSORS}\n`),
    svg: papersToSvg(tickets),
    tickets,
    drawerPulses: sum(tickets, (ticket) => ticket.drawerPulses),
    beeps: sum(tickets, (ticket) => ticket.beeps),
    warnings: warningsOf({ tickets, bytes, rest, operations, hasCutter: options.hasCutter ?? true }),
  }
}

function detailOf(operation: Operation, paper: PaperInterpreter, isStar: boolean): string {
  if (operation.kind === 'command') return describeCommand(operation, isStar)
  return shortened(paper.readable(operation.bytes))
}

function shortened(text: string): string {
  const letters = Array.from(text)
  return letters.length <= DETAIL_CHARACTERS ? text : `${letters.slice(0, DETAIL_CHARACTERS).join('')}...`
}

function ticketsOf(paper: PaperInterpreter): PaperTicket[] {
  const { tickets, current } = paper
  const empty = current.blank && current.drawerPulses === 0 && current.beeps === 0 && current.ignored.length === 0
  return empty && tickets.length > 0 ? [...tickets] : [...tickets, current]
}

function sum(tickets: readonly PaperTicket[], count: (ticket: PaperTicket) => number): number {
  return tickets.reduce((total, ticket) => total + count(ticket), 0)
}

interface Played {
  tickets: readonly PaperTicket[]
  bytes: Uint8Array
  rest: Uint8Array
  operations: readonly PreviewOperation[]
  hasCutter: boolean
}

function warningsOf({ tickets, bytes, rest, operations, hasCutter }: Played): string[] {
  const warnings: string[] = []
  const say = (isSo: boolean, sentence: string): void => {
    if (isSo) warnings.push(sentence)
  }
  const ignored = [...new Set(tickets.flatMap((ticket) => ticket.ignored))]
  const unknown = ignored.filter((name) => name.endsWith('?')).map((name) => name.slice(0, -1))
  const known = ignored.filter((name) => !name.endsWith('?'))
  const lines = tickets.flatMap((ticket) => ticket.lines)
  const texts = lines.filter((line) => line.kind === 'text')
  say(bytes.length > MOST_BYTES, `Only the first ${MOST_BYTES} of ${bytes.length} bytes were read.`)
  say(
    unknown.length > 0,
    `Unknown commands; what follows them may be read wrongly: ${unknown.slice(0, 20).join(', ')}.`,
  )
  say(known.length > 0, `Not shown, because it is not interpreted: ${known.slice(0, 20).join(', ')}.`)
  say(rest.length > 0, `The last command does not end: the printer waits for more, and swallows what comes next.`)
  say(
    texts.some((line) => line.wrapped),
    'A line is longer than the paper and goes on in the next one.',
  )
  say(
    texts.some((line) => line.runs.some((run) => run.text.includes(NO_CHARACTER))),
    'Some bytes have no character in the selected code page; nobody can say what the printer prints for them.',
  )
  const last = tickets.at(-1)
  say(hasCutter && last !== undefined && last.cut === null && !last.blank, 'The paper behind the last line is not cut.')
  say(
    tickets.some((ticket) => ticket.drawerPulses > 0),
    'It opens the cash drawer.',
  )
  say(operations.length === 0, 'There are no bytes.')
  return warnings
}
