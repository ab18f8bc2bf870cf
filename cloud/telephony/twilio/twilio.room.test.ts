// Twilio's API over a socket: what is asked of it, and what its failures are to us.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { type Trouble, TwilioApi } from '#test/doubles/twilio-api.ts'
import { HOOKS, TWILIO } from '#test/fixtures/signed-hooks.ts'
import { Twilio } from './twilio.ts'

const NAME = 'num_01jd5n8w2x3y4z5a6b7c8d9e0f'
const OTHER = 'num_01jd5n8w2x3y4z5a6b7c8d9e0g'
const TEXT = { id: 'sms_1', from: '+12125550100', to: '+13105550123', text: 'Ready', statusUrl: `${HOOKS}/sms` }
const signal = new AbortController().signal
const yes = async () => true

let api: TwilioApi
let twilio: Twilio
beforeEach(async () => {
  api = await TwilioApi.start()
  twilio = new Twilio({ ...TWILIO, url: api.url, transcribes: false, clock: systemClock })
})
afterEach(() => api.stop())

describe('a number', () => {
  const at = { name: NAME, hooks: HOOKS, fallback: `${HOOKS}/fallback?language=es`, signal }

  it('is bought with all its hooks in one request', async () => {
    api.free = ['+12125550111', '+13125550111']
    const wired = await twilio.provision({ areaCode: '312' }, at)
    expect(wired).toEqual({ e164: '+13125550111', providerId: api.numbers[0]?.sid })
    expect(api.numbers[0]?.settings).toEqual({
      FriendlyName: NAME,
      PhoneNumber: '+13125550111',
      VoiceUrl: `${HOOKS}/answer`,
      VoiceFallbackUrl: `${HOOKS}/fallback?language=es`,
      StatusCallback: `${HOOKS}/status`,
      SmsUrl: `${HOOKS}/sms`,
      ...Object.fromEntries(['Voice', 'VoiceFallback', 'StatusCallback', 'Sms'].map((it) => [`${it}Method`, 'POST'])),
    })
    expect(api.requests.filter((it) => it.startsWith('POST'))).toHaveLength(1)
  })

  it('is bought once, though the answer was lost', async () => {
    api.free = ['+12125550111', '+12125550112']
    api.troubles.push('lose')
    await expect(twilio.provision({ areaCode: '212' }, at)).rejects.toMatchObject({
      isTransient: true,
      isUncertain: true,
    })
    expect(await twilio.provision({ areaCode: '212' }, at)).toMatchObject({ e164: '+12125550111' })
    expect(api.numbers).toHaveLength(1)
  })

  it('that somebody else bought meanwhile is replaced by the next', async () => {
    api.free = ['+12125550111', '+12125550112']
    api.troubles.push({ status: 400, code: 21422 })
    expect(await twilio.provision({ areaCode: '212' }, at)).toMatchObject({ e164: '+12125550112' })
  })

  it('that there is none of is no number', async () => {
    await expect(twilio.provision({ areaCode: '212' }, at)).rejects.toMatchObject({
      reason: 'no_number',
      isTransient: false,
    })
  })

  it('of the account is attached, unless another number of a relay has it', async () => {
    const number = { sid: 'PN1', phone_number: '+12125550100', friendly_name: 'Main line', settings: {} }
    api.numbers.push(number)
    expect(await twilio.provision({ number: '+12125550100' }, at)).toEqual({ e164: '+12125550100', providerId: 'PN1' })
    expect(number.friendly_name).toBe(NAME)
    const other = { ...at, name: OTHER }
    await expect(twilio.provision({ number: '+12125550100' }, other)).rejects.toMatchObject({ reason: 'number_taken' })
    await expect(twilio.provision({ number: '+12125550199' }, other)).rejects.toMatchObject({
      reason: 'number_not_owned',
    })
  })

  it('loses its hooks and its name, by its id or by its name, and none is needed for that', async () => {
    api.free = ['+12125550111', '+12125550112']
    const { providerId } = await twilio.provision({ areaCode: '212' }, at)
    await twilio.unwire({ providerId, name: NAME }, signal)
    expect(api.numbers[0]).toMatchObject({
      friendly_name: 'not used by ticketrail',
      settings: { VoiceUrl: '', SmsUrl: '' },
    })
    await twilio.provision({ areaCode: '212' }, at)
    await twilio.unwire({ providerId: null, name: NAME }, signal)
    expect(api.numbers[1]?.settings['VoiceUrl']).toBe('')
    await twilio.unwire({ providerId: null, name: NAME }, signal)
    await twilio.unwire({ providerId: 'PNgone', name: NAME }, signal)
  })
})

describe('a text message', () => {
  it('is sent after its beginning is noted, when the connection is there', async () => {
    const order: string[] = []
    const begin = async () => {
      order.push(`begin, ${api.requests.length} requests`)
      return true
    }
    const sent = await twilio.sendText(TEXT, { begin, signal })
    expect(order).toEqual(['begin, 0 requests'])
    expect(sent).toEqual({ providerId: api.messages[0]?.sid })
    expect(api.messages).toMatchObject([
      { From: TEXT.from, To: TEXT.to, Body: 'Ready', StatusCallback: TEXT.statusUrl },
    ])
  })

  it('is not sent when its beginning is refused or fails', async () => {
    expect(await twilio.sendText(TEXT, { begin: async () => false, signal })).toBeNull()
    const failing = async () => Promise.reject(new Error('disk full'))
    await expect(twilio.sendText(TEXT, { begin: failing, signal })).rejects.toMatchObject({ isUncertain: false })
    expect(api.requests).toEqual([])
  })

  it('is not begun where nobody listens', async () => {
    await api.stop()
    let begun = 0
    const begin = async () => {
      begun += 1
      return true
    }
    await expect(twilio.sendText(TEXT, { begin, signal })).rejects.toMatchObject({
      ...{ reason: 'connection_refused', isTransient: true, isUncertain: false },
    })
    expect(begun).toBe(0)
    api = await TwilioApi.start()
  })

  it.each([
    ['lose', { reason: 'connection', isTransient: true, isUncertain: true }],
    [{ status: 500 }, { reason: 'provider_error', isTransient: true, isUncertain: true }],
    [{ status: 503 }, { reason: 'provider_error', isTransient: true, isUncertain: false }],
    [
      { status: 429, code: 20429 },
      { reason: 'too_many', isTransient: true, isUncertain: false },
    ],
    [
      { status: 401, code: 20003 },
      { reason: 'not_authorized', isTransient: false, isUncertain: false },
    ],
    [
      { status: 400, code: 21610 },
      { reason: 'opted_out', isTransient: false, isUncertain: false },
    ],
    [
      { status: 400, code: 21211 },
      { reason: 'bad_number', isTransient: false, isUncertain: false },
    ],
    [
      { status: 400, code: 21999 },
      { reason: 'code_21999', isTransient: false, isUncertain: false },
    ],
    [{ status: 302 }, { reason: 'redirect', isTransient: false, isUncertain: false }],
    [{ body: '<html>' }, { reason: 'bad_answer', isUncertain: true }],
    [{ body: `{"sid":"${'x'.repeat(300_000)}"}` }, { reason: 'too_long', isUncertain: true }],
    [{ body: '{"sid":"../x"}' }, { reason: 'bad_answer', isUncertain: true }],
  ] as ReadonlyArray<readonly [Trouble, object]>)('with %j fails as %j', async (trouble, failure) => {
    // biome-ignore format: pairs
    api.troubles.push(trouble)
    await expect(twilio.sendText(TEXT, { begin: yes, signal })).rejects.toMatchObject(failure)
    expect(api.requests.filter((it) => it.includes('elsewhere'))).toEqual([])
  })

  it('that is stopped while it is under way may have left', async () => {
    api.troubles.push('hang')
    const stop = new AbortController()
    const sending = twilio.sendText(TEXT, { begin: yes, signal: stop.signal })
    await expect.poll(() => api.messages.length).toBe(1)
    stop.abort()
    await expect(sending).rejects.toMatchObject({ reason: 'stopped', isUncertain: true })
  })

  it('is found by its recipient, its words and its time', async () => {
    const sentMs = Date.parse('2026-11-30T12:00:00Z')
    api.troubles.push('lose')
    await twilio.sendText(TEXT, { begin: yes, signal }).catch(() => undefined)
    const found = (more: object) => twilio.findTexts({ ...TEXT, sinceMs: sentMs, ...more }, signal)
    expect(await found({})).toEqual([api.messages[0]?.sid])
    expect(await found({ text: 'Other' })).toEqual([])
    expect(await found({ to: '+13105550199' })).toEqual([])
    expect(await found({ sinceMs: sentMs + 3_600_000 })).toEqual([])
  })
})

describe('a recording', () => {
  it('is fetched within its limit and deleted, once or twice', async () => {
    api.recordings.set('RE1', Buffer.from('RIFF....'))
    expect(await twilio.fetchRecording('RE1', { most: 8, signal })).toEqual({
      type: 'audio/x-wav',
      bytes: Buffer.from('RIFF....'),
    })
    await expect(twilio.fetchRecording('RE1', { most: 7, signal })).rejects.toMatchObject({ reason: 'too_long' })
    await twilio.deleteRecording('RE1', signal)
    await twilio.deleteRecording('RE1', signal)
    await expect(twilio.fetchRecording('RE1', { most: 8, signal })).rejects.toMatchObject({
      reason: 'not_found',
      isTransient: false,
    })
  })

  it('that is no sound is refused', async () => {
    await expect(twilio.fetchRecording('../IncomingPhoneNumbers', { most: 9, signal })).rejects.toThrow()
    expect(api.requests.at(-1)).toContain('/Recordings/..%2FIncomingPhoneNumbers.wav')
  })
})

it('the state of a call is told in our words', async () => {
  api.calls.set('CA1', 'no-answer').set('CA2', 'something')
  expect(await twilio.callState('CA1', signal)).toBe('missed')
  expect(await twilio.callState('CA2', signal)).toBeNull()
  expect(await twilio.callState('CA3', signal)).toBeNull()
})
