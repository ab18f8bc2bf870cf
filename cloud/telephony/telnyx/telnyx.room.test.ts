// Telnyx: whose hooks are believed, and what is asked of its API.
import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ZodError } from 'zod'
import { NotSupported } from '#cloud/telephony/telephony.ts'
import { systemClock } from '#shared/clock.ts'
import { CALL_SID, HOOKS, hookOf } from '#test/fixtures/signed-hooks.ts'
import { Telnyx } from './telnyx.ts'

const ACCOUNT = 'cb6cfbbc-eb00-41af-a3f3-0d7b32009e4b'
const TEXT_ID = 'txt_01jd5n8w2x3y4z5a6b7c8d9e0f'
const NAME = 'num_01jd5n8w2x3y4z5a6b7c8d9e0f'
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const raw = (publicKey.export({ format: 'der', type: 'spki' }) as Buffer).subarray(-32)
const NOW_MS = 1_796_040_000_000
const signal = new AbortController().signal

let server: Server
let telnyx: Telnyx
/** What it answers, by method and path; the others are 404. */
let answers: Record<string, unknown>
let asked: Array<{ what: string; body: unknown }>
/** Answers that have no `data` around them. */
let whole: Record<string, unknown>
/** Another company's host, where sound is. */
let soundServer: Server
let soundUrl: string
let sound: { type: string; bytes: string }
let soundAsked: Array<{ path: string | undefined; authorization: string | undefined }>

const signedHeaders = (body: string, time = String(NOW_MS / 1_000), key = privateKey) => ({
  'telnyx-timestamp': time,
  'telnyx-signature-ed25519': sign(null, Buffer.from(`${time}|${body}`), key).toString('base64'),
})

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const what = `${request.method} ${decodeURIComponent(request.url ?? '')}`
      const text = Buffer.concat(chunks).toString('utf8')
      asked.push({ what, body: text === '' ? null : JSON.parse(text) })
      const isOurs = request.headers.authorization === 'Bearer KEY'
      const data = answers[what]
      const answer = whole[what] ?? (data === undefined ? undefined : { data })
      response.writeHead(isOurs ? (answer === undefined ? 404 : 200) : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer ?? {}))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  telnyx = new Telnyx({ url, key: 'KEY', publicKey: raw.toString('base64'), account: ACCOUNT, clock: systemClock })
  soundServer = createServer((request, response) => {
    soundAsked.push({ path: request.url, authorization: request.headers.authorization })
    response.writeHead(200, { 'content-type': sound.type }).end(sound.bytes)
  })
  await new Promise<void>((resolve) => soundServer.listen(0, '127.0.0.1', resolve))
  soundUrl = `http://127.0.0.1:${(soundServer.address() as AddressInfo).port}`
})
afterAll(async () => {
  for (const each of [server, soundServer]) await new Promise((resolve) => each.close(resolve))
})
beforeEach(() => {
  answers = {}
  whole = {}
  asked = []
  soundAsked = []
})

describe('a hook', () => {
  const fields = [['CallSid', 'v2:abc-_'], ['SpeechResult', 'hello ü']] as const // biome-ignore format: pairs
  const hook = (more: { time?: string; key?: typeof privateKey } = {}) => {
    const { time = String(NOW_MS / 1_000), key = privateKey } = more
    const { body, ...request } = hookOf(`${HOOKS}/gather?turn=1`, fields)
    const headers = signedHeaders(body, time, key)
    return { ...request, body, headers, nowMs: NOW_MS }
  }

  it('is believed and read as it was signed', () => {
    expect(telnyx.verify(hook())).toBe(true)
    expect(telnyx.read('gather', hook())).toMatchObject({ call: { event: { kind: 'speech', text: 'hello ü' } } })
  })

  it.each([
    ['that is five minutes old', hook({ time: String(NOW_MS / 1_000 - 301) })],
    ['from the future', hook({ time: String(NOW_MS / 1_000 + 301) })],
    ['signed with another key', hook({ key: generateKeyPairSync('ed25519').privateKey })],
    ['with another body', { ...hook(), body: 'CallSid=x' }],
    [
      'with another time',
      { ...hook(), headers: { ...hook().headers, 'telnyx-timestamp': String(NOW_MS / 1_000 - 1) } },
    ],
    ['with a time that is none', hook({ time: '1e9' })],
    ['without a signature', { ...hook(), headers: { 'telnyx-timestamp': String(NOW_MS / 1_000) } }],
    ['with a signature of Twilio', { ...hook(), headers: { 'x-twilio-signature': 'x' } }],
    ['with a short signature', { ...hook(), headers: { ...hook().headers, 'telnyx-signature-ed25519': 'AAAA' } }],
  ])('%s is not believed', (_, forged) => {
    expect(telnyx.verify(forged)).toBe(false)
  })
})

it('an answer asks by itself where nothing was said', () => {
  const at = { hooks: HOOKS, speech: { language: 'en-US', voice: null }, turn: 2 }
  const { body } = telnyx.render([{ do: 'gather', say: ['Hello'], hints: [], digits: true }], at)
  expect(body).toContain(`</Gather><Redirect method="POST">${HOOKS}/gather?turn=2&amp;is=silence</Redirect>`)
  const silent = hookOf(`${HOOKS}/gather?turn=2&is=silence`, [['CallSid', CALL_SID]])
  expect(telnyx.read('gather', silent)).toMatchObject({ call: { sequence: '2', event: { kind: 'silence' } } })
})

describe('a number of the account', () => {
  const NUMBER = { id: '11', phone_number: '+12125550100', customer_reference: '' }
  const APPLICATION = { id: '22', friendly_name: NAME }
  const at = { name: NAME, hooks: HOOKS, fallback: `${HOOKS}/fallback`, signal }

  it('gets an application of its own with all hooks', async () => {
    answers = {
      'GET /v2/phone_numbers?filter[phone_number]=+12125550100': [NUMBER],
      [`GET /v2/texml_applications?filter[friendly_name]=${NAME}`]: [],
      'POST /v2/texml_applications': APPLICATION,
      'PATCH /v2/phone_numbers/11': NUMBER,
    }
    expect(await telnyx.provision({ number: '+12125550100' }, at)).toEqual({ e164: '+12125550100', providerId: '11' })
    expect(asked.at(-2)?.body).toMatchObject({
      friendly_name: NAME,
      voice_url: `${HOOKS}/answer`,
      status_callback: `${HOOKS}/status`,
    })
    expect(asked.at(-1)?.body).toEqual({ connection_id: '22', customer_reference: NAME })
  })

  it('uses the application of an earlier try, and another relay’s number is left alone', async () => {
    answers = {
      'GET /v2/phone_numbers?filter[phone_number]=+12125550100': [{ ...NUMBER, customer_reference: NAME }],
      [`GET /v2/texml_applications?filter[friendly_name]=${NAME}`]: [APPLICATION],
      'PATCH /v2/texml_applications/22': APPLICATION,
      'PATCH /v2/phone_numbers/11': NUMBER,
    }
    await telnyx.provision({ number: '+12125550100' }, at)
    expect(asked.filter(({ what }) => what.startsWith('POST'))).toEqual([])
    const other = { ...at, name: NAME.replace('01jd', '01je') }
    await expect(telnyx.provision({ number: '+12125550100' }, other)).rejects.toMatchObject({ reason: 'number_taken' })
    await telnyx.unwire({ providerId: '11', name: NAME }, signal)
    expect(asked.at(-2)).toEqual({ what: 'PATCH /v2/texml_applications/22', body: { active: false } })
  })

  it('that is not there is named, and none is bought', async () => {
    answers = { 'GET /v2/phone_numbers?filter[phone_number]=+12125550100': [] }
    await expect(telnyx.provision({ number: '+12125550100' }, at)).rejects.toMatchObject({ reason: 'number_not_owned' })
    await expect(telnyx.provision({ areaCode: '212' }, at)).rejects.toThrow(NotSupported)
  })
})

it('a text message is sent', async () => {
  answers = { 'POST /v2/messages': { id: '403-a' } }
  const text = { from: '+12125550100', to: '+13105550123', text: 'Ready' }
  const statusUrl = `${HOOKS}/sms?text=${TEXT_ID}`
  const sent = await telnyx.sendText({ ...text, statusUrl }, { begin: async () => true, signal })
  expect(sent).toEqual({ providerId: '403-a' })
  expect(asked.at(-1)?.body).toEqual({ ...text, type: 'SMS', webhook_url: statusUrl })
})

describe('news of a text message', () => {
  const payload = {
    ...{ record_type: 'message', direction: 'outbound', id: '40385f64-5717-4562-b3fc-2c963f66afa6' },
    to: [{ phone_number: '+13105550123', status: 'delivered', carrier: 'T-MOBILE USA, INC.', line_type: 'Wireless' }],
    ...{ text: 'Ready', errors: [], webhook_url: `${HOOKS}/sms?text=${TEXT_ID}`, webhook_failover_url: null },
  }
  const told = (change: object, type = 'message.finalized') => {
    const data = { record_type: 'event', id: 'e-1', event_type: type, payload: { ...payload, ...change } }
    const body = JSON.stringify({ data, meta: { attempt: 1, delivered_to: 'https://elsewhere.example' } })
    const headers = signedHeaders(body)
    // The address of the request is not signed.
    const request = { url: `${HOOKS}/sms?text=txt_11111111111111111111111111`, form: [], body, headers, nowMs: NOW_MS }
    expect(telnyx.verify(request)).toBe(true)
    return telnyx.read('sms', request)
  }
  const to = (status: string) => ({ to: [{ status }] })

  it.each([
    ['message.sent', to('sent'), 'sent', null],
    ['message.finalized', to('delivered'), 'delivered', null],
    ['message.finalized', to('delivery_unconfirmed'), 'sent', null],
    [
      'message.finalized',
      { ...to('delivery_failed'), errors: [{ code: '40300', title: 'Blocked due to STOP message' }] },
      'failed',
      'code_40300',
    ],
    ['message.finalized', to('sending_failed'), 'failed', 'not_delivered'],
    ['message.finalized', to('expired'), 'failed', 'not_delivered'],
  ])('%s %j is %s', (type, change, status, error) => {
    expect(told(change, type)).toEqual({
      about: 'text',
      text: { kind: 'status', providerId: payload.id, textId: TEXT_ID, status, error },
    })
  })

  it('that has no address of ours is of a message that is known by its id alone', () => {
    expect(told({ webhook_url: null })).toMatchObject({ text: { textId: null } })
    expect(told({ webhook_url: 'https://elsewhere.example/?text=1' })).toMatchObject({ text: { textId: null } })
  })

  it('that says nothing to us is none, and another form than the documented one is refused', () => {
    expect([told(to('queued')), told({}, 'message.received')]).toEqual([null, null])
    for (const odd of [{ id: '../x' }, { to: [] }, { to: 'x' }, { errors: [{ code: 'x' }] }])
      expect(() => told(odd)).toThrow(ZodError)
    for (const body of ['', '{', '[]', '{"data":null}'])
      expect(() => telnyx.read('sms', { url: HOOKS, headers: {}, form: [], nowMs: 0, body })).toThrow(ZodError)
  })
})

describe('a recording', () => {
  const ID = '35094891-3290-4142-b2c2-b2eda57534cf'
  const RESOURCE = `/v2/texml/Accounts/${ACCOUNT}/Recordings/${ID}.json`

  it('is told as the company documents it, and fetched from the address that the company names then', async () => {
    const fields = [['AccountSid', ACCOUNT], ['CallSid', 'v3:abc-_'], ['RecordingSid', ID], ['RecordingStatus', 'completed'], ['RecordingDuration', '5'], ['RecordingUrl', 'https://elsewhere.example/a.mp3']] as const // biome-ignore format: pairs
    expect(telnyx.read('recording', hookOf(`${HOOKS}/recording`, fields))).toEqual({
      about: 'recording',
      recording: { providerCallId: 'v3:abc-_', recordingId: ID, seconds: 5, kind: 'voicemail', text: null },
    })
    whole = { [`GET ${RESOURCE}`]: { sid: ID, status: 'completed', media_url: `${soundUrl}/a.wav?token=t` } }
    sound = { type: 'audio/x-wav', bytes: 'RIFF....' }
    const fetched = await telnyx.fetchRecording(ID, { most: 8, signal })
    expect(fetched).toEqual({ type: 'audio/x-wav', bytes: Buffer.from('RIFF....') })
    // Another host gets no key of ours.
    expect(soundAsked).toEqual([{ path: '/a.wav?token=t', authorization: undefined }])
    await expect(telnyx.fetchRecording(ID, { most: 7, signal })).rejects.toMatchObject({ reason: 'too_long' })
  })

  it.each([
    ['that is not ready yet', { status: 'in-progress' }, { reason: 'not_ready', isTransient: true }],
    ['without an address', { status: 'completed', media_url: null }, { reason: 'not_ready', isTransient: true }],
    ['at an address that is none', { status: 'completed', media_url: 'file:///etc/passwd' }, { reason: 'bad_answer' }],
  ])('%s is not fetched', async (_, told, error) => {
    whole = { [`GET ${RESOURCE}`]: told }
    await expect(telnyx.fetchRecording(ID, { most: 8, signal })).rejects.toMatchObject(error)
    expect(soundAsked).toEqual([])
  })

  it('that is a page is refused', async () => {
    whole = { [`GET ${RESOURCE}`]: { status: 'completed', media_url: `${soundUrl}/a` } }
    sound = { type: 'text/html', bytes: '<html>' }
    await expect(telnyx.fetchRecording(ID, { most: 8, signal })).rejects.toMatchObject({ reason: 'bad_answer' })
  })

  it('is deleted, once or twice', async () => {
    whole = { [`DELETE ${RESOURCE}`]: {} }
    await telnyx.deleteRecording(ID, signal)
    whole = {}
    await telnyx.deleteRecording(ID, signal)
    expect(asked.map(({ what }) => what)).toEqual([`DELETE ${RESOURCE}`, `DELETE ${RESOURCE}`])
  })
})

it('the state of a call is asked for by its id', async () => {
  answers = { 'GET /v2/calls/v3:a': { is_alive: true }, 'GET /v2/calls/v3:b': { is_alive: false } }
  const states = ['v3:a', 'v3:b', 'v3:c'].map((callId) => telnyx.callState(callId, signal))
  expect(await Promise.all(states)).toEqual(['in_progress', 'completed', null])
})

it('what is not there yet, or has no account to ask by, says so', async () => {
  const without = new Telnyx({
    url: 'http://127.0.0.1:1',
    key: 'KEY',
    publicKey: raw.toString('base64'),
    account: null,
    clock: systemClock,
  })
  const at = { most: 8, signal }
  for (const missing of [telnyx.findTexts(), without.fetchRecording('r', at), without.deleteRecording('r', signal)])
    await expect(missing).rejects.toMatchObject({ reason: 'not_supported', isTransient: false, isUncertain: false })
})
