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

const GROUPS: readonly CommandGroup<Command>[] = [
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
  { title: 'Care and support', commands: [...keepingCommands, completionCommand('ticketrail-gateway', completion)] },
]

export const COMMANDS: readonly Command[] = GROUPS.flatMap(({ commands }) => commands)

const OPTIONS = { socket: { value: '<path>', text: 'Control socket of another gateway' } }

/** What a shell completes. */
export function completion(): Completed {
  return { installedAs: 'ticketrail-gateway', alsoFirst: ['run'], program: { groups: GROUPS, options: OPTIONS } }
}

/** `name`: how the program is called here. */
export function gatewayProgram(name: string): Program<Command> {
  return { name, groups: GROUPS, options: OPTIONS, intro: introOf(name), outro: OUTRO }
}

const introOf = (
  program: string,
) => `The kitchen print gateway, and the command line of the gateway that runs on this machine.

  ${program} <command> [--json]
  ${program} help <command>       its words, its options, and lines that work
  ${program} run                  the gateway itself; so does no command at all

From an empty box to a tested printer:
  1  discover                                       what answers on this network
  2  printers add Grill 192.168.1.50                it is asked what it is, and gets the profile that fits
  3  printers test Grill                            look at the ticket: width, accents, cut
  4  printers verify Grill 4711                     the code on the ticket: now it is known to print
  5  printers set Grill --stations grill,fry        what it gets
  6  test-order                                     an order to every printer and screen: all green?`

const OUTRO = `<printer> and <display> are a name or an id. Data goes to standard output, messages to standard error. --json prints JSON for programs.
--socket <path> names the control socket of another gateway. Nothing is coloured. Secrets are asked for, or read from
standard input; none stands on the command line.

Exit codes: 0 done, 1 failed, 2 not understood, 3 the gateway is not running, 4 the printer cannot do it now,
5 the relay cannot be reached.`
