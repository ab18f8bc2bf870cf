// JSON schemas as TypeScript: each kind that zod makes, and a refusal of those that nobody has thought of.
import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '#cloud/api/openapi/json-schema.ts'
import { docText, typeText } from './type-text.ts'

describe('the type of a schema', () => {
  it.each<[string, JsonSchema, string]>([
    ['text with a format', { type: 'string', format: 'date-time', maxLength: 5 }, 'string'],
    ['a whole number', { type: 'integer', minimum: 1 }, 'number'],
    ['what may be null', { type: ['string', 'null'] }, 'string | null'],
    ['one value', { type: 'string', const: 'v1' }, '"v1"'],
    ['one of several, null among them', { type: ['string', 'null'], enum: ['a', 'b', null] }, "'a' | 'b' | null"],
    ['a component', { $ref: '#/components/schemas/Order' }, 'Order'],
    ['a component whose name hides a global', { $ref: '#/components/schemas/Error' }, 'ErrorBody'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'string[]'],
    ['a list of a union', { type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
    ['a list of what may be null', { type: 'array', items: { type: ['number', 'null'] } }, '(number | null)[]'],
    ['either', { anyOf: [{ type: 'string' }, { $ref: '#/x/Modifier' }] }, '(string | Modifier)'],
    ['both', { allOf: [{ $ref: '#/x/A' }, { $ref: '#/x/B' }] }, 'A & B'],
    ['anything', {}, 'unknown'],
    [
      'values by name',
      { type: 'object', additionalProperties: { type: ['string', 'number'] } },
      'Record<string, string | number>',
    ],
    ['any fields', { type: 'object', additionalProperties: {} }, 'Record<string, unknown>'],
    [
      'fields, of which one may be left out',
      {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string', description: 'What.' }, b: { type: 'number' } },
      },
      '{\n  /** What. */\n  a: string\n  b?: number\n}',
    ],
  ])('for %s', (_name, schema, text) => {
    expect(typeText(schema)).toBe(text)
  })

  it('leaves a field out that its caller fills in', () => {
    const schema: JsonSchema = { type: 'object', required: ['m'], properties: { m: { type: 'string' } } }
    expect(typeText(schema, { optional: ['m'] })).toBe('{\n  m?: string\n}')
  })

  it('is refused for a keyword that has no meaning here yet, also deep inside', () => {
    const schema = { type: 'array', items: { type: 'object', patternProperties: {} } } as JsonSchema
    expect(() => typeText(schema)).toThrow('does not know the keyword patternProperties')
  })

  it('is refused for a kind of value that JSON does not have', () => {
    expect(() => typeText({ type: 'date' })).toThrow('no type stands for "date"')
  })

  it('is refused where further fields are narrower than anything', () => {
    const schema = { type: 'object', properties: { a: {} }, additionalProperties: { type: 'string' } }
    expect(() => typeText(schema)).toThrow('fields beside a')
  })
})

describe('the comment above it', () => {
  it('cannot be ended by its text', () => {
    expect(docText('ends */ here', '')).toBe('/** ends *\\/ here */\n')
  })
})
