// What a command of the operator's line is: the frame of all command lines, with options as zod schemas.
import { z } from 'zod'
import type { Command as AnyCommand, Line as AnyLine, OptionHelp, Output } from '#shared/cli/command.ts'
import { fieldMessage } from '#shared/field-message.ts'
import type { AdminContext, FileContext } from './context.ts'

type Shape = Record<string, z.ZodType>

export interface Line extends AnyLine {
  /** Opens the relay's database. */
  database: () => Promise<AdminContext>
  files: () => FileContext
}

export interface Command extends AnyCommand<Line> {
  /** The open database, or files by their paths, of which none is opened before. */
  on: 'database' | 'files'
  /** The option with a file of the operator, whose text the command needs. */
  reads: string | null
}

interface Definition<S extends Shape, C> {
  /** Two words, noun first: `keys rotate`; one word where it is about the whole database: `verify`. */
  name: string
  /** One line without a full stop. */
  summary: string
  /** By names in camelCase; typed as `--kebab-case`. Each schema has a `.describe()`. */
  options: S
  /** The option that may be given without its name: `restore FILE`. */
  operand?: Extract<keyof S, string>
  reads?: Extract<keyof S, string>
  /** Arguments of an example that works. */
  example: string
  run: (context: C, options: z.output<z.ZodObject<S>>) => Promise<Output>
}

/** Keeps the types of the options inside, so that commands of all shapes fit into one list. */
export function defineCommand<S extends Shape>(definition: Definition<S, AdminContext>): Command {
  return { on: 'database', ...made(definition, ({ database }) => database()) }
}

/** A command that works on files by their paths, whether a relay runs or not. */
export function defineFileCommand<S extends Shape>(definition: Definition<S, FileContext>): Command {
  return { on: 'files', ...made(definition, async ({ files }) => files()) }
}

function made<S extends Shape, C>(definition: Definition<S, C>, contextOf: (line: Line) => Promise<C>) {
  const { name, summary, options, operand, reads, example, run } = definition
  const schema = z.strictObject(options)
  const entries = Object.entries(options)
  /** As typed, by the names in camelCase. */
  const given = (line: Pick<Line, 'words' | 'options'>) =>
    Object.fromEntries(
      entries
        .map(([option]) => [option, line.options[flagOf(option)] ?? (option === operand ? line.words[0] : undefined)])
        .filter(([, value]) => value !== undefined),
    )
  return {
    name,
    summary,
    usage: operand === undefined ? '' : `[<${flagOf(operand)}>]`,
    options: Object.fromEntries(entries.map(([option, field]) => [flagOf(option), helpOf(field)])),
    examples: [example],
    reads: reads ?? null,
    problems: (line: Pick<Line, 'words' | 'options'>) => {
      const typed = given(line)
      return entries.flatMap(([option, field]) => problemOf(`--${flagOf(option)}`, field, typed[option]))
    },
    run: async (line: Line) => run(await contextOf(line), schema.parse(given(line))),
  }
}

/** `timeZone` -> `time-zone` */
function flagOf(option: string): string {
  return option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function helpOf(field: z.ZodType): OptionHelp {
  const inner = field instanceof z.ZodDefault || field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field
  // The text of `.describe()`, before or after `.optional()` and `.default()`.
  const text = field.description ?? inner.description ?? ''
  return {
    text: isOptional(field) ? text : `${text} (required)`,
    ...(inner instanceof z.ZodBoolean ? {} : { value: '...' }),
  }
}

function problemOf(flag: string, field: z.ZodType, value: unknown): string[] {
  if (value === undefined) return isOptional(field) ? [] : [`${flag} is required`]
  const parsed = field.safeParse(value, { error: fieldMessage })
  return parsed.success ? [] : [`${flag} ${parsed.error.issues[0]?.message ?? 'is wrong'}`]
}

/** Whether the command can do without it. */
function isOptional(field: z.ZodType): boolean {
  return field.safeParse(undefined).success
}
