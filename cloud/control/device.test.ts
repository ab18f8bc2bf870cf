// The command line signs in: a program asks for a key, a person approves it at the dashboard, and the program fetches the key once.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { authenticate } from '#cloud/auth/api-keys.ts'
import { AccountStore } from '#cloud/storage/account-store.ts'
import { type KeyId, newId } from '#shared/ids.ts'
import type { DeviceCodeAnswer, DeviceTokenAnswer } from '#shared/wire/device-sign-in.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { DashboardDesk, type SignedInPerson } from '#test/fixtures/dashboard-desk.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const LIVE = { environment: 'live', scopes: ['menu:read'] }
const PRODUCT = { host: 'nina-laptop', app: 'ticketrail/1.4.0 (linux x64)' }

let clock: ManualClock
let desk: DashboardDesk
let owner: SignedInPerson
beforeEach(async () => {
  clock = new ManualClock()
  desk = await DashboardDesk.open({ clock })
  owner = await desk.person()
})
afterEach(() => desk.close())

const post = (path: string, body: unknown) => desk.api.call('POST', path, { key: null, body })

async function begin(more: Record<string, unknown> = {}): Promise<DeviceCodeAnswer> {
  const { status, body } = await post('/device/code', { ...PRODUCT, ...more })
  expect([status, body]).toEqual([200, expect.anything()])
  return body as DeviceCodeAnswer
}

const ask = ({ deviceCode }: DeviceCodeAnswer) => post('/device/token', { deviceCode })

/** What the program is told: a key, or the name of the refusal. */
async function told(codes: DeviceCodeAnswer): Promise<string> {
  const { status, body } = await ask(codes)
  return status === 200 ? 'a key' : (body as { error: string }).error
}

const approve = (person: SignedInPerson, { userCode }: DeviceCodeAnswer, environment = 'sandbox') =>
  desk.ask(person, 'device.approve', { body: { userCode, environment } })

const look = (person: SignedInPerson, userCode: string) => desk.ask(person, 'device.look', { body: { userCode } })

const shownSoon = () => ({ elevatedUntilMs: clock.now() + 10 * MINUTE_MS })

async function approveForLive(): Promise<void> {
  await desk.api.db.unit((tx) => desk.stores.accounts.change(tx, desk.accountId, { live_approved_at: clock.now() }))
}

function raise(): never {
  throw new Error('nothing was begun')
}

/** Whom the API takes the key for. */
const principalOf = ({ apiKey }: DeviceTokenAnswer) =>
  authenticate({ apiKeys: desk.stores.apiKeys, clock }, `Bearer ${apiKey}`)

async function keyNamed(name: string) {
  return (await desk.stores.apiKeys.ofAccount(desk.accountId)).find((key) => key.name === name)
}

test('a program gets two codes, and the page where a person types one of them', async () => {
  const codes = await begin()
  expect(codes).toEqual({
    deviceCode: expect.stringMatching(/^[\w-]{43}$/),
    userCode: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-\d{4}$/),
    verificationUri: 'https://relay.example/dashboard/device',
    verificationUriComplete: `https://relay.example/dashboard/device#${codes.userCode}`,
    expiresIn: 600,
    interval: 5,
  })
  const row = JSON.stringify(await desk.api.db.read.selectFrom('device_sign_ins').selectAll().execute())
  for (const secret of [codes.deviceCode, codes.userCode, codes.userCode.replace('-', '')])
    expect(row).not.toContain(secret)
})

test('the person who opens the code sees the machine, its address, and the key that it would get', async () => {
  const { userCode } = await begin()
  const typed = userCode.toLowerCase().replace('-', ' ')
  const { body } = await look(owner, typed)
  expect(body.result).toEqual({
    ...{ userCode, host: 'nina-laptop', app: 'ticketrail/1.4.0 (linux x64)', address: '127.0.0.1', isFromHere: true },
    askedAt: new Date(clock.now()).toISOString(),
    expiresAt: new Date(clock.now() + 10 * MINUTE_MS).toISOString(),
    key: {
      ...{ name: 'CLI on nina-laptop', environment: 'sandbox', days: 90 },
      scopes: expect.arrayContaining(['orders:write', 'webhooks:manage', 'printers:control']),
    },
  })
})

test('the approved program gets a key of 90 days, which works, and gets it once', async () => {
  const codes = await begin()
  expect(await told(codes)).toBe('authorization_pending')
  const approved = await approve(owner, codes)
  expect(approved.body.result).toEqual({ userCode: codes.userCode, keyName: 'CLI on nina-laptop' })
  expect(await keyNamed('CLI on nina-laptop')).toBeUndefined()

  const { status, headers, body } = await ask(codes)
  const key = body as DeviceTokenAnswer
  expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
  expect(key).toMatchObject({
    apiKey: expect.stringMatching(/^sk_sandbox_/),
    account: { accountId: desk.accountId },
    environment: 'sandbox',
    expiresAt: new Date(clock.now() + 90 * DAY_MS).toISOString(),
  })
  expect(key.scopes).toHaveLength(6)
  expect(await principalOf(key)).toMatchObject({ accountId: desk.accountId, keyId: key.keyId })
  expect(await told(codes)).toBe('invalid_grant')
  expect(await keyNamed('CLI on nina-laptop')).toMatchObject({ id: key.keyId, expires_at: clock.now() + 90 * DAY_MS })
  clock.jump(90 * DAY_MS)
  await expect(principalOf(key)).rejects.toMatchObject({ code: 'auth.invalid_token' })
})

test('a program asks for fewer scopes, and its key has only these', async () => {
  const codes = await begin({ scopes: ['orders:read', 'menu:read'] })
  await approve(owner, codes)
  const key = (await ask(codes)).body as DeviceTokenAnswer
  expect(key.scopes).toEqual(['orders:read', 'menu:read'])
  expect([...(await principalOf(key)).scopes]).toEqual(['orders:read', 'menu:read'])
})

test('of two that fetch the key at the same moment, one gets it', async () => {
  const codes = await begin()
  await approve(owner, codes)
  const both = await Promise.all([told(codes), told(codes)])
  expect(both.toSorted()).toEqual(['a key', 'invalid_grant'])
  const keys = await desk.stores.apiKeys.ofAccount(desk.accountId)
  expect(keys.filter(({ name }) => name === 'CLI on nina-laptop')).toHaveLength(1)
})

test('a denied program gets access_denied and no key, and its code is used up', async () => {
  const codes = await begin()
  expect((await desk.ask(owner, 'device.deny', { body: { userCode: codes.userCode } })).status).toBe(200)
  expect(await told(codes)).toBe('access_denied')
  const late = await approve(owner, codes)
  expect([late.status, late.body.said.key]).toEqual([404, 'device-code.unknown'])
  expect(await told(codes)).toBe('access_denied')
})

test('after ten minutes it cannot be approved, and an approved key is not returned', async () => {
  const [waiting, approved] = [await begin(), await begin()]
  await approve(owner, approved)
  clock.jump(10 * MINUTE_MS)
  expect((await approve(owner, waiting)).body.said.key).toBe('device-code.unknown')
  expect([await told(waiting), await told(approved)]).toEqual(['expired_token', 'expired_token'])
})

test('a program that asks more often than the interval gets slow_down, and the answer all the same', async () => {
  const codes = await begin()
  const answers = [await told(codes), await told(codes), await told(codes)]
  expect(answers).toEqual(['authorization_pending', 'authorization_pending', 'slow_down'])
  await approve(owner, codes)
  expect(await told(codes)).toBe('a key')
})

test('a code that was never issued is refused in the same form', async () => {
  const { status, body } = await post('/device/token', { deviceCode: 'x'.repeat(43) })
  expect([status, body]).toEqual([400, { error: 'invalid_grant', error_description: expect.any(String) }])
})

test.each([
  ['a name that breaks the line', { host: 'a\nb' }, 'host'],
  ['a name that turns the letters round', { host: 'a\u202eb' }, 'host'],
  ['a name that nobody sees', { host: '\u3164' }, 'host'],
  ['a name with a letter of no width', { host: 'nina\u00ad' }, 'host'],
  ['a name that reads as an address', { host: 'evil\u3002com' }, 'host'],
  ['a name that reads as a sentence', { host: 'Ticketrail Support (official)' }, 'host'],
  ['a name that is a link', { host: 'https://evil.example' }, 'host'],
  ['a program with control characters', { app: 'cli\u001b[2J' }, 'app'],
  ['a scope that there is not', { scopes: ['orders:eat'] }, 'scopes[0]'],
  ['a live key without scopes', { environment: 'live' }, 'scopes'],
  ['a field that it does not know', { clientSecret: 'x' }, 'clientSecret'],
])('%s is refused by its name', async (_what, change, field) => {
  const { status, body } = await post('/device/code', { ...PRODUCT, ...change })
  expect([status, body.errors[0].field]).toEqual([422, field])
})

describe('a live key', () => {
  test('needs an account that is approved for live', async () => {
    const codes = await begin(LIVE)
    const refused = await approve(await desk.person(shownSoon()), codes, 'live')
    expect(refused.body.said.key).toBe('key.not-live')
  })

  test('needs that the person has just shown that it is them', async () => {
    await approveForLive()
    const codes = await begin(LIVE)
    expect((await approve(owner, codes, 'live')).body.said.key).toBe('right.elevate')
    expect((await approve(await desk.person(shownSoon()), codes, 'live')).status).toBe(200)
    expect((await ask(codes)).body).toMatchObject({ environment: 'live', scopes: ['menu:read'] })
  })

  test('is not approved by a call that claims to be for the sandbox', async () => {
    await approveForLive()
    const codes = await begin(LIVE)
    expect((await approve(owner, codes, 'sandbox')).body.said.key).toBe('device-code.unknown')
    expect(await told(codes)).toBe('authorization_pending')
  })

  test('with a write scope, or one that shows customers, needs an owner', async () => {
    await approveForLive()
    const developer = await desk.person({ member: [{ role: 'developer' }], ...shownSoon() })
    const writes = await begin({ environment: 'live', scopes: ['orders:write'] })
    const orders = await begin({ environment: 'live', scopes: ['orders:read'] })
    const menu = await begin(LIVE)
    const said = async (codes: DeviceCodeAnswer) =>
      (await approve(developer, codes, 'live')).body.said?.key ?? 'approved'
    expect([await said(writes), await said(orders), await said(menu)]).toEqual([
      ...['key.needs-owner', 'right.customers', 'approved'],
    ])
  })
})

test.each(['staff', 'manager'] as const)('the role %s may not approve or deny', async (role) => {
  const person = await desk.person({ member: [{ role }] })
  const codes = await begin()
  expect((await approve(person, codes)).body.said.key).toBe('right.role')
  expect((await desk.ask(person, 'device.deny', { body: { userCode: codes.userCode } })).status).toBe(403)
  expect(await told(codes)).toBe('authorization_pending')
})

test('a person who left the account before the key was fetched has approved nothing', async () => {
  const developer = await desk.person({ member: [{ role: 'developer' }] })
  const codes = await begin()
  await approve(developer, codes)
  await desk.api.db.unit((tx) => desk.stores.memberships.remove(tx, developer.userId, desk.accountId))
  expect([await told(codes), await told(codes)]).toEqual(['access_denied', 'access_denied'])
  expect(await keyNamed('CLI on nina-laptop')).toBeUndefined()
})

test('a person who guesses codes is slowed down, and another person is not', async () => {
  const { userCode } = await begin()
  const letters = ['BBBB', 'CCCC', 'DDDD', 'FFFF', 'GGGG'].map((half) => `${half}-0000`)
  for (const wrong of letters) expect((await look(owner, wrong)).body.said.key).toBe('device-code.unknown')
  const held = await look(owner, userCode)
  expect([held.status, held.body.said.key]).toEqual([429, 'session.throttled'])
  expect((await look(await desk.person(), userCode)).status).toBe(200)
  clock.jump(MINUTE_MS)
  expect((await look(owner, userCode)).status).toBe(200)
})

test('a right code of one’s own does not make the wrong ones forgotten', async () => {
  const { userCode } = await begin()
  const guess = (n: number) => look(owner, `BBBB-000${n}`)
  for (let n = 0; n < 5; n++) {
    expect((await guess(n)).status).toBe(404)
    if (n < 4) expect((await look(owner, userCode)).status).toBe(200)
  }
  expect((await guess(5)).status).toBe(429)
})

test('many people at one address guess no faster than two', async () => {
  const people = await Promise.all([desk.person(), desk.person(), desk.person()])
  const statuses: number[] = []
  for (let n = 0; n < 4; n++) for (const person of people) statuses.push((await look(person, `BBBB-000${n}`)).status)
  expect(statuses).toEqual([...Array(10).fill(404), 429, 429])
})

test('codes that were answered leave room for others of the address', async () => {
  for (let made = 0; made < 30; made++) {
    const { userCode } = await begin()
    await desk.ask(owner, 'device.deny', { body: { userCode } })
    await clock.advance(MINUTE_MS / 10)
  }
})

test('when all places are taken, the oldest of the largest network go, and a lone one stays', async () => {
  const codes = await begin()
  const { db } = desk.api
  const [{ id: _, ...row } = raise()] = await db.read.selectFrom('device_sign_ins').selectAll().execute()
  await db.unit(async (tx) => {
    for (let n = 0; n < 5_000; n++) {
      const counted_as = `10.${n % 2}.0.${n % 250}`
      const mine = { id: newId('dsi', clock.now()), device_hash: `d${n}`, user_hash: `u${n}`, counted_as }
      await tx
        .insertInto('device_sign_ins')
        .values({ ...row, ...mine })
        .execute()
    }
  })
  await begin()
  const { count } = await db.read
    .selectFrom('device_sign_ins')
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(5_002 - 250)
  expect(await told(codes)).toBe('authorization_pending')
})

test('an account gets at most 30 keys an hour, however many programs were approved before', async () => {
  const codes: DeviceCodeAnswer[] = []
  // One key stands from the beginning.
  for (let n = 0; n < 29; n++) {
    codes.push(await begin())
    expect((await approve(owner, codes[n] ?? raise())).status).toBe(200)
    await clock.advance(MINUTE_MS / 10)
  }
  const one = await begin()
  expect((await approve(owner, one)).body.said.key).toBe('key.too-many')
  const made = await desk.ask(owner, 'keys.create', { body: { environment: 'sandbox', scopes: ['menu:read'] } })
  expect(made.status).toBe(200)
  const statuses: number[] = []
  for (const each of codes) statuses.push((await ask(each)).status)
  expect(statuses).toEqual([...Array(28).fill(200), 429])
})

test('an approval does not outlive the session that is ended', async () => {
  const codes = await begin()
  await approve(owner, codes)
  await desk.api.db.unit((tx) => desk.stores.logins.endAll(tx, owner.userId))
  expect(await told(codes)).toBe('access_denied')
})

test('one address has at most twenty codes at a time, and ten more a minute', async () => {
  for (let made = 0; made < 10; made++) await begin()
  expect((await post('/device/code', PRODUCT)).status).toBe(429)
  await clock.advance(MINUTE_MS)
  for (let made = 0; made < 10; made++) await begin()
  await clock.advance(MINUTE_MS)
  const { status, body } = await post('/device/code', PRODUCT)
  expect([status, body.code]).toEqual([429, 'rate_limit.exceeded'])
  await clock.advance(10 * MINUTE_MS)
  await begin()
})

test('the audit log has who approved which machine and who denied, and the owners get a mail about the key', async () => {
  const [first, second] = [await begin(), await begin({ host: 'other' })]
  await approve(owner, first)
  const { keyId } = (await ask(first)).body as { keyId: KeyId }
  await desk.ask(owner, 'device.deny', { body: { userCode: second.userCode } })
  const lines = await desk.control.audit.list(desk.accountId, 10)
  const told = lines.map(({ action, actor, via, after }) => ({ action, actor, via, after: JSON.parse(after ?? '{}') }))
  const by = { actor: owner.userId, via: 'dashboard' }
  const machine = { host: 'nina-laptop', address: '127.0.0.1', environment: 'sandbox' }
  expect(told).toMatchObject([
    { ...by, action: 'device.deny', after: { host: 'other' } },
    { ...by, action: 'key.create', via: 'api', after: { name: 'CLI on nina-laptop' } },
    { ...by, action: 'device.approve', after: machine },
  ])
  expect(lines[1]?.subject).toBe(keyId)
  const mails = await desk.api.db.read.selectFrom('notices').select('kind').execute()
  expect(mails).toEqual([{ kind: 'key' }])
})

test('a key is created within its own transaction: the account is read through it, and through no other connection', async () => {
  await approveForLive()
  const codes = await begin(LIVE)
  await approve(await desk.person({ member: [{ role: 'developer' }], ...shownSoon() }), codes, 'live')
  const find = vi.spyOn(AccountStore.prototype, 'find')
  const sees = vi.spyOn(AccountStore.prototype, 'developersSeeCustomers')
  expect(await told(codes)).toBe('a key')
  const reads = [...find.mock.calls, ...sees.mock.calls]
  vi.restoreAllMocks()
  expect(reads.length).toBeGreaterThanOrEqual(3)
  expect(reads.filter(([, on]) => on === undefined || on === desk.api.db.read)).toEqual([])
})
