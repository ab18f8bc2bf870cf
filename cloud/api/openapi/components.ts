// Turns zod schemas into the named schemas of the document, by zod's own z.toJSONSchema.
import { z } from 'zod'
import { describeComponent } from './descriptions.ts'
import { type JsonSchema, refName } from './json-schema.ts'

type Io = 'input' | 'output'

/** The named schemas of one document. Requests are described as they are sent, answers as they are received. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {}

  /**
   * The schema with references into `schemas`, which it fills.
   * @throws when two different schemas have the same name, such as one with a default that is both sent and answered: give one another id
   */
  of(schema: z.ZodType, io: Io): JsonSchema {
    const { root, named } = converted(schema, io)
    for (const [name, made] of Object.entries(named)) {
      const known = this.schemas[name]
      if (known !== undefined && known !== made && JSON.stringify(known) !== JSON.stringify(made))
        throw new Error(`the schema ${name} is not the same in requests and answers: give one of them another id`)
      this.schemas[name] = made
    }
    return root
  }
}

/** A schema with references, and the named ones that it refers to. Never changed. */
interface Converted {
  root: JsonSchema
  named: Record<string, JsonSchema>
}

// A zod schema never changes, so what becomes of it is kept: one document asks for the envelope of the events once an event. Not state.
const conversions: Record<Io, WeakMap<z.ZodType, Converted>> = { input: new WeakMap(), output: new WeakMap() }

function converted(schema: z.ZodType, io: Io): Converted {
  const known = conversions[io].get(schema)
  if (known !== undefined) return known
  const made = convert(schema, io)
  conversions[io].set(schema, made)
  return made
}

function convert(schema: z.ZodType, io: Io): Converted {
  const {
    $schema,
    $defs = {},
    ...root
  } = z.toJSONSchema(schema, { io }) as JsonSchema & {
    $schema?: string
    $defs?: Record<string, JsonSchema>
  }
  const named = Object.entries($defs).map(([name, def]) => [
    name,
    describeComponent(name, withComponentRefs(tidy(def, io))),
  ])
  return { root: withComponentRefs(tidy(root, io)), named: Object.fromEntries(named) }
}

/**
 * Changes to zod's schema: defaults of requests are described in words, answers allow unknown fields (clients must ignore them), a pattern that only repeats a format or
 * a number is removed, as are the bounds of JavaScript's integers; `X | null` is written as one type.
 */
function tidy(schema: JsonSchema, io: Io): JsonSchema {
  const out: JsonSchema = { ...schema }
  delete (out as { id?: string }).id
  delete (out as { $id?: string }).$id
  if (out.format === 'date-time' || out.type === 'integer' || out.format === 'email') delete out.pattern
  if (out.minimum === Number.MIN_SAFE_INTEGER) delete out.minimum
  if (out.maximum === Number.MAX_SAFE_INTEGER) delete out.maximum
  if (out.exclusiveMinimum !== undefined) delete out.minimum
  if (io === 'input') sayDefault(out)
  if (io === 'output' && out.additionalProperties === false) delete out.additionalProperties
  if (typeof out.additionalProperties === 'object') out.additionalProperties = tidy(out.additionalProperties, io)
  if (out.items) out.items = tidy(out.items, io)
  if (out.properties) {
    out.properties = Object.fromEntries(Object.entries(out.properties).map(([key, of]) => [key, tidy(of, io)]))
  }
  for (const word of ['anyOf', 'oneOf', 'allOf'] as const) {
    const list = out[word]
    if (list) out[word] = list.map((one) => tidy(one, io))
  }
  return withoutNullBranch(out)
}

/**
 * `default` of a request's field becomes a sentence: generators take it for "always there", so that openapi-typescript makes the field one
 * that must be sent.
 */
function sayDefault(schema: JsonSchema): void {
  if (schema.default === undefined) return
  schema.description = `Without it: \`${JSON.stringify(schema.default)}\`.`
  delete schema.default
}

/** `anyOf: [{type: 'string', ...}, {type: 'null'}]` as `{type: ['string', 'null'], ...}`; a reference stays as it is. */
function withoutNullBranch(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  if (anyOf?.length !== 2) return schema
  const [value, nothing] = anyOf
  if (nothing?.type !== 'null' || typeof value?.type !== 'string') return schema
  return {
    ...rest,
    ...value,
    type: [value.type, 'null'],
    ...(value.enum ? { enum: [...value.enum, null] } : {}),
  }
}

/** `#/$defs/X` becomes `#/components/schemas/X`. */
function withComponentRefs(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? `#/components/schemas/${refName(value)}` : value,
  ) as JsonSchema
}
