// Makes every kind of wrong input from the schema of a request: missing, of a wrong type, too long, too many, unknown, with control bytes.
import type { JsonSchema } from '#cloud/api/openapi/json-schema.ts'
import { resolve, type Schemas } from './schema-check.ts'

export interface WrongInput {
  /** Such as `items[0].qty: is too large`. */
  name: string
  /** Such as `is too large`. */
  what: string
  value: unknown
  /** The first field of the path, which the refusal must name. */
  field: string
}

/** Every way to break `good`, one at a time. */
export function wrongInputs(good: unknown, schema: JsonSchema, schemas: Schemas): WrongInput[] {
  return breaks(good, schema, schemas, '').map(({ at, what, value }) => ({
    name: `${at === '' ? 'the body' : at}: ${what}`,
    what,
    value,
    field: /^\w*/.exec(at)?.[0] ?? '',
  }))
}

interface Break {
  at: string
  what: string
  value: unknown
}

function breaks(good: unknown, raw: JsonSchema, schemas: Schemas, at: string): Break[] {
  const schema = resolve(raw, schemas)
  const here = (what: string, value: unknown): Break => ({ at, what, value })
  const types = [schema.type ?? []].flat()
  const out: Break[] = []
  for (const [type, value] of Object.entries(OF_OTHER_TYPE)) {
    if (types.length > 0 && !types.includes(type) && !(type === 'number' && types.includes('integer')))
      out.push(here(`is ${type}`, value))
  }
  if (types.includes('integer')) out.push(here('is a fraction', 1.5))
  if (types.includes('number')) out.push(here('has three decimals', 1.005), here('is huge', 1e300))
  if (types.includes('string')) out.push(...wrongTexts(schema, here))
  if (schema.enum) out.push(here('is not listed', 'nonsense'))
  if (schema.maximum !== undefined) out.push(here('is too large', schema.maximum + 1))
  if (schema.minimum !== undefined) out.push(here('is too small', schema.minimum - 1))
  if (schema.exclusiveMinimum !== undefined) out.push(here('is not more than the minimum', schema.exclusiveMinimum))
  if (types.includes('array')) out.push(...wrongLists(good, schema, schemas, here, at))
  if (schema.properties) out.push(...wrongFields(good, schema, schemas, here, at))
  return out
}

const OF_OTHER_TYPE = { string: 'text', number: 7, boolean: true, object: {}, array: [], null: null }

function wrongTexts(schema: JsonSchema, here: (what: string, value: unknown) => Break): Break[] {
  const out: Break[] = []
  if (schema.maxLength !== undefined) out.push(here('is too long', 'x'.repeat(schema.maxLength + 1)))
  if ((schema.minLength ?? 0) > 0) out.push(here('is empty', ''))
  for (const [what, value] of Object.entries(CONTROL)) out.push(here(what, `a${value}b`))
  out.push(here('is half a surrogate pair', 'a\ud800'))
  return out
}

export const CONTROL = {
  'has NUL': '\u0000',
  'has ESC': '\u001b',
  'has C1 CSI': '\u009b',
  'has DEL': '\u007f',
  'has CR': '\r',
}

function wrongLists(
  good: unknown,
  schema: JsonSchema,
  schemas: Schemas,
  here: (what: string, value: unknown) => Break,
  at: string,
): Break[] {
  const list = Array.isArray(good) ? good : []
  const out: Break[] = []
  if (schema.maxItems !== undefined) out.push(here('has too many', Array(schema.maxItems + 1).fill(list[0] ?? 'x')))
  if ((schema.minItems ?? 0) > 0) out.push(here('has none', []))
  const { items } = schema
  if (items) {
    const inner = breaks(list[0], items, schemas, `${at}[0]`)
    out.push(...inner.map((one) => ({ ...one, value: [one.value, ...list.slice(1)] })))
  }
  return out
}

function wrongFields(
  good: unknown,
  schema: JsonSchema,
  schemas: Schemas,
  here: (what: string, value: unknown) => Break,
  at: string,
): Break[] {
  const record = (typeof good === 'object' && good !== null ? good : {}) as Record<string, unknown>
  const inside = (name: string) => (at === '' ? name : `${at}.${name}`)
  const out: Break[] = []
  for (const name of schema.required ?? []) {
    const { [name]: _gone, ...rest } = record
    out.push({ ...here('is missing', rest), at: inside(name) })
  }
  if (schema.additionalProperties === false)
    out.push({ ...here('is unknown', { ...record, nonsense: 1 }), at: inside('nonsense') })
  for (const [name, of] of Object.entries(schema.properties ?? {})) {
    for (const one of breaks(record[name], of, schemas, inside(name)))
      out.push({ ...one, value: { ...record, [name]: one.value } })
  }
  return out
}
