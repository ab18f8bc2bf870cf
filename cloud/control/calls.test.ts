// Calls, requests for a table and numbers as people see them: what is listed, to whom, and what is hidden.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NEW_CALL } from '#cloud/receptionist/call-state.ts'
import { EMPTY_DRAFT } from '#cloud/receptionist/order-taker.ts'
import { type CallId, newId } from '#shared/ids.ts'
import { ControlDesk } from '#test/fixtures/control-desk.ts'

const CALLER = '+12125550142'
const DAY_MS = 86_400_000
let at: ControlDesk
beforeEach(async () => {
  at = await ControlDesk.open()
})
afterEach(() => at.close())

const box = () => at.secretBox

/** A call that is over, with one thing said by each. */
async function call(
  part: { outcome?: string; from?: string | null; agoMs?: number; state?: object } = {},
): Promise<CallId> {
  const { outcome = 'answered', from = CALLER, agoMs = 0, state = {} } = part
  const startedAt = at.clock.now() - agoMs
  const id = newId('call', startedAt)
  const { db, merchantKey } = at.desk.api
  await db.unit(async (tx) => {
    await at.context.calls.insert(tx, {
      ...{ id, merchant_id: merchantKey, number_id: newId('num', startedAt), provider_id: `CA-${id}` },
      from_enc: from === null ? null : box().seal(from),
      from_mac: from === null ? null : box().mac('telephone number', from),
      ...{ to_e164: '+12025550100', status: 'completed', step: 'over', state_enc: box().seal(JSON.stringify(state)) },
      ...{ started_at: startedAt, answered_at: startedAt, ended_at: startedAt + 9_000, last_at: startedAt },
      ...{ outcome, transferred_to: null, order_id: null, text_deleted_at: null },
    })
    const turn = { call_id: id, confidence: null, at: startedAt }
    await at.context.calls.addTurns(tx, [
      { ...turn, ordinal: 1, who: 'receptionist', text_enc: box().seal('Good day.') },
      { ...turn, ordinal: 2, who: 'caller', text_enc: box().seal('A table please.'), confidence: 90 },
    ])
  })
  return id
}

async function tableRequest(callId: CallId): Promise<void> {
  const nowMs = at.clock.now()
  const details = { name: 'Ana', party: 4, wanted: 'tonight at eight', phone: CALLER }
  await at.desk.api.db.unit((tx) =>
    at.context.calls.addTableRequest(tx, {
      ...{ id: newId('apt', nowMs), merchant_id: at.desk.api.merchantKey, call_id: callId, state: 'new' },
      ...{ details_enc: box().seal(JSON.stringify(details)), phone_mac: null },
      ...{ done_by: null, done_at: null, created_at: nowMs },
    }),
  )
}

test('calls are listed page by page, the newest first, each once', async () => {
  const ids: CallId[] = []
  // Two of them begin in the same millisecond.
  for (const agoMs of [0, 1_000, 1_000, 2_000]) ids.push(await call({ agoMs }))
  const first = await at.perform('calls.list', { limit: 3 })
  expect(first.nextCursor).not.toBeNull()
  const second = await at.perform('calls.list', { limit: 3, cursor: first.nextCursor })
  expect(second.nextCursor).toBeNull()
  const listed = [...first.calls, ...second.calls].map(({ callId }) => callId)
  expect(listed.toSorted()).toEqual(ids.toSorted())
  expect([listed[0], listed[3]]).toEqual([ids[0], ids[3]])
})

test('calls are found by how they ended and by the number of the caller', async () => {
  const mine = await call({ outcome: 'voicemail' })
  await call({ from: '+12125550143' })
  const byNumber = await at.perform('calls.list', { from: CALLER })
  expect(byNumber.calls.map(({ callId }) => callId)).toEqual([mine])
  const byOutcome = await at.perform('calls.list', { outcome: 'voicemail' })
  expect(byOutcome.calls).toMatchObject([{ callId: mine, from: CALLER, outcome: 'voicemail' }])
})

test('a call has what was said in it, in order', async () => {
  const detail = await at.perform('calls.get', { callId: await call() })
  expect(detail.turns).toMatchObject([
    { who: 'receptionist', text: 'Good day.', confidence: null },
    { who: 'caller', text: 'A table please.', confidence: 0.9 },
  ])
})

test('a call shows what the caller had wanted when a person took over, to those who see customers', async () => {
  const line = { umsId: 'U1', name: 'Soup', qty: 2, priceCents: 450, modifiers: [], note: 'no salt' }
  const callId = await call({
    outcome: 'transferred',
    state: { ...NEW_CALL, draft: { ...EMPTY_DRAFT, lines: [line] } },
  })
  expect((await at.perform('calls.get', { callId })).notOrdered).toEqual(['2 Soup, no salt', '9.00 US dollars'])
  const merchantId = await at.goLive()
  const developer = { role: 'developer', environment: 'live' } as const
  expect((await at.perform('calls.get', { merchantId, callId }, developer)).notOrdered).toEqual([])
})

test('a call of another restaurant is not found', async () => {
  const callId = await call()
  const accountId = await at.stranger()
  await expect(at.perform('calls.get', { callId }, { accountId })).rejects.toMatchObject({
    said: { key: 'call.unknown' },
  })
})

test('who may not see customers sees neither numbers nor words, and finds nobody by a number', async () => {
  const callId = await call()
  await tableRequest(callId)
  const merchantId = await at.goLive()
  const developer = { role: 'developer', environment: 'live' } as const
  const list = await at.perform('calls.list', { merchantId }, developer)
  const detail = await at.perform('calls.get', { merchantId, callId }, developer)
  const tables = await at.perform('tables.list', { merchantId }, developer)
  expect(detail.turns).toBeNull()
  expect(tables).toMatchObject([{ name: null, wanted: null, party: 4 }])
  const seen = JSON.stringify([list, detail, tables])
  for (const secret of [CALLER, '2125550142', 'A table please.', 'Ana', 'tonight']) expect(seen).not.toContain(secret)
  expect((await at.perform('calls.list', { merchantId, from: CALLER }, developer)).calls).toEqual([])
})

test('how calls ended is counted by days of the restaurant, with the days without one', async () => {
  await call({ outcome: 'ordered' })
  await call({ outcome: 'ordered' })
  await call({ outcome: 'missed', agoMs: 2 * DAY_MS })
  const days = (await at.perform('calls.list', { outcomesOfDays: 3 })).days ?? []
  expect(days.map(({ counts }) => counts)).toEqual([{ missed: 1 }, {}, { ordered: 2 }])
  expect(days.map(({ day }) => day).every((day) => /^\d{4}-\d{2}-\d{2}$/.test(day))).toBe(true)
})

test('no day is missing or twice where the clock of the restaurant changes', async () => {
  await at.desk.api.db.unit((tx) => tx.updateTable('merchants').set({ time_zone: 'America/New_York' }).execute())
  // 0:30 in New York, on the second day after a day of 23 hours: 48 hours before, it was Saturday.
  const monday = Date.parse('2027-03-15T04:30:00Z')
  vi.spyOn(at.clock, 'now').mockReturnValue(monday)
  const days = (await at.perform('calls.list', { outcomesOfDays: 3 })).days ?? []
  expect(days.map(({ day }) => day)).toEqual(['2027-03-13', '2027-03-14', '2027-03-15'])
})

test('a request for a table is settled, and opened again', async () => {
  await tableRequest(await call())
  const [open] = await at.perform('tables.list', {})
  if (open === undefined) throw new Error('no request')
  expect(open).toMatchObject({ name: 'Ana', party: 4, wanted: 'tonight at eight', phone: CALLER, isDone: false })
  const { requestId } = open
  await at.perform('tables.done', { requestId, done: true }, { role: 'staff' })
  expect(await at.perform('tables.list', {})).toEqual([])
  expect(await at.perform('tables.list', { done: true })).toMatchObject([{ requestId, isDone: true }])
  await at.perform('tables.done', { requestId, done: false }, { role: 'staff' })
  expect(await at.perform('tables.list', {})).toHaveLength(1)
})

test('what a caller hears is told of settings that are not saved, open and closed', async () => {
  const profile = {
    mode: 'answers',
    greeting: 'Bistro Nina.',
    recording: { mode: 'whole-call', consent: 'This call is recorded.' },
    hours: { monday: [{ from: '11:00', to: '14:00' }] },
    menu: [{ digit: '1', label: 'our address', does: 'say', say: 'Elm street 4.' }],
  }
  const { open, closed, language } = await at.perform('receptionist.preview', { profile })
  expect(language).toBe('en-US')
  expect(open?.slice(0, 2)).toEqual(['This call is recorded.', 'Bistro Nina.'])
  expect(open?.join(' ')).toContain('our address')
  expect(closed?.join(' ')).toContain('Monday')
  // Without hours it is never closed; switched off nothing is heard.
  expect(await at.perform('receptionist.preview', { profile: { mode: 'off' } })).toMatchObject({
    ...{ open: [], closed: null },
  })
})

test('a question is tried: by what was written, by the hours, or with no answer', async () => {
  const { knowledgeId } = await at.perform('knowledge.put', { question: 'Do you have parking?', answer: 'Yes.' })
  const hours = { sunday: [{ from: '11:00', to: '14:00' }] }
  await at.perform('receptionist.save', { profile: { hours }, seen: { version: 0 } })
  const ask = (question: string) => at.perform('knowledge.try', { question })
  expect(await ask('where can I park')).toMatchObject({ found: { knowledgeId, answer: 'Yes.' } })
  expect((await ask('are you open on sunday')).found).toMatchObject({ knowledgeId: null, question: null })
  expect(await ask('do you sell bicycles')).toEqual({ found: null })
})

test('without a telephone company no number is wanted and no call is tried', async () => {
  expect(await at.perform('numbers.list', {})).toEqual({ numbers: [], provider: null })
  await expect(at.perform('numbers.simulate', {})).rejects.toMatchObject({ said: { key: 'number.no-company' } })
  await expect(at.perform('receptionist.simulate', { call: null, act: { do: 'dial' } })).rejects.toMatchObject({
    said: { key: 'number.no-company' },
  })
})
