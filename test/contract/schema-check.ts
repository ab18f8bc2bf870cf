// A small judge of JSON Schema 2020-12: just the keywords that our document uses, and an unknown keyword is an error, so that nothing is passed over.
// Stricter than the standard in one point: a field that no schema names is a fault, because the document would not tell clients of it.
import type { JsonSchema } from '#cloud/api/openapi/json-schema.ts'

export type Schemas = Readonly<Record<string, JsonSchema>>

const SILENT = new Set(['description', 'title', 'default', 'example', 'examples', 'propertyNames', 'discriminator'])
const KNOWN = new Set([
  ...['$ref', 'type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf', 'oneOf'],
  ...['allOf', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum'],
  ...['minItems', 'maxItems'],
])
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Everything in which `value` departs from `schema`: path and words. Empty when it fits. */
export function schemaFaults(value: unknown, schema: JsonSchema, schemas: Schemas, path = '$'): string[] {
  const faults = faultsOf(value, schema, schemas, path)
  return [...faults, ...unnamedFields(value, schema, schemas, path)]
}

function faultsOf(value: unknown, schema: JsonSchema, schemas: Schemas, path: string): string[] {
  const faults: string[] = []
  for (const word of Object.keys(schema)) {
    if (!KNOWN.has(word) && !SILENT.has(word) && !word.startsWith('x-')) faults.push(`${path}: the schema says ${word}`)
  }
  if (schema.$ref !== undefined) return [...faults, ...faultsOf(value, resolve(schema, schemas), schemas, path)]
  for (const one of schema.allOf ?? []) faults.push(...faultsOf(value, one, schemas, path))
  for (const word of ['anyOf', 'oneOf'] as const) {
    const list = schema[word]
    if (!list) continue
    const fits = list.filter((one) => faultsOf(value, one, schemas, path).length === 0).length
    if (fits === 0 || (word === 'oneOf' && fits > 1)) faults.push(`${path}: fits ${fits} of ${word}`)
  }
  if (schema.type !== undefined && ![schema.type].flat().includes(typeOf(value, schema)))
    return [...faults, `${path}: is ${typeOf(value, schema)}, not ${[schema.type].flat().join(' or ')}`]
  if (schema.enum && !schema.enum.includes(value)) faults.push(`${path}: ${JSON.stringify(value)} is not listed`)
  if ('const' in schema && schema.const !== value) faults.push(`${path}: is not ${JSON.stringify(schema.const)}`)
  return [...faults, ...textFaults(value, schema, path), ...insideFaults(value, schema, schemas, path)]
}

function textFaults(value: unknown, schema: JsonSchema, path: string): string[] {
  const faults: string[] = []
  const wrong = (words: string) => faults.push(`${path}: ${JSON.stringify(value)} ${words}`)
  if (typeof value === 'string') {
    if (schema.format === 'date-time' && !DATE_TIME.test(value)) wrong('is not UTC with milliseconds')
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) wrong(`breaks ${schema.pattern}`)
    if (value.length < (schema.minLength ?? 0) || value.length > (schema.maxLength ?? Infinity))
      wrong('has a wrong length')
  }
  if (typeof value === 'number') {
    if (value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity)) wrong('is out of range')
    if (value <= (schema.exclusiveMinimum ?? -Infinity)) wrong('is too small')
  }
  return faults
}

function insideFaults(value: unknown, schema: JsonSchema, schemas: Schemas, path: string): string[] {
  const faults: string[] = []
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Infinity))
      faults.push(`${path}: has ${value.length} items`)
    const { items } = schema
    if (items) for (const [i, one] of value.entries()) faults.push(...faultsOf(one, items, schemas, `${path}[${i}]`))
  } else if (isRecord(value)) {
    for (const name of schema.required ?? []) if (!(name in value)) faults.push(`${path}.${name}: is missing`)
    for (const [name, of] of Object.entries(schema.properties ?? {}))
      if (name in value) faults.push(...faultsOf(value[name], of, schemas, `${path}.${name}`))
  }
  return faults
}

/** Fields of `value` that no branch of the schema names, unless it says `additionalProperties`. */
function unnamedFields(value: unknown, schema: JsonSchema, schemas: Schemas, path: string): string[] {
  if (Array.isArray(value)) {
    const items = branches(schema, schemas).flatMap((one) => (one.items ? [one.items] : []))
    return value.flatMap((one, i) =>
      items.length === 0 ? [] : unnamedFields(one, { anyOf: items }, schemas, `${path}[${i}]`),
    )
  }
  if (!isRecord(value)) return []
  const all = branches(schema, schemas)
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = all.flatMap((one) => one.properties?.[name] ?? [])
    if (known.length > 0) return unnamedFields(inner, { anyOf: known }, schemas, `${path}.${name}`)
    const open = all.some((one) => one.additionalProperties !== undefined && one.additionalProperties !== false)
    return open ? [] : [`${path}.${name}: the document does not name it`]
  })
}

/** The schema and everything that it is put together from. */
function branches(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  if (schema.$ref !== undefined) return branches(resolve(schema, schemas), schemas)
  const inner = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return [schema, ...inner.flatMap((one) => branches(one, schemas))]
}

export function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  if (schema.$ref === undefined) return schema
  const found = schemas[schema.$ref.replace('#/components/schemas/', '')]
  if (!found) throw new Error(`${schema.$ref} leads nowhere`)
  return resolve(found, schemas)
}

function typeOf(value: unknown, schema: JsonSchema): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' && Number.isInteger(value) && [schema.type].flat().includes('integer')) return 'integer'
  return typeof value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
