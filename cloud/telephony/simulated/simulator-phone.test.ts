// The simulator's telephone sends what the provider sends, and follows what it is answered.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CallStep, HOOK_STEPS, type HookNews, type HookStep } from '#cloud/telephony/telephony.ts'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { HOOKS } from '#test/fixtures/signed-hooks.ts'
import { simulatedCall, type Turn } from './simulated-call.ts'
import { SimulatedTelephony } from './simulated-telephony.ts'
import { type ExchangedHook, NotNow, SimulatorPhone } from './simulator-phone.ts'

const NUMBER = { hooks: HOOKS, to: '+12125550100', from: '+13105550123' }
const secretBox = new SecretBox(Buffer.alloc(32, 1))

let folder: string
let clock: ManualClock
let telephony: SimulatedTelephony
let phone: SimulatorPhone
/** What the relay was told, in order. */
let told: Array<HookNews | null>
/** What the relay answers to each hook, by its step; null: an error. */
let answers: Partial<Record<HookStep, Array<CallStep[] | null>>>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ticketrail-simulator-'))
  clock = new ManualClock()
  telephony = new SimulatedTelephony({
    folder: join(folder, 'simulated'),
    seal: (text) => secretBox.seal(text),
    open: (sealed) => secretBox.open(sealed),
    mac: (purpose, text) => secretBox.mac(purpose, text),
    transcribes: true,
    isTaken: async () => false,
  })
  told = []
  answers = {}
  phone = new SimulatorPhone({ telephony, exchange: relay, clock })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A relay that verifies, reads and answers as the real one, without a conversation. */
async function relay({ url, headers, body }: ExchangedHook): Promise<{ status: number; body: string }> {
  const form = [...new URLSearchParams(body)]
  const request = { url, headers, body, form, nowMs: clock.now() }
  if (!telephony.verify(request)) return { status: 403, body: '' }
  const step = HOOK_STEPS.find((name) => url.startsWith(`${HOOKS}/${name}`)) ?? 'answer'
  told.push(telephony.read(step, request))
  const steps = answers[step]?.shift()
  if (steps === null) return { status: 500, body: 'no' }
  const at = { hooks: HOOKS, speech: { language: 'en-US', voice: null }, turn: told.length }
  return { status: 200, body: telephony.render(steps ?? [], at).body }
}

const events = () => told.map((news) => (news?.about === 'call' ? news.call.event : (news?.about ?? null)))
const saidIn = (turn: Turn) => turn.heard.map((heard) => ('say' in heard ? heard.say : heard.play))
const asks = (...say: string[]): CallStep[] => [{ do: 'gather', say, hints: [], digits: true }]

it('a call is answered, heard and hung up', async () => {
  answers = { answer: [[{ do: 'say', text: 'Bistro & Co' }, ...asks('What can I do?')]], gather: [asks('Yes?')] }
  const first = await phone.dial({ ...NUMBER, callerName: 'Ana' })
  expect(saidIn(first)).toEqual(['Bistro & Co', 'What can I do?'])
  expect(first.call.place.now).toBe('listens')
  const second = await phone.say(first.call, 'are you open?', 0.5)
  expect(saidIn(second)).toEqual(['Yes?'])
  const last = await phone.hangUp(second.call)
  expect(last.call.place).toEqual({ now: 'over', status: 'completed' })
  expect(events()).toEqual([
    { kind: 'incoming', from: NUMBER.from, to: NUMBER.to, callerName: 'Ana' },
    { kind: 'speech', text: 'are you open?', confidence: 0.5 },
    { kind: 'status', status: 'completed' },
  ])
  expect(new Set(told.map((news) => news?.about === 'call' && news.call.providerCallId)).size).toBe(1)
  expect(await phone.hangUp(last.call)).toEqual({ heard: [], call: last.call })
})

it('keys and silence are told as such', async () => {
  answers = { answer: [asks('Press')], gather: [asks('Again'), [{ do: 'hangup' }]] }
  const { call } = await phone.press((await phone.dial({ ...NUMBER, from: null })).call, '2')
  const end = await phone.stayQuiet(call)
  expect(end.call.place.now).toBe('over')
  expect(events()).toEqual([
    expect.objectContaining({ from: null }),
    { kind: 'digits', digits: '2' },
    { kind: 'silence' },
    { kind: 'status', status: 'completed' },
  ])
})

it('one key is heard where one is waited for, and all before # where several are', async () => {
  const several: CallStep[] = [{ do: 'gather', say: [], hints: [], digits: 'several' }]
  answers = { answer: [asks('Press')], gather: [several, several, several] }
  let { call } = await phone.press((await phone.dial(NUMBER)).call, '12')
  for (const keys of ['12#', '#']) ({ call } = await phone.press(call, keys))
  expect(events().slice(1)).toEqual([
    { kind: 'digits', digits: '1' },
    { kind: 'digits', digits: '12' },
    { kind: 'silence' },
  ])
})

it('a redirect is followed, and ends when it never ends', async () => {
  answers = { answer: [[{ do: 'say', text: 'One moment' }, { do: 'redirect' }]], gather: [asks('Here')] }
  expect(saidIn(await phone.dial(NUMBER))).toEqual(['One moment', 'Here'])
  answers = { answer: [[{ do: 'redirect' }]], gather: Array.from({ length: 99 }, () => [{ do: 'redirect' }]) }
  expect((await phone.dial(NUMBER)).call.place).toEqual({ now: 'over', status: 'failed' })
})

describe('a call that is passed on', () => {
  const passed = async () => {
    const dial: CallStep = { do: 'dial', to: '+12125550199', seconds: 20, whisper: 'A call' }
    answers = { answer: [[dial]], dial: [[{ do: 'say', text: 'A call' }], [{ do: 'hangup' }]] }
    return (await phone.dial(NUMBER)).call
  }

  it('is picked up, spoken, and over', async () => {
    const rings = await passed()
    expect(rings.place).toMatchObject({ now: 'rings', to: '+12125550199' })
    const talks = await phone.pickUp(rings)
    expect(saidIn(talks)).toEqual(['A call'])
    expect((await phone.personEnds(talks.call)).call.place.now).toBe('over')
    expect(events().slice(1)).toEqual([
      { kind: 'dial', outcome: 'answered' },
      { kind: 'dial', outcome: 'ended' },
      { kind: 'status', status: 'completed' },
    ])
  })

  it('is not picked up', async () => {
    const rings = await passed()
    answers.dial = [asks('Nobody is there')]
    expect(saidIn(await phone.personEnds(rings, 'busy'))).toEqual(['Nobody is there'])
    expect(events().at(-1)).toEqual({ kind: 'dial', outcome: 'busy' })
  })
})

describe('a message', () => {
  beforeEach(() => {
    answers = {
      answer: [
        [
          { do: 'say', text: 'After the tone' },
          { do: 'record', seconds: 120 },
        ],
      ],
      recording: [[{ do: 'say', text: 'Thanks' }]],
    }
  })

  it('is recorded, told, and fetched once it is wanted', async () => {
    const { call } = await phone.dial(NUMBER)
    const end = await phone.leaveMessage(call, { seconds: 4, text: 'please call back' })
    expect(saidIn(end)).toEqual(['Thanks'])
    const [, recorded] = events()
    expect(recorded).toMatchObject({ kind: 'recorded', seconds: 4 })
    const recordings = told.flatMap((news) => (news?.about === 'recording' ? [news.recording] : []))
    expect(recordings).toMatchObject([
      { seconds: 4, kind: 'voicemail', text: null },
      { seconds: null, text: 'please call back' },
    ])
    const id = recordings[0]?.recordingId ?? ''
    const { type, bytes } = await telephony.fetchRecording(id, { most: 1_000_000 })
    expect([type, bytes.toString('latin1', 0, 4), bytes.length]).toEqual(['audio/wav', 'RIFF', 44 + 4 * 8_000])
    await expect(telephony.fetchRecording(id, { most: 1_000 })).rejects.toMatchObject({ reason: 'too_long' })
    expect(readFileSync(join(folder, 'simulated', id)).includes('RIFF')).toBe(false)
    await telephony.deleteRecording(id)
    await telephony.deleteRecording(id)
    expect(readdirSync(join(folder, 'simulated'))).toEqual([])
    await expect(telephony.fetchRecording(id, { most: 1 })).rejects.toMatchObject({ reason: 'not_found' })
  })

  it('that nobody leaves is told as nothing', async () => {
    const { call } = await phone.dial(NUMBER)
    await phone.stayQuiet(call)
    expect(events()[1]).toEqual({ kind: 'recorded', recordingId: null, seconds: 0 })
  })

  it('has no id that leads out of its folder', async () => {
    await expect(telephony.fetchRecording('../../etc/passwd', { most: 9 })).rejects.toMatchObject({
      reason: 'not_found',
    })
  })
})

it('a recording of the whole call is told when it is over', async () => {
  answers = { answer: [[{ do: 'record-call' }, ...asks('Hello')]] }
  const { call } = await phone.dial(NUMBER)
  await clock.advance(9_000)
  await phone.hangUp(call)
  expect(told.at(-1)).toMatchObject({ recording: { kind: 'call', seconds: 9, text: null } })
})

it('what does not answer is replaced by the fallback, and without one the call fails', async () => {
  answers = { answer: [null], fallback: [[{ do: 'say', text: 'Sorry' }]] }
  expect(saidIn(await phone.dial(NUMBER))).toEqual(['Sorry'])
  answers = { answer: [null], fallback: [null] }
  expect((await phone.dial(NUMBER)).call.place).toEqual({ now: 'over', status: 'failed' })
})

it('a call can rest as JSON, and does only what it is there for', async () => {
  answers = { answer: [[{ do: 'gather', say: [], hints: [], digits: false }]] }
  const { call } = await phone.dial(NUMBER)
  const rested = simulatedCall.parse(JSON.parse(JSON.stringify(call)))
  expect(rested).toEqual(call)
  const count = told.length
  await expect(phone.press(rested, '1')).rejects.toThrow(NotNow)
  await expect(phone.leaveMessage(rested)).rejects.toThrow(NotNow)
  await expect(phone.pickUp(rested)).rejects.toThrow(NotNow)
  expect(told).toHaveLength(count)
})

it('an address of somebody else is never asked', async () => {
  answers = { answer: [asks('Hello')] }
  const { call } = await phone.dial(NUMBER)
  const evil = { ...call, place: { now: 'listens' as const, action: 'https://evil.example/x', digits: 'one' as const } }
  const asked: string[] = []
  const watched = new SimulatorPhone({
    ...{ telephony, clock },
    exchange: async (hook) => {
      asked.push(hook.url)
      return relay(hook)
    },
  })
  await watched.say(evil, 'hello')
  expect(asked.every((url) => url.startsWith(`${HOOKS}/`))).toBe(true)
})

it('hooks of another master key are not believed', async () => {
  const other = new SecretBox(Buffer.alloc(32, 2))
  const foreign = new SimulatedTelephony({
    ...{ folder, seal: String, open: String, transcribes: false, isTaken: async () => false },
    mac: (purpose, text) => other.mac(purpose, text),
  })
  const { call } = await new SimulatorPhone({ telephony: foreign, exchange: relay, clock }).dial(NUMBER)
  expect(call.place).toEqual({ now: 'over', status: 'failed' })
  expect(told).toEqual([])
})

it('a text message arrives', async () => {
  await phone.text({ ...NUMBER, text: 'STOP' })
  expect(told).toMatchObject([{ about: 'text', text: { kind: 'incoming', from: NUMBER.from, text: 'STOP' } }])
})

describe('numbers of the simulator', () => {
  const at = (taken: Set<string>) =>
    new SimulatedTelephony({
      ...{ folder, seal: String, open: String, transcribes: false, mac: (a, b) => secretBox.mac(a, b) },
      isTaken: async (e164) => taken.has(e164),
    })

  it('are for fiction, the same for the same name, and never one that is taken', async () => {
    const taken = new Set<string>()
    for (let i = 0; i < 150; i++) {
      const { e164 } = await at(taken).provision({ areaCode: '303' }, { name: `num_${i}` })
      expect(await at(taken).provision({ areaCode: '303' }, { name: `num_${i}` })).toMatchObject({ e164 })
      expect(e164).toMatch(/^\+1\d{3}55501\d\d$/)
      expect(taken).not.toContain(e164)
      taken.add(e164)
    }
    expect([...taken].filter((e164) => e164.startsWith('+1303'))).toHaveLength(100)
  })

  it('one that is named is given, unless it is taken', async () => {
    const wanted = { number: '+12125550142' }
    expect(await at(new Set()).provision(wanted, { name: 'num_1' })).toMatchObject({ e164: wanted.number })
    const taken = at(new Set([wanted.number]))
    await expect(taken.provision(wanted, { name: 'num_2' })).rejects.toMatchObject({ reason: 'number_taken' })
  })
})
