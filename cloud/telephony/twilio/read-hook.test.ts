// Hooks of Twilio's form become our events, and what is not of that form is refused.
import { describe, expect, it } from 'vitest'
import { ZodError } from 'zod'
import type { HookStep } from '#cloud/telephony/telephony.ts'
import { CALL_SID, type Fields, HOOKS, hookOf } from '#test/fixtures/signed-hooks.ts'
import { readTwilioForm } from './read-hook.ts'

const CALL = ['CallSid', CALL_SID] as const
const RECORDING = `RE${'34'.repeat(16)}`
const read = (step: HookStep, fields: Fields, query = '') =>
  readTwilioForm(step, hookOf(`${HOOKS}/${step}${query}`, fields))
const eventOf = (step: HookStep, fields: Fields, query = '?turn=2') => {
  const news = read(step, [CALL, ...fields], query)
  return news?.about === 'call' ? news.call : news
}

describe('a call that comes in', () => {
  const answered = (from: string, more: Fields = []) => eventOf('answer', [['From', from], ['To', '+12125550100'], ...more]) // biome-ignore format: pairs

  it('has the numbers and the name of the caller', () => {
    expect(answered('+13105550123', [['CallerName', ' Ana\u0007 López ']])).toEqual({
      providerCallId: CALL_SID,
      sequence: 'answer',
      event: { kind: 'incoming', from: '+13105550123', to: '+12125550100', callerName: 'Ana  López' },
    })
  })

  it.each(['anonymous', '', '+266696687', 'sip:ana@example.com', 'Restricted', '+1<script>'])(
    'from "%s" is from a withheld number',
    (from) => {
      expect(answered(from)).toMatchObject({ event: { from: null } })
    },
  )
})

describe('what the caller does', () => {
  it.each([
    [
      [
        ['SpeechResult', 'two burgers'],
        ['Confidence', '0.91'],
      ],
      { kind: 'speech', text: 'two burgers', confidence: 0.91 },
    ],
    [[['SpeechResult', 'hello']], { kind: 'speech', text: 'hello', confidence: null }],
    [
      [
        ['SpeechResult', 'hello'],
        ['Confidence', 'NaN'],
      ],
      { kind: 'speech', text: 'hello', confidence: null },
    ],
    [[['SpeechResult', '\u0000\u001b ']], { kind: 'silence' }],
    [[['Digits', '1#']], { kind: 'digits', digits: '1#' }],
    [
      [
        ['Digits', '1'],
        ['SpeechResult', 'one'],
      ],
      { kind: 'digits', digits: '1' },
    ],
    [[['Digits', '<x>']], { kind: 'silence' }],
    [[], { kind: 'silence' }],
  ] as ReadonlyArray<readonly [Fields, object]>)('%j is %j', (fields, event) => {
    // biome-ignore format: pairs
    expect(eventOf('gather', fields)).toEqual({ providerCallId: CALL_SID, sequence: '2', event })
  })

  it('a repetition has the same sequence, the next turn another', () => {
    expect(eventOf('gather', [], '?turn=2')).toEqual(eventOf('gather', [], '?turn=2'))
    expect(eventOf('gather', [], '?turn=3')).toMatchObject({ sequence: '3' })
  })

  it.each(['', '?turn=', '?turn=-1', '?turn=2x', '?turn=1234567'])('an address with "%s" has no turn', (query) => {
    expect(() => eventOf('gather', [], query)).toThrow(ZodError)
  })
})

describe('a call that is passed on', () => {
  it.each([
    ['completed', 'ended'],
    ['answered', 'ended'],
    ['busy', 'busy'],
    ['no-answer', 'no-answer'],
    ['canceled', 'no-answer'],
    ['failed', 'failed'],
    ['new-state', 'failed'],
  ])('ends as %s: %s', (status, outcome) => {
    expect(eventOf('dial', [['DialCallStatus', status]])).toMatchObject({
      sequence: '2',
      event: { kind: 'dial', outcome },
    })
  })

  it('is answered when the leg to the person asks what to say', () => {
    const leg: Fields = [['CallSid', `CA${'99'.repeat(16)}`], ['ParentCallSid', CALL_SID]] // biome-ignore format: pairs
    expect(read('dial', leg, '?turn=2&is=answered')).toEqual({
      about: 'call',
      call: { providerCallId: CALL_SID, sequence: '2 answered', event: { kind: 'dial', outcome: 'answered' } },
    })
  })
})

describe('a recording', () => {
  it('ends as an input of the call, with its turn', () => {
    const fields: Fields = [['RecordingSid', RECORDING], ['RecordingDuration', '42']] // biome-ignore format: pairs
    expect(eventOf('recording', fields)).toMatchObject({
      sequence: '2',
      event: { kind: 'recorded', recordingId: RECORDING, seconds: 42 },
    })
  })

  it('of nothing has no id', () => {
    const event = { kind: 'recorded', recordingId: null, seconds: 0 }
    expect(eventOf('recording', [], '?turn=2&is=nothing')).toMatchObject({ event })
    expect(eventOf('recording', [['RecordingSid', RECORDING], ['RecordingDuration', '0']])).toMatchObject({ event }) // biome-ignore format: pairs
  })

  it.each([
    ['', 'voicemail'],
    ['?is=call', 'call'],
  ])('can be fetched: told beside the call%s', (query, kind) => {
    const fields: Fields = [['RecordingSid', RECORDING], ['RecordingStatus', 'completed'], ['RecordingDuration', '7']] // biome-ignore format: pairs
    expect(eventOf('recording', fields, query)).toEqual({
      about: 'recording',
      recording: { providerCallId: CALL_SID, recordingId: RECORDING, seconds: 7, kind, text: null },
    })
  })

  it('that is not there yet, or never will be, says nothing', () => {
    for (const status of ['in-progress', 'absent', 'failed'])
      expect(eventOf('recording', [['RecordingSid', RECORDING], ['RecordingStatus', status]], '')).toBeNull() // biome-ignore format: pairs
  })

  it('has its text told after it', () => {
    const text = (status: string): Fields => [
      ['RecordingSid', RECORDING],
      ['TranscriptionStatus', status],
      ['TranscriptionText', 'call\nme back'],
    ]
    expect(eventOf('recording', text('completed'), '')).toMatchObject({
      recording: { seconds: null, text: 'call me back' },
    })
    expect(eventOf('recording', text('failed'), '')).toBeNull()
  })

  it.each(['../../Accounts', 'RE1/../..', '', 'RE 1', 'a'.repeat(129)])('with the id "%s" is refused', (sid) => {
    expect(() => eventOf('recording', [['RecordingSid', sid], ['RecordingStatus', 'completed']], '')).toThrow(ZodError) // biome-ignore format: pairs
  })
})

it.each([
  ['ringing', 'ringing'],
  ['in-progress', 'in_progress'],
  ['completed', 'completed'],
  ['busy', 'missed'],
  ['no-answer', 'missed'],
  ['canceled', 'missed'],
  ['failed', 'failed'],
])('the status %s is %s, and its number tells a repetition', (told, status) => {
  expect(
    eventOf(
      'status',
      [
        ['CallStatus', told],
        ['SequenceNumber', '3'],
      ],
      '',
    ),
  ).toEqual({
    // biome-ignore format: pairs
    providerCallId: CALL_SID,
    sequence: `3${status}`,
    event: { kind: 'status', status },
  })
  expect(eventOf('status', [['CallStatus', 'another']], '')).toBeNull()
})

describe('a text message', () => {
  const SID = ['MessageSid', `SM${'56'.repeat(16)}`] as const

  it('comes in with its words', () => {
    const fields: Fields = [SID, ['From', '+13105550123'], ['To', '+12125550100'], ['Body', 'STOP\n']] // biome-ignore format: pairs
    expect(read('sms', fields)).toEqual({
      about: 'text',
      text: { kind: 'incoming', providerId: SID[1], from: '+13105550123', to: '+12125550100', text: 'STOP ' },
    })
    expect(read('sms', [SID, ['From', 'ACME'], ['To', '+12125550100'], ['Body', 'x']])).toBeNull()
  })

  it.each([
    ['sent', '', { status: 'sent', error: null }],
    ['delivered', '', { status: 'delivered', error: null }],
    ['undelivered', '30003', { status: 'failed', error: 'code_30003' }],
    ['failed', '', { status: 'failed', error: 'not_delivered' }],
  ])('is told as %s', (state, code, text) => {
    expect(read('sms', [SID, ['MessageStatus', state], ['ErrorCode', code]])).toMatchObject({ text })
    expect(read('sms', [SID, ['MessageStatus', 'queued']])).toBeNull()
  })
})

describe('a form that is not the documented one is refused', () => {
  it.each([
    ['without a call', 'gather', []],
    ['with two calls', 'gather', [CALL, ['CallSid', `CA${'00'.repeat(16)}`]]],
    ['with two texts', 'gather', [CALL, ['SpeechResult', 'a'], ['SpeechResult', 'b']]],
    ['with a call that is no id', 'gather', [['CallSid', "x'; drop table calls"]]],
    ['with words beyond measure', 'gather', [CALL, ['SpeechResult', 'x'.repeat(8_193)]]],
    ['to no number', 'answer', [CALL, ['From', '+13105550123'], ['To', '']]],
    ['of a leg without its call', 'dial', [CALL]],
  ] as ReadonlyArray<readonly [string, HookStep, Fields]>)('%s', (_, step, fields) => {
    // biome-ignore format: pairs
    expect(() => read(step, fields, '?turn=1&is=answered')).toThrow(ZodError)
  })

  it('names of objects are fields like others', () => {
    const event = eventOf('gather', [['__proto__', 'x'], ['constructor', 'y'], ['toString', 'z']]) // biome-ignore format: pairs
    expect(event).toMatchObject({ event: { kind: 'silence' } })
  })
})
