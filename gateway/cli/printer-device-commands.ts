// printers accept: another device is this printer from now on; and the two devices side by side.
import type { PrinterAnswer } from '#gateway/control/answers.ts'
import type { DeviceAnswer, FamilyAnswer } from '#gateway/control/device-answers.ts'
import { isQuieter } from '#gateway/control/device-words.ts'
import { LineError, text, word } from '#shared/cli/command.ts'
import { table } from '#shared/cli/terminal.ts'
import { plain } from '#shared/terminal-text.ts'
import { type Command, EXIT, type Line } from './command.ts'
import { addressOf } from './status-commands.ts'

const QUIETER =
  "It has this printer's hardware address, but does not say its name any more: accept it if its settings were changed."

export const printerDeviceCommands: readonly Command[] = [
  {
    name: 'printers accept',
    usage: '<printer>',
    summary: 'Use another device as this printer: a replacement, or the same one at a new address; shows both first',
    options: {
      show: { text: 'Show both devices and change nothing' },
      profile: { value: '<id>', text: 'Family of the new one; without it, the one of its maker and model' },
    },
    examples: ['Grill --show', 'Grill', 'Grill --profile generic-58'],
    run: async (line) => {
      const printer = await onePrinter(line)
      const { found } = printer.identity
      if (!found) throw new LineError(`No other device than ${plain(printer.name)} was seen.`, EXIT.failed)
      const sides = isQuieter(printer.identity) ? `${bothSides(printer)}\n${QUIETER}` : bothSides(printer)
      if (line.options['show'] === true) return { data: printer.identity, text: sides }
      line.progress(sides)
      const { printerId } = printer
      const profileId = text(line, 'profile')
      const accepted = await line.call('printers.accept', { printer: printerId, deviceId: found.deviceId, profileId })
      const words = [
        `${accepted.name} is the device at ${addressOf(accepted)} now; ${ticketsWait(accepted.queued)} for it.`,
        ...familyWords(accepted.family),
        `Next: printers test ${plain(accepted.name)}`,
      ]
      return { data: accepted, text: words.join('\n') }
    },
  },
]

export function ticketsWait(count: number): string {
  return count === 1 ? '1 ticket waits' : `${count} tickets wait`
}

/** Another family is another width and other code pages. */
function familyWords({ before, now, isUnsure }: FamilyAnswer): string[] {
  if (before !== now) return [`Family changed from ${before} to ${now}.`]
  return isUnsure ? [`Check the family: it stays ${now}, because what the device says stands for none.`] : []
}

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
  const willBe = found?.isFamilyUnsure ? `${found.profileId} (check)` : (found?.profileId ?? '')
  rows.push(['family', known.profileId, willBe])
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
