// What is kept of one telephone number, given out and erased by people: everything of it, by those who may, and the number itself in no line of the audit log.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type CallId, newId } from '#shared/ids.ts'
import { ControlDesk } from '#test/fixtures/control-desk.ts'
import { everythingIn } from '#test/fixtures/everything-in.ts'

const CALLER = '+12125550142'
const OTHER = '+12125550143'
const NAME = 'Canary Name'
const WORDS = 'canary words of a caller'
let at: ControlDesk
beforeEach(async () => {
  at = await ControlDesk.open()
})
afterEach(() => at.close())

const box = () => at.secretBox

/** A call of this number, with a voicemail, a request for a table, a text message to it and an order. */
async function allOf(number: string, { isOver = true } = {}): Promise<CallId> {
  const nowMs = at.clock.now()
  const id = newId('call', nowMs)
  const numberId = newId('num', nowMs)
  const merchantKey = at.desk.api.merchantKey
  const mac = box().mac('telephone number', number)
  await at.desk.api.db.unit(async (tx) => {
    await at.context.calls.insert(tx, {
      ...{ id, merchant_id: merchantKey, number_id: numberId, provider_id: `CA-${id}`, to_e164: '+12025550100' },
      ...{ from_enc: box().seal(number), from_mac: mac, state_enc: box().seal(JSON.stringify({ words: WORDS })) },
      ...{ status: isOver ? 'completed' : 'in_progress', step: 'over', started_at: nowMs, answered_at: nowMs },
      ...{ ended_at: isOver ? nowMs : null, last_at: nowMs, outcome: isOver ? 'voicemail' : null },
      ...{ transferred_to: null, order_id: null, text_deleted_at: null },
    })
    const turn = { call_id: id, ordinal: 1, who: 'caller', text_enc: box().seal(WORDS), confidence: 0.9, at: nowMs }
    await at.context.calls.addTurns(tx, [{ ...turn, who: 'caller' }])
    await at.context.calls.addTableRequest(tx, {
      ...{ id: newId('apt', nowMs), merchant_id: merchantKey, call_id: id, state: 'new', phone_mac: mac },
      details_enc: box().seal(JSON.stringify({ name: NAME, party: 4, wanted: WORDS, phone: number })),
      ...{ done_by: null, done_at: null, created_at: nowMs },
    })
    await at.context.voicemails.told(tx, {
      ...{ id: newId('vm', nowMs), merchant_id: merchantKey, number_id: numberId, kind: 'voicemail', seconds: 9 },
      ...{ recording_id: `RE-${id}`, created_at: nowMs, providerCallId: `CA-${id}`, fetchAt: nowMs },
      textEnc: box().seal(WORDS),
    })
  })
  await at.desk.api.inject({ orderId: `o-${id}`, customer: { name: NAME, phone: number } })
  return id
}

const everything = () => everythingIn(at.desk.api.db, box())
const whole = (number: string) => at.perform('callers.export', { number })

test('what is kept of a number is given out: calls, voicemails, requests for a table, orders, and nothing of another', async () => {
  await allOf(CALLER)
  await allOf(OTHER)
  const kept = await whole(CALLER)
  expect(kept).toMatchObject({
    calls: [{ turns: [{ who: 'caller', text: WORDS }] }],
    voicemails: [{ text: WORDS, seconds: 9 }],
    tableRequests: [{ details: { name: NAME, phone: CALLER } }],
    orders: [{ customer: { name: NAME, phone: CALLER } }],
  })
  expect(JSON.stringify(kept)).not.toContain(OTHER)
})

test('what was erased is in no table any more, even opened; the orders and the other number stay', async () => {
  await allOf(CALLER)
  expect(await everything()).toContain(CALLER)
  await at.perform('callers.export', { number: CALLER }, { tapId: 'export-1' })
  const erased = await at.perform('callers.erase', { number: CALLER }, { tapId: 'erase-1' })
  expect(erased).toMatchObject({ calls: 1, recordings: 1, tableRequests: 1, orders: 1 })
  const left = await everything()
  for (const canary of [CALLER, CALLER.slice(2), NAME, WORDS]) expect(left).not.toContain(canary)
  expect(await at.desk.api.db.read.selectFrom('orders').select('id').execute()).toHaveLength(1)
  await allOf(OTHER)
  const again = await at.perform('callers.erase', { number: CALLER })
  expect(again).toMatchObject({ calls: 0, recordings: 0, tableRequests: 0, texts: 0, orders: 0 })
  expect(await everything()).toContain(OTHER)
})

test('the audit log says who asked, and has the hash of the number alone', async () => {
  await allOf(CALLER)
  await whole(CALLER)
  await at.perform('callers.erase', { number: CALLER }, { role: 'manager' })
  const lines = (await at.audit()).filter(({ action }) => action.startsWith('caller.'))
  const after = JSON.stringify({ caller: box().mac('telephone number', CALLER) })
  expect(lines).toMatchObject([
    { action: 'caller.export', actor: 'usr_owner', subject: 'M-TEST-001', after },
    { action: 'caller.erase', actor: 'usr_manager', subject: 'M-TEST-001', after },
  ])
  expect(JSON.stringify(lines)).not.toContain(CALLER.slice(2))
})

test.each(['staff', 'developer'] as const)('a person who is %s may neither read nor erase it', async (role) => {
  for (const name of ['callers.export', 'callers.erase'] as const)
    await expect(at.perform(name, { number: CALLER }, { role })).rejects.toMatchObject({ said: { key: 'right.role' } })
})

test('at a live restaurant both want to know once more that it is the person; who views another account may do neither', async () => {
  const merchantId = await at.goLive()
  const live = { environment: 'live' } as const
  for (const name of ['callers.export', 'callers.erase'] as const) {
    const raw = { merchantId, number: CALLER }
    await expect(at.perform(name, raw, live)).rejects.toMatchObject({ said: { key: 'right.elevate' } })
    await expect(at.perform(name, raw, { ...live, isViewing: true })).rejects.toMatchObject({
      said: { key: 'right.viewing' },
    })
  }
})

test('a number that is on the telephone now is not erased, and its call goes on', async () => {
  const id = await allOf(CALLER, { isOver: false })
  await expect(at.perform('callers.erase', { number: CALLER })).rejects.toMatchObject({
    said: { key: 'caller.calls-now' },
  })
  expect((await at.perform('calls.get', { callId: id })).turns).toHaveLength(1)
})

test('a call that begins between the look and the erasure is not overlooked, and nothing is erased beside it', async () => {
  await allOf(CALLER)
  vi.spyOn(at.context.callerData, 'isCalling').mockImplementationOnce(async () => {
    await allOf(CALLER, { isOver: false })
    return false
  })
  await expect(at.perform('callers.erase', { number: CALLER })).rejects.toMatchObject({
    said: { key: 'caller.calls-now' },
  })
  expect((await whole(CALLER)).calls).toHaveLength(2)
})

test('a number without a country is of the country of the number that the restaurant has', async () => {
  const nowMs = at.clock.now()
  await at.desk.api.db.unit((tx) =>
    tx
      .insertInto('phone_numbers')
      .values({
        ...{ id: newId('num', nowMs), merchant_id: at.desk.api.merchantKey, provider: 'twilio', wanted: '{}' },
        ...{ e164: '+34912345678', provider_id: 'PN1', state: 'wired', error: null, attempts: 0, next_at: null },
        ...{ wired_at: nowMs, created_at: nowMs },
      })
      .execute(),
  )
  await at.desk.api.inject({ orderId: 'o-es', customer: { name: NAME, phone: '912 34 56 79' } })
  expect(await at.perform('callers.erase', { number: '+34912345679' })).toMatchObject({ orders: 1 })
  expect(await everything()).not.toContain('912 34 56 79')
})
