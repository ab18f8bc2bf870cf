// Every command of the gateway, in the groups and the order in which the help shows them.
import { boxCommands } from './box-commands.ts'
import { type Command, type CommandGroup, EXIT, LineError } from './command.ts'
import { bashCompletion } from './completion.ts'
import { courseCommands } from './course-commands.ts'
import { discoverCommands } from './discover-commands.ts'
import { displayCommands } from './display-commands.ts'
import { fontsCommand } from './fonts-command.ts'
import { jobCommands } from './job-commands.ts'
import { keepingCommands } from './keeping-commands.ts'
import { logoCommands } from './logo-commands.ts'
import { orderCommands } from './order-commands.ts'
import { pairingCommands } from './pairing-commands.ts'
import { previewCommand } from './preview-command.ts'
import { printerCommands } from './printer-commands.ts'
import { printerDeviceCommands } from './printer-device-commands.ts'
import { printerPaperCommands } from './printer-paper-commands.ts'
import { routeCommands } from './route-commands.ts'
import { profilesCommand, statusCommands } from './status-commands.ts'
import { testOrderCommand } from './test-order-command.ts'

const completionCommand: Command = {
  name: 'completion',
  usage: '[bash]',
  summary: 'A script by which bash completes these commands; the Debian package has installed it',
  options: {},
  examples: ['> ~/.local/share/bash-completion/completions/ticketrail-gateway'],
  run: async ({ words: [shell = 'bash'] }) => {
    if (shell !== 'bash') throw new LineError('there is completion for bash only', EXIT.usage)
    const script = completionScript()
    return { data: script, text: script.trimEnd() }
  },
}

export const GROUPS: readonly CommandGroup[] = [
  { title: 'How it stands', commands: [...statusCommands, ...boxCommands] },
  { title: 'Its restaurant', commands: pairingCommands },
  {
    title: 'Printers',
    commands: [
      ...discoverCommands,
      ...printerCommands,
      ...printerDeviceCommands,
      ...printerPaperCommands,
      profilesCommand,
      fontsCommand,
    ],
  },
  { title: 'Kitchen displays', commands: displayCommands },
  {
    title: 'Orders and tickets',
    commands: [testOrderCommand, ...orderCommands, ...jobCommands, ...courseCommands, previewCommand],
  },
  { title: 'Where orders go, and what receipts carry', commands: [...routeCommands, ...logoCommands] },
  { title: 'Care and support', commands: [...keepingCommands, completionCommand] },
]

export const COMMANDS: readonly Command[] = GROUPS.flatMap(({ commands }) => commands)

export function completionScript(): string {
  return bashCompletion(COMMANDS)
}
