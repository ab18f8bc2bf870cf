// `ticketrail` login, whoami, inject, requests tail and logout against a complete relay, with a person who approves in the dashboard.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { OperationName } from '#cloud/control/operations.ts'
import { openStores } from '#cloud/storage/stores.ts'
import { type Clock, systemClock } from '#shared/clock.ts'
import { asId } from '#shared/ids.ts'
import { HurriedClock } from '#test/doubles/hurried-clock.ts'
import { newPerson, newSession, type SignedInPerson } from '#test/fixtures/sign-in.ts'
import { type Tenant, Tenants } from '#test/fixtures/tenants.ts'
import { type Typed, typed } from '#test/fixtures/typed-ticketrail.ts'

let tenants: Tenants
let tenant: Tenant
let owner: SignedInPerson
let home: string
beforeAll(async () => {
  tenants = await Tenants.start(async (made) => {
    tenant = made.victim
    const [nowMs, accountId] = [systemClock.now(), asId<'acc'>(made.victim.accountId)]
    const stores = openStores(made.db)
    owner = await made.db.unit(async (tx) => {
      const userId = await newPerson(tx, stores, { nowMs, member: [{ role: 'owner', accountId }] })
      return newSession(tx, stores, { userId, nowMs })
    })
  })
})
afterAll(() => tenants.stop())
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ticketrail-login-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** `login` waits less between its questions; how long a relay may take to answer stays as it is. */
const hurried = new HurriedClock(50)
const SHORT_PAUSES: Clock = { ...systemClock, sleep: (ms, signal) => hurried.sleep(ms, signal) }

const type = (...args: string[]): Typed => typed(args, { env: { HOME: home, DISPLAY: ':0' }, clock: SHORT_PAUSES })
const settings = () => join(home, '.config/ticketrail/settings.json')
const stored = () =>
  JSON.parse(readFileSync(settings(), 'utf8')) as { url: string; apiKey: string; merchantId?: string }

/** Calls the operation as the dashboard does. */
async function atDashboard(name: OperationName, body: object): Promise<number> {
  const headers = { origin: tenants.origin, cookie: owner.cookie, 'x-account': tenant.accountId }
  const answer = await fetch(`${tenants.origin}/dashboard/api/${name}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return answer.status
}

async function codeOf(line: Typed): Promise<string> {
  const said = await line.said(/compare the code/)
  return /[A-Z]{4}-\d{4}/.exec(said)?.[0] ?? ''
}

async function signIn(): Promise<Typed> {
  const line = type('login', '--url', tenants.origin)
  const userCode = await codeOf(line)
  expect(await atDashboard('device.approve', { userCode, environment: 'sandbox' })).toBe(200)
  expect([await line.ended, line.err]).toEqual([0, []])
  return line
}

async function done(...args: string[]) {
  const line = type(...args)
  return { code: await line.ended, out: line.out.join('\n'), err: line.err.join('\n') }
}

it('after a person approves, the key is stored for this user only, and sends an order', async () => {
  const line = await signIn()
  expect(line.opened).toEqual([['xdg-open', expect.stringMatching(/\/dashboard\/device#[A-Z]{4}-\d{4}$/)]])
  const { url, apiKey } = stored()
  expect([url, statSync(settings()).mode & 0o777]).toEqual([tenants.origin, 0o600])
  expect(line.out.join('\n')).not.toContain(apiKey)
  expect(await done('inject')).toMatchObject({ code: 0, out: expect.stringContaining('ord_') })
})

it('whoami shows account, environment, scopes, merchants and the expiry of the key', async () => {
  await signIn()
  const { code, out } = await done('whoami', '--json')
  expect([code, JSON.parse(out)]).toEqual([
    0,
    expect.objectContaining({
      account: expect.objectContaining({ accountId: tenant.accountId }),
      ...{ environment: 'sandbox', name: expect.stringMatching(/^CLI on /), url: tenants.origin },
      scopes: expect.arrayContaining(['orders:write']),
      merchants: expect.arrayContaining(['M-TEST-001']),
      expiresAt: expect.stringMatching(/^\d{4}-/),
    }),
  ])
  expect((await done('whoami')).out).toMatch(/scopes +orders:read/)
})

it('logout revokes the key at the relay and deletes it', async () => {
  await signIn()
  const { apiKey } = stored()
  expect(await done('logout')).toMatchObject({ code: 0, out: expect.stringContaining('revoked') })
  const answer = await fetch(`${tenants.origin}/v1/merchants`, { headers: { authorization: `Bearer ${apiKey}` } })
  expect(answer.status).toBe(401)
  expect(stored).toThrow(/ENOENT/)
  expect(await done('whoami')).toMatchObject({ code: 2, err: expect.stringContaining('ticketrail login') })
  expect(await done('logout')).toMatchObject({ code: 0, out: expect.stringContaining('Nobody is signed in') })
})

it('a second login replaces the key and revokes the old one', async () => {
  await signIn()
  const { apiKey: before } = stored()
  await signIn()
  expect(stored().apiKey).not.toBe(before)
  const answer = await fetch(`${tenants.origin}/v1/merchants`, { headers: { authorization: `Bearer ${before}` } })
  expect(answer.status).toBe(401)
})

it('a denied sign-in is refused, and nothing is stored', async () => {
  const line = type('login', '--url', tenants.origin)
  expect(await atDashboard('device.deny', { userCode: await codeOf(line) })).toBe(200)
  expect([await line.ended, line.err]).toEqual([4, [expect.stringContaining('denied')]])
  expect(stored).toThrow(/ENOENT/)
})

it('login keeps waiting while the relay is unreachable, and keeps the stored merchant of that relay', async () => {
  await signIn()
  writeFileSync(settings(), JSON.stringify({ ...stored(), merchantId: 'M-TEST-002' }), { mode: 0o600 })
  let refused = 0
  const line = typed(['login', '--url', tenants.origin], {
    env: { HOME: home },
    clock: SHORT_PAUSES,
    fetch: async (url, init) => {
      if (!url.endsWith('/device/token') || ++refused > 2) return fetch(url, init)
      throw new TypeError('fetch failed')
    },
  })
  expect(await atDashboard('device.approve', { userCode: await codeOf(line), environment: 'sandbox' })).toBe(200)
  expect(await line.ended).toBe(0)
  expect([refused, stored().merchantId]).toEqual([3, 'M-TEST-002'])
})

it('login reports that the key of another relay stays valid', async () => {
  await signIn()
  writeFileSync(settings(), JSON.stringify({ ...stored(), url: 'https://other.example', merchantId: 'M-TEST-002' }), {
    mode: 0o600,
  })
  const line = type('login', '--url', tenants.origin)
  expect(await atDashboard('device.approve', { userCode: await codeOf(line), environment: 'sandbox' })).toBe(200)
  expect([await line.ended, line.err.join()]).toEqual([0, expect.stringMatching(/other\.example .* stays valid/)])
  expect(stored()).not.toHaveProperty('merchantId')
})

it('Ctrl-C ends the wait', async () => {
  const line = type('login', '--url', tenants.origin)
  await codeOf(line)
  line.stop()
  expect(await line.ended).toBe(130)
})

it('a live key without scopes, or no address, is refused before anything is sent', async () => {
  expect(await done('login', '--live', '--url', tenants.origin)).toMatchObject({ code: 2 })
  expect(await done('login')).toMatchObject({ code: 2, err: expect.stringContaining('--url') })
  expect(await done('login', '--url', 'http://127.0.0.1:1')).toMatchObject({ code: 3 })
})

it('requests tail prints new calls of every key of the account, with the reasons of refusals', async () => {
  await signIn()
  const line = type('requests', 'tail', '--status', '4xx')
  await line.said(/Waiting for calls/)
  await callWithOtherKey('/v1/order/none?merchantId=M-TEST-001')
  await line.said(/404 {2}GET \/v1\/order\/none\?merchantId=M-TEST-001 .*order\.not_found/)
  line.stop()
  expect(await line.ended).toBe(130)
})

/** With another key of the account. */
async function callWithOtherKey(path: string): Promise<void> {
  await fetch(`${tenants.origin}${path}`, { headers: { authorization: `Bearer ${tenant.apiKey}` } })
}
