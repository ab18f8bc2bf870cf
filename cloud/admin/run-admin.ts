// The operator's command line: `npm run -s cloud -- admin <noun> <verb> --options`. Finds the command, checks its options, prints its answer.
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { ControlRefusal } from '#cloud/control/control-refusal.ts'
import { PeopleRefusal } from '#cloud/people/people-refusal.ts'
import { ServiceError } from '#shared/errors.ts'
import { fieldMessage } from '#shared/field-message.ts'
import { harmless, nearestNames } from '#shared/terminal-text.ts'
import { accountCommands } from './account-commands.ts'
import { backupCommands } from './backup-commands.ts'
import { channelCommands } from './channel-commands.ts'
import { cloudPrinterCommands } from './cloud-printer-commands.ts'
import { AdminError, type Command, flagOf, isOptional, isSwitch, type Output } from './command.ts'
import { type AdminDeps, type FileContext, openContext } from './context.ts'
import { gatewayCommands } from './gateway-commands.ts'
import { commandHelp, generalHelp, nounHelp } from './help.ts'
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
  ...backupCommands,
  ...verifyCommands,
  ...moveCommands,
]

/** sysexits(3): the line could not be understood; nothing was done. */
const EXIT_USAGE = 64
const EXIT_REFUSED = 1

export interface AdminLine {
  /** Everything after `admin`. */
  args: readonly string[]
  /** Opens the relay's database; not called for help. */
  open: () => Promise<AdminDeps>
  /** For commands that work on files: opens nothing. */
  files: () => FileContext
  write: (text: string) => void
  writeError: (text: string) => void
}

/** A line that cannot be understood, with the help that would have prevented it. */
class UsageError extends AdminError {}

/** Runs one command. @returns the exit code: 0; 1 refused; 64 not understood */
export async function runAdmin({ args, open, files, write, writeError }: AdminLine): Promise<number> {
  const asJson = args.includes('--json')
  try {
    const words = args.filter((arg) => arg !== '--json')
    const help = helpFor(words)
    if (help !== null) {
      write(help)
      return 0
    }
    const command = commandOf(words)
    const options = readOptions(command, words.slice(command.name.split(' ').length))
    const {
      data,
      text,
      isFault = false,
    }: Output = command.on === 'files'
      ? await command.run(files(), options)
      : await command.run(openContext(await open()), options)
    write(asJson ? harmless(JSON.stringify(data, null, 2), 'json') : harmless(text))
    return isFault ? EXIT_REFUSED : 0
  } catch (error) {
    const message = messageOf(error)
    if (message === null) throw error
    writeError(asJson ? harmless(JSON.stringify({ error: message }), 'json') : harmless(message))
    return isMisunderstood(error) ? EXIT_USAGE : EXIT_REFUSED
  }
}

/** Whether the line is wrong, and not what it asks for. */
function isMisunderstood(error: unknown): boolean {
  // One with words of its own understood the line, and does not like what it says: a wrong line of a file.
  if (error instanceof ControlRefusal) return error.kind === 'invalid' && error.said === null
  return error instanceof UsageError || error instanceof z.ZodError
}

/** False: the line asks for help, or for what is done to the whole database by its place. No relay is asked, whether one runs or not. */
export function needsDatabase(args: readonly string[]): boolean {
  const words = args.filter((arg) => arg !== '--json')
  return helpFor(words) === null && namedBy(words)?.on !== 'files'
}

/** The file of the operator's that the line names as one to be read; null: none. Nothing else is handed to the relay that runs the command. */
export function fileNamedIn(args: readonly string[]): string | null {
  const words = args.filter((arg) => arg !== '--json')
  const command = namedBy(words)
  if (!command || command.reads === null) return null
  try {
    const value = readOptions(command, words.slice(command.name.split(' ').length))[command.reads]
    return typeof value === 'string' ? value : null
  } catch (error) {
    // The relay says what is wrong with the line.
    if (error instanceof UsageError) return null
    throw error
  }
}

function helpFor(words: readonly string[]): string | null {
  const [first = 'help', second] = words
  const wanted = first === 'help' || words.includes('--help')
  const named = words.filter((word) => word !== 'help' && !word.startsWith('-'))
  if (!wanted) return second === undefined && isNoun(first) ? nounHelp(COMMANDS, first) : null
  const command = namedBy(named)
  if (command) return commandHelp(command)
  const [noun] = named
  return noun !== undefined && isNoun(noun) ? nounHelp(COMMANDS, noun) : generalHelp(COMMANDS)
}

function isNoun(word: string): boolean {
  return COMMANDS.some(({ name }) => name.startsWith(`${word} `))
}

/** A command of one word may be followed by anything. */
function namedBy([first = '', second = '']: readonly string[]): Command | undefined {
  return COMMANDS.find(({ name }) => name === first || name === `${first} ${second}`)
}

function commandOf(words: readonly string[]): Command {
  const command = namedBy(words)
  if (command) return command
  const name = words.slice(0, 2).join(' ')
  const near = nearestNames(
    COMMANDS.map((command) => command.name),
    name,
  )
  throw new UsageError(`There is no command "${name}". Did you mean: ${near.join(', ')}?\n\`admin help\` shows all.`)
}

/** Option values by their camelCase names, unchecked but known. @throws UsageError that shows how the command is used */
function readOptions(command: Command, args: readonly string[]): Record<string, unknown> {
  const entries = Object.entries(command.options)
  const options = Object.fromEntries(
    entries.map(([name, schema]) => [
      flagOf(name),
      { type: isSwitch(schema) ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  let values: Record<string, unknown>
  try {
    const parsed = parseArgs({ args: [...args], options, strict: true, allowPositionals: command.operand !== null })
    values = { ...parsed.values, ...operandOf(command, parsed.positionals) }
  } catch (error) {
    const [words = ''] = error instanceof Error ? error.message.split('. ') : []
    throw new UsageError(`${words}.\n\n${commandHelp(command)}`, { cause: error })
  }
  const raw = Object.fromEntries(entries.map(([name]) => [name, values[flagOf(name)]]))
  const problems = entries.flatMap(([name, schema]) => {
    const value = raw[name]
    if (value === undefined) return isOptional(schema) ? [] : [`--${flagOf(name)} is required`]
    const parsed = schema.safeParse(value, { error: fieldMessage })
    return parsed.success ? [] : [`--${flagOf(name)} ${parsed.error.issues[0]?.message ?? 'is wrong'}`]
  })
  if (problems.length > 0) throw new UsageError(`${problems.join('\n')}\n\n${commandHelp(command)}`)
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined))
}

/** What stands without a name. @throws Error when it is too much */
function operandOf({ operand }: Command, words: readonly string[]): Record<string, unknown> {
  const [word, tooMuch] = words
  if (tooMuch !== undefined) throw new Error(`Unexpected argument '${tooMuch}'`)
  return operand === null || word === undefined ? {} : { [flagOf(operand)]: word }
}

/** Words for the operator, or null for a bug. */
function messageOf(error: unknown): string | null {
  if (error instanceof AdminError) return error.message
  if (error instanceof ControlRefusal) return refusalWords(error)
  if (error instanceof PeopleRefusal) return error.message
  if (error instanceof z.ZodError) return error.issues.map((issue) => issue.message).join('\n')
  if (!(error instanceof ServiceError)) return null
  const details = (error.errors ?? []).filter(({ message }) => message !== error.message)
  if (details.length === 0) return error.message
  const lines = details.map(({ field, message }) => `${field}: ${message}`)
  return (error.code === 'request.invalid' ? lines : [error.message, ...lines]).join('\n')
}
