// printers accept: another device is this printer from now on; and the two devices side by side.
import type { PrinterAnswer } from '#gateway/control/answers.ts'
import type { DeviceAnswer } from '#gateway/control/device-answers.ts'
import { isQuieter } from '#gateway/control/device-repairs.ts'
import { plain } from '#shared/terminal-text.ts'
import { type Command, EXIT, type Line, LineError, word } from './command.ts'
import { addressOf } from './status-commands.ts'
import { table } from './terminal.ts'

const QUIETER =
  "It has this printer's hardware address, but does not say its name any more: accept it if its settings were changed."

export const printerDeviceCommands: readonly Command[] = [
  {
    name: 'printers accept',
    usage: '<printer>',
    summary: 'Another device is this printer from now on: replaced, or found at another address; shows both first',
    options: { show: { text: 'Only show both, change nothing' } },
    examples: ['Grill --show', 'Grill'],
    run: async (line) => {
      const printer = await onePrinter(line)
      const { found } = printer.identity
      if (!found) throw new LineError(`No other device than ${plain(printer.name)} was seen.`, EXIT.failed)
      const sides = isQuieter(printer.identity) ? `${bothSides(printer)}\n${QUIETER}` : bothSides(printer)
      if (line.options['show'] === true) return { data: printer.identity, text: sides }
      line.progress(sides)
      const accepted = await line.call('printers.accept', { printer: printer.printerId, deviceId: found.deviceId })
      const text = `${accepted.name} is the device at ${addressOf(accepted)} now; ${accepted.queued} tickets wait for it.`
      return { data: accepted, text: `${text}\nNext: printers test ${plain(accepted.name)}` }
    },
  },
]

/** The printer that the first word names. @throws LineError */
export async function onePrinter(line: Line): Promise<PrinterAnswer> {
  const name = word(line, 0)
  const printers = await line.call('printers.list', {})
  const found = printers.find(
    (printer) => printer.printerId === name || printer.name.toLowerCase() === name.toLowerCase(),
  )
  if (found) return found
  throw new LineError(
    `There is no printer ${name}. There are: ${printers.map((printer) => printer.name).join(', ') || 'none'}.`,
  )
}

/** The device that was set up, and the one that was found. */
export function bothSides({ identity: { known, found } }: PrinterAnswer): string {
  const rows = FACTS.map(([name, of]) => [name, of(known), found === null ? '' : of(found)])
  return table(['', 'known', 'found'], rows, '')
}

const FACTS: readonly (readonly [string, (device: DeviceAnswer) => string | null])[] = [
  ['address', addressOf],
  ['hardware', ({ mac }) => mac],
  ['maker', ({ maker }) => maker],
  ['model', ({ model }) => model],
  ['serial', ({ serial }) => serial],
  ['proof', ({ level }) => level],
]
