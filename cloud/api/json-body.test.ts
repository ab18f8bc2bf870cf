// What a JSON body may be: every field once, no name that changes what an object is, and a refusal that names the field.
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ServiceError } from '#shared/errors.ts'
import * as catalog from '#shared/wire/api/catalog.ts'
import * as gateways from '#shared/wire/api/gateways.ts'
import * as orders from '#shared/wire/api/orders.ts'
import { injectOrder } from '#shared/wire/api/orders.ts'
import * as printing from '#shared/wire/api/printing.ts'
import * as webhooks from '#shared/wire/api/webhooks.ts'
import { assertProperty } from '#test/harness/property.ts'
import { MOST_NAMES, strictJson } from './json-body.ts'
import { InvalidRequest } from './zod-schema.ts'

const read = (text: string) => strictJson(Buffer.from(text))

function refusalOf(text: string): { field: string; message: string } | string {
  try {
    read(text)
    return 'taken'
  } catch (error) {
    if (error instanceof InvalidRequest) return error.errors[0] ?? 'no field'
    return error instanceof ServiceError ? error.code : String(error)
  }
}

describe('a field that occurs twice', () => {
  test.each([
    ['{"total":1,"total":2}', 'total'],
    ['{"total":1,"items":[{"qty":1},{"qty":1,"price":2,"qty":3}]}', 'items[1].qty'],
    ['{"customer":{"name":"Ana","name":"Ana"}}', 'customer.name'],
    ['{"total":1,"to\\u0074al":2}', 'total'],
    ['{"a\\"b":1,"a\\"b":2}', 'a"b'],
    ['[{"a":1},[{"b":1,"b":2}]]', '[1][0].b'],
    ['{"":1,"":2}', ''],
  ])('%s is refused with its path', (text, field) => {
    expect(refusalOf(text)).toEqual({ field, message: 'must not stand twice in the same object' })
  })

  test('is absent when the same name is in two objects, or in a text', () => {
    expect(read('{"a":{"a":1},"b":[{"a":1},{"a":"{\\"a\\":1,\\"a\\":2}"}]}')).toEqual({
      a: { a: 1 },
      b: [{ a: 1 }, { a: '{"a":1,"a":2}' }],
    })
  })

  test('is found in any JSON, and every other JSON is taken as JSON.parse takes it', () => {
    assertProperty(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { minKeys: 1 }), fc.nat(), (body, at) => {
        const names = Object.keys(body)
        if (/"(__proto__|constructor)"/.test(JSON.stringify(body)) || names.length === 0) return true
        const name = names[at % names.length] ?? ''
        const plain = JSON.stringify(body)
        const twice = `${plain.slice(0, -1)},${JSON.stringify(name)}:1}`
        expect(read(plain)).toEqual(JSON.parse(plain))
        expect(refusalOf(twice)).toEqual({
          field: name.slice(0, 200),
          message: 'must not stand twice in the same object',
        })
        return true
      }),
    )
  })

  test('among as many others as a body may have is found as well', () => {
    const names = Array.from({ length: MOST_NAMES }, (_, i) => `"f${i}":1`)
    expect(refusalOf(`{${names.join(',')},"f999":2}`)).toMatchObject({ field: 'f999' })
  })

  test('under a very long name is named by the first 200 characters of its path', () => {
    const long = 'a'.repeat(150_000)
    expect(refusalOf(`{"${long}":{"b":1,"b":2}}`)).toMatchObject({ field: long.slice(0, 200) })
    expect(refusalOf(`{"a":{"${long}":1,"${long}":2}}`)).toMatchObject({ field: `a.${long.slice(0, 198)}` })
  })

  test.each([
    ['objects', (names: string) => `{${names},"0":2}`],
    ['lists of objects', (names: string) => `[${names.replaceAll(/"\d+":1/g, '{}')},{"0":1,"0":2}]`],
  ])('costs no more than its text is long, whatever the names around it: %s', (_, inner) => {
    const long = 'a'.repeat(100_000)
    const names = Array.from({ length: 900 }, (_one, i) => `"${i}":1`).join(',')
    const text = `{"${long}":${inner(names)}}`
    // A text that was put together is copied whole by the first call that looks at its characters.
    const slice = vi.spyOn(String.prototype, 'slice')
    const refusal = refusalOf(text)
    const touched = slice.mock.contexts.reduce<number>((sum, one) => sum + String(one).length, 0)
    slice.mockRestore()
    expect(refusal).toMatchObject({ field: long.slice(0, 200) })
    expect(touched).toBeGreaterThan(0)
    expect(touched).toBeLessThan(2 * text.length)
  })
})

describe('different names', () => {
  const names = (n: number, one = (i: number) => `"f${i}":1`) => Array.from({ length: n }, (_, i) => one(i)).join(',')

  test('are taken up to 1,000, and one more is refused before the body is parsed', () => {
    expect(read(`{${names(MOST_NAMES)}}`)).toHaveProperty('f999')
    const parse = vi.spyOn(JSON, 'parse')
    expect(refusalOf(`{${names(MOST_NAMES + 1)}}`)).toBe('request.malformed')
    expect(refusalOf(`{"a":[${names(MOST_NAMES, (i) => `{"f${i}":{"b":1}}`)}]}`)).toBe('request.malformed')
    expect(parse).not.toHaveBeenCalled()
    parse.mockRestore()
  })

  test('are few in every legal body, however large it is', () => {
    const modifiers = Array.from({ length: 50 }, () => ({ umsId: 'x', qty: 1 }))
    const items = Array.from({ length: 200 }, () => ({ umsId: 'U', qty: 1, price: 1, modifiers }))
    const order = { merchantId: 'M', orderId: 'o', source: 'kiosk', items, total: 200 }
    expect(injectOrder.parse(read(JSON.stringify(order))).items).toHaveLength(200)
    const schemas = Object.values({ ...catalog, ...gateways, ...orders, ...printing, ...webhooks })
    const known = new Set(schemas.flatMap((one) => (one instanceof z.ZodType ? namesIn(one) : [])))
    expect(known.size).toBeGreaterThan(50)
    expect(known.size).toBeLessThan(MOST_NAMES / 2)
  })
})

/** Every name in the schema, of whatever object. */
const namesIn = (schema: z.ZodType): string[] => {
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  return [...text.matchAll(/"([^"]+)":/g)].map(([, name = '']) => name)
}

describe('a name that changes what an object is', () => {
  test.each([
    ['{"__proto__":{"x":1}}', '__proto__'],
    ['{"customer":{"\\u005f_proto__":1}}', 'customer.__proto__'],
    ['{"items":[{"constructor":{"prototype":{"x":1}}}]}', 'items[0].constructor'],
  ])('%s is refused with its path', (text, field) => {
    expect(refusalOf(text)).toEqual({ field, message: 'must be left out: no field may have this name' })
    expect({}).not.toHaveProperty('x')
  })

  test('is taken as the value of a field', () => {
    expect(read('{"source":"__proto__"}')).toEqual({ source: '__proto__' })
  })
})

test.each(['{', '{"a":1,}', 'nonsense', '{"a":1}x', '"\ud800'])('%s is no JSON', (text) => {
  expect(refusalOf(text)).toBe('request.malformed')
})
