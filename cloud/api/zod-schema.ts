// zod at the edge: validates requests, checks answers, and turns zod's issues into the error list of the API.
import type { FastifySchemaCompiler } from 'fastify'
import { z } from 'zod'
import { type FieldError, ServiceError } from '#shared/errors.ts'
import { fieldMessage } from '#shared/field-message.ts'

const MAX_ERRORS = 20
const MAX_NAME = 64

/** The request breaks its schema; becomes 422 `request.invalid`. */
export class InvalidRequest extends Error {
  readonly errors: readonly FieldError[]

  constructor(errors: readonly FieldError[]) {
    super('the request does not match the schema')
    this.name = 'InvalidRequest'
    this.errors = errors
  }
}

/** For `app.setValidatorCompiler`. A missing body is malformed (400), a wrong one invalid (422). Fastify hands a missing one over as null. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (data: unknown) => {
    if (httpPart === 'body' && (data === undefined || data === null)) {
      return {
        error: new ServiceError('request.malformed', { message: 'The request body is empty. Send a JSON object.' }),
      }
    }
    const parsed = schema.safeParse(data, { error: fieldMessage })
    if (parsed.success) return { value: parsed.data }
    return {
      error: new InvalidRequest(fieldErrors(schema, parsed.error, { data, inQuery: httpPart === 'querystring' })),
    }
  }
}

/** For `app.setSerializerCompiler`: what the schema does not name is left out; an answer that breaks it is a bug. */
export function serializerCompiler({ schema }: { schema: z.ZodType }): (data: unknown) => string {
  return (data) => JSON.stringify(schema.parse(data))
}

/** What was checked, and whether it came in the query. */
interface Checked {
  data: unknown
  inQuery: boolean
}

/** All broken rules, at most 20, each with its path such as `items[0].qty`; of the whole body: `body`. */
export function fieldErrors(schema: z.ZodType, error: z.ZodError, checked: Checked): FieldError[] {
  const out: FieldError[] = []
  for (const issue of error.issues.flatMap(ofTheForm)) {
    if (issue.code === 'unrecognized_keys') {
      // A body of 256 KiB holds 30,000 keys, and comparing them all with the known names takes a quarter of a second.
      for (const key of issue.keys) {
        if (out.push(unknownField(schema, issue.path, key)) >= MAX_ERRORS) break
      }
    } else {
      const message = isMissing(checked.data, issue) ? missingWords(checked) : issue.message
      out.push({ field: fieldPath(issue.path) || 'body', message })
    }
    if (out.length >= MAX_ERRORS) break
  }
  return out.slice(0, MAX_ERRORS)
}

/** Of a field that may have several forms: what is wrong with the form that was sent, or which forms there are. */
function ofTheForm(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  const isOtherForm = (one: z.core.$ZodIssue) => one.code === 'invalid_type' && one.path.length === 0
  const sent = issue.errors.find((form) => !form.some(isOtherForm))
  if (sent) return sent.flatMap((one) => ofTheForm({ ...one, path: [...issue.path, ...one.path] }))
  const forms = issue.errors.flatMap((form) => form.slice(0, 1).map(({ message }) => message.replace('must be ', '')))
  return [{ ...issue, message: `must be ${forms.join(' or ')}` }]
}

function unknownField(schema: z.ZodType, path: readonly PropertyKey[], key: string): FieldError {
  const near = nearestField(schema, path, key)
  return {
    field: fieldPath([...path, key.slice(0, MAX_NAME)]),
    message: near === null ? 'unknown field' : `unknown field; did you mean ${near}?`,
  }
}

const missingWords = ({ inQuery }: Checked) => (inQuery ? 'is required in the query' : 'is required')

/** There is no value where the issue is; a rule about several fields (`custom`) has its own message. */
function isMissing(data: unknown, { code, path }: z.core.$ZodIssue): boolean {
  if (code === 'custom' || path.length === 0) return false
  let at: unknown = data
  for (const part of path) {
    if (typeof at !== 'object' || at === null) return false
    at = (at as Record<PropertyKey, unknown>)[part]
  }
  return at === undefined
}

function fieldPath(path: readonly PropertyKey[]): string {
  let out = ''
  for (const part of path) {
    if (typeof part === 'number') out += `[${part}]`
    else out += out === '' ? String(part) : `.${String(part)}`
  }
  return out
}

/** Largest edit distance that still counts as a typing error. */
const MAX_DISTANCE = 2
const LONGEST_NAME = 40

/** The known field at `path` of `schema` that is nearest to `key` (case and `_`/`-` ignored), or null when none is near. */
function nearestField(schema: z.ZodType, path: readonly PropertyKey[], key: string): string | null {
  if (key.length > LONGEST_NAME) return null
  const wanted = plain(key)
  let best: string | null = null
  let bestDistance = MAX_DISTANCE + 1
  for (const name of fieldsAt(schema, path)) {
    const d = distance(wanted, plain(name))
    if (d >= bestDistance || d >= plain(name).length) continue
    best = name
    bestDistance = d
  }
  return best
}

function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase()
}

function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: unknown = unwrap(schema)
  for (const part of path) {
    if (at instanceof z.ZodObject) at = unwrap(at.shape[String(part)])
    else if (at instanceof z.ZodArray) at = unwrap(at.element)
    else return []
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : []
}

function unwrap(schema: unknown): unknown {
  let at = schema
  while (at instanceof z.ZodOptional || at instanceof z.ZodDefault || at instanceof z.ZodNullable) at = at.unwrap()
  return at
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced))
    }
    row = next
  }
  return row[b.length] ?? 0
}
