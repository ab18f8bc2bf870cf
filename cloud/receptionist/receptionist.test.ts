// Calls as a telephone hears them: hooks over the relay's own routes, signed and answered, with what is on disk after each.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Turn } from '#cloud/telephony/simulated/simulated-call.ts'
import { asId } from '#shared/ids.ts'
import { CALLER, CallDesk, type CallDeskOptions, RELAY } from '#test/fixtures/call-desk.ts'
import { E164, PERSON } from '#test/fixtures/telephone-number.ts'
import { EMPTY_DRAFT, type OrderReply, type OrderTaker, type OrderTurn } from './order-taker.ts'

let desk: CallDesk
afterEach(() => desk.close())

async function open(options: CallDeskOptions = {}): Promise<void> {
  desk = await CallDesk.open(options)
}

const said = (turn: Turn): string => turn.heard.map((heard) => ('say' in heard ? heard.say : heard.play)).join(' ')
const open7 = [{ from: '11:00', to: '22:00' }]
const HOURS = {
  monday: [],
  tuesday: open7,
  wednesday: open7,
  thursday: open7,
  friday: open7,
  saturday: open7,
  sunday: [],
}

describe('a call', () => {
  beforeEach(() =>
    open({
      profile: { hours: HOURS, menu: [{ digit: '1', label: 'a table', does: 'table' }] },
      knowledge: [{ question: 'Where can I park?', answer: 'Behind the house.' }],
    }),
  )

  test('is greeted, answered from what the restaurant wrote and from its hours, and said goodbye to', async () => {
    const first = await desk.dial()
    expect(said(first)).toContain('This is the Bistro.')
    const second = await desk.phone.say(first.call, 'where can I park my car?')
    expect(said(second)).toContain('Behind the house.')
    const third = await desk.phone.say(second.call, 'are you open on Sunday?')
    expect(said(third)).toContain('We are closed on Sunday.')
    const last = await desk.phone.say(third.call, 'no, thank you')
    expect(last.call.place.now).toBe('over')
    const [call] = await desk.rows()
    expect(call).toMatchObject({ status: 'completed', outcome: 'answered', to_e164: E164, step: 'over' })
    expect(call?.from_enc).not.toContain(CALLER)
    expect(call?.from_mac).toBe(desk.api.stores.secretBox.mac('telephone number', CALLER))
    const turns = await desk.calls.turns(asId<'call'>(String(call?.id)))
    expect(turns.map(({ who }) => who)).toEqual([
      'receptionist',
      ...Array.from({ length: 3 }, () => ['caller', 'receptionist']).flat(),
    ])
    expect(desk.api.stores.secretBox.open(turns[1]?.text_enc ?? '')).toBe('where can I park my car?')
    const hits = await desk.api.db.read.selectFrom('knowledge_entries').select('hits').execute()
    expect(hits).toEqual([{ hits: 1 }])
  })

  test('ends with a request for a table, which is kept sealed with the number', async () => {
    const first = await desk.phone.press((await desk.dial()).call, '1')
    const second = await desk.phone.say(first.call, 'My name is Zoë Müller')
    const third = await desk.phone.say(second.call, 'for four people')
    const fourth = await desk.phone.say(third.call, 'tomorrow at seven')
    const last = await desk.phone.say(fourth.call, 'yes')
    expect(said(last)).toContain('Thank you, Zoë Müller. I have noted a table for 4, tomorrow at seven.')
    const requests = await desk.api.db.read.selectFrom('appointment_requests').selectAll().execute()
    expect(requests.map(({ details_enc }) => JSON.parse(desk.api.stores.secretBox.open(details_enc)))).toEqual([
      { name: 'Zoë Müller', party: 4, wanted: 'tomorrow at seven', phone: CALLER },
    ])
    await desk.phone.hangUp(last.call)
    expect(await desk.rows()).toMatchObject([{ status: 'completed', outcome: 'table' }])
  })

  test('comes to a person on a word, and to the voicemail when they do not answer', async () => {
    const rings = await desk.phone.say((await desk.dial()).call, 'I have an allergy')
    expect(rings.call.place).toMatchObject({ now: 'rings', to: PERSON })
    expect(await desk.rows()).toMatchObject([{ status: 'transferring', transferred_to: PERSON }])
    const records = await desk.phone.personEnds(rings.call, 'busy')
    expect(records.call.place.now).toBe('records')
    expect(said(records)).toContain('Please leave your name and your message')
    const last = await desk.phone.leaveMessage(records.call, { seconds: 4 })
    expect([said(last), last.call.place.now]).toEqual(['Thank you. We have your message. Goodbye.', 'over'])
    expect(await desk.rows()).toMatchObject([{ status: 'completed', outcome: 'voicemail', transferred_to: null }])
  })

  test('whose caller hangs up at the tone has left no message', async () => {
    const records = await desk.phone.say((await desk.dial()).call, 'I want to leave a message')
    expect(records.call.place.now).toBe('records')
    await desk.phone.hangUp(records.call)
    expect(await desk.rows()).toMatchObject([{ status: 'completed', outcome: 'no-message' }])
    // The news of a message may come after the end.
    await desk.phone.leaveMessage(records.call, { seconds: 4 })
    expect(await desk.rows()).toMatchObject([{ status: 'completed', outcome: 'voicemail' }])
  })

  test('that is passed on is announced to the person, and over when they hang up', async () => {
    const rings = await desk.phone.say((await desk.dial()).call, 'can I speak to somebody')
    const talks = await desk.phone.pickUp(rings.call)
    expect(said(talks)).toBe('A call from the receptionist.')
    await desk.phone.personEnds(talks.call)
    expect(await desk.rows()).toMatchObject([{ status: 'completed', outcome: 'transferred' }])
  })

  test('is answered the same bytes when a hook comes again, also at once, and nothing happens twice', async () => {
    const first = await desk.dial()
    await desk.phone.say(first.call, 'where can I park?')
    const hook = desk.sent.at(-1)
    if (hook === undefined) throw new Error('nothing was sent')
    const again = await Promise.all(Array.from({ length: 8 }, () => desk.send(hook)))
    expect(new Set(again.map(({ body }) => body)).size).toBe(1)
    expect(again[0]).toMatchObject({ status: 200 })
    const dialled = desk.sent[0]
    if (dialled === undefined) throw new Error('nobody dialled')
    await Promise.all([desk.send(dialled), desk.send(dialled)])
    expect(await desk.rows()).toHaveLength(1)
    const hits = await desk.api.db.read.selectFrom('knowledge_entries').select('hits').execute()
    expect(hits).toEqual([{ hits: 1 }])
  })

  test('takes one turn of a hook that comes several times at once before it was answered', async () => {
    const first = await desk.dial()
    const turns = await Promise.all(Array.from({ length: 8 }, () => desk.phone.say(first.call, 'where can I park?')))
    expect(new Set(turns.map(said))).toEqual(new Set([said(turns[0] as Turn)]))
    expect(said(turns[0] as Turn)).toContain('Behind the house.')
    const hits = await desk.api.db.read.selectFrom('knowledge_entries').select('hits').execute()
    expect(hits).toEqual([{ hits: 1 }])
    const kept = await desk.calls.turns(asId<'call'>(String((await desk.rows())[0]?.id)))
    expect(kept.map(({ who }) => who)).toEqual(['receptionist', 'caller', 'receptionist'])
  })

  test('keeps on course when a hook of an earlier turn comes late for the first time', async () => {
    const first = await desk.dial()
    const second = await desk.phone.say(first.call, 'where can I park?')
    const late = { ...first.call, place: first.call.place }
    const before = await desk.rows()
    const answer = await desk.phone.press(late, '7')
    expect(answer.call.place.now).toBe('listens')
    expect(await desk.rows()).toEqual(before)
    const third = await desk.phone.say(second.call, 'are you open on Sunday?')
    expect(said(third)).toContain('We are closed on Sunday.')
  })

  test('that is over stays over: what comes late is answered and changes nothing', async () => {
    const first = await desk.dial()
    await desk.phone.hangUp(first.call)
    const [before] = await desk.rows()
    const late = await desk.phone.say(first.call, 'hello?')
    expect(late.call.place.now).toBe('over')
    expect(await desk.rows()).toEqual([before])
  })

  test('whose end comes before its beginning is over from the beginning', async () => {
    const call = { ...(await desk.dial()).call, callId: `CA${'7'.repeat(32)}` }
    await desk.phone.hangUp(call)
    const hook = desk.sent[0]
    const fields = [...new URLSearchParams(hook?.body)].filter(([name]) => name !== 'AccountSid')
    const late = fields.map(([name, value]): [string, string] => [name, name === 'CallSid' ? call.callId : value])
    const url = hook?.url ?? ''
    const answer = await desk.send({ url, ...desk.telephony.signed(url, late) })
    expect(answer.body).toContain('Hangup')
    expect((await desk.rows()).map(({ provider_id, status }) => [provider_id === call.callId, status])).toContainEqual([
      true,
      'completed',
    ])
  })
})

describe('who is not answered', () => {
  test('a blocked number is rejected, and the call is listed as missed', async () => {
    await open({ profile: { blocked: [CALLER] } })
    expect((await desk.dial()).call.place.now).toBe('over')
    expect(await desk.rows()).toMatchObject([{ status: 'missed', outcome: 'blocked' }])
  })

  test('without the receptionist a call goes to the own telephone, with no voicemail after it', async () => {
    await open({ profile: { mode: 'off' } })
    const rings = await desk.dial()
    expect(rings.call.place).toMatchObject({ now: 'rings', to: PERSON })
    expect((await desk.phone.personEnds(rings.call)).call.place.now).toBe('over')
    expect(await desk.rows()).toMatchObject([{ status: 'missed', outcome: 'not-answered' }])
  })

  test('for after hours alone, without a number for transfers, takes messages while the restaurant is open', async () => {
    await open({ profile: { mode: 'after-hours', transfer: null } })
    const first = await desk.dial()
    expect(first.call.place.now).toBe('records')
    expect(said(first)).toContain('nobody can take your call')
  })

  test('after hours the caller hears when it opens, and leaves a message', async () => {
    // The test's clock shows Friday, 20 November 2026, 18:00 UTC.
    await open({ profile: { hours: { ...HOURS, friday: [{ from: '19:30', to: '22:00' }] } } })
    const first = await desk.dial()
    expect(first.call.place.now).toBe('records')
    expect(said(first)).toMatch(/We are closed now\. We open (today|tomorrow) at /)
  })
})

describe('a transfer number that the operator does not allow any more', () => {
  test('is not called: who wants a person comes to the voicemail, and the log names the restaurant', async () => {
    await open({ countries: ['+44'] })
    const turn = await desk.phone.say((await desk.dial()).call, 'a person please')
    expect(turn.call.place.now).toBe('records')
    expect(said(turn)).toContain('Sorry, nobody can take your call at the moment.')
    const told = desk.api.logLines.filter((line) => line.includes('a transfer number is not allowed any more'))
    expect(told.join()).toContain(desk.api.merchantKey)
    expect(told.join()).not.toContain(PERSON)
  })

  test('is not called while the receptionist is off, nor by the fallback, which then says only that there is a problem', async () => {
    await open({ countries: ['+44'], profile: { mode: 'off' } })
    expect((await desk.dial()).call.place.now).toBe('over')
    expect(await desk.rows()).toMatchObject([{ outcome: 'not-answered', transferred_to: null }])
    const fallback = (to: string) => {
      const url = `${desk.hooks}/fallback?${new URLSearchParams({ to, language: 'es' })}`
      return desk.send({ url, ...desk.telephony.signed(url, []) })
    }
    const refused = await fallback(PERSON)
    expect(refused.body).toContain('tenemos un problema técnico. Por favor, llame más tarde.')
    expect(refused.body).not.toContain('Dial')
    const called = await fallback('+442079460958')
    expect(called.body).toContain('Tenemos un problema técnico. Le comunico ahora.')
    expect(called.body).toContain('<Number>+442079460958</Number>')
  })
})

describe('an order by voice', () => {
  const asked: OrderTurn[] = []
  let reply: (turn: OrderTurn) => Promise<OrderReply>
  const taker: OrderTaker = {
    turn: (turn) => {
      asked.push(turn)
      return reply(turn)
    },
    hints: async () => ['Burger'],
  }
  const orders = { isOn: true, mostAmount: 150, mostOfALine: 20 }
  beforeEach(async () => {
    asked.length = 0
    await open({ profile: { orders }, orderTaker: taker })
  })

  test('is taken in the same call, and its id is the call’s', async () => {
    const draft = { ...EMPTY_DRAFT, readBack: 'two burgers' }
    reply = async ({ words }) =>
      words === 'yes'
        ? { kind: 'placed', draft: EMPTY_DRAFT, say: 'It is ordered.', orderId: asId<'ord'>('ord_1') }
        : { kind: 'asks', draft, say: 'Two burgers. Is that right?' }
    const second = await desk.phone.say((await desk.dial()).call, 'I would like to order two burgers')
    expect(said(second)).toBe('Two burgers. Is that right?')
    const third = await desk.phone.say(second.call, 'yes')
    expect(said(third)).toBe('It is ordered. Is there anything else?')
    expect(asked.map(({ words, draft: { readBack } }) => [words, readBack])).toEqual([
      ['I would like to order two burgers', null],
      ['yes', 'two burgers'],
    ])
    await desk.phone.hangUp(third.call)
    expect(await desk.rows()).toMatchObject([{ outcome: 'ordered', order_id: 'ord_1' }])
  })

  test('a repeated "yes" asks for nothing again', async () => {
    reply = async () => ({ kind: 'asks', draft: EMPTY_DRAFT, say: 'And?' })
    const second = await desk.phone.say((await desk.dial()).call, 'two burgers, I want to order')
    await desk.phone.say(second.call, 'yes')
    const hook = desk.sent.at(-1)
    if (hook !== undefined) await Promise.all([desk.send(hook), desk.send(hook)])
    expect(asked).toHaveLength(2)
  })

  test('a person takes over where it cannot go on, and the draft stays with the call', async () => {
    const draft = { ...EMPTY_DRAFT, name: 'Ana' }
    reply = async () => ({ kind: 'transfer', draft, say: 'That is a large order.', reason: 'amount' })
    const rings = await desk.phone.say((await desk.dial()).call, 'order ninety burgers')
    expect(said(rings)).toContain('That is a large order. I am connecting you now.')
    const [row] = await desk.rows()
    expect(JSON.parse(desk.api.stores.secretBox.open(row?.state_enc ?? '')).draft).toEqual(draft)
  })
})

test('what a caller says of a card is nowhere on disk, and they are told not to', async () => {
  await open()
  const turn = await desk.phone.say((await desk.dial()).call, 'my card is 4111 1111 1111 1111')
  expect(said(turn)).toContain('Please do not say card numbers.')
  const [row] = await desk.rows()
  const { secretBox } = desk.api.stores
  const turns = await desk.calls.turns(asId<'call'>(String(row?.id)))
  const kept = [row?.state_enc ?? '', ...turns.map(({ text_enc }) => text_enc)].map((text) => secretBox.open(text))
  expect(kept.join()).not.toContain('1111')
  expect(desk.api.logLines.join('')).not.toContain('1111')
})

describe('a hook', () => {
  beforeEach(() => open())
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (path: string, headers: Record<string, string>, payload = 'CallSid=CA1') =>
    desk.api.app.inject({ method: 'POST', url: `/Receptionist/Webhooks/voice/${path}`, headers, payload })

  test('without a right signature is 403, and nothing else of it is looked at', async () => {
    expect((await post('num_desk/answer', form)).statusCode).toBe(403)
    expect((await post('num_none/answer', form)).statusCode).toBe(403)
    expect((await post('num_desk/answer', { ...form, 'x-ticketrail-simulator': 'x' })).statusCode).toBe(403)
    const forged = desk.telephony.signed(`${RELAY}/elsewhere`, [['CallSid', `CA${'1'.repeat(32)}`]])
    expect((await post('num_desk/answer', forged.headers, forged.body)).statusCode).toBe(403)
  })

  test('of a number that is none is 404, and one whose form is another is 422, both after the signature', async () => {
    const signed = (path: string, fields: [string, string][]) => {
      const url = `${RELAY}/Receptionist/Webhooks/voice/${path}`
      return desk.send({ url, ...desk.telephony.signed(url, fields) })
    }
    const call: [string, string][] = [
      ['CallSid', `CA${'1'.repeat(32)}`],
      ['From', CALLER],
      ['To', E164],
    ]
    expect((await signed('num_none/answer', call)).status).toBe(404)
    expect((await signed('num_desk/answer', [])).status).toBe(422)
    const fallback = await signed('num_none/fallback?to=%2B12125550199', [])
    expect(fallback).toMatchObject({ status: 200 })
    expect(fallback.body).toContain(PERSON)
  })

  test('is a form of at most 64 KiB', async () => {
    expect((await post('num_desk/answer', form, `a=${'x'.repeat(65_536)}`)).statusCode).toBe(413)
    expect((await post('num_desk/answer', { 'content-type': 'text/plain' })).statusCode).toBe(415)
    expect((await post('num_desk/answer', form, Buffer.from([0x61, 0xff]).toString('latin1'))).statusCode).toBe(403)
  })
})
