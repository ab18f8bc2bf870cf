// Every command of the gateway, in the groups and the order in which the help shows them.

import type { CommandGroup } from '#shared/cli/command.ts'
import { type Completed, completionCommand } from '#shared/cli/completion.ts'
import type { Program } from '#shared/cli/help.ts'
import { boxCommands } from './box-commands.ts'
import type { Command } from './command.ts'
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

const INSTALLED_AS = 'ticketrail-gateway'

const GROUPS: readonly CommandGroup<Command>[] = [
  { title: 'State', commands: [...statusCommands, ...boxCommands] },
  { title: 'Pairing', commands: pairingCommands },
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
  { title: 'Routing and receipts', commands: [...routeCommands, ...logoCommands] },
  { title: 'Backup and support', commands: [...keepingCommands, completionCommand(INSTALLED_AS, completion)] },
]

export const COMMANDS: readonly Command[] = GROUPS.flatMap(({ commands }) => commands)

const OPTIONS = { socket: { value: '<path>', text: 'Control socket of another gateway' } }

/** What a shell completes. */
export function completion(): Completed {
  return { installedAs: INSTALLED_AS, alsoFirst: ['run'], program: { groups: GROUPS, options: OPTIONS } }
}

/** `name`: how the program is called here. */
export function gatewayProgram(name: string): Program<Command> {
  return { name, installedAs: INSTALLED_AS, groups: GROUPS, options: OPTIONS, intro: introOf(name), outro: OUTRO }
}

const introOf = (
  program: string,
) => `The kitchen print gateway, and the command line of the gateway that runs on this machine.

  ${program} <command> [--json]
  ${program} help <command>       its arguments, options and examples
  ${program} run                  starts the gateway, as without a command

From an empty box to a tested printer:
  1  discover                                       lists the printers on this network
  2  printers add Grill 192.168.1.50                identifies it and selects its profile
  3  printers test Grill                            prints a test ticket: width, accents, cut
  4  printers verify Grill 4711                     enters the code on the ticket
  5  printers set Grill --stations grill,fry        which stations it prints
  6  test-order                                     sends a test order to every printer and display`

const OUTRO = `<printer> and <display> are a name or an id. Data goes to standard output, messages to standard error. --json prints JSON for programs.
--socket <path> names the control socket of another gateway. Secrets are asked for, or read from standard input,
never given on the command line.

Exit codes: 0 done, 1 failed, 2 not understood, 3 the gateway is not running, 4 the printer cannot do it now,
5 the relay cannot be reached.`
