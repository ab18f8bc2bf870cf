// The examples of the reference: each is sent to the whole relay as it stands, and what comes back is what the document says.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { curlOf, exampleUrl } from '#cloud/api/openapi/curl.ts'
import { DESCRIBED_OPERATIONS } from '#cloud/api/openapi/descriptions.ts'
import { EXAMPLES, type ExampleAnswer } from '#cloud/api/openapi/examples.ts'
import { FIELD_TEXT, FIELD_TEXT_OF } from '#cloud/api/openapi/field-text.ts'
import type { JsonSchema, Parameter } from '#cloud/api/openapi/json-schema.ts'
import { ERROR_DETAILS } from '#shared/wire/api/errors.ts'
import { GIVEN } from './given.ts'
import { keptValues } from './kept-values.ts'
import { schemaFaults } from './schema-check.ts'
import { WholeRelay } from './whole-relay.ts'

const RECORD =
  'stale: RECORD_EXAMPLES=1 npx vitest run --project rooms test/contract/examples.room.test.ts records the answers anew'
const IS_RECORDING = process.env['RECORD_EXAMPLES'] !== undefined
const answers: Record<string, ExampleAnswer> = {}

const relay = await WholeRelay.start()
const receiver = createServer((_request, response) => response.writeHead(204).end())
let hookUrl = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  hookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(async () => {
  if (IS_RECORDING) writeAnswers()
  await relay.stop()
  receiver.closeAllConnections()
  receiver.close()
})

const operations = Object.entries(relay.document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
  })),
)
// The item is silenced before it is restored, and stands as it was at the end.
operations.sort((a, b) => Object.keys(EXAMPLES).indexOf(a.name) - Object.keys(EXAMPLES).indexOf(b.name))

describe.each(operations)('the example of $name', ({ name, method, path }) => {
  test('succeeds as documented', async () => {
    const example = EXAMPLES[name] ?? {}
    const params = (await GIVEN[name]?.(relay, hookUrl)) ?? {}
    for (const part of path.matchAll(/\{(\w+)\}/g))
      expect(params, 'test/contract/given.ts').toHaveProperty(part[1] ?? '')
    // Nothing is sent out of this machine.
    const body = JSON.stringify(example.body)?.replace(/https:\/\/kiosk\.example\.com[^"]*/, hookUrl)
    // What is given stands in the body as well.
    const given = body?.replace(/"deliveryId":"[^"]*"/, `"deliveryId":"${params['deliveryId']}"`)
    const since = given?.replace(/"since":"[^"]*"/, `"since":"${new Date(Date.now() - 3_600_000).toISOString()}"`)
    const key = path === '/v1/keys/revoke' ? relay.spareKey : relay.account.apiKey
    const answer = await relay.call({
      method,
      path: exampleUrl(path, { ...example, params }),
      key,
      ...(since === undefined ? {} : { body: since }),
    })
    expect(relay.faultsOf(answer)).toEqual([])
    expect(answer.status, answer.text).toBeLessThan(300)
    if (String(answer.headers['content-type']).includes('json'))
      answers[name] = { status: answer.status, body: short(JSON.parse(answer.text)) }
  })

  test('has an answer in the reference that its schema allows', () => {
    const [status, response] =
      Object.entries(relay.document.paths[path]?.[method.toLowerCase()]?.responses ?? {})[0] ?? []
    const json = response?.content?.['application/json']
    if (!json) return
    const example = IS_RECORDING ? recordedAnew(name)?.body : json.example
    expect(example, RECORD).toBeDefined()
    expect(schemaFaults(example, json.schema, relay.document.components.schemas), RECORD).toEqual([])
    expect(Number(status)).toBeLessThan(300)
  })

  test('is a command line that a shell takes apart as meant', () => {
    const example = EXAMPLES[name] ?? {}
    const script = `curl() { printf '%s\\0' "$@"; }\n${curlOf('http://relay.example', method, { path, example })}`
    const words = execFileSync('/bin/sh', ['-c', script], {
      encoding: 'utf8',
      env: { TICKETRAIL_API_KEY: 'sk_sandbox_1' },
    }).split('\0')
    expect(words).toContain(`http://relay.example${exampleUrl(path, example)}`)
    expect(words).toContain('Authorization: Bearer sk_sandbox_1')
    const body = words[words.indexOf('-d') + 1] ?? ''
    if (example.body !== undefined) expect(JSON.parse(body)).toEqual(example.body)
  })
})

/** As the reference shows it: two of a list, no secret that looks like one. */
function short(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (name, value: unknown) => {
    if (name === 'data' && Array.isArray(value)) return value.slice(0, 2)
    if (name === 'url' && typeof value === 'string') return 'https://kiosk.example.com/hooks/ticketrail'
    return typeof value === 'string' ? value.replace(/^whsec_.*/, 'whsec_...') : value
  })
}

/** Examples that still fit stay as they are: only what changed shows in a diff. */
function writeAnswers(): void {
  const file = new URL('../../cloud/api/openapi/example-answers.json', import.meta.url).pathname
  const sorted = Object.keys(EXAMPLES).flatMap((name) => {
    const answer = recordedAnew(name)
    return answer ? [[name, answer] as const] : []
  })
  writeFileSync(file, JSON.stringify(Object.fromEntries(sorted), null, 2))
  execFileSync('npx', ['biome', 'format', '--write', file])
}

/** The example of the reference when it fits its schema; else what came back now, with all values of the example that fit. */
function recordedAnew(name: string): ExampleAnswer | undefined {
  const [method = '', path = ''] = name.split(' ')
  const responses = relay.document.paths[path]?.[method.toLowerCase()]?.responses ?? {}
  const old = Object.entries(responses).find(([, { content }]) => content?.['application/json']?.example !== undefined)
  const json = old?.[1].content?.['application/json']
  const fresh = answers[name]
  if (!old || !json) return fresh
  const fits = (body: unknown) => schemaFaults(body, json.schema, relay.document.components.schemas).length === 0
  if (fits(json.example)) return { status: Number(old[0]), body: json.example }
  if (!fresh) return undefined
  const kept = keptValues(json.example, fresh.body)
  return { status: fresh.status, body: fits(kept) ? kept : fresh.body }
}

test('examples and prose are about operations that exist', () => {
  const names = operations.map((one) => one.name)
  expect(Object.keys(EXAMPLES).filter((name) => !names.includes(name))).toEqual([])
  expect(DESCRIBED_OPERATIONS.filter((name) => !names.includes(name))).toEqual([])
  expect(Object.keys(GIVEN).filter((name) => !names.includes(name))).toEqual([])
})

describe('the prose of the reference', () => {
  const { components, paths } = relay.document
  const fields = Object.entries(components.schemas).flatMap(([name, schema]) => fieldsOf(name, schema))
  const parameters = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters = [] }) => parameters.filter((one): one is Parameter => 'name' in one))

  test('explains every field and every parameter', () => {
    expect(fields.filter(({ schema }) => !schema.description).map(({ path }) => path)).toEqual([])
    expect(parameters.filter(({ description }) => !description).map(({ name }) => name)).toEqual([])
  })

  test('explains the further fields of every refusal', () => {
    const further = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap(({ content = {} }) => Object.values(content))
      .flatMap(({ schema }) => Object.entries(schema.allOf?.[1]?.properties ?? {}))
    expect(further.map(([name]) => name)).toContain('printJobState')
    expect(further.filter(([, of]) => !of.description).map(([name]) => name)).toEqual([])
  })

  test('is about fields that exist', () => {
    const names = new Set([
      ...fields.map(({ path }) => path.slice(path.lastIndexOf('.') + 1)),
      ...parameters.map(({ name }) => name),
    ])
    const details = Object.values(ERROR_DETAILS).flatMap((of) => Object.keys(of?.shape ?? {}))
    for (const name of [...details, 'Idempotency-Key']) names.add(name)
    const paths = new Set([...fields.map(({ path }) => path), ...details.map((name) => `Error.${name}`)])
    expect(Object.keys(FIELD_TEXT).filter((name) => !names.has(name))).toEqual([])
    expect(Object.keys(FIELD_TEXT_OF).filter((path) => !paths.has(path))).toEqual([])
  })
})

function fieldsOf(path: string, schema: JsonSchema): { path: string; schema: JsonSchema }[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, of]) => [
    { path: `${path}.${name}`, schema: of },
    ...fieldsOf(`${path}.${name}`, of),
    ...fieldsOf(`${path}.${name}`, of.items ?? {}),
  ])
  return [...own, ...(schema.oneOf ?? []).flatMap((one) => fieldsOf(path, one))]
}
