// What is kept of one telephone number at the operator's line: of all restaurants or of one, and no more than was asked for.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CallStore } from '#cloud/storage/call-store.ts'
import { newId } from '#shared/ids.ts'
import { AdminDesk } from '#test/fixtures/admin-desk.ts'

const CALLER = '+12125550142'
const OTHER = '+12125550143'
let desk: AdminDesk
beforeEach(async () => {
  desk = await AdminDesk.open()
  await desk.api.inject({ orderId: 'o-1', customer: { name: 'Canary Name', phone: CALLER } })
  await desk.api.inject({ orderId: 'o-2', customer: { name: 'Other Name', phone: OTHER } })
})
afterEach(() => desk.close())

const ONE = ['--merchant', 'M-TEST-001', '--account'] as const
const account = () => desk.api.account.accountId

/** A call of this number goes on. */
async function callNow(number: string): Promise<void> {
  const { db, clock, merchantKey } = desk.api
  const now = clock.now()
  const box = desk.secretBox!
  await db.unit((tx) =>
    new CallStore(db).insert(tx, {
      ...{ id: newId('call', now), merchant_id: merchantKey, number_id: newId('num', now), provider_id: 'CA1' },
      ...{ from_enc: box.seal(number), from_mac: box.mac('telephone number', number), to_e164: '+12025550100' },
      ...{ status: 'in_progress', step: 'menu', state_enc: box.seal('{}'), started_at: now, answered_at: now },
      ...{ ended_at: null, last_at: now, outcome: null, transferred_to: null, order_id: null, text_deleted_at: null },
    }),
  )
}

test.each([
  ['all restaurants', () => []],
  ['one', () => [...ONE, account()]],
])('what %s keep of a number is given out, and nothing of another', async (_which, of) => {
  const [kept, ...others] = await desk.json('callers', 'export', '--number', CALLER, ...of())
  expect(others).toEqual([])
  expect(kept).toMatchObject({ merchantId: 'M-TEST-001', orders: [{ customer: { name: 'Canary Name' } }] })
  expect(JSON.stringify(kept)).not.toContain(OTHER)
})

test('what was erased is counted, and is not there any more; the audit log has both, without the number', async () => {
  await desk.json('callers', 'export', '--number', CALLER)
  const { code, out } = await desk.run('callers', 'erase', '--number', CALLER)
  expect(code).toBe(0)
  expect(out).toContain('M-TEST-001')
  expect(out).not.toMatch(/2125550142|Canary/)
  expect(await desk.json('callers', 'export', '--number', CALLER)).toEqual([])
  expect(await desk.json('callers', 'export', '--number', OTHER)).toHaveLength(1)
  const rows = await desk.api.db.read.selectFrom('audit_log').selectAll().execute()
  const lines = rows.filter(({ action }) => action.startsWith('caller.'))
  expect(lines.map(({ action }) => action)).toEqual(expect.arrayContaining(['caller.export', 'caller.erase']))
  expect(JSON.stringify(lines)).not.toContain('2125550142')
})

test('a number that is on the telephone is not erased, and the exit code says so', async () => {
  await callNow(CALLER)
  const { code, out } = await desk.run('callers', 'erase', '--number', CALLER)
  expect(code).toBe(1)
  expect(out).toContain('This number is on the telephone now: run this again when the call is over.')
  expect(await desk.json('callers', 'export', '--number', CALLER)).toHaveLength(1)
})

test('what cannot be opened any more is counted, the rest is given out, and the exit code says that it is not all', async () => {
  await callNow(CALLER)
  const { db } = desk.api
  const turn = { ordinal: 0, who: 'caller', text_enc: 'of another key', confidence: null, at: 0 } as const
  const [call] = await db.read.selectFrom('calls').select('id').execute()
  await db.unit((tx) => new CallStore(db).addTurns(tx, [{ call_id: call!.id, ...turn }]))
  const { code, out } = await desk.run('callers', 'export', '--number', CALLER)
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject([{ unreadable: 1, orders: [{ customer: { name: 'Canary Name' } }] }])
})

test('a number without a country is not understood, and a merchant that is not there is refused', async () => {
  expect((await desk.run('callers', 'export', '--number', '2125550142')).code).toBe(2)
  expect((await desk.run('callers', 'erase', '--number', CALLER, '--merchant', 'M-PROD-NONE')).code).toBe(1)
})
