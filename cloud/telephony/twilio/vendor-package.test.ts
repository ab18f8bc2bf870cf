// The vendor's own package as judge of our signatures and our TwiML. It is no dependency: a drill installs it into a folder of its own.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTwiml } from '#cloud/telephony/simulated/read-twiml.ts'
import type { CallStep } from '#cloud/telephony/telephony.ts'
import { HOOKS, hookOf, TWILIO } from '#test/fixtures/signed-hooks.ts'
import { vendorPackage } from '#test/fixtures/vendor-package.ts'
import { isFromTwilio, twilioSignature } from './signature.ts'
import { renderTwiml } from './twiml.ts'

const SIGNED = 1_000

type Params = Record<string, string | string[]>
interface Webhooks {
  getExpectedTwilioSignature(token: string, url: string, params: Params): string
  validateRequest(token: string, signature: string, url: string, params: Params): boolean
  validateRequestWithBody(token: string, signature: string, url: string, body: string): boolean
}
/** As much of its builder as is used: each verb returns the element, which builds on. */
interface Verb {
  say(attributes: object, text: string): Verb
  play(attributes: object, url: string): Verb
  gather(attributes: object): Verb
  dial(attributes: object): Verb
  number(attributes: object, to: string): Verb
  record(attributes: object): Verb
  redirect(attributes: object, url: string): Verb
  start(): Verb
  recording(attributes: object): Verb
  hangup(): Verb
  reject(attributes?: { reason?: 'busy' }): Verb
  toString(): string
}

const { load, why } = vendorPackage('twilio@6.3.1')
const vendor =
  load === null
    ? null
    : {
        webhooks: load('twilio/lib/webhooks/webhooks.js') as Webhooks,
        VoiceResponse: (load('twilio') as { twiml: { VoiceResponse: new () => Verb } }).twiml.VoiceResponse,
      }

const hostile = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('', 'A', 'a', 'é', '😀', '&', '=', '%27', "'", '\r\n', '\u0000', '__proto__', 'toString', 'À', 'Z'),
  )
  .map((text) => text.toWellFormed())
const pairs = fc.array(fc.tuple(hostile, hostile), { maxLength: 12 }).map((list) => {
  const others = list.filter(([name]) => name !== 'AccountSid')
  return [...others, ['AccountSid', TWILIO.account] as [string, string]]
})
const address = fc
  .tuple(fc.constantFrom('', ':443', ':8443'), fc.constantFrom('', '?', '?turn=3', '?turn=3&is=wait', "?a=it's&b=%27"))
  .map(([port, query]) => `https://relay.example${port}/Receptionist/Webhooks/voice/num_1/gather${query}`)

/** As the vendor's parser gives them: a name that is there more than once has a list. */
function paramsOf(form: ReadonlyArray<readonly [string, string]>): Params {
  const names = [...new Set(form.map(([name]) => name))]
  return Object.fromEntries(
    names.map((name) => {
      const values = form.flatMap(([other, value]) => (other === name ? [value] : []))
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}

describe('signatures', () => {
  it(`of ${SIGNED} hostile forms are the vendor's, both ways`, ({ skip }) => {
    if (vendor === null) return skip(why)
    const { webhooks } = vendor
    const cases = fc.sample(fc.tuple(address, pairs), { numRuns: SIGNED, seed: 17 })
    for (const [url, form] of cases) {
      const params = paramsOf(form)
      const theirs = webhooks.getExpectedTwilioSignature(TWILIO.token, url, params)
      expect(twilioSignature(TWILIO.token, url, form)).toBe(theirs)
      const bare = url.replace(/:\d+(?=\/R)/, '')
      for (const signed of [url, bare, bare.replace('.example', '.example:443')]) {
        const signature = webhooks.getExpectedTwilioSignature(TWILIO.token, signed, params)
        const isTheirs = webhooks.validateRequest(TWILIO.token, signature, url, params)
        expect(isFromTwilio(TWILIO, hookOf(url, form, { [TWILIO.header]: signature }))).toBe(isTheirs)
      }
      const changed = [...form, ['x', 'y'] as [string, string]]
      expect(webhooks.validateRequest(TWILIO.token, theirs, url, paramsOf(changed))).toBe(false)
      expect(isFromTwilio(TWILIO, hookOf(url, changed, { [TWILIO.header]: theirs }))).toBe(false)
    }
    expect(cases).toHaveLength(SIGNED)
  })

  it('of bodies that are no forms are the vendor’s', ({ skip }) => {
    if (vendor === null) return skip(why)
    const { webhooks } = vendor
    for (const body of fc.sample(hostile, { numRuns: 100, seed: 17 })) {
      const url = `${HOOKS}/sms?bodySHA256=${createHash('sha256').update(body).digest('hex')}`
      const signature = webhooks.getExpectedTwilioSignature(TWILIO.token, url, {})
      const request = { url, headers: { [TWILIO.header]: signature }, body, form: [], nowMs: 0 }
      expect(webhooks.validateRequestWithBody(TWILIO.token, signature, url, body)).toBe(true)
      expect(isFromTwilio(TWILIO, request)).toBe(true)
      expect(webhooks.validateRequestWithBody(TWILIO.token, signature, url, `${body}x`)).toBe(false)
      expect(isFromTwilio(TWILIO, { ...request, body: `${body}x` })).toBe(false)
    }
  })
})

it('our TwiML is what the vendor’s builder makes of the same steps', ({ skip }) => {
  if (vendor === null) return skip(why)
  const text = 'Tom & Jerry\'s <"grill"> é 😀'
  const steps: CallStep[] = [
    { do: 'say', text },
    { do: 'play', path: '/media/hello.wav' },
    { do: 'record-call' },
    { do: 'gather', say: [text, 'Yes?'], hints: ['fries', 'two & one'], digits: true },
    { do: 'dial', to: '+12125550199', seconds: 20, whisper: null },
    { do: 'record', seconds: 120 },
    { do: 'redirect' },
    { do: 'hangup' },
    { do: 'reject', reason: 'rejected' },
    { do: 'reject', reason: 'busy' },
  ]
  const voice = new vendor.VoiceResponse()
  const speech = { language: 'en-US', voice: 'Polly.Joanna' }
  const POST = { method: 'POST' }
  voice.say(speech, text)
  voice.play({}, 'https://relay.example/media/hello.wav')
  const callback = { recordingStatusCallback: `${HOOKS}/recording?is=call`, recordingStatusCallbackEvent: 'completed' }
  voice.start().recording(callback)
  const gather = voice.gather({
    ...{ input: 'dtmf speech', action: `${HOOKS}/gather?turn=7`, ...POST, actionOnEmptyResult: true },
    ...{ speechTimeout: 'auto', timeout: 5, language: 'en-US', numDigits: 1, hints: 'fries,two & one' },
  })
  gather.say(speech, text)
  gather.say(speech, 'Yes?')
  const dial = voice.dial({
    action: `${HOOKS}/dial?turn=7`,
    ...POST,
    timeout: 20,
    timeLimit: 7_200,
    answerOnBridge: true,
  })
  dial.number({ url: `${HOOKS}/dial?turn=7&is=answered`, ...POST }, '+12125550199')
  voice.record({
    ...{ action: `${HOOKS}/recording?turn=7`, ...POST, maxLength: 120, timeout: 5, finishOnKey: '#', playBeep: true },
    ...{
      trim: 'trim-silence',
      recordingStatusCallback: `${HOOKS}/recording`,
      recordingStatusCallbackEvent: 'completed',
    },
  })
  voice.redirect(POST, `${HOOKS}/recording?turn=7&is=nothing`)
  voice.redirect(POST, `${HOOKS}/gather?turn=7&is=wait`)
  voice.hangup()
  voice.reject()
  voice.reject({ reason: 'busy' })
  const ours = renderTwiml(
    steps,
    { hooks: HOOKS, speech, turn: 7 },
    { asksWhenEmpty: true, whispers: true, transcribes: false },
  )
  expect(readTwiml(ours.body)).toEqual(readTwiml(voice.toString()))
})
