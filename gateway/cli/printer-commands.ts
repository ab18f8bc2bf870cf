// printers: adding, changing, taking away, pausing, moving what waits.

import type { PrinterAnswer, RemovedAnswer } from '#gateway/control/answers.ts'
import { deviceWords } from '#gateway/control/device-words.ts'
import { LineError, list, type Output, text, word } from '#shared/cli/command.ts'
import { facts } from '#shared/cli/terminal.ts'
import { plain } from '#shared/terminal-text.ts'
import { type Command, EXIT, type Line } from './command.ts'
import { bothSides, onePrinter, ticketsWait } from './printer-device-commands.ts'
import { SETTINGS_OPTIONS, settingsOf } from './printer-settings-options.ts'
import { addressOf, adviceOf, printerTable } from './status-commands.ts'

const PLACE_OPTIONS = {
  profile: { value: '<id>', text: 'Family of the printer; profiles lists them' },
  stations: { value: '<grill,fry>', text: 'Stations whose items it gets' },
}

/** Also of `printers identify`. */
export const ALLOW_ADDRESS = {
  'allow-address': {
    text: 'Allow this address although printers are refused there: this box itself, the internet, a port of another service',
  },
}

/** @returns what the operation wants of it */
export function allowAddressOf({ options }: Pick<Line, 'options'>): true | undefined {
  return options['allow-address'] === true ? true : undefined
}

export const printerCommands: readonly Command[] = [
  {
    name: 'printers list',
    usage: '',
    summary: 'List all printers with state, queue and proof of print',
    options: {},
    examples: ['', '--json'],
    run: async ({ call }) => {
      const printers = await call('printers.list', {})
      return { data: printers, text: [printerTable(printers), ...adviceOf(printers)].join('\n') }
    },
  },
  {
    name: 'printers show',
    usage: '<printer>',
    summary: 'Show one printer with all its settings',
    options: {},
    examples: ['Grill'],
    run: async (line) => shown(await onePrinter(line)),
  },
  {
    name: 'printers add',
    usage: '<name> <address>',
    summary: 'Add a printer: an IP address, host:port, or a device file',
    options: {
      ...PLACE_OPTIONS,
      profile: { value: '<id>', text: 'Family of the printer; profiles lists them. Without it, the printer is asked' },
      ...ALLOW_ADDRESS,
    },
    examples: ['Grill 192.168.1.50', 'Bar 192.168.1.51 --profile star-line --stations bar', 'Counter /dev/usb/lp0'],
    run: async (line) => {
      const address = { ...addressFrom(word(line, 1)), allowAddress: allowAddressOf(line) }
      const profileId = text(line, 'profile') ?? (await suggested(line, address))
      const stations = list(text(line, 'stations') ?? '')
      const added = await line.call('printers.add', { name: word(line, 0), ...address, profileId, stations })
      const next = `Next: printers test ${quoted(added.name)}`
      return { data: added, text: `${added.name} is set up at ${addressOf(added)} as ${added.profileId}.\n${next}` }
    },
  },
  {
    name: 'printers set',
    usage: '<printer>',
    summary: 'Change name, address, profile, stations or settings; the rest stays as it is. Times are 45s, 10m, 2h',
    options: {
      name: { value: '<name>', text: 'What people call it' },
      address: { value: '<address>', text: 'IP address, host:port, or device file' },
      ...ALLOW_ADDRESS,
      ...PLACE_OPTIONS,
      default: { text: 'Make it the default printer, which prints what no other printer serves' },
      ...SETTINGS_OPTIONS,
    },
    examples: ['Grill --doubt hold --backup Fry', 'Bar --stations bar,coffee --beeps 2', 'Fry --address 192.168.1.57'],
    run: async (line) => {
      const address = text(line, 'address')
      const stations = text(line, 'stations')
      const settings = settingsOf(line)
      return shown(
        await line.call('printers.update', {
          printer: word(line, 0),
          name: text(line, 'name'),
          ...(address === undefined ? {} : addressFrom(address)),
          allowAddress: allowAddressOf(line),
          profileId: text(line, 'profile'),
          stations: stations === undefined ? undefined : list(stations),
          isDefault: line.options['default'] === true ? true : undefined,
          settings: Object.keys(settings).length === 0 ? undefined : settings,
        }),
      )
    },
  },
  {
    name: 'printers remove',
    usage: '<printer>',
    summary: 'Remove a printer',
    options: { 'move-to': { value: '<printer>', text: 'Gets the tickets that wait' } },
    examples: ['Fry --move-to Grill'],
    run: async (line) => {
      const removed = await line.call('printers.remove', { printer: word(line, 0), moveTo: text(line, 'move-to') })
      const words = [`${word(line, 0)} is removed; ${removed.tickets} tickets moved.`, ...leftBehind(removed)].join(
        '\n',
      )
      return { data: removed, text: words }
    },
  },
  {
    name: 'printers pause',
    usage: '<printer>',
    summary: 'Stop printing its queue until it is resumed, also after restarts',
    options: {},
    examples: ['Grill'],
    run: async (line) => {
      const printer = await line.call('printers.pause', { printer: word(line, 0) })
      return { data: printer, text: `${printer.name} is paused. Go on with: printers resume ${quoted(printer.name)}` }
    },
  },
  {
    name: 'printers resume',
    usage: '<printer>',
    summary: 'Print its queue again',
    options: {},
    examples: ['Grill'],
    run: async (line) => {
      const printer = await line.call('printers.resume', { printer: word(line, 0) })
      return { data: printer, text: `${printer.name} goes on; ${ticketsWait(printer.queued)}.` }
    },
  },
  {
    name: 'printers move',
    usage: '<from> <to>',
    summary: 'Move every waiting ticket to another printer',
    options: {},
    examples: ['Grill Fry'],
    run: async (line) => {
      const moved = await line.call('printers.move', { from: word(line, 0), to: word(line, 1) })
      return { data: moved, text: `${moved.tickets} tickets moved from ${word(line, 0)} to ${word(line, 1)}.` }
    },
  },
]

/** `192.168.1.50`, `printer.local:9101`, `[fd00::5]:9100`, `/dev/usb/lp0`. @throws LineError */
export function addressFrom(typed: string): { host: string; port: number } {
  if (typed.startsWith('/')) return { host: typed, port: 0 }
  const [, bracketed, plainHost, port] =
    /^(?:\[([^\]]+)\]|([^:]+|[^:]+(?::[^:]*){2,}))(?::(\d{1,5}))?$/.exec(typed) ?? []
  const host = bracketed ?? plainHost
  if (host === undefined)
    throw new LineError(`${typed} is no address: give 192.168.1.50, host:port or /dev/usb/lp0`, EXIT.usage)
  return { host, port: port === undefined ? 9_100 : Number(port) }
}

/** The device's identity, and how reliable its proofs will be. */
async function suggested(
  { call, progress }: Line,
  address: { host: string; port: number; allowAddress: true | undefined },
): Promise<string | undefined> {
  const identity = await call('printers.identify', address)
  const named = [identity.maker, identity.model].filter((part) => part !== null).join(' ')
  if (identity.answer === 'identified') progress(`Found: ${plain(named) || 'a printer that does not say its model'}.`)
  else progress(identity.words)
  return identity.suggestedProfileId ?? undefined
}

function shown(printer: PrinterAnswer): Output {
  const { settings, confirm } = printer
  const text = facts([
    ['printer', `${printer.name} (${printer.printerId})${printer.isDefault ? ', takes what no station serves' : ''}`],
    ['address', addressOf(printer)],
    ['device', deviceWords(printer.identity.known)],
    ['profile', printer.profileId],
    ['stations', printer.stations],
    ['state', `${printer.state} since ${printer.since}`],
    ['hint', printer.hint],
    ['waiting', `${printer.queued}, and ${printer.parked} for a person`],
    ['proof', confirm.isAsked ? `${confirm.level} ${confirm.method}: ${confirm.words}` : 'not asked yet'],
    ['tested', printer.testedAt ?? 'not yet: printers test'],
    ...Object.entries(settings)
      .filter(([name]) => name !== 'testedAtMs')
      .map(([name, value]): [string, unknown] => [name, wordsOf(name, value)]),
    ...printer.notes.map((note): [string, unknown] => ['note', note]),
  ])
  const { found } = printer.identity
  return {
    data: printer,
    text: found
      ? `${text}\n\nAnother device was found; accept it with: printers accept ${quoted(printer.name)}\n${bothSides(printer)}`
      : text,
  }
}

/** What refers to the removed printer and loses it. */
function leftBehind({ left }: RemovedAnswer): string[] {
  const named: readonly (readonly [readonly string[], string])[] = [
    [left.printers, 'has no backup any more. Name another one: printers set <printer> --backup <printer>'],
    [left.displays, 'is a display without a backup printer now. Name another one on the page'],
    [left.rulesChanged, 'is a routing rule that prints at its other printers only'],
    [left.rulesRemoved, 'was a routing rule that named nobody else: it is gone'],
  ]
  return named.flatMap(([names, words]) => names.map((name) => `${plain(name)} ${words}.`))
}

function wordsOf(name: string, value: unknown): unknown {
  if (value === null) return 'none'
  if (name.endsWith('Ms') && typeof value === 'number') return `${value / 1_000} s`
  return Array.isArray(value) && typeof value[0] === 'object' ? JSON.stringify(value) : value
}

function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `"${plain(name)}"`
}
