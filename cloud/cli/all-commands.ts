// All commands of `ticketrail`, in the groups and the order of the help.
import type { CommandGroup } from '#shared/cli/command.ts'
import { type Completed, completionCommand } from '#shared/cli/completion.ts'
import type { Program } from '#shared/cli/help.ts'
import { VERSION } from '#shared/version.ts'
import { accountCommands } from './account-commands.ts'
import { checkCommand } from './check-command.ts'
import type { Command } from './command.ts'
import { doctorCommand } from './doctor-command.ts'
import { listenCommand } from './listen-command.ts'
import { mcpCommand } from './mcp-command.ts'
import { openCommand } from './open-command.ts'
import { orderCommands } from './order-commands.ts'
import { requestCommands } from './request-commands.ts'
import { webhookCommands } from './webhook-commands.ts'

const INSTALLED_AS = 'ticketrail'

const versionCommand: Command = {
  name: 'version',
  usage: '',
  summary: 'Prints the version of this program',
  options: {},
  examples: [''],
  run: async () => ({ data: { version: VERSION }, text: `ticketrail ${VERSION}` }),
}

const GROUPS: readonly CommandGroup<Command>[] = [
  { title: 'Signing in', commands: accountCommands },
  { title: 'Webhooks', commands: [listenCommand, ...webhookCommands] },
  { title: 'Orders, events and calls', commands: [checkCommand, ...orderCommands, mcpCommand, ...requestCommands] },
  {
    title: 'This program',
    commands: [doctorCommand, openCommand, completionCommand(INSTALLED_AS, completion), versionCommand],
  },
]

const OPTIONS = {
  merchant: {
    value: '<M-...>',
    text: 'The merchant; by default TICKETRAIL_MERCHANT, M-TEST-001, or the first merchant of the key',
  },
}

function completion(): Completed {
  return { installedAs: INSTALLED_AS, alsoFirst: [], program: { groups: GROUPS, options: OPTIONS } }
}

/** `name`: how the user starts the program. */
export function ticketrailProgram(name: string): Program<Command> {
  return { name, installedAs: INSTALLED_AS, groups: GROUPS, options: OPTIONS, intro: introOf(name), outro: OUTRO }
}

const introOf = (
  program: string,
) => `Ticketrail for client developers: orders and webhooks of a relay, from the terminal.

  ${program} <command> [--merchant M-...] [--json]
  ${program} help <command>       its arguments, options and examples

From nothing to webhooks on your machine:
  1  login                                          gets a sandbox key for this machine
  2  listen --forward-to localhost:3000/webhooks    posts every event to your program
  3  inject --watch                                 sends an order, and waits until its ticket is printed
  4  trigger order.ready                            causes any event on a real order of the sandbox`

const OUTRO = `--merchant names the merchant of a command; by default it is TICKETRAIL_MERCHANT, M-TEST-001, or the first merchant of the key.
The key comes from TICKETRAIL_API_KEY and the address from TICKETRAIL_URL, or both from \`login\`. A key is never given on the
command line. Data goes to standard output, messages to standard error. --json prints JSON for programs; a command that
runs until Ctrl-C prints one line of JSON for each entry.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the relay cannot be reached, 4 the relay refused, 130 stopped by Ctrl-C.`
