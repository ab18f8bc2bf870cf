// Runs one typed line: finds the command, reads its options, prints its answer or its refusal.
import { parseArgs } from 'node:util'
import { harmless, nearNames } from '#shared/terminal-text.ts'
import { type Command, EXIT, type Line, LineError, type OptionHelp } from './command.ts'
import { commandHelp, commandsOf, generalHelp, type Program } from './help.ts'

export interface Streams {
  write: (text: string) => void
  writeError: (text: string) => void
}

interface Asked<L extends Line> extends Streams {
  args: readonly string[]
  /** Gives the command what it works with. */
  lineOf: (line: Line, command: Command<L>) => L | Promise<L>
  /** Turns the room's own refusals into words; null: a bug, which is thrown on. */
  refusalOf?: (error: unknown) => LineError | null
}

/** The command that a line names, or the requested help. */
export type Understood<C> = { help: string } | { command: C; words: Line['words']; options: Line['options'] }

/** @returns the exit code: one of EXIT, or the program's own */
export async function runLine<L extends Line, C extends Command<L>>(
  program: Program<C>,
  { args, write, writeError, lineOf, refusalOf = asLineError }: Asked<L>,
): Promise<number> {
  const asJson = args.includes('--json')
  const tell = (text: string) => writeError(asCalled(program, harmless(text)))
  try {
    const understood = understand(program, args)
    if ('help' in understood) {
      write(understood.help)
      return EXIT.ok
    }
    const { command, words, options } = understood
    const progress = (text: string) => (asJson ? undefined : tell(text))
    const output = await command.run(await lineOf({ words, options, progress }, command))
    // A command that printed its lines while it ran has no further output.
    const json = () => JSON.stringify(output.data, null, 2) ?? ''
    const printed = asJson ? harmless(json(), 'json') : asCalled(program, harmless(output.text))
    if (printed !== '') write(printed)
    return output.exitCode ?? EXIT.ok
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === null) throw error
    const { message, exitCode } = refusal
    if (asJson) writeError(harmless(JSON.stringify({ error: message }), 'json'))
    else tell(message)
    return exitCode
  }
}

/** Sentences name commands of the installed program; where it is called otherwise, they must be typed otherwise. */
function asCalled(program: Program, text: string): string {
  const { name, installedAs = name } = program
  if (installedAs === name) return text
  const nouns = commandsOf(program).map((command) => command.name.split(' ')[0])
  return text.replaceAll(new RegExp(`\\b(?:sudo )?${installedAs} (?=(?:${nouns.join('|')})\\b)`, 'g'), `${name} `)
}

function asLineError(error: unknown): LineError | null {
  return error instanceof LineError ? error : null
}

/** @throws LineError that names the nearest commands, or shows how the command is used */
export function understand<C extends Omit<Command, 'run'>>(
  program: Program<C>,
  typed: readonly string[],
): Understood<C> {
  const args = typed.filter((arg) => arg !== '--json')
  const help = helpFor(program, args)
  if (help !== null) return { help }
  const command = named(program, args)
  if (command === undefined) throw unknown(program, args)
  return { command, ...readOptions(program, command, args.slice(command.name.split(' ').length)) }
}

function helpFor<C extends Omit<Command, 'run'>>(program: Program<C>, args: readonly string[]): string | null {
  const isAsked = args.length === 0 || args[0] === 'help' || args.includes('--help') || args.includes('-h')
  const words = isAsked ? args.filter((arg) => arg !== 'help' && !arg.startsWith('-')) : args
  const [noun] = words
  // A noun alone is no command, so its verbs are listed.
  if (!isAsked && (words.length > 1 || named(program, words) !== undefined)) return null
  const command = named(program, words)
  if (command) return commandHelp(command, program.name)
  const ofNoun = commandsOf(program).filter(({ name }) => name.startsWith(`${noun} `))
  if (ofNoun.length > 0) return ofNoun.map((one) => commandHelp(one, program.name)).join('\n\n')
  return isAsked ? generalHelp(program) : null
}

/** Two words before one: `restore check` is not `restore` with a word. */
function named<C extends Omit<Command, 'run'>>(
  program: Program<C>,
  [first = '', second = '']: readonly string[],
): C | undefined {
  const commands = commandsOf(program)
  return commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first)
}

function unknown(program: Program, [first = '', second = '']: readonly string[]): LineError {
  const typed = second.startsWith('-') ? first : `${first} ${second}`.trim()
  const names = commandsOf(program).map(({ name }) => name)
  const near = nearNames(names, typed).join(', ')
  const meant = near === '' ? '' : ` Did you mean: ${near}?`
  return new LineError(`There is no command "${typed}".${meant}\n${program.name} help shows all commands.`, EXIT.usage)
}

function readOptions(
  program: Program,
  command: Omit<Command, 'run'>,
  args: readonly string[],
): Pick<Line, 'words' | 'options'> {
  const known: Record<string, OptionHelp> = { ...program.options, ...command.options }
  const refused = (problems: readonly string[]) =>
    new LineError(`${problems.join('\n')}\n\n${commandHelp(command, program.name)}`, EXIT.usage)
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(Object.entries(known).map(([name, help]) => [name, parsedAs(help)])),
      strict: true,
      allowPositionals: true,
    })
    const wanted = command.usage.split(' ').filter((part) => part !== '')
    const least = wanted.filter((part) => part.startsWith('<')).length
    const missing = Object.entries(known)
      .filter(([name, { required }]) => required && values[name] === undefined)
      .map(([name]) => `--${name} is required`)
    const problems = [...missing, ...(command.problems?.({ words: positionals, options: values }) ?? [])]
    if (positionals.length < least) problems.push(`${wanted[positionals.length] ?? 'a word'} is missing.`)
    if (positionals.length > wanted.length) problems.push(`"${positionals[wanted.length]}" is too much.`)
    if (problems.length > 0) throw refused(problems)
    return { words: positionals, options: values }
  } catch (error) {
    if (error instanceof LineError) throw error
    const [message = ''] = error instanceof Error ? error.message.split('. To specify') : []
    throw refused([`${message}.`])
  }
}

function parsedAs({ value, repeats = false }: OptionHelp) {
  return { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: repeats }
}
