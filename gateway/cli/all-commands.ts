// Every command of the gateway, in the order in which the help shows them.
import { boxCommands } from './box-commands.ts'
import type { Command } from './command.ts'
import { bashCompletion } from './completion.ts'
import { discoverCommands } from './discover-commands.ts'
import { displayCommands } from './display-commands.ts'
import { fontsCommand } from './fonts-command.ts'
import { jobCommands } from './job-commands.ts'
import { keepingCommands } from './keeping-commands.ts'
import { logoCommands } from './logo-commands.ts'
import { pairingCommands } from './pairing-commands.ts'
import { previewCommand } from './preview-command.ts'
import { printerCommands } from './printer-commands.ts'
import { printerPaperCommands } from './printer-paper-commands.ts'
import { routeCommands } from './route-commands.ts'
import { statusCommands } from './status-commands.ts'
import { testOrderCommand } from './test-order-command.ts'

const completionCommand: Command = {
  name: 'completion',
  usage: '',
  summary: 'A script by which bash completes these commands; the Debian package has installed it',
  options: {},
  examples: ['>~/.local/share/bash-completion/completions/ticketrail-gateway'],
  run: async () => {
    const script = completionScript()
    return { data: script, text: script.trimEnd() }
  },
}

export const COMMANDS: readonly Command[] = [
  ...statusCommands,
  ...boxCommands,
  ...pairingCommands,
  ...discoverCommands,
  ...printerCommands,
  ...printerPaperCommands,
  testOrderCommand,
  ...displayCommands,
  ...jobCommands,
  ...routeCommands,
  previewCommand,
  ...logoCommands,
  fontsCommand,
  ...keepingCommands,
  completionCommand,
]

export function completionScript(): string {
  return bashCompletion(COMMANDS)
}
