// No key can read, change or guess what belongs to another account: every route of the server, with every id that it accepts.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeApiKey } from '#cloud/auth/api-keys.ts'
import { newId } from '#shared/ids.ts'
import { type Answer, type Belongings, type Tenant, Tenants } from '#test/fixtures/tenants.ts'
import { assertProperty } from '#test/harness/property.ts'
import { EXAMPLES } from './openapi/examples.ts'
import { type JsonSchema, type Operation, refName } from './openapi/json-schema.ts'

/** Routes about the account itself: they name no merchant. */
const WITHOUT_MERCHANT = [
  'GET /v1/merchants',
  'GET /v1/key',
  'GET /v1/requests',
  'GET /v1/usage',
  'POST /v1/keys/revoke',
  // Their endpoint determines the merchant.
  'GET /v1/webhook/{webhookId}/stream',
  'POST /v1/webhook/{webhookId}/result',
]
/** What belongs to the merchant, so that every account that may act on it sees it. */
const OF_THE_MERCHANT = new Set(['umsId', 'channelId', 'locationId', 'printerId'])
const PLACEHOLDER = '<id>'

interface Route {
  /** `GET /v1/order/{serviceOrderId}` */
  name: string
  method: string
  path: string
  operation: Operation
  /** Names of ids in path, query and body. */
  ids: { place: 'path' | 'query' | 'body'; name: string }[]
}

let tenants: Tenants
let routes: Route[]
let sandboxThings: Belongings
let liveThings: Belongings

beforeAll(async () => {
  tenants = await Tenants.start()
  ;[sandboxThings, liveThings] = await Promise.all([
    tenants.belongingsOf(tenants.victim),
    tenants.belongingsOf(tenants.owner),
  ])
  routes = routesOf()
})
afterAll(() => tenants.stop())

function routesOf(): Route[] {
  return Object.entries(tenants.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => path.startsWith('/v1/') && operation['x-scope'] !== undefined)
      .map(([method, operation]) => {
        const route = { name: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), path, operation }
        return { ...route, ids: idsOf(path, operation) }
      }),
  )
}

function idsOf(path: string, operation: Operation): Route['ids'] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => ({ place: 'path' as const, name: match[1] ?? '' }))
  const inQuery = (operation.parameters ?? []).flatMap((parameter) =>
    'in' in parameter && parameter.in === 'query' && parameter.name in sandboxThings
      ? [{ place: 'query' as const, name: parameter.name }]
      : [],
  )
  const inBody = Object.keys(bodySchemaOf(operation)?.properties ?? {})
    .filter((name) => name in sandboxThings && name !== 'orderId')
    .map((name) => ({ place: 'body' as const, name }))
  return [...inPath, ...inQuery, ...inBody]
}

function bodySchemaOf(operation: Operation): JsonSchema | undefined {
  const schema = operation.requestBody?.content['application/json']?.schema
  return schema?.$ref === undefined ? schema : tenants.document.components.schemas[refName(schema.$ref)]
}

/** The example of the reference, at this merchant and with these ids instead of its own. */
async function send(
  route: Route,
  tenant: Tenant,
  { merchantId = tenant.merchantId, ids = {} }: { merchantId?: string; ids?: Record<string, string> },
): Promise<Answer> {
  const example = EXAMPLES[route.name]
  if (example === undefined) throw new Error(`${route.name} has no example`)
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = ids[name] ?? example.params?.[name]
    if (value === undefined) throw new Error(`${route.name}: no value for ${name}`)
    return encodeURIComponent(value)
  })
  const inQuery = route.ids.filter(({ place, name }) => place === 'query' && name in ids)
  const query = new URLSearchParams({
    ...example.query,
    ...(example.query?.['merchantId'] === undefined ? {} : { merchantId }),
    ...Object.fromEntries(inQuery.map(({ name }) => [name, ids[name] ?? ''])),
  })
  const body = bodyOf(route, example.body, { merchantId, ids })
  return tenants.call(route.method, `${path}?${query}`, { key: tenant.apiKey, body })
}

function bodyOf(
  route: Route,
  example: unknown,
  { merchantId, ids }: { merchantId: string; ids: Record<string, string> },
) {
  if (example === undefined) return undefined
  const body: Record<string, unknown> = { ...(example as Record<string, unknown>) }
  if ('merchantId' in body) body['merchantId'] = merchantId
  for (const { place, name } of route.ids) if (place === 'body' && name in ids) body[name] = ids[name]
  // A reprint has no text, and a printer that is named needs no station.
  if (route.name === 'POST /v1/print/job' && 'serviceOrderId' in ids)
    for (const name of ['text', 'title', 'station']) delete body[name]
  if (route.name === 'POST /v1/print/job' && 'printerId' in ids) delete body['station']
  // Its example ends the calling key.
  if (route.name === 'POST /v1/keys/revoke') body['key'] ??= makeApiKey('sandbox')
  return body
}

/** An id of the same form that does not exist. */
function unknownLike(name: string, known: string): string {
  if (name === 'key') return makeApiKey('sandbox')
  const [prefix = ''] = known.split('_')
  return /^[a-z]+_[0-9a-z]{26}$/.test(known) ? newId(prefix as 'ord', Date.now()) : `NOBODY-${known.length}`
}

/** What a client sees, without what differs from call to call. */
function seen({ status, headers, text }: Answer, id: string): unknown {
  const changing = new Set(['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'content-length'])
  const kept = Object.entries(headers).filter(([name]) => !changing.has(name))
  // A cursor is bound to what was asked for, the id among it.
  const cursor = /(?<="nextCursor":)"[\w-]+"/
  const body = text
    .replaceAll(/req_\w{26}/g, 'req')
    .replaceAll(id, PLACEHOLDER)
    .replace(cursor, '"cursor"')
  return { status, headers: Object.fromEntries(kept), body }
}

/** Whatever is the victim's alone. */
function expectNothingLeaked(answer: Answer, things: Belongings, sent: readonly string[]): void {
  expect(answer.text).not.toMatch(/CANARY (note|guest|endpoint|kiosk|dish)|CANARY-hook/)
  for (const [name, id] of Object.entries(things)) {
    if (!OF_THE_MERCHANT.has(name) && !sent.includes(id)) expect(answer.text).not.toContain(id)
  }
}

describe("another account's id", () => {
  test('every id that a route takes in its path is one that the victims have', () => {
    const known = new Set([...Object.keys(sandboxThings), ...Object.keys(liveThings)])
    for (const route of routes) {
      for (const { place, name } of route.ids)
        if (place === 'path') expect([route.name, known.has(name)]).toEqual([route.name, true])
    }
    expect(routes.length).toBeGreaterThanOrEqual(30)
  })

  test('in the sandbox is answered with the very bytes of an id that does not exist', async () => {
    // Printers have the same names in every sandbox: there is nothing to guess.
    const isPrivate = (name: string) => name !== 'printerId'
    for (const route of routes) await expectLikeUnknown(route, tenants.attacker, sandboxThings, isPrivate)
  })

  test('at a shared restaurant is answered to the partner with the very bytes of an id that does not exist', async () => {
    for (const route of routes)
      await expectLikeUnknown(route, tenants.partner, liveThings, (name) => !OF_THE_MERCHANT.has(name))
  })

  async function expectLikeUnknown(
    route: Route,
    tenant: Tenant,
    things: Belongings,
    isPrivate: (name: string) => boolean,
  ): Promise<void> {
    for (const { name } of route.ids.filter((id) => isPrivate(id.name))) {
      const theirs = things[name]
      if (theirs === undefined) continue
      const nobodys = unknownLike(name, theirs)
      // The other ids of the path are the victim's too: only the whole of it is a guess.
      const rest = Object.fromEntries(
        route.ids.filter(({ place }) => place === 'path').map((id) => [id.name, things[id.name] ?? nobodys]),
      )
      const answer = await send(route, tenant, { ids: { ...rest, [name]: theirs } })
      const unknown = await send(route, tenant, { ids: { ...rest, [name]: nobodys } })
      expect([route.name, name, seen(answer, theirs)]).toEqual([route.name, name, seen(unknown, nobodys)])
      expectNothingLeaked(answer, things, Object.values(rest).concat(theirs))
    }
  }
})

describe("another account's merchant", () => {
  test('is refused on every route that names one, whatever else is in the call', async () => {
    const named = routes.filter(({ name }) => !WITHOUT_MERCHANT.includes(name))
    for (const route of named) {
      const codeOf = async (tenant: Tenant, merchantId: string) => {
        const things: Belongings = { ...liveThings, ...sandboxThings }
        const inPath = route.ids.filter(({ place }) => place === 'path')
        const ids = Object.fromEntries(inPath.map(({ name }) => [name, things[name] ?? '']))
        const answer = await send(route, tenant, { merchantId, ids })
        return JSON.parse(answer.text).code
      }
      const isSandboxOnly = route.operation['x-sandbox-only'] === true
      const live = isSandboxOnly ? 'request.not_found' : 'merchant.not_authorized'
      expect([route.name, await codeOf(tenants.stranger, 'M-PROD-SHARED')]).toEqual([route.name, live])
      expect([route.name, await codeOf(tenants.stranger, 'M-TEST-001')]).toEqual([route.name, live])
      expect([route.name, await codeOf(tenants.attacker, 'M-PROD-SHARED')]).toEqual([
        route.name,
        'merchant.not_authorized',
      ])
      expect([route.name, await codeOf(tenants.attacker, 'M-TEST-999')]).toEqual([route.name, 'merchant.not_found'])
    }
  })
})

describe('a key', () => {
  test('that is missing, unknown or revoked opens no route, with the same answer each time', async () => {
    const apiKey = tenants.revokedKey
    for (const route of routes) {
      const answers = [
        await send(route, { ...tenants.attacker, apiKey }, {}),
        await send(route, { ...tenants.attacker, apiKey: makeApiKey('live') }, {}),
      ]
      const [revoked, unknown] = answers.map((answer) => seen(answer, apiKey))
      expect([route.name, revoked]).toEqual([route.name, unknown])
      for (const { text } of answers) expect(JSON.parse(text).code).toBe('auth.invalid_token')
      const none = await tenants.call(route.method, route.path.replaceAll(/[{}]/g, ''), {})
      expect([route.name, JSON.parse(none.text).code]).toEqual([route.name, 'auth.missing_token'])
    }
  })

  test('with one scope opens the routes of that scope and no other', async () => {
    expect(new Set(routes.flatMap(({ operation }) => operation['x-scope'] ?? []))).toEqual(
      new Set(tenants.oneScope.keys()),
    )
    for (const [scope, apiKey] of tenants.oneScope) {
      for (const route of routes) {
        // Its example asks for the calls of all keys.
        const ofAllKeys = route.name === 'GET /v1/requests' ? ['webhooks:manage'] : []
        const needed = [...(route.operation['x-scope'] ?? []), ...ofAllKeys]
        const answer = await send(route, { ...tenants.attacker, apiKey }, { merchantId: 'M-TEST-999' })
        const isRefused = answer.text.startsWith('{"code":"auth.insufficient_scope"')
        expect([route.name, scope, isRefused]).toEqual([route.name, scope, needed.some((one) => one !== scope)])
      }
    }
  })
})

test('whatever others call with whichever ids, they see nothing of the victims and change nothing of theirs', async () => {
  const theirs = [tenants.victim.accountId, ...Object.values(sandboxThings)]
  const order = [liveThings['serviceOrderId'] ?? '', liveThings['printJobId'] ?? '']
  const owned = async () => {
    // The partner may silence what they both sell, and the owner's endpoint gets the event.
    const rows = await tenants.rowsOf([...order, liveThings['webhookId'] ?? ''])
    return rows.filter((row) => row.startsWith('webhook_endpoints') || order.some((id) => row.includes(id)))
  }
  const before = [await tenants.rowsOf(theirs), await owned()]
  expect(before[0]?.length).toBeGreaterThan(10)
  const pick = fc.record({
    route: fc.constantFrom(...routes),
    tenant: fc.constantFrom(tenants.attacker, tenants.partner, tenants.stranger),
    merchantId: fc.constantFrom('M-TEST-001', 'M-TEST-002', 'M-PROD-SHARED', 'M-PROD-NOBODY'),
    from: fc.array(fc.constantFrom('sandbox', 'live', 'unknown'), { minLength: 4, maxLength: 4 }),
  })
  await assertProperty(
    fc.asyncProperty(pick, async ({ route, tenant, merchantId, from }) => {
      const ids: Record<string, string> = {}
      for (const [i, { name }] of route.ids.entries()) {
        const known = sandboxThings[name] ?? liveThings[name] ?? ''
        const source = from[i % from.length]
        const things = source === 'sandbox' ? sandboxThings : liveThings
        ids[name] = source === 'unknown' ? unknownLike(name, known) : (things[name] ?? known)
      }
      const answer = await send(route, tenant, { merchantId, ids })
      expect(answer.status === 500).toBe(false)
      // It repeats the paths of the caller's own calls, ids included.
      if (route.name === 'GET /v1/requests') return
      const sent = Object.values(ids)
      expectNothingLeaked(answer, sandboxThings, sent)
      expectNothingLeaked(answer, liveThings, sent)
    }),
    { numRuns: 400 },
  )
  expect(await tenants.rowsOf(theirs)).toEqual(before[0])
  expect(await owned()).toEqual(before[1])
  const stillThere = await tenants.call('GET', `/v1/merchants`, { key: sandboxThings['key'] ?? '' })
  expect(stillThere.status).toBe(200)
})
