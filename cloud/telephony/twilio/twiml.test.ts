// Steps become TwiML that always parses, and in which every text stays a text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTwiml, type TwimlElement } from '#cloud/telephony/simulated/read-twiml.ts'
import type { CallStep } from '#cloud/telephony/telephony.ts'
import { HOOKS } from '#test/fixtures/signed-hooks.ts'
import { assertProperty } from '#test/harness/property.ts'
import { renderTwiml } from './twiml.ts'

const AT = { hooks: HOOKS, speech: { language: 'en-US', voice: null }, turn: 4 }
const TWILIO = { asksWhenEmpty: true, whispers: true, transcribes: false }
const bodyOf = (steps: readonly CallStep[], dialect = TWILIO) => renderTwiml(steps, AT, dialect).body
const inner = (steps: readonly CallStep[], dialect = TWILIO) =>
  bodyOf(steps, dialect).replace('<?xml version="1.0" encoding="UTF-8"?><Response>', '').replace('</Response>', '')

describe('the steps', () => {
  it.each([
    [{ do: 'say', text: 'Hi & bye' }, '<Say language="en-US">Hi &amp; bye</Say>'],
    [{ do: 'play', path: '/media/a b.wav' }, '<Play>https://relay.example/media/a%20b.wav</Play>'],
    [{ do: 'hangup' }, '<Hangup/>'],
    [
      { do: 'dial', to: '+12125550199', seconds: 20, whisper: null, isUntold: true },
      '<Dial timeout="20" timeLimit="7200" answerOnBridge="true"><Number>+12125550199</Number></Dial>',
    ],
    [{ do: 'reject', reason: 'rejected' }, '<Reject/>'],
    [{ do: 'reject', reason: 'busy' }, '<Reject reason="busy"/>'],
    [{ do: 'redirect' }, `<Redirect method="POST">${HOOKS}/gather?turn=4&amp;is=wait</Redirect>`],
    [
      { do: 'gather', say: ['Yes?'], hints: ['fries, large', 'cola', ' '], digits: true },
      `<Gather input="dtmf speech" action="${HOOKS}/gather?turn=4" method="POST" actionOnEmptyResult="true" speechTimeout="auto" timeout="5" language="en-US" numDigits="1" hints="fries large,cola"><Say language="en-US">Yes?</Say></Gather>`,
    ],
    [
      { do: 'gather', say: [], hints: [], digits: 'several' },
      `<Gather input="dtmf speech" action="${HOOKS}/gather?turn=4" method="POST" actionOnEmptyResult="true" speechTimeout="auto" timeout="5" language="en-US" finishOnKey="#"/>`,
    ],
    [
      { do: 'dial', to: '+12125550199', seconds: 20, whisper: 'A call' },
      `<Dial action="${HOOKS}/dial?turn=4" method="POST" timeout="20" timeLimit="7200" answerOnBridge="true"><Number url="${HOOKS}/dial?turn=4&amp;is=answered" method="POST">+12125550199</Number></Dial>`,
    ],
    [
      { do: 'record', seconds: 120 },
      `<Record action="${HOOKS}/recording?turn=4" method="POST" maxLength="120" timeout="5" finishOnKey="#" playBeep="true" trim="trim-silence" recordingStatusCallback="${HOOKS}/recording" recordingStatusCallbackEvent="completed"/><Redirect method="POST">${HOOKS}/recording?turn=4&amp;is=nothing</Redirect>`,
    ],
    [
      { do: 'record-call' },
      `<Start><Recording recordingStatusCallback="${HOOKS}/recording?is=call" recordingStatusCallbackEvent="completed"/></Start>`,
    ],
  ] as ReadonlyArray<readonly [CallStep, string]>)('%j', (step, twiml) => {
    expect(inner([step])).toBe(twiml)
  })

  it('a voice is named where one is set', () => {
    const speech = { language: 'es-MX', voice: 'Polly.Mia' }
    const { body } = renderTwiml([{ do: 'say', text: 'Hola' }], { ...AT, speech }, TWILIO)
    expect(body).toContain('<Say language="es-MX" voice="Polly.Mia">Hola</Say>')
  })

  it('a provider that makes texts of messages is asked for them', () => {
    expect(inner([{ do: 'record', seconds: 60 }], { ...TWILIO, transcribes: true })).toContain(
      `transcribe="true" transcribeCallback="${HOOKS}/recording"`,
    )
  })

  it('a provider that has no whisper is not asked for one', () => {
    const dial: CallStep = { do: 'dial', to: '+12125550199', seconds: 20, whisper: 'A call' }
    expect(inner([dial], { ...TWILIO, whispers: false })).toContain('<Number>+12125550199</Number>')
  })

  it('a provider that says nothing of silence is made to ask', () => {
    const twiml = inner([{ do: 'gather', say: [], hints: [], digits: false }], { ...TWILIO, asksWhenEmpty: false })
    expect(twiml).toContain(`<Redirect method="POST">${HOOKS}/gather?turn=4&amp;is=silence</Redirect>`)
    expect(twiml).not.toContain('actionOnEmptyResult')
  })
})

describe('whatever the texts are', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      ']]>',
      '<!--',
      '</Say><Dial>+1900</Dial>',
      '&#0;',
      '&amp;',
      '"\'',
      '\u0000\u0008',
      '\ud800',
      '\uffff',
      '\u2028',
      '<?x?>',
    ),
  )
  const words = fc.array(hostile, { maxLength: 6 }).map((parts) => parts.join(''))
  const steps: fc.Arbitrary<CallStep> = fc.oneof(
    fc.record({ do: fc.constant('say' as const), text: words }),
    fc.record({
      do: fc.constant('gather' as const),
      say: fc.array(words),
      hints: fc.array(words),
      digits: fc.boolean(),
    }),
    fc.record({ do: fc.constant('dial' as const), to: words, seconds: fc.nat(60), whisper: fc.option(words) }),
    fc.record({ do: fc.constant('record' as const), seconds: fc.nat(120) }),
    fc.record({ do: fc.constant('hangup' as const) }),
  )
  const speech = fc.record({ language: words, voice: fc.option(words) })
  /** What each step is made of: nothing else may stand in a document. */
  const NAMES = { say: ['Say'], gather: ['Gather'], dial: ['Dial'], record: ['Record', 'Redirect'], hangup: ['Hangup'] }
  const shapeOf = ({ name, children }: TwimlElement): string => `${name}(${children.map(shapeOf).join()})`

  it('the document parses and has the elements of its steps, no other', () => {
    assertProperty(
      fc.property(fc.array(steps, { maxLength: 6 }), speech, (list, at) => {
        const document = readTwiml(renderTwiml(list, { ...AT, speech: at }, TWILIO).body)
        expect(document.map(({ name }) => name)).toEqual(list.flatMap((step) => NAMES[step.do as keyof typeof NAMES]))
        const gathers = list.filter((step) => step.do === 'gather')
        expect(document.filter(({ name }) => name === 'Gather').map(shapeOf)).toEqual(
          gathers.map(({ say }) => `Gather(${say.map(() => 'Say()').join()})`),
        )
      }),
    )
  })

  it('a text is heard as it is, without what cannot be said', () => {
    assertProperty(
      fc.property(fc.string(), (text) => {
        const [said] = readTwiml(bodyOf([{ do: 'say', text }]))
        expect(said?.text).toBe(text)
      }),
    )
    expect(readTwiml(bodyOf([{ do: 'say', text: 'a\u0000\u0007b\ud800' }]))[0]?.text).toBe('a b\ufffd')
  })

  it('a text beyond measure is cut off', () => {
    expect(readTwiml(bodyOf([{ do: 'say', text: 'x'.repeat(100_000) }]))[0]?.text).toHaveLength(3_000)
  })
})

it.each([
  '',
  '<Response>',
  '<Response/><Response/>',
  '<Say>x</Say>',
  '<!DOCTYPE Response [<!ENTITY a "b">]><Response>&a;</Response>',
  '<Response><Say>a & b</Say></Response>',
  `<Response>${' '.repeat(65_536)}</Response>`,
])('a document such as %j is refused', (xml) => {
  expect(() => readTwiml(xml)).toThrow()
})
