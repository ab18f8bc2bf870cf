// Every command of `ticketrail`, in the groups and the order in which the help shows them.
import type { CommandGroup } from '#shared/cli/command.ts'
import { type Completed, completionCommand } from '#shared/cli/completion.ts'
import type { Program } from '#shared/cli/help.ts'
import { VERSION } from '#shared/version.ts'
import { accountCommands } from './account-commands.ts'
import type { Command } from './command.ts'
import { doctorCommand } from './doctor-command.ts'
import { listenCommand } from './listen-command.ts'
import { openCommand } from './open-command.ts'
import { orderCommands } from './order-commands.ts'
import { requestCommands } from './request-commands.ts'
import { webhookCommands } from './webhook-commands.ts'

const INSTALLED_AS = 'ticketrail'

const versionCommand: Command = {
  name: 'version',
  usage: '',
  summary: 'The version of this program',
  options: {},
  examples: [''],
  run: async () => ({ data: { version: VERSION }, text: `ticketrail ${VERSION}` }),
}

const GROUPS: readonly CommandGroup<Command>[] = [
  { title: 'Signing in', commands: accountCommands },
  { title: 'Webhooks', commands: [listenCommand, ...webhookCommands] },
  { title: 'Orders, events and calls', commands: [...orderCommands, ...requestCommands] },
  {
    title: 'This program',
    commands: [doctorCommand, openCommand, completionCommand(INSTALLED_AS, completion), versionCommand],
  },
]

const OPTIONS = {
  merchant: { value: '<M-...>', text: 'Merchant; without it TICKETRAIL_MERCHANT, or the first that the key may use' },
}

function completion(): Completed {
  return { installedAs: INSTALLED_AS, alsoFirst: [], program: { groups: GROUPS, options: OPTIONS } }
}

/** `name`: how the program is called here. */
export function ticketrailProgram(name: string): Program<Command> {
  return { name, installedAs: INSTALLED_AS, groups: GROUPS, options: OPTIONS, intro: introOf(name), outro: OUTRO }
}

const introOf = (
  program: string,
) => `Ticketrail for client developers: orders and webhooks of a relay, from the terminal.

  ${program} <command> [--merchant M-...] [--json]
  ${program} help <command>       its words, its options, and lines that work

From nothing to webhooks on your machine:
  1  login                                          a sandbox key for this machine
  2  listen --forward-to localhost:3000/webhooks    every event, posted to your program
  3  inject --watch                                 an order, until its ticket is on paper
  4  trigger order.ready                            any event, on a real order of the sandbox`

const OUTRO = `The key comes from TICKETRAIL_API_KEY, the address from TICKETRAIL_URL; without them from what \`login\` stored. A key never
stands on the command line. Data goes to standard output, messages to standard error. --json prints JSON for programs, one
line each where a command goes on.

Exit codes: 0 done, 1 failed, 2 not understood, 3 the relay cannot be reached, 4 the relay refused, 130 stopped by Ctrl-C.`
