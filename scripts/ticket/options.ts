// The options of `npm run ticket`: parsing, checks, and the help text.
import { parseArgs } from 'node:util'
import { type PaperType, paperType } from '#shared/printer-settings.ts'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import { TicketError } from './ticket-error.ts'

/** Marks on the ticket in addition to the order. */
export const MARKS = ['void', 'reprint', 'duplicate', 'late', 'test'] as const
export type Mark = (typeof MARKS)[number]

export interface TicketOptions {
  /** Path as typed; `-` is the standard input. */
  file: string
  profileId: string
  /** Path of the picture; null: none. */
  png: string | null
  /** Only the lines of this station. */
  station: string | null
  /** A ticket for each station. */
  split: boolean
  paper: PaperType
  marks: readonly Mark[]
  /** A later course as it is fired; null: the order as it comes, which names later courses only. */
  fire: number | null
  /** On the VOID slip; null: none. */
  reason: string | null
  /** Time of printing; null: now. Epoch milliseconds. */
  nowMs: number | null
}

const DEFAULT_PROFILE = 'epson-thermal-203'

export const HELP = `Draws the ticket of an order as a printer prints it.

  npm run -s ticket -- order.json                        as text
  npm run -s ticket -- order.json --png ticket.png       and as a picture of the paper
  npm run -s ticket -- - --profile generic-58 < o.json   from the standard input, on narrow paper

The file holds the body of POST /v1/order/inject, or an order as a gateway gets it. An item of the first may have a name and a
station besides its umsId; without a name the umsId stands for it. Nothing is sent anywhere.

Options
  --profile ID       family of printers (default ${DEFAULT_PROFILE}): docs/printer-profiles.md
  --png FILE         also write the paper as a PNG picture, made from the bytes that the printer gets
  --station NAME     only the lines of this station (default: all lines on one ticket)
  --split            a ticket for each station
  --paper TYPE       kitchen, receipt or label (default kitchen)
  --fire COURSE      a later course when it is fired (default: what prints at once)
  --mark MARK        void, reprint, duplicate, late or test; may be given several times
  --reason TEXT      why it was called off, with --mark void
  --now TIME         time of printing, such as 2026-11-21T18:02:00Z (default now)
  --help             this text
`

/**
 * @param args the command line without node and script
 * @returns null when help was asked for
 * @throws TicketError that names the option
 */
export function parseTicketOptions(args: readonly string[]): TicketOptions | null {
  const { values, positionals } = parse(args)
  if (values.help) return null
  const [file, ...others] = positionals
  if (file === undefined) throw new TicketError(`Give the file with the order.\n\n${HELP}`)
  if (others.length > 0) throw new TicketError(`Give one file, not ${positionals.length}: ${positionals.join(', ')}.`)
  if (values.reason !== undefined && !values.mark?.includes('void'))
    throw new TicketError('--reason stands on a VOID slip: give --mark void too.')
  if (values.split && values.station !== undefined) throw new TicketError('Give --station or --split, not both.')
  return {
    file,
    profileId: oneOf(
      '--profile',
      values.profile ?? DEFAULT_PROFILE,
      PROFILES.map(({ id }) => id),
    ),
    png: values.png ?? null,
    station: values.station ?? null,
    split: values.split ?? false,
    paper: oneOf('--paper', values.paper ?? 'kitchen', paperType.options),
    marks: (values.mark ?? []).map((mark) => oneOf('--mark', mark, MARKS)),
    fire: values.fire === undefined ? null : courseOf(values.fire),
    reason: values.reason ?? null,
    nowMs: values.now === undefined ? null : timeOf(values.now),
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        profile: { type: 'string' },
        png: { type: 'string' },
        station: { type: 'string' },
        split: { type: 'boolean' },
        paper: { type: 'string' },
        mark: { type: 'string', multiple: true },
        fire: { type: 'string' },
        reason: { type: 'string' },
        now: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new TicketError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`, { cause: error })
  }
}

function oneOf<T extends string>(option: string, text: string, known: readonly T[]): T {
  const found = known.find((one) => one === text)
  if (found === undefined) throw new TicketError(`${option} has no "${text}". There are: ${known.join(', ')}.`)
  return found
}

function courseOf(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new TicketError(`--fire needs the number of a course, not "${text}".`)
  return Number(text)
}

function timeOf(text: string): number {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw new TicketError(`--now needs a time such as 2026-11-21T18:02:00Z, not "${text}".`)
  return ms
}
