// The judge itself must find what it is there to find.
import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '#cloud/api/openapi/json-schema.ts'
import { schemaFaults } from './schema-check.ts'

const schemas: Record<string, JsonSchema> = {
  Line: {
    type: 'object',
    properties: { qty: { type: 'integer', minimum: 1 }, note: { type: ['string', 'null'], maxLength: 3 } },
    required: ['qty', 'note'],
  },
  Order: {
    type: 'object',
    properties: {
      at: { type: 'string', format: 'date-time' },
      state: { type: 'string', enum: ['a', 'b'] },
      lines: { type: 'array', items: { $ref: '#/components/schemas/Line' }, minItems: 1 },
      line: { anyOf: [{ $ref: '#/components/schemas/Line' }, { type: 'null' }] },
      any: { type: 'object', additionalProperties: {} },
    },
    required: ['at', 'state', 'lines', 'line'],
  },
}
const good = { at: '2026-11-21T06:00:00.000Z', state: 'a', lines: [{ qty: 1, note: null }], line: null, any: { x: 1 } }
const faults = (change: object) => schemaFaults({ ...good, ...change }, { $ref: '#/components/schemas/Order' }, schemas)

describe('the judge of schemas', () => {
  it('lets a right value pass, through references, null and free-form objects', () => {
    expect(faults({})).toEqual([])
    expect(faults({ line: { qty: 2, note: 'abc' } })).toEqual([])
  })

  it.each([
    ['a missing field', { at: undefined }, '$.at'],
    ['a time without milliseconds', { at: '2026-11-21T06:00:00Z' }, '$.at'],
    ['a value that is not listed', { state: 'c' }, '$.state'],
    ['too few items', { lines: [] }, '$.lines'],
    ['a fraction instead of an integer', { lines: [{ qty: 1.5, note: null }] }, '$.lines[0].qty'],
    ['a number below its minimum', { lines: [{ qty: 0, note: null }] }, '$.lines[0].qty'],
    ['a text that is too long', { lines: [{ qty: 1, note: 'abcd' }] }, '$.lines[0].note'],
    ['a field that no schema names', { more: 1 }, '$.more'],
    ['such a field inside a list', { lines: [{ qty: 1, note: null, more: 1 }] }, '$.lines[0].more'],
    ['such a field behind a reference that may be null', { line: { qty: 1, note: null, more: 1 } }, '$.line.more'],
    ['a value that fits no branch', { line: 5 }, '$.line'],
  ])('finds %s', (_name, change, path) => {
    const value = { ...good, ...change } as Record<string, unknown>
    for (const [name, of] of Object.entries(value)) if (of === undefined) delete value[name]
    expect(schemaFaults(value, { $ref: '#/components/schemas/Order' }, schemas).join()).toContain(path)
  })

  it('refuses an unknown keyword', () => {
    expect(schemaFaults(1, { type: 'integer', multipleOf: 2 } as JsonSchema, {})).toEqual([
      '$: the schema says multipleOf',
    ])
  })
})
