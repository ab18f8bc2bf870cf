// Steps of a call as TwiML, and as TeXML, which differs in little. Every text is escaped, and has no character that XML does not allow.
import { hookAddress } from '#cloud/telephony/hook-address.ts'
import type { CallStep, HookAnswer, Speech } from '#cloud/telephony/telephony.ts'

export interface RenderedAt {
  hooks: string
  speech: Speech
  turn: number
}

/** What a provider's dialect of the form is. */
export interface Dialect {
  /** A gather that got nothing asks by itself. Where it does not, the step after it asks. */
  asksWhenEmpty: boolean
  /** The person that a call is passed to can be told something first: the provider asks for it, and names the call. */
  whispers: boolean
  /** The provider makes texts of voicemails. */
  transcribes: boolean
}

/** The vendor's limits: hints are cut off beyond them. */
const MOST_HINTS = 500
const MOST_HINT = 100
/** Of a call that was passed on: each minute of it costs. The vendor's own limit is four hours. */
const MOST_CALL_SECONDS = 2 * 3_600
/** One text of the vendor may be longer; nobody listens to that. */
const MOST_TEXT = 3_000

export function renderTwiml(steps: readonly CallStep[], at: RenderedAt, dialect: Dialect): HookAnswer {
  const body = steps.map((step) => rendered(step, at, dialect)).join('')
  return {
    status: 200,
    type: 'text/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="UTF-8"?><Response>${body}</Response>`,
  }
}

function rendered(step: CallStep, at: RenderedAt, dialect: Dialect): string {
  const { hooks, turn } = at
  switch (step.do) {
    case 'say':
      return say(step.text, at.speech)
    case 'play':
      return element('Play', {}, text(new URL(step.path, hooks).href))
    case 'gather':
      return gather(step, at, dialect)
    case 'dial': {
      const action = step.isUntold ? {} : { action: hookAddress(hooks, 'dial', { turn }), method: 'POST' }
      // What the person hears before the caller is asked for when they have picked up.
      const whisper = { url: hookAddress(hooks, 'dial', { turn, is: 'answered' }), method: 'POST' }
      const called = element('Number', dialect.whispers && !step.isUntold ? whisper : {}, text(step.to))
      return element(
        'Dial',
        { ...action, timeout: step.seconds, timeLimit: MOST_CALL_SECONDS, answerOnBridge: true },
        called,
      )
    }
    case 'record': {
      const record = {
        action: hookAddress(hooks, 'recording', { turn }),
        method: 'POST',
        maxLength: step.seconds,
        timeout: 5,
        finishOnKey: '#',
        playBeep: true,
        trim: 'trim-silence',
        recordingStatusCallback: hookAddress(hooks, 'recording'),
        recordingStatusCallbackEvent: 'completed',
        ...(dialect.transcribes && { transcribe: true, transcribeCallback: hookAddress(hooks, 'recording') }),
      }
      // Without a sound the action is not asked: the next step is run.
      return element('Record', record) + redirect(hookAddress(hooks, 'recording', { turn, is: 'nothing' }))
    }
    case 'record-call': {
      const recordingStatusCallback = hookAddress(hooks, 'recording', { is: 'call' })
      const events = { recordingStatusCallback, recordingStatusCallbackEvent: 'completed' }
      return element('Start', {}, element('Recording', events))
    }
    case 'redirect':
      return redirect(hookAddress(hooks, 'gather', { turn, is: 'wait' }))
    case 'hangup':
      return element('Hangup')
    case 'reject':
      return element('Reject', step.reason === 'busy' ? { reason: 'busy' } : {})
  }
}

function gather(step: Extract<CallStep, { do: 'gather' }>, at: RenderedAt, { asksWhenEmpty }: Dialect): string {
  const { hooks, turn, speech } = at
  const hints = step.hints
    .map((hint) => clean(hint).replaceAll(',', ' ').replace(/\s+/g, ' ').trim().slice(0, MOST_HINT))
    .filter((hint) => hint !== '')
    .slice(0, MOST_HINTS)
  const attributes = {
    input: step.digits !== false ? 'dtmf speech' : 'speech',
    action: hookAddress(hooks, 'gather', { turn }),
    method: 'POST',
    ...(asksWhenEmpty ? { actionOnEmptyResult: true } : {}),
    speechTimeout: 'auto',
    timeout: 5,
    language: speech.language,
    ...(step.digits === true && { numDigits: 1 }),
    ...(step.digits === 'several' && { finishOnKey: '#' }),
    ...(hints.length > 0 && { hints: hints.join(',') }),
  }
  const inner = step.say.map((words) => say(words, speech)).join('')
  const asked = element('Gather', attributes, inner)
  return asksWhenEmpty ? asked : asked + redirect(hookAddress(hooks, 'gather', { turn, is: 'silence' }))
}

function say(words: string, { language, voice }: Speech): string {
  return element('Say', { language, ...(voice !== null && { voice }) }, text(clean(words).slice(0, MOST_TEXT)))
}

function redirect(url: string): string {
  return element('Redirect', { method: 'POST' }, text(url))
}

function element(name: string, attributes: Record<string, string | number | boolean> = {}, inner = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${text(String(value))}"`)
  const head = `<${name}${written.join('')}`
  return inner === '' ? `${head}/>` : `${head}>${inner}</${name}>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

function text(words: string): string {
  return clean(words).replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '')
}

/** Without what XML 1.0 does not allow, or only as a reference: control characters, halves of pairs, U+FFFE and U+FFFF. */
function clean(words: string): string {
  return words.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\u{fffe}\u{ffff}]+/gu, ' ')
}
