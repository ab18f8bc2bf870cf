// The entry to every operation: rights, once for each tap, the audit entry in the same commit.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAccount, issueApiKey } from '#cloud/auth/accounts.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import { type AccountId, newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import type { PersonAct } from './act.ts'
import { type ControlContext, openContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { OperationName } from './operations.ts'
import { type Asker, perform } from './perform.ts'
import type { Role } from './roles.ts'

const clock = new ManualClock()
let api: RelayApi
let context: ControlContext

beforeEach(async () => {
  api = await RelayApi.open({ clock })
  const secretBox = new SecretBox(Buffer.alloc(32, 3))
  context = openContext({ db: api.db, clock, secretBox, guard: new TargetGuard({ allowCidrs: [] }) })
})
afterEach(() => api.close())

const userId = newId('usr', 0)

function person(role: Role | null, more: Partial<Omit<Asker, 'act'>> & { act?: Partial<PersonAct> } = {}): Asker {
  const { act, ...rest } = more
  return {
    act: {
      by: 'person',
      userId,
      sessionId: newId('sin', 0),
      name: 'Ana',
      email: 'ana@bistro.test',
      accountId: api.account.accountId,
      role,
      environment: 'sandbox',
      address: '192.0.2.7',
      ...act,
    },
    isOperator: false,
    isViewing: false,
    elevatedUntilMs: null,
    tapId: null,
    ...rest,
  }
}

/** Operations that send live orders to another address. */
const LEADS_ELSEWHERE: [OperationName, object][] = [
  ['endpoints.create', { events: ['*'] }],
  ['endpoints.change', { webhookId: newId('we', 0) }],
  ['channels.connect', { channelId: 'one', platform: 'one' }],
  ['pos.connect', {}],
]

test.each(LEADS_ELSEWHERE)('%s requires a confirmed identity, in live', async (name, more) => {
  const body = { merchantId: 'M-PROD-1', url: 'https://elsewhere.test/', ...more }
  expect((await refusal(person('owner'), name, body)).kind).toBe('elevate')
})

function refusal(asker: Asker, name: OperationName, raw: unknown): Promise<ControlRefusal> {
  return perform(context, asker, { name, raw }).then(
    () => expect.unreachable('it was not refused'),
    (error: unknown) => {
      if (error instanceof ControlRefusal) return error
      throw error
    },
  )
}

const newKey = { environment: 'sandbox' } as const
const keyCount = async () => (await context.apiKeys.ofAccount(api.account.accountId)).length
const newestAudit = async () => (await context.audit.list(api.account.accountId, 1))[0]

test('a change logs who made it, through which door and from where, in its own commit', async () => {
  const { keyId } = await perform(context, person('owner'), { name: 'keys.create', raw: newKey })
  expect(await newestAudit()).toMatchObject({
    action: 'key.create',
    subject: keyId,
    actor: userId,
    via: 'dashboard',
    address: '192.0.2.7',
  })
})

test('an unknown field, and a wrong one, are refused by name', async () => {
  const refused = await refusal(person('owner'), 'keys.create', { environment: 'moon', expiresInDays: -1 })
  expect(refused.kind).toBe('invalid')
  expect(refused.errors.map(({ field }) => field)).toEqual(['environment', 'expiresInDays'])
  expect((await refusal(person('owner'), 'keys.list', { all: true })).kind).toBe('invalid')
})

test('a role without the right is refused with the roles that have it, and nothing is done', async () => {
  const before = await keyCount()
  const refused = await refusal(person('manager'), 'keys.create', newKey)
  expect(refused).toMatchObject({ kind: 'forbidden', said: { values: { role: 'manager', roles: 'developer, owner' } } })
  expect(await keyCount()).toBe(before)
  expect(await perform(context, person('manager'), { name: 'keys.list', raw: {} })).toHaveLength(before)
})

test('a person without membership reads nothing, and an operator who views changes nothing', async () => {
  expect((await refusal(person(null), 'keys.list', {})).kind).toBe('forbidden')
  expect(await perform(context, person(null, { isViewing: true }), { name: 'keys.list', raw: {} })).not.toEqual([])
  expect((await refusal(person(null, { isViewing: true }), 'keys.create', newKey)).said?.key).toBe('right.viewing')
})

test('a live key requires a password or passkey within the last minutes; a sandbox key does not', async () => {
  const live = { environment: 'live' } as const
  expect((await refusal(person('owner'), 'keys.create', live)).kind).toBe('elevate')
  const over = person('owner', { elevatedUntilMs: clock.now() })
  expect((await refusal(over, 'keys.create', live)).kind).toBe('elevate')
  const shown = person('owner', { elevatedUntilMs: clock.now() + 1 })
  expect((await refusal(shown, 'keys.create', live)).said?.key).toBe('key.not-live')
})

test('a repeated tap runs once and returns the same key, which is stored encrypted in the database', async () => {
  const before = await keyCount()
  const tap = person('owner', { tapId: 'tap-1' })
  const first = await perform(context, tap, { name: 'keys.create', raw: newKey })
  const again = await perform(context, tap, { name: 'keys.create', raw: newKey })
  expect(again).toEqual(first)
  expect(await keyCount()).toBe(before + 1)
  const stored = await api.db.read.selectFrom('idempotency').selectAll().execute()
  expect(stored).toHaveLength(1)
  expect(JSON.stringify(stored)).not.toContain(first.apiKey)
})

test('simultaneous taps run once', async () => {
  const before = await keyCount()
  const tap = person('owner', { tapId: 'tap-1' })
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => perform(context, tap, { name: 'keys.create', raw: newKey })),
  )
  expect(new Set(answers.map(({ keyId }) => keyId)).size).toBe(1)
  expect(await keyCount()).toBe(before + 1)
})

test('a tap with other words under the same id is refused; the id of another person is another tap', async () => {
  const tap = person('owner', { tapId: 'tap-1' })
  await perform(context, tap, { name: 'keys.create', raw: newKey })
  const other = { ...newKey, expiresInDays: 3 }
  expect((await refusal(tap, 'keys.create', other)).said?.key).toBe('tap.mismatch')
  const neighbour = person('owner', { tapId: 'tap-1', act: { userId: newId('usr', 1) } })
  expect(await perform(context, neighbour, { name: 'keys.create', raw: other })).toHaveProperty('apiKey')
})

test('a refused change stores no answer: the same tap may succeed later', async () => {
  const tap = person('manager', { tapId: 'tap-1' })
  await refusal(tap, 'keys.create', newKey)
  const asOwner = person('owner', { tapId: 'tap-1' })
  expect(await perform(context, asOwner, { name: 'keys.create', raw: newKey })).toHaveProperty('apiKey')
})

test('a key of another account does not exist', async () => {
  const foreign = await api.db.unit(async (tx): Promise<{ accountId: AccountId; keyId: string }> => {
    const accountId = await createAccount(tx, context, { name: 'Others' })
    return { accountId, ...(await issueApiKey(tx, context, { accountId, environment: 'sandbox' })) }
  })
  const raw = { keyId: foreign.keyId, environment: 'sandbox' }
  for (const name of ['keys.revoke', 'keys.rotate'] as const)
    expect((await refusal(person('owner'), name, raw)).kind).toBe('not-found')
  const [key] = await context.apiKeys.ofAccount(foreign.accountId)
  expect(key?.revoked_at).toBeNull()
})

test('a tap about the person alone, without an account, runs once as well', async () => {
  await api.db.unit(async (tx) => {
    await context.users.insert(tx, {
      ...{ id: userId, email: 'ana@bistro.test', email_norm: 'ana@bistro.test', name: 'Ana', language: 'en' },
      ...{ password_hash: null, email_verified_at: null, is_operator: 0, disabled_at: null, created_at: 0 },
    })
  })
  const tap = person(null, { tapId: 'tap-1', act: { accountId: null } })
  const saved = await perform(context, tap, { name: 'me.save', raw: { name: 'Ana Lima' } })
  expect(await perform(context, tap, { name: 'me.save', raw: { name: 'Ana Lima' } })).toEqual(saved)
  expect(await api.db.read.selectFrom('idempotency').select('path').execute()).toHaveLength(1)
})
