// Rotation: 24 hours of both keys, never three.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { KeyId } from '#shared/ids.ts'
import { newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { issueApiKey } from './accounts.ts'
import { OVERLAP_MS, rotateKey } from './rotate-key.ts'

let api: RelayApi
let clock: ManualClock
let first: { keyId: KeyId; apiKey: string }
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  first = await api.db.unit((tx) =>
    issueApiKey(tx, api.stores, {
      accountId: api.account.accountId,
      environment: 'sandbox',
      scopes: ['orders:read', 'menu:write'],
    }),
  )
})
afterEach(() => api.close())

const rotate = (keyId: KeyId) => api.db.unit((tx) => rotateKey(tx, api.stores, keyId))
const status = async (key: string) =>
  (await api.call('GET', '/v1/order/ord_unknown?merchantId=M-TEST-001', { key })).status

async function rotated(keyId: KeyId) {
  const rotation = await rotate(keyId)
  if (rotation.kind !== 'rotated') throw new Error(rotation.kind)
  return rotation
}

test('both keys work for 24 hours, then only the new one', async () => {
  const second = await rotated(first.keyId)
  expect(second.oldEndsAtMs).toBe(clock.now() + 24 * 3_600_000)
  expect([await status(first.apiKey), await status(second.apiKey)]).toEqual([404, 404])
  await clock.advance(OVERLAP_MS - 1)
  expect(await status(first.apiKey)).toBe(404)
  await clock.advance(1)
  expect([await status(first.apiKey), await status(second.apiKey)]).toEqual([401, 404])
})

test('the new key has the scopes of the old one', async () => {
  const second = await rotated(first.keyId)
  const row = await api.db.unit((tx) => api.stores.apiKeys.find(tx, second.keyId))
  expect(JSON.parse(row?.scopes ?? '')).toEqual(['orders:read', 'menu:write'])
})

test('a second rotation ends the oldest at once', async () => {
  const second = await rotated(first.keyId)
  const third = await rotated(second.keyId)
  expect([await status(first.apiKey), await status(second.apiKey), await status(third.apiKey)]).toEqual([401, 404, 404])
})

test('a key that was to end earlier is not prolonged by its rotation', async () => {
  const endsAtMs = clock.now() + 60_000
  await api.db.unit((tx) => api.stores.apiKeys.change(tx, first.keyId, { expires_at: endsAtMs }))
  expect((await rotated(first.keyId)).oldEndsAtMs).toBe(endsAtMs)
})

test('what cannot be rotated is refused with the reason', async () => {
  expect(await rotate(newId('key', 1))).toEqual({ kind: 'no-key' })
  const second = await rotated(first.keyId)
  expect(await rotate(first.keyId)).toEqual({ kind: 'already-rotated', successor: second.keyId })
  await api.db.unit((tx) => api.stores.apiKeys.revoke(tx, second.keyId, clock.now()))
  expect(await rotate(second.keyId)).toEqual({ kind: 'ended' })
})
