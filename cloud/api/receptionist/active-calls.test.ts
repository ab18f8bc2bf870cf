// The public list of calls that go on: its contract, who gets it, what is hidden from whom; and the paths that stay unknown.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { issueApiKey } from '#cloud/auth/accounts.ts'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import type { ManualClock } from '#test/doubles/manual-clock.ts'
import { CALLER, CallDesk } from '#test/fixtures/call-desk.ts'
import { E164, PERSON } from '#test/fixtures/telephone-number.ts'

const PATH = '/Receptionist/Webhooks/active-calls'
const MINE = `${PATH}?merchantId=M-TEST-001`

let desk: CallDesk
beforeEach(async () => {
  desk = await CallDesk.open()
})
afterEach(() => desk.close())

const get = async (
  url: string,
  key: string | null = desk.api.account.apiKey,
  method: 'GET' | 'HEAD' | 'OPTIONS' = 'GET',
) => {
  const headers = key === null ? {} : { authorization: `Bearer ${key}` }
  const answer = await desk.api.app.inject({ method, url, headers })
  const isJson = String(answer.headers['content-type']).includes('json') && answer.body !== ''
  return { status: answer.statusCode, headers: answer.headers, body: isJson ? answer.json() : null }
}

test('a call is listed while it goes on, with every field of the contract', async () => {
  expect((await get(MINE)).body).toEqual({
    merchantId: 'M-TEST-001',
    asOf: expect.any(String),
    count: 0,
    calls: [],
  })
  const first = await desk.dial()
  await desk.phone.say(first.call, 'what is this noise')
  const answer = await get(MINE)
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
  expect(answer.body.calls).toEqual([
    {
      callId: expect.stringMatching(/^call_/),
      direction: 'inbound',
      from: CALLER,
      to: E164,
      callerName: null,
      status: 'in_progress',
      step: 'menu',
      startedAt: answer.body.asOf,
      answeredAt: answer.body.asOf,
      durationSeconds: 0,
      transferredTo: null,
      lastUtterance: 'what is this noise',
    },
  ])
  await desk.phone.hangUp(first.call)
  expect((await get(MINE)).body.count).toBe(0)
})

test('the newest call is the first, and one that is passed on says to whom', async () => {
  const first = await desk.dial('+12125550170')
  await desk.phone.say(first.call, 'a person please')
  await (desk.api.clock as ManualClock).advance(1_000)
  await desk.dial(null)
  const { body } = await get(MINE)
  expect(
    body.calls.map((call: Record<string, unknown>) => [call['from'], call['status'], call['transferredTo']]),
  ).toEqual([
    [null, 'in_progress', null],
    ['+12125550170', 'transferring', PERSON],
  ])
})

describe('a caller', () => {
  test('without a key is 401, and without a merchant 422', async () => {
    expect(await get(MINE, null)).toMatchObject({ status: 401, body: { code: 'auth.missing_token' } })
    expect(await get(MINE, 'sk_live_x')).toMatchObject({ status: 401, body: { code: 'auth.invalid_token' } })
    expect(await get(PATH)).toMatchObject({ status: 422, body: { code: 'request.invalid' } })
  })

  test('of another account does not find the merchant, and one of live may not see the sandbox', async () => {
    const other = await createSandboxAccount(desk.api.stores, { name: 'Other' })
    expect((await get(MINE, other.apiKey)).body.count).toBe(0)
    expect(await get(`${PATH}?merchantId=M-TEST-999`)).toMatchObject({ status: 404 })
    expect(await get(`${PATH}?merchantId=M-PROD-1`)).toMatchObject({ status: 403 })
  })

  test('with a live key needs the scope receptionist:read, which none of the six contains', async () => {
    const { accountId } = desk.api.account
    const issue = (scopes?: readonly ['receptionist:read']) =>
      desk.api.db.unit((tx) =>
        issueApiKey(tx, desk.api.stores, { accountId, environment: 'live', ...(scopes && { scopes }) }),
      )
    const [without, granted] = [await issue(), await issue(['receptionist:read'])]
    expect(await get(`${PATH}?merchantId=M-PROD-1`, without.apiKey)).toMatchObject({
      status: 403,
      body: { code: 'auth.insufficient_scope' },
    })
    expect(await get(`${PATH}?merchantId=M-PROD-1`, granted.apiKey)).toMatchObject({
      status: 404,
      body: { code: 'merchant.not_found' },
    })
  })

  test('may ask 60 times at once, and then waits', async () => {
    const statuses = []
    for (let call = 0; call < 61; call++) statuses.push((await get(MINE)).status)
    expect([statuses.slice(0, 60).every((status) => status === 200), statuses[60]]).toEqual([true, 429])
    expect((await get(MINE)).headers['retry-after']).toMatch(/^\d+$/)
  })

  test('gets HEAD as GET without a body, and another method is 405', async () => {
    const head = await get(MINE, desk.api.account.apiKey, 'HEAD')
    expect([head.status, head.body]).toEqual([200, null])
    const options = await get(MINE, desk.api.account.apiKey, 'OPTIONS')
    expect([options.status, options.headers['allow']]).toEqual([405, 'GET, HEAD'])
  })
})

const PLANNED = ['calls', 'appointments', 'knowledge', 'profile', 'analytics/stats']

test.each(PLANNED)('/api/receptionist/%s is unknown, whatever the method, with a key too', async (name) => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const) {
    for (const url of [`/api/receptionist/${name}`, `/api/receptionist/${name}/x`]) {
      const headers = { authorization: `Bearer ${desk.api.account.apiKey}`, cookie: 'ticketrail=x' }
      const answer = await desk.api.app.inject({ method, url, headers })
      expect([method, answer.statusCode]).toEqual([method, 404])
      if (method !== 'HEAD') expect(answer.json()).toMatchObject({ code: 'request.not_found' })
    }
  }
})
