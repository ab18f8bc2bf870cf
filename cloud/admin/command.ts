// What a command of the operator's line is: its words, its options as zod schemas, and what it gives back.
import { z } from 'zod'
import type { AdminContext, FileContext } from './context.ts'

/** A refusal that the operator can act on: told without a stack. */
export class AdminError extends Error {
  override readonly name = 'AdminError'
}

/** What a command found or did. `data` is what --json prints; `text` is for people; `isFault`: the exit code is 1 all the same. */
export interface Output {
  data: unknown
  text: string
  isFault?: boolean
}

type Shape = Record<string, z.ZodType>

interface Definition<S extends Shape, C> {
  /** Two words, noun first: `keys rotate`; one word where it is about the whole database: `verify`. */
  name: string
  /** One line without a full stop. */
  summary: string
  /** By names in camelCase; typed as `--kebab-case`. Each schema has a `.describe()`. */
  options: S
  /** The option that may stand without its name: `restore FILE`. */
  operand?: Extract<keyof S, string>
  /** The option that names a file of the operator's, whose text the command needs. */
  reads?: Extract<keyof S, string>
  /** Arguments of an example that works. */
  example: string
  run: (context: C, options: z.output<z.ZodObject<S>>) => Promise<Output>
}

/** `on`: the open database, or files by their paths, of which none is opened before. */
export type Command = CommandOn<'database', AdminContext> | CommandOn<'files', FileContext>

interface CommandOn<O, C> {
  on: O
  name: string
  summary: string
  options: Readonly<Shape>
  operand: string | null
  reads: string | null
  example: string
  /** Checks the options as typed, then runs. @throws AdminError, ZodError, ServiceError */
  run: (context: C, raw: Readonly<Record<string, unknown>>) => Promise<Output>
}

/** Keeps the types of the options inside, so that commands of all shapes fit into one list. */
export function defineCommand<S extends Shape>(definition: Definition<S, AdminContext>): Command {
  return { on: 'database', ...made(definition) }
}

/** A command that works on files by their paths, whether a relay runs or not. */
export function defineFileCommand<S extends Shape>(definition: Definition<S, FileContext>): Command {
  return { on: 'files', ...made(definition) }
}

function made<S extends Shape, C>({ name, summary, options, operand, reads, example, run }: Definition<S, C>) {
  const schema = z.strictObject(options)
  return {
    name,
    summary,
    options,
    operand: operand ?? null,
    reads: reads ?? null,
    example,
    run: (context: C, raw: Readonly<Record<string, unknown>>) => run(context, schema.parse(raw)),
  }
}

/** `timeZone` -> `time-zone` */
export function flagOf(option: string): string {
  return option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Whether the option is a switch that takes no value. */
export function isSwitch(schema: z.ZodType): boolean {
  return (unwrapped(schema) ?? schema) instanceof z.ZodBoolean
}

/** What `.describe()` said, before or after `.optional()` and `.default()`. */
export function descriptionOf(schema: z.ZodType): string {
  return schema.description ?? unwrapped(schema)?.description ?? ''
}

function unwrapped(schema: z.ZodType): z.ZodType | null {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : null
}

/** Whether the command can do without it. */
export function isOptional(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success
}
