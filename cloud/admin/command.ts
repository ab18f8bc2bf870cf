// What a command of the operator's line is: its words, its options as zod schemas, and what it gives back.
import { z } from 'zod'
import type { AdminContext } from './context.ts'

/** A refusal that the operator can act on: told without a stack. */
export class AdminError extends Error {
  override readonly name = 'AdminError'
}

/** What a command found or did. `data` is what --json prints; `text` is for people. */
export interface Output {
  data: unknown
  text: string
}

type Shape = Record<string, z.ZodType>

interface Definition<S extends Shape> {
  /** Two words, noun first: `keys rotate`. */
  name: `${string} ${string}`
  /** One line without a full stop. */
  summary: string
  /** By names in camelCase; typed as `--kebab-case`. Each schema has a `.describe()`. */
  options: S
  /** Arguments of an example that works. */
  example: string
  run: (context: AdminContext, options: z.output<z.ZodObject<S>>) => Promise<Output>
}

export interface Command {
  name: string
  summary: string
  options: Readonly<Shape>
  example: string
  /** Checks the options as typed, then runs. @throws AdminError, ZodError, ServiceError */
  run: (context: AdminContext, raw: Readonly<Record<string, unknown>>) => Promise<Output>
}

/** Keeps the types of the options inside, so that commands of all shapes fit into one list. */
export function defineCommand<S extends Shape>(definition: Definition<S>): Command {
  const schema = z.strictObject(definition.options)
  return {
    name: definition.name,
    summary: definition.summary,
    options: definition.options,
    example: definition.example,
    run: (context, raw) => definition.run(context, schema.parse(raw)),
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
