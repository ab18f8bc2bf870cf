// The gateway's command line: finds the command, reads its options, prints its answer. Opens nothing of the gateway's itself.
import { parseArgs } from 'node:util'
import type { OperationBody, OperationName } from '#gateway/control/operations.ts'
import { harmless, nearestNames } from '#shared/terminal-text.ts'
import { COMMANDS, GROUPS } from './all-commands.ts'
import { type Command, EXIT, type Line, LineError, type Output } from './command.ts'
import { callControl } from './control-client.ts'
import { commandHelp, generalHelp } from './help.ts'

export interface CommandLine {
  args: readonly string[]
  /** Where the gateway listens, unless --socket says otherwise. */
  socketPath: string
  /** Where the gateway's page listens. */
  page: Line['page']
  updateFolder: Line['updateFolder']
  /** How the program is called, such as `ticketrail-gateway`. */
  program: string
  write: (text: string) => void
  writeError: (text: string) => void
}

/** Runs one line. @returns the exit code, one of EXIT */
export async function runLine(asked: CommandLine): Promise<number> {
  const { args, socketPath, page, updateFolder, program, write, writeError } = asked
  const asJson = args.includes('--json')
  try {
    const help = helpFor(args, program)
    if (help !== null) {
      write(help)
      return EXIT.ok
    }
    const { command, rest } = commandOf(args, program)
    const { words, options } = read(command, rest, program)
    const socket = typeof options['socket'] === 'string' ? options['socket'] : socketPath
    const line: Line = {
      words,
      options,
      call: <N extends OperationName>(name: N, body: OperationBody<N>) =>
        callControl(socket, name, body) as ReturnType<Line['call']> as never,
      page,
      updateFolder,
      socketPath: socket,
      progress: (text) => (asJson ? undefined : writeError(harmless(text))),
    }
    const output: Output = await command.run(line)
    write(asJson ? harmless(JSON.stringify(output.data, null, 2), 'json') : harmless(output.text))
    return output.exitCode ?? EXIT.ok
  } catch (error) {
    if (!(error instanceof LineError)) throw error
    writeError(asJson ? harmless(JSON.stringify({ error: error.message }), 'json') : harmless(error.message))
    return error.exitCode
  }
}

function helpFor(args: readonly string[], program: string): string | null {
  const isHelp = args.length === 0 || args[0] === 'help' || args.includes('--help') || args.includes('-h')
  if (!isHelp) return null
  const words = args.filter((arg) => arg !== 'help' && !arg.startsWith('-'))
  if (words.length === 0) return generalHelp(GROUPS, program)
  const exact = COMMANDS.find(({ name }) => words.slice(0, 2).join(' ') === name || words[0] === name)
  if (exact) return commandHelp(exact, program)
  const noun = COMMANDS.filter(({ name }) => name.startsWith(`${words[0]} `))
  return noun.length > 0 ? noun.map((one) => commandHelp(one, program)).join('\n\n') : generalHelp(GROUPS, program)
}

/** @throws LineError that names the nearest commands */
function commandOf(args: readonly string[], program: string): { command: Command; rest: readonly string[] } {
  const [first = '', second = ''] = args
  const two = COMMANDS.find(({ name }) => name === `${first} ${second}`)
  if (two) return { command: two, rest: args.slice(2) }
  const one = COMMANDS.find(({ name }) => name === first)
  if (one) return { command: one, rest: args.slice(1) }
  const typed = second.startsWith('-') ? first : `${first} ${second}`.trim()
  const near = nearestNames(
    COMMANDS.map(({ name }) => name),
    typed,
  )
  throw new LineError(
    `There is no command "${typed}". Did you mean: ${near.join(', ')}?\n${program} --help shows all.`,
    EXIT.usage,
  )
}

function read(command: Command, args: readonly string[], program: string): Pick<Line, 'words' | 'options'> {
  const options = Object.fromEntries([
    ...Object.entries(command.options).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
    ['json', { type: 'boolean' as const }],
    ['socket', { type: 'string' as const }],
  ])
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, strict: true, allowPositionals: true })
    const wanted = command.usage.split(' ').filter((part) => part !== '')
    const least = wanted.filter((part) => part.startsWith('<')).length
    if (positionals.length < least) throw new Error(`${wanted[positionals.length] ?? 'a word'} is missing`)
    if (positionals.length > wanted.length) throw new Error(`"${positionals[wanted.length]}" is too much`)
    return { words: positionals, options: values as Line['options'] }
  } catch (error) {
    const [message = ''] = error instanceof Error ? error.message.split('. To specify') : []
    throw new LineError(`${message}.\n\n${commandHelp(command, program)}`, EXIT.usage)
  }
}
