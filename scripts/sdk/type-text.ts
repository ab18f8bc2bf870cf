// A JSON schema of the OpenAPI document as TypeScript.
import { type JsonSchema, refName } from '#cloud/api/openapi/json-schema.ts'

/** Every keyword that is turned into a type or, where TypeScript has no word for it, left out on purpose. */
const KNOWN = new Set<string>([
  ...['$ref', 'type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const'],
  ...['anyOf', 'oneOf', 'allOf', 'title', 'description', 'default', 'format', 'pattern', 'propertyNames'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'multipleOf', 'minItems', 'maxItems'],
  'discriminator',
])

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** Names that would hide a global, or that need another type in their place. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorBody', WebhookEvent: 'TicketrailEvent' }

export const typeName = (component: string): string => RENAMED[component] ?? component

export interface TypeTextOptions {
  /** Fields that may be left out although the schema requires them. */
  optional?: readonly string[]
}

/** @throws Error for an unsupported keyword, so that no type silently becomes `unknown` */
export function typeText(schema: JsonSchema, options: TypeTextOptions = {}): string {
  const unknown = Object.keys(schema).filter((word) => !KNOWN.has(word) && !word.startsWith('x-'))
  if (unknown.length > 0) {
    throw new Error(
      `scripts/sdk/type-text.ts does not know the keyword ${unknown.join(', ')} in ${JSON.stringify(schema)}`,
    )
  }
  const { $ref, allOf, anyOf, oneOf } = schema
  if ($ref !== undefined) return typeName(refName($ref))
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => literal(value)).join(' | ')
  const either = anyOf ?? oneOf
  // Fields beside the alternatives apply to each of them.
  const own = schema.properties === undefined ? [] : [objectText(schema, options)]
  if (either !== undefined) return bothOf([...own, bracketed(either.map((one) => typeText(one, options)).join(' | '))])
  if (allOf !== undefined) return bothOf([...own, ...allOf.map((one) => bracketed(typeText(one, options)))])
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return 'unknown'
  return types.map((type) => textOfType(type, schema, options)).join(' | ')
}

/** `/** ... *\/` above what it describes, or nothing. */
export function docText(text: string | undefined, indent: string): string {
  if (text === undefined) return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

/** Whether the schema is an object and nothing else, so that it can become an interface. */
export function isPlainObject(schema: JsonSchema): boolean {
  return schema.properties !== undefined && !schema.anyOf && !schema.oneOf && !schema.allOf
}

const literal = (value: unknown): string => JSON.stringify(value).replaceAll('"', "'")
const bothOf = (parts: readonly string[]): string => parts.join(' & ')
const bracketed = (text: string): string => (/[|&]/.test(text) && !/^\{[\s\S]*\}$/.test(text) ? `(${text})` : text)

function textOfType(type: string, schema: JsonSchema, options: TypeTextOptions): string {
  if (type === 'array') return `${bracketedUnion(typeText(schema.items ?? {}))}[]`
  if (type === 'object') return objectText(schema, options)
  const text = PRIMITIVES[type]
  if (text === undefined) throw new Error(`no type stands for "${type}"`)
  return text
}

/** An array of a union needs brackets, one of an object none. */
function bracketedUnion(text: string): string {
  return /^[\w.]+$|^\{[^|]*\}$/.test(text) ? text : `(${text})`
}

function objectText({ properties, required = [], additionalProperties }: JsonSchema, options: TypeTextOptions): string {
  if (properties === undefined) {
    return typeof additionalProperties === 'object'
      ? `Record<string, ${typeText(additionalProperties)}>`
      : 'Record<string, unknown>'
  }
  // In an answer it means that fields may be added, as in every answer; anything narrower has no type of its own.
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0) {
    throw new Error(`fields beside ${Object.keys(properties).join(', ')} need a type in scripts/sdk/type-text.ts`)
  }
  const fields = Object.entries(properties).map(([name, of]) => {
    const mark = required.includes(name) && !options.optional?.includes(name) ? '' : '?'
    const key = /^\w+$/.test(name) ? name : literal(name)
    return `${docText(descriptionOf(of), '  ')}  ${key}${mark}: ${typeText(of).replaceAll('\n', '\n  ')}\n`
  })
  return `{\n${fields.join('')}}`
}

/** A time is a string in TypeScript, so its description states the format. */
function descriptionOf({ description, format }: JsonSchema): string | undefined {
  return description !== undefined && format === 'date-time' ? `${description} ISO 8601.` : description
}
