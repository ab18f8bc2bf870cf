// Draws a schema as a list of fields: name, type in words, whether it must be there, what it means; what is inside behind a fold.
import { escapeHtml, inline } from './html.ts'
import { type JsonSchema, type Parameter, refName } from './json-schema.ts'

/** Requests list required fields; answers have nearly all, so they list optional ones. */
export type Direction = 'request' | 'answer'

interface View {
  schemas: Readonly<Record<string, JsonSchema>>
  direction: Direction
  /** Where the schemas are drawn, when not on this page. */
  page?: string
}

/** A component with more fields than this is drawn once, under Schemas, and linked to. */
const FOLD_UP_TO = 9

/** The fields of an object, or the type in words of anything else. */
export function schemaView(schema: JsonSchema, view: View): string {
  if (view.page !== undefined)
    return schemaView(schema, { schemas: view.schemas, direction: view.direction }).replaceAll(
      'href="#schema-',
      `href="${view.page}#schema-`,
    )
  const own = merged(schema, view)
  if (own.discriminator)
    return `<p class="type">by <code>${escapeHtml(own.discriminator.propertyName)}</code> one of ${typesOf(own)}</p>`
  if (own.oneOf) return choices(own.oneOf, view)
  if (own.properties) return fieldList(own, view)
  return `<p class="type">${typeInWords(own)}</p>`
}

/** Parameters of the path and the query. */
export function parameterView(parameters: readonly Parameter[], view: View): string {
  return list(
    parameters.map(({ name, required, description, schema }) =>
      row(name, required, { schema: description === undefined ? schema : { ...schema, description }, view }),
    ),
  )
}

function fieldList({ properties = {}, required = [] }: JsonSchema, view: View): string {
  return list(Object.entries(properties).map(([name, of]) => row(name, required.includes(name), { schema: of, view })))
}

const list = (rows: readonly string[]) => (rows.length === 0 ? '' : `<dl class="fields">${rows.join('')}</dl>`)

function row(name: string, required: boolean, { schema, view }: { schema: JsonSchema; view: View }): string {
  const text = schema.description ? `${inline(schema.description)} ` : ''
  const must =
    view.direction === 'request'
      ? required && '<span class="must">required</span>'
      : !required && '<span class="type">may be absent</span>'
  return `<div><dt><code>${escapeHtml(name)}</code><span class="type">${typeInWords(schema)}</span>${must || ''}</dt><dd>${text}${inside(schema, view)}</dd></div>`
}

/** What an object, or each item of a list, is made of. */
function inside(schema: JsonSchema, view: View): string {
  const { inner, name } = innerOf(schema)
  if (inner === null) return ''
  const own = merged(inner, view)
  const count = Object.keys(own.properties ?? {}).length
  if (name !== null && count > FOLD_UP_TO) return ''
  // Each of them is drawn under Schemas.
  if (own.discriminator) return ''
  const drawn = own.oneOf ? choices(own.oneOf, view) : fieldList(own, view)
  if (drawn === '') return ''
  return `<details><summary>${name === null ? 'fields' : `fields of ${escapeHtml(name)}`}</summary><div class="inner">${drawn}</div></details>`
}

function innerOf(schema: JsonSchema): { inner: JsonSchema | null; name: string | null } {
  if (schema.items) return innerOf(schema.items)
  if (schema.$ref !== undefined) return { inner: schema, name: refName(schema.$ref) }
  const ref = schema.anyOf?.find((one) => one.$ref !== undefined)
  if (ref) return innerOf(ref)
  return { inner: schema.properties || schema.oneOf ? schema : null, name: null }
}

/** Each kind of an object that comes in kinds. */
function choices(kinds: readonly JsonSchema[], view: View): string {
  return kinds.map((kind) => fieldList(merged(kind, view), view)).join('<p class="type">or</p>')
}

/** The schema with its references and `allOf` put together. */
function merged(schema: JsonSchema, view: View): JsonSchema {
  const target = schema.$ref === undefined ? schema : (view.schemas[refName(schema.$ref)] ?? {})
  const parts = (target.allOf ?? []).map((one) => merged(one, view))
  if (parts.length === 0) return target
  return {
    ...target,
    properties: Object.assign({}, ...parts.map((part) => part.properties ?? {}), target.properties ?? {}),
    required: parts.flatMap((part) => part.required ?? []),
  }
}

/** Such as `integer, 1 to 999, default 1` or `list of LineItem, 1 to 200 of them`. HTML: names of schemas are links. */
export function typeInWords(schema: JsonSchema): string {
  const words = [kindOf(schema)]
  if (schema.enum)
    words.push(
      schema.enum
        .filter((one) => one !== null)
        .map((one) => `<code>${escapeHtml(String(one))}</code>`)
        .join(' '),
    )
  words.push(...limitsOf(schema))
  if (schema.default !== undefined) words.push(`default <code>${escapeHtml(JSON.stringify(schema.default))}</code>`)
  return words.filter((word) => word !== '').join(', ')
}

function kindOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return link(refName(schema.$ref))
  if ('const' in schema) return `always <code>${escapeHtml(JSON.stringify(schema.const))}</code>`
  if (schema.anyOf) return schema.anyOf.map(kindOf).join(' or ')
  if (schema.discriminator) return typesOf(schema)
  if (schema.oneOf) return 'one of these'
  if (schema.items) return `list of ${kindOf(schema.items)}${enumOf(schema.items)}`
  const types = [schema.type ?? 'anything'].flat()
  const named = types.map((type) =>
    type === 'string' ? (FORMATS[schema.format ?? ''] ?? 'text') : (NAMES[type] ?? type),
  )
  return named.join(' or ')
}

const typesOf = ({ oneOf = [] }: JsonSchema): string => oneOf.map(kindOf).join(', ')

const enumOf = ({ enum: values }: JsonSchema) =>
  values ? ` (${values.map((one) => `<code>${escapeHtml(String(one))}</code>`).join(' ')})` : ''

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'time', email: 'e-mail address' }
const NAMES: Readonly<Record<string, string>> = { boolean: 'true or false', array: 'list' }

function limitsOf(schema: JsonSchema): string[] {
  const { minLength = 0, maxLength, minimum, maximum, exclusiveMinimum, minItems = 0, maxItems } = schema
  const out: string[] = []
  if (maxLength !== undefined)
    out.push(`${minLength > 0 ? `${minLength} to` : 'up to'} ${number(maxLength)} characters`)
  if (maxItems !== undefined) out.push(`${minItems > 0 ? `${minItems} to` : 'up to'} ${maxItems} of them`)
  if (exclusiveMinimum !== undefined)
    out.push(`more than ${exclusiveMinimum}${maximum === undefined ? '' : `, up to ${number(maximum)}`}`)
  else if (minimum !== undefined && maximum !== undefined) out.push(`${number(minimum)} to ${number(maximum)}`)
  else if (minimum !== undefined) out.push(`from ${number(minimum)}`)
  return out
}

const number = (value: number) => value.toLocaleString('en-US')
const link = (name: string) => `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`
