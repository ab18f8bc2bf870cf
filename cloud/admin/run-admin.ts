// The operator's command line: `npm run -s cloud -- admin <noun> <verb> --options`, on the frame of all command lines.
import { z } from 'zod'
import { ControlRefusal } from '#cloud/control/control-refusal.ts'
import { PeopleRefusal } from '#cloud/people/people-refusal.ts'
import { EXIT, LineError } from '#shared/cli/command.ts'
import type { Program } from '#shared/cli/help.ts'
import { runLine, type Streams, type Understood, understand } from '#shared/cli/run-line.ts'
import { ServiceError } from '#shared/errors.ts'
import { accountCommands } from './account-commands.ts'
import { backupCommands } from './backup-commands.ts'
import { callerCommands } from './caller-commands.ts'
import { channelCommands } from './channel-commands.ts'
import { cloudPrinterCommands } from './cloud-printer-commands.ts'
import type { Command, Line } from './command.ts'
import { type AdminDeps, type FileContext, openContext } from './context.ts'
import { gatewayCommands } from './gateway-commands.ts'
import { keyCommands } from './key-commands.ts'
import { merchantCommands } from './merchant-commands.ts'
import { moneyCommands } from './money-commands.ts'
import { moveCommands } from './move-command.ts'
import { noticeCommands } from './notice-commands.ts'
import { pairingCommands } from './pairing-commands.ts'
import { peopleCommands } from './people-commands.ts'
import { posCommands } from './pos-commands.ts'
import { refusalWords } from './refusal-words.ts'
import { storageCommands } from './storage-commands.ts'
import { verifyCommands } from './verify-command.ts'

const COMMANDS: readonly Command[] = [
  ...accountCommands,
  ...storageCommands,
  ...keyCommands,
  ...merchantCommands,
  ...gatewayCommands,
  ...pairingCommands,
  ...cloudPrinterCommands,
  ...channelCommands,
  ...posCommands,
  ...moneyCommands,
  ...noticeCommands,
  ...peopleCommands,
  ...callerCommands,
  ...backupCommands,
  ...verifyCommands,
  ...moveCommands,
]

const LINE = 'npm run -s cloud -- admin'

const PROGRAM: Program<Command> = {
  name: LINE,
  options: {},
  groups: [{ title: 'Commands', commands: COMMANDS }],
  // All commands, and the steps from nothing to the first live order.
  intro: `The operator's command line of the relay. The running relay does the work; without one it is done on the database itself, that of DATABASE_URL or the file CLOUD_DATABASE.

  ${LINE} <noun> <verb> [--options] [--json]
  ${LINE} help <noun> [<verb>]

From nothing to a live order:
  1  accounts create --name "Kiosk Company"                       an account, its sandbox and a sandbox key
  2  accounts approve --account acc_... --plan starter            live keys and billing from now on
  3  merchants create --account acc_... --name "Bistro" --time-zone America/New_York
  4  items import --merchant M-PROD-... --file menu.csv
  5  gateways code --location loc_... --name "Kitchen Pi"         type the code into the box within 15 minutes
  6  keys create --account acc_... --environment live --scopes orders:read,orders:write,menu:read`,
  outro: `--json prints JSON for programs. Keys and passwords are shown once, when they are made. Every change is kept: \`audit list\`.

Exit codes: 0 done, 1 refused, 2 not understood, 75 try again later, 78 settings or database cannot be used.`,
}

export interface AdminLine extends Streams {
  /** Everything after `admin`. */
  args: readonly string[]
  /** Opens the relay's database; not called for help. */
  open: () => Promise<AdminDeps>
  /** For commands that work on files: opens nothing. */
  files: () => FileContext
}

/** Runs one command. @returns the exit code: 0; 1 refused; 2 not understood */
export function runAdmin({ args, open, files, write, writeError }: AdminLine): Promise<number> {
  return runLine<Line, Command>(PROGRAM, {
    args,
    write,
    writeError,
    refusalOf,
    lineOf: (line) => ({ ...line, files, database: async () => openContext(await open()) }),
  })
}

/** False: the line asks for help, is not understood, or is about the whole database by its place. No relay is asked, whether one runs or not. */
export function needsDatabase(args: readonly string[]): boolean {
  return commandIn(args)?.command.on === 'database'
}

/** The file of the operator's that the line names as one to be read; null: none. Nothing else is handed to the relay that runs the command. */
export function fileNamedIn(args: readonly string[]): string | null {
  const named = commandIn(args)
  const value = named?.command.reads ? named.options[named.command.reads] : null
  return typeof value === 'string' ? value : null
}

/** Null for help, and for a line that is not understood. */
function commandIn(args: readonly string[]): Exclude<Understood<Command>, { help: string }> | null {
  try {
    const understood = understand(PROGRAM, args)
    return 'help' in understood ? null : understood
  } catch (error) {
    if (error instanceof LineError) return null
    throw error
  }
}

/** Words for the operator, or null for a bug. */
function refusalOf(error: unknown): LineError | null {
  if (error instanceof LineError) return error
  const message = messageOf(error)
  return message === null ? null : new LineError(message, isMisunderstood(error) ? EXIT.usage : EXIT.failed)
}

/** Whether the line is wrong, and not what it asks for. */
function isMisunderstood(error: unknown): boolean {
  // One with a message of its own was parsed, and its contents are invalid: a wrong line of a file.
  if (error instanceof ControlRefusal) return error.kind === 'invalid' && error.said === null
  return error instanceof z.ZodError
}

function messageOf(error: unknown): string | null {
  if (error instanceof ControlRefusal) return refusalWords(error)
  if (error instanceof PeopleRefusal) return error.message
  if (error instanceof z.ZodError) return error.issues.map((issue) => issue.message).join('\n')
  if (!(error instanceof ServiceError)) return null
  const details = (error.errors ?? []).filter(({ message }) => message !== error.message)
  if (details.length === 0) return error.message
  const lines = details.map(({ field, message }) => `${field}: ${message}`)
  return (error.code === 'request.invalid' ? lines : [error.message, ...lines]).join('\n')
}
