// A telephone for trying things out: it sends the hooks of a call as the provider does, signed and over HTTP, and follows the TwiML that comes back.
import { createHash, randomBytes } from 'node:crypto'
import { hookAddress } from '#cloud/telephony/hook-address.ts'
import type { HookStep } from '#cloud/telephony/telephony.ts'
import type { Clock } from '#shared/clock.ts'
import { readTwiml, type TwimlElement } from './read-twiml.ts'
import { secondsOfWav, silentWav } from './silent-wav.ts'
import type { CallPlace, Heard, SimulatedCall, Turn } from './simulated-call.ts'
import type { SimulatedTelephony } from './simulated-telephony.ts'

export interface SimulatorPhoneDeps {
  telephony: Pick<SimulatedTelephony, 'signed' | 'recordings'>
  /** One POST to the relay: over a socket, or within the program. Redirects are not followed. */
  exchange: (request: ExchangedHook) => Promise<{ status: number; body: string }>
  clock: Clock
}

export interface ExchangedHook {
  url: string
  headers: Record<string, string>
  body: string
}

type Fields = ReadonlyArray<readonly [string, string]>
type Asking = [url: string, fields: Fields, taken?: (() => Promise<void>) | undefined]

/** A document that asks itself again would go on for ever. */
const MOST_DOCUMENTS = 40

/** Something that a caller cannot do where the call is: nothing was sent. */
export class NotNow extends Error {
  constructor(place: CallPlace) {
    super(`the call is not there: it ${place.now === 'over' ? 'is over' : place.now}`)
    this.name = 'NotNow'
  }
}

export class SimulatorPhone {
  readonly #deps: SimulatorPhoneDeps

  constructor(deps: SimulatorPhoneDeps) {
    this.#deps = deps
  }

  /** Calls a number of the relay. @param from null: withheld */
  async dial(number: { hooks: string; to: string; from: string | null; callerName?: string }): Promise<Turn> {
    const { hooks, to, from, callerName } = number
    const callId = `CA${randomBytes(16).toString('hex')}`
    const place: CallPlace = { now: 'over', status: 'completed' }
    const call: SimulatedCall = { callId, hooks, from, to, startedMs: this.#deps.clock.now(), recorder: null, place }
    const name: Fields = callerName === undefined ? [] : [['CallerName', callerName]]
    return this.#follow(call, hookAddress(hooks, 'answer'), [['CallStatus', 'ringing'], ...name])
  }

  /** @param confidence from 0 to 1, of the recognition. @throws NotNow */
  async say(call: SimulatedCall, words: string, confidence = 0.95): Promise<Turn> {
    const fields: Fields = [
      ['SpeechResult', words],
      ['Confidence', String(confidence)],
    ]
    return this.#follow(call, at(call, 'listens').action, fields)
  }

  /** @throws NotNow, also where keys are not listened to */
  async press(call: SimulatedCall, digits: string): Promise<Turn> {
    const place = at(call, 'listens')
    if (place.digits === 'none') throw new NotNow(place)
    // As a telephone company hears it: the first key, or all before #. # alone is nothing.
    const heard = place.digits === 'one' ? digits.slice(0, 1) : (digits.split('#')[0] ?? '')
    return this.#follow(call, place.action, heard === '' ? [] : [['Digits', heard]])
  }

  /** Says nothing where words, a key or a message are waited for. @throws NotNow */
  async stayQuiet(call: SimulatedCall): Promise<Turn> {
    const { place } = call
    if (place.now === 'records')
      return place.otherwise === null ? this.#end(call, 'completed', []) : this.#follow(call, place.otherwise, [])
    return this.#follow(call, at(call, 'listens').action, [])
  }

  /**
   * Leaves a message after the tone.
   * @param wav default: silence of as many seconds. @param text what was said, told where the provider makes texts
   * @throws NotNow
   */
  async leaveMessage(
    call: SimulatedCall,
    { wav, seconds = 3, text }: { wav?: Buffer; seconds?: number; text?: string } = {},
  ): Promise<Turn> {
    const place = at(call, 'records')
    const bytes = wav ?? silentWav(seconds)
    const length = secondsOfWav(bytes)
    const id = recordingIdOf(call, place.action)
    const recording: Fields = [
      ['RecordingSid', id],
      ['RecordingDuration', String(length)],
    ]
    // A relay that does not take it leaves nothing on the disk.
    const taken = () => this.#deps.telephony.recordings.keep(id, bytes)
    const turn = await this.#follow(call, place.action, [...recording, ['Digits', '#']], taken)
    if (place.callback !== null)
      await this.#post(call, place.callback, [...recording, ['RecordingStatus', 'completed']])
    if (place.transcribe !== null && text !== undefined) {
      const status: Fields = [
        ['TranscriptionStatus', 'completed'],
        ['TranscriptionText', text],
      ]
      await this.#post(call, place.transcribe, [...recording, ...status])
    }
    return turn
  }

  /** The person whose telephone rings picks up. @returns what the person hears, before the caller is there. @throws NotNow */
  async pickUp(call: SimulatedCall): Promise<Turn> {
    const { action, to, whisper } = at(call, 'rings')
    const talking: SimulatedCall = { ...call, place: { now: 'talks', action, to } }
    if (whisper === null) return { heard: [], call: talking }
    const leg: Fields = [
      ['CallSid', `CA${randomBytes(16).toString('hex')}`],
      ['ParentCallSid', call.callId],
      ['From', call.from ?? 'anonymous'],
      ['To', to],
    ]
    const answer = await this.#exchange(call, whisper, leg)
    return { heard: (answer ?? []).flatMap((element) => heardOf(element)), call: talking }
  }

  /** The person whose telephone rings, or who speaks with the caller, ends it. @throws NotNow */
  async personEnds(call: SimulatedCall, how: 'busy' | 'no-answer' | 'failed' = 'no-answer'): Promise<Turn> {
    const { place } = call
    // Nobody is told: the document ends with it.
    if ('action' in place && place.action === '') return this.#end(call, 'completed', [])
    if (place.now === 'talks') return this.#follow(call, place.action, [['DialCallStatus', 'completed']])
    return this.#follow(call, at(call, 'rings').action, [['DialCallStatus', how]])
  }

  /** The caller ends it. One that is over stays so. */
  async hangUp(call: SimulatedCall): Promise<Turn> {
    return call.place.now === 'over' ? { heard: [], call } : this.#end(call, 'completed', [])
  }

  /** Sends a text message to a number of the relay. @returns the answer's texts */
  async text(message: { hooks: string; to: string; from: string; text: string }): Promise<readonly string[]> {
    const { hooks, to, from, text } = message
    const url = hookAddress(hooks, 'sms')
    const fields: Fields = [
      ['MessageSid', `SM${randomBytes(16).toString('hex')}`],
      ['SmsStatus', 'received'],
      ['From', from],
      ['To', to],
      ['Body', text],
    ]
    const { status, body } = await this.#deps.exchange({ url, ...this.#deps.telephony.signed(url, fields) })
    if (status < 200 || status >= 300) throw new Error(`the relay answered ${status}`)
    return body.trim() === '' ? [] : readTwiml(body).map((element) => element.text)
  }

  /**
   * Asks, plays what is answered, and goes on until the caller has to do something or the call is over.
   * @param taken once the first hook was answered with a document
   */
  async #follow(call: SimulatedCall, ...[url, fields, taken]: Asking): Promise<Turn> {
    const heard: Heard[] = []
    let current = call
    let next: Asking | null = [url, fields, taken]
    for (let documents = 0; next !== null; documents++) {
      if (documents === MOST_DOCUMENTS) return this.#end(current, 'failed', heard)
      const document = await this.#document(current, ...next)
      if (document === null) return this.#end(current, 'failed', heard)
      const played = playOf(document)
      heard.push(...played.heard)
      current = { ...current, recorder: played.recorder ?? current.recorder }
      const { then } = played
      if (then.go === 'wait') return { heard, call: { ...current, place: then.place } }
      if (then.go === 'end') return this.#end(current, then.status, heard)
      next = [then.url, []]
    }
    return { heard, call: current }
  }

  /** As the provider: what cannot be asked or used is replaced by the fallback's answer. Null: neither works. */
  async #document(call: SimulatedCall, ...[url, fields, taken]: Asking): Promise<readonly TwimlElement[] | null> {
    const answer = await this.#exchange(call, url, [...this.#fieldsOf(call), ...fields])
    if (answer !== null) {
      await taken?.()
      return answer
    }
    return this.#exchange(call, hookAddress(call.hooks, 'fallback'), [
      ...this.#fieldsOf(call),
      ['ErrorCode', '11200'],
      ['ErrorUrl', url],
    ])
  }

  async #end(call: SimulatedCall, status: 'completed' | 'busy' | 'failed', heard: Heard[]): Promise<Turn> {
    const over: SimulatedCall = { ...call, place: { now: 'over', status } }
    const seconds = Math.max(1, Math.round((this.#deps.clock.now() - call.startedMs) / 1_000))
    const isTaken = await this.#post(call, hookAddress(call.hooks, 'status' satisfies HookStep), [
      ['CallStatus', status],
      ['CallDuration', String(seconds)],
      ['SequenceNumber', '0'],
    ])
    if (call.recorder !== null && isTaken) {
      // Nobody speaks at a simulated telephone: the recording is as long as the call, at most a minute, and silent.
      const wav = silentWav(Math.min(seconds, 60))
      const id = recordingIdOf(call, call.recorder)
      await this.#deps.telephony.recordings.keep(id, wav)
      await this.#post(call, call.recorder, [
        ['RecordingSid', id],
        ['RecordingDuration', String(secondsOfWav(wav))],
        ['RecordingStatus', 'completed'],
      ])
    }
    return { heard, call: over }
  }

  /** News that wait for no document. @returns whether the relay took them */
  async #post(call: SimulatedCall, url: string, fields: Fields): Promise<boolean> {
    const { status } = await this.#send(call, url, [...this.#fieldsOf(call), ...fields])
    return status >= 200 && status < 300
  }

  async #exchange(call: SimulatedCall, url: string, fields: Fields): Promise<readonly TwimlElement[] | null> {
    const { status, body } = await this.#send(call, url, fields)
    if (status < 200 || status >= 300) return null
    try {
      return readTwiml(body)
    } catch {
      return null
    }
  }

  async #send(call: SimulatedCall, url: string, fields: Fields): Promise<{ status: number; body: string }> {
    // A document could name any address: the simulator asks the hooks of its number alone.
    if (!url.startsWith(`${call.hooks}/`)) return { status: 0, body: '' }
    return this.#deps.exchange({ url, ...this.#deps.telephony.signed(url, fields) })
  }

  #fieldsOf({ callId, from, to }: SimulatedCall): Fields {
    return [
      ['CallSid', callId],
      ['From', from ?? 'anonymous'],
      ['To', to],
      ['Direction', 'inbound'],
      ['ApiVersion', '2010-04-01'],
    ]
  }
}

/** The same for the same step of the same call: what is done again makes no second recording. */
function recordingIdOf({ callId }: SimulatedCall, url: string): string {
  return `RE${createHash('sha256').update(`${callId} ${url}`).digest('hex').slice(0, 32)}`
}

function at<N extends CallPlace['now']>(call: SimulatedCall, now: N): Extract<CallPlace, { now: N }> {
  if (call.place.now !== now) throw new NotNow(call.place)
  return call.place as Extract<CallPlace, { now: N }>
}

interface Played {
  heard: Heard[]
  recorder: string | null
  then:
    | { go: 'wait'; place: CallPlace }
    | { go: 'ask'; url: string }
    | { go: 'end'; status: 'completed' | 'busy' | 'failed' }
}

/** Runs a document until it waits for the caller, asks another, or ends the call. The end of a document ends the call. */
function playOf(document: readonly TwimlElement[]): Played {
  const heard: Heard[] = []
  let recorder: string | null = null
  const done = (then: Played['then']): Played => ({ heard, recorder, then })
  for (const [index, element] of document.entries()) {
    const { name, attributes } = element
    const action = attributes['action'] ?? ''
    if (name === 'Say' || name === 'Play') heard.push(...heardOf(element))
    else if (name === 'Start') recorder = element.children[0]?.attributes['recordingStatusCallback'] ?? null
    else if (name === 'Redirect') return done({ go: 'ask', url: element.text })
    else if (name === 'Hangup') return done({ go: 'end', status: 'completed' })
    else if (name === 'Reject') return done({ go: 'end', status: 'busy' })
    else if (name === 'Gather') {
      heard.push(...element.children.flatMap((child) => heardOf(child)))
      const takesKeys = (attributes['input'] ?? '').includes('dtmf')
      const digits = !takesKeys ? 'none' : attributes['numDigits'] === '1' ? 'one' : 'several'
      return done({ go: 'wait', place: { now: 'listens', action, digits } })
    } else if (name === 'Dial') {
      const [called] = element.children
      const whisper = called?.attributes['url'] ?? null
      return done({ go: 'wait', place: { now: 'rings', action, to: element.text, whisper } })
    } else if (name === 'Record') {
      const next = document[index + 1]
      const callback = attributes['recordingStatusCallback'] ?? null
      const transcribe = attributes['transcribe'] === 'true' ? (attributes['transcribeCallback'] ?? null) : null
      const otherwise = next?.name === 'Redirect' ? next.text : null
      return done({ go: 'wait', place: { now: 'records', action, callback, transcribe, otherwise } })
    } else return done({ go: 'end', status: 'failed' })
  }
  return done({ go: 'end', status: 'completed' })
}

function heardOf({ name, attributes, text }: TwimlElement): Heard[] {
  if (name === 'Play') return [{ play: text }]
  if (name !== 'Say') return []
  return [{ say: text, language: attributes['language'] ?? 'en-US', voice: attributes['voice'] ?? null }]
}
