// Hooks that do not fit: of another number, of a turn that was not yet; and calls and settings on disk that cannot be read. All are answered.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hooksOf } from '#cloud/telephony/hook-address.ts'
import { CALLER, CallDesk, RELAY } from '#test/fixtures/call-desk.ts'
import { E164, PERSON } from '#test/fixtures/telephone-number.ts'

const SORRY = 'Sorry, we have a technical problem.'
const OTHER = hooksOf(RELAY, 'num_other')

let desk: CallDesk
beforeEach(async () => {
  desk = await CallDesk.open({ knowledge: [{ question: 'Where can I park?', answer: 'Behind the house.' }] })
  const [number] = await desk.api.db.read.selectFrom('phone_numbers').selectAll().execute()
  const other = { ...number!, id: 'num_other' as never, e164: '+12125550101', provider_id: 'PN2' }
  await desk.api.db.unit((tx) => tx.insertInto('phone_numbers').values(other).execute())
})
afterEach(() => desk.close())

/** Sends the fields of an earlier hook to another address, signed for it. */
function again(hook: (typeof desk.sent)[number] | undefined, url: string) {
  const fields = [...new URLSearchParams(hook?.body)].filter(([name]) => name !== 'AccountSid')
  return desk.send({ url, ...desk.telephony.signed(url, fields) })
}

const change = (state_enc: string) => desk.api.db.unit((tx) => tx.updateTable('calls').set({ state_enc }).execute())

test('a call of one number is none of another: its hooks there get no answer of the call, and change nothing', async () => {
  await desk.phone.say((await desk.dial()).call, 'where can I park?')
  const before = await desk.rows()
  for (const { url, body } of [...desk.sent]) {
    const answer = await again({ url, body, headers: {} }, url.replace(desk.hooks, OTHER))
    expect(answer.body).toContain(SORRY)
    expect(answer.body).not.toMatch(/Bistro|Behind the house/)
  }
  // A first hook of a turn, too.
  const next = await again(desk.sent.at(-3), `${OTHER}/gather?turn=2`)
  expect(next.body).toContain(SORRY)
  expect(await desk.rows()).toEqual(before)
})

test('the end of a call that another number tells is no end of this one', async () => {
  const call = { ...(await desk.dial()).call, callId: `CA${'7'.repeat(32)}` }
  await desk.phone.hangUp(call)
  const dialled = desk.sent[0]
  const late = dialled?.body.replace(/CallSid=\w+/, `CallSid=${call.callId}`) ?? ''
  const answer = await again({ url: '', headers: {}, body: late }, `${OTHER}/answer`)
  expect(answer.body).toContain('Bistro')
})

test('a hook of a turn that the call has not come to is answered, and changes nothing', async () => {
  await desk.phone.say((await desk.dial()).call, 'where can I park?')
  const before = await desk.rows()
  expect(await again(desk.sent.at(-1), `${desk.hooks}/gather?turn=9`)).toMatchObject({ status: 200 })
  expect(await desk.rows()).toEqual(before)
})

test.each([
  ['deleted', ''],
  ['unreadable', 'v1.damaged'],
])('a call whose state is %s ends: the caller hears that there is a technical problem', async (_what, sealed) => {
  const first = await desk.dial()
  await change(sealed)
  expect(await desk.api.call('GET', '/Receptionist/Webhooks/active-calls?merchantId=M-TEST-001')).toMatchObject({
    status: 200,
    body: { count: 1, calls: [{ from: CALLER, to: E164, callerName: null, lastUtterance: null }] },
  })
  const answer = await desk.phone.say(first.call, 'where can I park?')
  expect(answer.heard).toMatchObject([{ say: expect.stringContaining(SORRY) }])
  expect(answer.call.place.now).toBe('over')
  const [row] = await desk.rows()
  expect(row).toMatchObject({ status: 'failed', outcome: 'failed', step: 'over', ended_at: desk.api.clock.now() })
  await desk.phone.hangUp(answer.call)
  expect(await desk.rows()).toEqual([row])
})

test('settings that this release cannot read are as if they were not set, all others hold, and the log has nothing of them', async () => {
  const { db } = desk.api
  const stored = { mode: 'answers', greeting: 'Welcome to the Bistro.', language: 'xx', hologram: 'secret' }
  const profile = JSON.stringify({ ...stored, transfer: { to: PERSON, onlyInHours: false } })
  await db.unit((tx) => tx.updateTable('receptionist_profiles').set({ profile }).execute())
  const first = await desk.dial()
  expect(first.heard[0]).toMatchObject({ say: expect.stringContaining('Welcome to the Bistro.') })
  const rings = await desk.phone.say(first.call, 'a person please')
  expect(rings.call.place).toMatchObject({ now: 'rings', to: PERSON })
  const told = desk.api.logLines.filter((line) => line.includes('settings of a receptionist cannot be read'))
  expect(told).toHaveLength(1)
  expect(told.join()).not.toContain('secret')
  await db.unit((tx) => tx.updateTable('receptionist_profiles').set({ profile: '{"mode"' }).execute())
  expect((await desk.dial('+12125550143')).call.place.now).toBe('over')
})

test('a repeated hook whose stored answer cannot be read connects the caller to a person, changes nothing, and leaves an id in the log', async () => {
  await desk.phone.say((await desk.dial()).call, 'where can I park?')
  await desk.api.db.unit((tx) => tx.updateTable('call_inputs').set({ answer_enc: 'v1.damaged' }).execute())
  const before = await desk.rows()
  const answer = await desk.send(desk.sent.at(-1)!)
  expect(answer).toMatchObject({ status: 200 })
  expect(answer.body).toContain('We have a technical problem. I am connecting you now.')
  expect(answer.body).toContain(`<Number>${PERSON}</Number>`)
  expect(await desk.rows()).toEqual(before)
  const [told] = desk.api.logLines.filter((line) => line.includes('a stored answer to a hook could not be read'))
  expect(told).toContain(String(before[0]?.id))
})

test('nor does it dial the number that the caller has called: it would ring here again', async () => {
  const { db } = desk.api
  await desk.phone.say((await desk.dial()).call, 'where can I park?')
  const profile = JSON.stringify({ mode: 'answers', transfer: { to: E164 } })
  await db.unit((tx) => tx.updateTable('receptionist_profiles').set({ profile }).execute())
  await db.unit((tx) => tx.updateTable('call_inputs').set({ answer_enc: 'v1.damaged' }).execute())
  const answer = await desk.send(desk.sent.at(-1)!)
  expect(answer.body).toContain(SORRY)
  expect(answer.body).not.toContain('<Dial')
})

test('a call whose caller cannot be read goes on as if the number was withheld, and is shown so', async () => {
  const first = await desk.dial()
  await desk.api.db.unit((tx) => tx.updateTable('calls').set({ from_enc: 'v1.damaged' }).execute())
  const answer = await desk.phone.say(first.call, 'where can I park?')
  expect(answer.heard[0]).toMatchObject({ say: expect.stringContaining('Behind the house.') })
  expect(await desk.api.call('GET', '/Receptionist/Webhooks/active-calls?merchantId=M-TEST-001')).toMatchObject({
    status: 200,
    body: { calls: [{ from: null, to: E164 }] },
  })
  const told = desk.api.logLines.filter((line) => line.includes('the number of a caller could not be read'))
  expect(told.join()).toContain(String((await desk.rows())[0]?.id))
})
