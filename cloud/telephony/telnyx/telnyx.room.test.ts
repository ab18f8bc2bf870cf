// Telnyx: whose hooks are believed, and what is asked of its API.
import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NotSupported } from '#cloud/telephony/telephony.ts'
import { systemClock } from '#shared/clock.ts'
import { CALL_SID, HOOKS, hookOf } from '#test/fixtures/signed-hooks.ts'
import { Telnyx } from './telnyx.ts'

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
      response.writeHead(isOurs ? (data === undefined ? 404 : 200) : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  telnyx = new Telnyx({ url, key: 'KEY', publicKey: raw.toString('base64'), clock: systemClock })
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  answers = {}
  asked = []
})

describe('a hook', () => {
  const fields = [['CallSid', 'v2:abc-_'], ['SpeechResult', 'hello ü']] as const // biome-ignore format: pairs
  const hook = (more: { time?: string; key?: typeof privateKey } = {}) => {
    const { time = String(NOW_MS / 1_000), key = privateKey } = more
    const { body, ...request } = hookOf(`${HOOKS}/gather?turn=1`, fields)
    const signature = sign(null, Buffer.from(`${time}|${body}`), key).toString('base64')
    const headers = { 'telnyx-timestamp': time, 'telnyx-signature-ed25519': signature }
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
  expect(await telnyx.sendText(text, { begin: async () => true, signal })).toEqual({ providerId: '403-a' })
  expect(asked.at(-1)?.body).toEqual({ ...text, type: 'SMS' })
})

it('what is not there yet says so', async () => {
  for (const missing of [telnyx.findTexts(), telnyx.fetchRecording(), telnyx.deleteRecording(), telnyx.callState()])
    await expect(missing).rejects.toMatchObject({ reason: 'not_supported', isTransient: false, isUncertain: false })
})
