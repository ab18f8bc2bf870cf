// The help of a command line, made from its commands.
import { aligned } from '#shared/terminal-text.ts'
import type { Command, CommandGroup, OptionHelp } from './command.ts'

type Described = Omit<Command, 'run'>

/** What a program's command line consists of. */
export interface Program<C extends Described = Described> {
  /** How it is called, such as `npm run -s gateway --`. */
  name: string
  /** How it is called where it is installed, such as `ticketrail-gateway`; absent: as `name`. */
  installedAs?: string
  groups: readonly CommandGroup<C>[]
  /** Options that every command takes beside its own and --json. */
  options: Readonly<Record<string, OptionHelp>>
  /** Text of the general help before the commands, and after them. */
  intro: string
  outro: string
}

export function commandsOf<C extends Described>({ groups }: Program<C>): readonly C[] {
  return groups.flatMap(({ commands }) => commands)
}

/** All commands in their groups. */
export function generalHelp(program: Program): string {
  const { groups, intro, outro } = program
  const width = Math.max(...commandsOf(program).map(({ name }) => name.length))
  const lists = groups.map(({ title, commands }) => {
    const rows = commands.map(({ name, summary }) => [name.padEnd(width), summary])
    return `${title}:\n${aligned(rows, '  ')}`
  })
  return [intro, ...lists, outro].join('\n\n')
}

/** One command: its arguments, options and examples. */
export function commandHelp({ name, usage, summary, options, examples }: Described, program: string): string {
  const rows = Object.entries(options).map(([option, { value, text, required }]) => [
    `--${option}${value === undefined ? '' : ` ${value}`}`,
    `${text}${required ? ' (required)' : ''}`,
  ])
  return [
    `${name} ${usage}`.trimEnd(),
    `    ${summary}`,
    ...(rows.length === 0 ? [] : [aligned(rows, '    ')]),
    '  For example:',
    ...examples.map((example) => `    ${program} ${name} ${example}`.trimEnd()),
  ].join('\n')
}
