// Every operation of the OpenAPI document against every kind of wrong input, on the whole relay. Operations that are added later are found in the document.
import { afterAll, describe, expect, test } from 'vitest'
import { exampleUrl } from '#cloud/api/openapi/curl.ts'
import { EXAMPLES } from '#cloud/api/openapi/examples.ts'
import type { JsonSchema, Parameter } from '#cloud/api/openapi/json-schema.ts'
import type { AnswerToCheck } from './check-answer.ts'
import { type Call, WholeRelay } from './whole-relay.ts'
import { CONTROL, wrongInputs } from './wrong-inputs.ts'

const relay = await WholeRelay.start()
afterAll(() => relay.stop())

const { schemas } = relay.document.components
const operations = Object.entries(relay.document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const verb = method.toUpperCase()
    const example = EXAMPLES[`${verb} ${path}`]
    const parameters = (operation.parameters ?? []).filter((one): one is Parameter => 'name' in one)
    return {
      name: `${verb} ${path}`,
      method: verb,
      path,
      operation,
      example,
      query: parameters.filter((one) => one.in === 'query'),
      params: parameters.filter((one) => one.in === 'path'),
      body: operation.requestBody?.content['application/json']?.schema,
      bodyRequired: operation.requestBody?.required === true,
    }
  }),
)
type Tried = (typeof operations)[number]

/** Sends it and adds what is wrong with the answer to `faults`. */
async function tryCall(faults: string[], what: string, call: Call, wanted: Wanted): Promise<void> {
  const answer = await relay.call(call)
  const problems = [...relay.faultsOf(answer), ...wanted(answer)]
  faults.push(...problems.map((problem) => `${what}: ${problem}`))
}
type Wanted = (answer: AnswerToCheck) => string[]

const status =
  (...codes: number[]): Wanted =>
  (answer) =>
    codes.includes(answer.status)
      ? []
      : [`${answer.status} instead of ${codes.join(' or ')}: ${answer.text.slice(0, 150)}`]

/** 422 request.invalid that names the field. A URL has a code of its own. */
const invalid =
  (field: string): Wanted =>
  (answer) => {
    if (answer.status !== 422) return status(422)(answer)
    const { code, errors = [] } = JSON.parse(answer.text) as { code: string; errors?: { field: string }[] }
    if (code !== 'request.invalid' && !(field === 'url' && code === 'webhook.invalid_url'))
      return [`${code} instead of request.invalid`]
    return errors.some((error) => error.field.startsWith(field)) ? [] : [`does not name ${field}: ${answer.text}`]
  }

const inOrder = async (faults: string[], work: readonly (() => Promise<void>)[]) => {
  for (const one of work) await one()
  expect(faults).toEqual([])
}

/** What another server wrote: control characters in it are no fault of the client's. */
const ANY_CHARACTERS = new Set(['POST /v1/webhook/{webhookId}/result response'])

const urlOf = ({ path, example }: Tried, change: Record<string, string | undefined> = {}) => {
  const query = Object.fromEntries(
    Object.entries({ ...example?.query, ...change }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
  return exampleUrl(path, { ...example, query })
}

describe.each(operations)('$name', (tried) => {
  const { method, example, body, query, params } = tried
  const send = (change: Partial<Call>): Call => ({
    method,
    path: urlOf(tried),
    ...(example?.body === undefined ? {} : { body: JSON.stringify(example.body) }),
    ...change,
  })

  test('has an example, which its own schema allows', () => {
    expect(example, 'cloud/api/openapi/examples.ts').toBeDefined()
    for (const { name } of params) expect(example?.params).toHaveProperty(name)
    for (const { name, required } of query) if (required) expect(example?.query).toHaveProperty(name)
    expect(body !== undefined).toBe(example?.body !== undefined)
  })

  test('refuses every wrong field of the body by its name', async () => {
    const faults: string[] = []
    const made = body ? wrongInputs(example?.body, body, schemas) : []
    const wrong = made.filter(({ what, field }) => !(what in CONTROL && ANY_CHARACTERS.has(`${tried.name} ${field}`)))
    if (body) expect(wrong.length).toBeGreaterThan(5)
    await inOrder(
      faults,
      wrong.map(
        ({ name, value, field }) =>
          () =>
            tryCall(faults, name, send({ body: JSON.stringify(value) }), invalid(field)),
      ),
    )
  })

  test('refuses bodies that are no JSON object in UTF-8', async () => {
    const faults: string[] = []
    const good = JSON.stringify(example?.body ?? {})
    const work = body
      ? [
          ...['{', '{"merchantId":', '[}', "{'a':1}", 'undefined', `${good}x`].map(
            (text) => () => tryCall(faults, text.slice(0, 20), send({ body: text }), status(400)),
          ),
          () =>
            tryCall(
              faults,
              'not UTF-8',
              send({ body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }),
              status(400),
            ),
          () =>
            tryCall(faults, 'nested deeply', send({ body: `${'['.repeat(5_000)}${']'.repeat(5_000)}` }), status(400)),
          () => tryCall(faults, '__proto__', send({ body: '{"__proto__":{"a":1}}' }), invalid('__proto__')),
          () => tryCall(faults, 'twice', send({ body: '{"merchantId":1,"merchantId":2}' }), invalid('merchantId')),
          () => tryCall(faults, 'too large', send({ body: `{"merchantId":"${'x'.repeat(262_144)}"}` }), status(413)),
          ...[
            'text/plain',
            'application/xml',
            'application/x-www-form-urlencoded',
            'application/json; charset=latin1',
          ].map(
            (type) => () => tryCall(faults, type, send({ body: good, headers: { 'content-type': type } }), status(415)),
          ),
          ...(tried.bodyRequired ? [() => tryCall(faults, 'empty', send({ body: '' }), status(400))] : []),
        ]
      : []
    await inOrder(faults, work)
  })

  test('refuses every wrong query by its name', async () => {
    const faults: string[] = []
    const work = query.flatMap((one) =>
      wrongQueries(one).map(
        ([what, value]) =>
          () =>
            tryCall(
              faults,
              `${one.name} ${what}`,
              send({ path: urlOf(tried, { [one.name]: value }) }),
              invalid(one.name),
            ),
      ),
    )
    if (query.length > 0) {
      const twice = `${urlOf(tried)}&merchantId=M-TEST-001&merchantId=M-TEST-002`
      work.push(
        () => tryCall(faults, 'unknown', send({ path: urlOf(tried, { nonsense: '1' }) }), invalid('nonsense')),
        () => tryCall(faults, 'twice', send({ path: twice }), invalid('merchantId')),
      )
    }
    await inOrder(faults, work)
  })

  test('answers odd ids in the path with 404', async () => {
    const faults: string[] = []
    const odd = [
      'nope',
      '%00',
      '%1b%5b',
      '..%2f..%2fetc',
      "'%20or%201=1--",
      '%F0%9F%8D%94',
      'x'.repeat(128),
      'x'.repeat(2_000),
    ]
    const work = params.flatMap(({ name }) =>
      odd.map((value) => () => {
        const path = urlOf(tried).replace(encodeURIComponent(example?.params?.[name] ?? ''), value)
        return tryCall(faults, `${name} ${value.slice(0, 20)}`, send({ path }), status(404))
      }),
    )
    await inOrder(faults, work)
  })

  test('refuses calls without a key, and merchants that do not exist', async () => {
    const faults: string[] = []
    const other = { merchantId: 'M-TEST-999' }
    const elsewhere =
      body && 'merchantId' in ((example?.body ?? {}) as object)
        ? send({ body: JSON.stringify({ ...(example?.body as object), ...other }) })
        : query.some((one) => one.name === 'merchantId')
          ? send({ path: urlOf(tried, other) })
          : null
    await inOrder(faults, [
      () => tryCall(faults, 'no key', send({ key: null }), status(401)),
      () => tryCall(faults, 'unknown key', send({ key: 'sk_sandbox_x' }), status(401)),
      ...(elsewhere ? [() => tryCall(faults, 'unknown merchant', elsewhere, status(404))] : []),
    ])
  })

  test('refuses an Idempotency-Key that is none', async () => {
    const faults: string[] = []
    const takes = JSON.stringify(tried.operation.parameters ?? []).includes('Idempotency-Key')
    const work = ['a b', 'x'.repeat(256), 'ü'].map((value) => () => {
      const headers = { 'idempotency-key': value }
      return tryCall(faults, value.slice(0, 20), send({ headers }), invalid('Idempotency-Key'))
    })
    await inOrder(faults, takes && tried.path !== '/v1/keys/revoke' ? work : [])
  })
})

function wrongQueries({ schema, required }: Parameter): [string, string | undefined][] {
  const out: [string, string | undefined][] = [
    ['has NUL', 'a\u0000b'],
    ['has ESC', 'a\u001bb'],
    ['is empty', ''],
  ]
  if (required) out.push(['is missing', undefined])
  if (schema.maxLength !== undefined) out.push(['is too long', 'x'.repeat(schema.maxLength + 1)])
  if (schema.enum || schema.pattern || schema.format || schema.type === 'integer')
    out.push(['is nonsense', 'non sense'])
  if (schema.maximum !== undefined) out.push(['is too large', String(schema.maximum + 1)])
  if (schema.minimum !== undefined) out.push(['is too small', String(schema.minimum - 1)])
  return out
}

test('the document names every operation once, and each of its references leads somewhere', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  const text = JSON.stringify(relay.document)
  for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
    const parts = relay.document.components as unknown as Record<string, Record<string, JsonSchema>>
    expect(parts[kind], `${kind} ${name}`).toHaveProperty(name)
  }
  expect(text).not.toContain('multipleOf')
})
