// Answers under an Idempotency-Key, codes and sessions end a day after they have expired, mail and alerts after 30 days: all of them, in pieces, and none that still counts.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AlertStore } from '#cloud/storage/alert-store.ts'
import { ClaimStore } from '#cloud/storage/claim-store.ts'
import { CodeStore } from '#cloud/storage/code-store.ts'
import { DeviceSignInStore } from '#cloud/storage/device-sign-in-store.ts'
import { IdempotencyStore } from '#cloud/storage/idempotency-store.ts'
import { insertNotice, NoticeStore } from '#cloud/storage/notice-store.ts'
import { IDLE_MS, LONGEST_MS, LoginSessionStore } from '#cloud/storage/session-store.ts'
import { SignInTryStore } from '#cloud/storage/sign-in-try-store.ts'
import { TextStore } from '#cloud/storage/text-store.ts'
import { asId, newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { ForgetExpired } from './forget-expired.ts'

const DAY_MS = 86_400_000
let clock: ManualClock
let api: RelayApi
let idempotency: IdempotencyStore
let codes: CodeStore
let deviceSignIns: DeviceSignInStore
let logins: LoginSessionStore
let signInTries: SignInTryStore
let service: ForgetExpired
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  idempotency = new IdempotencyStore(api.db)
  const [claims, notices] = [new ClaimStore(api.db), new NoticeStore(api.db)]
  codes = new CodeStore(api.db)
  deviceSignIns = new DeviceSignInStore(api.db)
  logins = new LoginSessionStore(api.db)
  signInTries = new SignInTryStore(api.db)
  service = new ForgetExpired({
    ...api.stores,
    claims,
    idempotency,
    codes,
    deviceSignIns,
    signInTries,
    logins,
    notices,
    texts: new TextStore(api.db),
    alerts: new AlertStore(api.db),
  })
})
afterEach(async () => {
  await service.stop()
  await api.close()
})

async function keep(count: number, expiresAtMs: number): Promise<void> {
  await api.db.unit(async (tx) => {
    for (let n = 0; n < count; n++)
      await idempotency.insert(tx, {
        account_id: api.account.accountId,
        environment: 'sandbox',
        path: '/v1/order/refund',
        key: `k-${expiresAtMs}-${n}`,
        body_hash: '',
        status: 201,
        response: '{}',
        sealed: 0,
        created_at: clock.now(),
        expires_at: expiresAtMs,
      })
  })
}
const left = async () => (await api.db.read.selectFrom('idempotency').select('key').execute()).length

test('what has expired goes, in pieces; what still counts stays', async () => {
  await keep(450, clock.now() + DAY_MS)
  await keep(3, clock.now() + DAY_MS + 1)
  clock.jump(2 * DAY_MS)
  const units = vi.spyOn(api.db, 'unit')
  await service.sweep()
  expect([await left(), units.mock.calls.length]).toEqual([3, 3])
})

test('it runs at the start, and a run without results writes nothing', async () => {
  await keep(1, clock.now() - DAY_MS)
  await service.start()
  await expect.poll(left).toBe(0)
  const units = vi.spyOn(api.db, 'unit')
  await service.sweep()
  expect(units).not.toHaveBeenCalled()
})

test('claim codes that can no longer be claimed are deleted too', async () => {
  const { claims, db } = { claims: new ClaimStore(api.db), db: api.db }
  const [location] = await db.read.selectFrom('locations').select('id').execute()
  const code = (hash: string, expiresAtMs: number) => ({
    ...{ code_hash: hash, location_id: location?.id ?? asId(''), gateway_name: 'Box', made_by: 'test' },
    ...{ created_at: clock.now(), expires_at: expiresAtMs },
  })
  await db.unit(async (tx) => {
    await claims.insert(tx, code('old', clock.now()))
    await claims.insert(tx, code('young', clock.now() + 1))
  })
  clock.jump(DAY_MS)
  await service.sweep()
  expect([await claims.find('old'), await claims.find('young')]).toEqual([
    null,
    expect.objectContaining({ code_hash: 'young' }),
  ])
})

test('mail is deleted after 30 days, whatever its outcome', async () => {
  const state = async () => (await api.db.read.selectFrom('notices').select('state').execute()).map((row) => row.state)
  const text = {
    kind: 'test',
    to_enc: '',
    text_enc: '',
    language: 'en',
    expires_at: clock.now(),
    account_id: null,
    merchant_id: null,
    end: null,
  }
  const write = () =>
    api.db.unit((tx) => insertNotice(tx, { ...text, id: newId('ntc', clock.now()), created_at: clock.now() }))
  for (let n = 0; n < 250; n++) await write()
  clock.jump(1)
  await write()
  await api.db.unit((tx) =>
    tx.updateTable('notices').set({ state: 'sent' }).where('created_at', '=', clock.now()).execute(),
  )
  clock.jump(30 * DAY_MS - 1)
  await service.sweep()
  expect(await state()).toHaveLength(251)
  clock.jump(1)
  await service.sweep()
  expect(await state()).toEqual(['sent'])
  clock.jump(1)
  await service.sweep()
  expect(await state()).toEqual([])
})

test('codes of sign-ins and answered questions of passkeys go, and those that count stay', async () => {
  const code = (expiresAtMs: number) => ({
    ...{ id: newId('cod', clock.now()), email_norm: 'ana@bistro.test', kind: 'sign-in' as const, code_hash: '' },
    ...{ details: '{}', account_id: null, role: null, made_by: null, address: '', tries: 0, used_at: null },
    ...{ expires_at: expiresAtMs, created_at: clock.now() },
  })
  const young = code(clock.now() + 1)
  await api.db.unit(async (tx) => {
    for (let n = 0; n < 201; n++) await codes.insert(tx, code(clock.now()))
    await codes.insert(tx, young)
    await codes.spend(tx, 'old', clock.now())
    await codes.spend(tx, 'young', clock.now() + 1)
  })
  clock.jump(DAY_MS)
  await service.sweep()
  const { read } = api.db
  expect(await read.selectFrom('email_codes').select('id').execute()).toEqual([{ id: young.id }])
  expect(await read.selectFrom('spent_challenges').select('challenge_hash').execute()).toEqual([
    { challenge_hash: 'young' },
  ])
})

test('sign-ins of devices go a day after they have expired', async () => {
  const row = (name: string, expiresAtMs: number) => ({
    ...{ id: newId('dsi', clock.now()), device_hash: `device ${name}`, user_hash: `user ${name}`, host: 'laptop' },
    ...{ app: 'ticketrail/1', address: '', counted_as: '', environment: 'sandbox' as const, scopes: '[]' },
    ...{ state: 'waiting' as const, account_id: null, answered_by: null, expires_at: expiresAtMs, created_at: 0 },
  })
  await api.db.unit(async (tx) => {
    for (let n = 0; n < 201; n++) await deviceSignIns.insert(tx, row(`old ${n}`, clock.now()))
    await deviceSignIns.insert(tx, row('young', clock.now() + 1))
  })
  clock.jump(DAY_MS)
  await service.sweep()
  expect(await api.db.read.selectFrom('device_sign_ins').select('device_hash').execute()).toEqual([
    { device_hash: 'device young' },
  ])
})

test('tries of sign-ins go when they count no more', async () => {
  await api.db.unit(async (tx) => {
    const old = Array.from({ length: 201 }, (_, n) => `old-${n}`)
    await signInTries.hold(tx, old, clock.now())
    await signInTries.hold(tx, ['young'], clock.now() + 1)
  })
  clock.jump(DAY_MS)
  await service.sweep()
  expect(await api.db.read.selectFrom('sign_in_tries').select('key_hash').execute()).toEqual([{ key_hash: 'young' }])
})

test('sessions that were left alone too long, or have lasted too long, go a day later', async () => {
  const now = clock.now()
  const session = (name: string, seenAtMs: number, createdAtMs: number) => ({
    ...{ id: asId<'sin'>(name), token_hash: name, user_id: asId<'usr'>('usr_ana'), method: 'password' as const },
    ...{ created_at: createdAtMs, seen_at: seenAtMs, elevated_until: null, address: '', agent: '' },
    ...{ view_account_id: null, view_reason: null, view_until: null },
  })
  await api.db.unit(async (tx) => {
    await logins.insert(tx, session('idle', now - IDLE_MS - DAY_MS, now))
    await logins.insert(tx, session('long', now, now - LONGEST_MS - DAY_MS))
    await logins.insert(tx, session('used', now - IDLE_MS - DAY_MS + 1, now - LONGEST_MS - DAY_MS + 1))
  })
  await service.sweep()
  expect(await api.db.read.selectFrom('login_sessions').select('id').execute()).toEqual([{ id: 'used' }])
})

test('an alert goes 30 days after it was over; one that lasts stays', async () => {
  const alerts = new AlertStore(api.db)
  const row = (subject: string) => ({
    ...{
      id: newId('alr', clock.now()),
      account_id: null,
      merchant_id: null,
      kind: 'outbox-old',
      subject,
      details: '{}',
    },
    ...{ since: clock.now(), begun_at: clock.now(), mailed: 0, ended_at: null, created_at: clock.now() },
  })
  const over = row('mail')
  await api.db.unit(async (tx) => {
    await alerts.insert(tx, over)
    await alerts.insert(tx, row('webhooks'))
    await alerts.end(tx, over.id, clock.now())
  })
  const subjects = async () =>
    (await api.db.read.selectFrom('alerts').select('subject').execute()).map((it) => it.subject)
  clock.jump(30 * DAY_MS)
  await service.sweep()
  expect(await subjects()).toHaveLength(2)
  clock.jump(1)
  await service.sweep()
  expect(await subjects()).toEqual(['webhooks'])
})
