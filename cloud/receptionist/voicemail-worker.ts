// Brings in what callers said: fetches each recording, turns a voicemail into text, texts the restaurant about it, and takes the provider's copy away.

import { type AfterAttempt, Outbox, type Outcome } from '#cloud/outbox/outbox.ts'
import { percentOf } from '#cloud/storage/call-store.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { ClaimedVoicemail, VoicemailChange, VoicemailStore } from '#cloud/storage/voicemail-store.ts'
import { type Telephony, TelephonyError } from '#cloud/telephony/telephony.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import { codeOf } from '#shared/code-of.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { timeLimit } from '#shared/time-limit.ts'
import { cutCards } from './cut-cards.ts'
import { MediaError, type MediaStore, MOST_AUDIO_BYTES } from './media-store.ts'
import { type Transcriber, TranscriberError, type Transcript } from './transcribers/transcriber.ts'
import { audioTypeOf } from './wav.ts'

/** What is texted about a voicemail, in the unit that settles its text. */
export interface SettledVoicemail {
  voicemail: ClaimedVoicemail
  /** Null: there is none. */
  text: Pick<Transcript, 'text' | 'uncertain'> | null
  nowMs: number
}

export interface VoicemailWorkerDeps {
  db: RelayDatabase
  voicemails: VoicemailStore
  media: MediaStore
  transcriber: Transcriber
  /** Null: that company is not set up any more. */
  telephonyOf: (voicemail: ClaimedVoicemail) => Promise<Telephony | null>
  /** Writes the text message; there is one of a voicemail, however often it is called. */
  tell: (tx: Tx, settled: SettledVoicemail) => Promise<void>
  /** After the commit of that. */
  told: () => void
  secretBox: SecretBox
  clock: Clock
  random: () => number
  log: Logger
}

/** Delays between tries of a step, in seconds. The last is repeated: the provider keeps a recording until it was fetched. */
export const VOICEMAIL_RETRY_SECONDS = [60, 300, 1_800, 21_600] as const
/** After so many tries the restaurant is told without a text. */
const TRIES = 4
/** Longer than an engine may take, and a fetch. */
const LEASE_MS = 600_000
const FETCH_MS = 60_000
/** Engines are heavy. */
const AT_ONCE = 2

const OURS_IS_LOST = ['recording_missing', 'recording_altered']

type Step = 'fetch' | 'transcribe' | 'delete'

interface Done extends Outcome {
  step: Step
  /** Of a step `transcribe` that did it; null: nothing was said, or there is no engine. */
  transcript: Transcript | null
}

export class VoicemailWorker implements Service {
  readonly #deps: VoicemailWorkerDeps
  readonly #outbox: Outbox<ClaimedVoicemail, Done>
  #underWay = 0

  constructor(deps: VoicemailWorkerDeps) {
    const { voicemails } = deps
    this.#deps = deps
    this.#outbox = new Outbox(deps, {
      what: 'recordings',
      rows: voicemails,
      changed: voicemails.changed,
      sweepMs: 2_000,
      leaseMs: LEASE_MS,
      drainMs: 5_000,
      retrySeconds: VOICEMAIL_RETRY_SECONDS,
      neverGivesUp: true,
      pass: () => this.#pass(),
      numberOf: ({ attempts }) => attempts,
      send: (voicemail, stopped) => this.#send(voicemail, stopped),
      settle: (voicemail, done, follows) => this.#settle(voicemail, done, follows),
      release: (voicemail) => voicemails.giveBack(voicemail),
      ended: () => {
        this.#underWay -= 1
      },
      idsOf,
    })
  }

  start(): Promise<void> {
    return this.#outbox.start()
  }

  /** Lets what is under way end for a while. */
  stop(): Promise<void> {
    return this.#outbox.stop()
  }

  async #pass(): Promise<void> {
    const { db, voicemails } = this.#deps
    const limit = AT_ONCE - this.#underWay
    if (limit <= 0 || !(await voicemails.hasDue(await this.#outbox.look()))) return
    const claimed = await this.#outbox.claim((times) => db.unit((tx) => voicemails.claim(tx, { ...times, limit })))
    for (const voicemail of claimed) {
      this.#underWay += 1
      this.#outbox.begin(voicemail)
    }
    // There may be more.
    if (claimed.length > 0) this.#outbox.wake()
  }

  async #send(voicemail: ClaimedVoicemail, stopped: AbortSignal): Promise<Done> {
    const step = stepOf(voicemail)
    const done = { step, transcript: null, retryAfterMs: null }
    try {
      if (step === 'transcribe') return { ...done, transcript: await this.#transcribe(voicemail, stopped), error: null }
      await (step === 'fetch' ? this.#fetch(voicemail, stopped) : this.#delete(voicemail, stopped))
      return { ...done, error: null }
    } catch (error) {
      if (stopped.aborted) return { ...done, error: 'stopped' }
      return { ...done, ...this.#failureOf(voicemail, error) }
    }
  }

  async #fetch(voicemail: ClaimedVoicemail, stopped: AbortSignal): Promise<void> {
    const { bytes } = await this.#within(stopped, async (signal) =>
      (await this.#telephony(voicemail)).fetchRecording(voicemail.recording_id, { most: MOST_AUDIO_BYTES, signal }),
    )
    if (audioTypeOf(bytes) === null) throw new TelephonyError('not_audio')
    await this.#deps.media.write(voicemail.id, bytes)
  }

  async #transcribe(
    { id, seconds, text_enc: text, attempts }: ClaimedVoicemail,
    stopped: AbortSignal,
  ): Promise<Transcript | null> {
    const { media, transcriber, secretBox } = this.#deps
    // Something ends the relay each time: not once more.
    if (attempts > TRIES) throw new TranscriberError('interrupted', { isFinal: true })
    const bytes = await media.read(id)
    const type = audioTypeOf(bytes) ?? 'audio/wav'
    const providerText = text === null ? null : secretBox.open(text)
    const transcript = await transcriber.transcribe({ bytes, type, seconds, providerText }, stopped)
    return transcript === null || transcript.text === '' ? null : { ...transcript, text: cutCards(transcript.text) }
  }

  async #delete(voicemail: ClaimedVoicemail, stopped: AbortSignal): Promise<void> {
    // The provider's copy goes only when ours can be heard.
    if (voicemail.audio_deleted_at === null) await this.#deps.media.read(voicemail.id)
    await this.#within(stopped, async (signal) =>
      (await this.#telephony(voicemail)).deleteRecording(voicemail.recording_id, signal),
    )
  }

  async #telephony(voicemail: ClaimedVoicemail): Promise<Telephony> {
    const telephony = await this.#deps.telephonyOf(voicemail)
    if (telephony === null) throw new TelephonyError('not_set_up', { isTransient: true })
    return telephony
  }

  #failureOf(voicemail: ClaimedVoicemail, error: unknown): { error: string; isFinal: boolean } {
    if (error instanceof TranscriberError) return { error: error.reason, isFinal: error.isFinal }
    if (error instanceof MediaError) return { error: `recording_${error.fault}`, isFinal: false }
    if (error instanceof TelephonyError) return { error: error.reason, isFinal: false }
    // Its message may have what was said.
    const name = error instanceof Error ? error.name : typeof error
    this.#deps.log.error(
      { ...idsOf(voicemail), name, code: codeOf(error) },
      'a step of a recording failed unexpectedly',
    )
    return { error: 'unexpected', isFinal: false }
  }

  async #within<T>(stopped: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = timeLimit(this.#deps.clock, FETCH_MS, stopped)
    try {
      return await work(limit.signal)
    } catch (error) {
      throw limit.isOver() ? new TelephonyError('timeout', { isTransient: true }) : error
    } finally {
      limit.end()
    }
  }

  async #settle(voicemail: ClaimedVoicemail, done: Done, { next, nowMs }: AfterAttempt): Promise<void> {
    const { db, voicemails, media, tell, told, log } = this.#deps
    const retryAt = next.state === 'retrying' ? next.nextAtMs : null
    const { change, tells } = this.#following(voicemail, done, { retryAt, nowMs })
    const isStored = await db.unit(async (tx) => {
      if (!(await voicemails.settle(tx, voicemail, change))) return false
      if (tells) await tell(tx, { voicemail, text: change.state === 'transcribed' ? done.transcript : null, nowMs })
      return true
    })
    // It was deleted or erased while it was fetched.
    if (!isStored && done.step === 'fetch' && (await voicemails.haveSound([voicemail.id])).get(voicemail.id) !== true)
      await media.delete(voicemail.id)
    if (!isStored) return
    voicemails.changed.notify(voicemail.merchant_id)
    if (tells) told()
    const facts = { ...idsOf(voicemail), step: done.step, error: done.error }
    if (done.error === null) log.info(facts, 'a recording was brought on')
    else log.warn(facts, 'a step of a recording failed')
  }

  /** What the attempt changes; `tells`: the restaurant is told now. */
  #following(
    { id, kind, state, attempts }: ClaimedVoicemail,
    { step, error, transcript, isFinal = false }: Done,
    { retryAt, nowMs }: { retryAt: number | null; nowMs: number },
  ): { change: VoicemailChange; tells: boolean } {
    const isVoicemail = kind === 'voicemail'
    if (error === null) {
      if (step === 'fetch')
        return {
          change: {
            // One that was lost here and has its text keeps that.
            state: state === 'transcribed' ? state : 'fetched',
            file: id,
            error,
            next_at: nowMs,
            isStepDone: true,
          },
          tells: false,
        }
      if (step === 'delete')
        return {
          // Why there is no text stays to be seen.
          change: {
            provider_deleted_at: nowMs,
            next_at: null,
            isStepDone: true,
            ...(state !== 'no_transcript' && { error }),
          },
          tells: false,
        }
      return { change: { ...this.#textOf(transcript), error, next_at: nowMs, isStepDone: true }, tells: true }
    }
    const isOver = isFinal || attempts >= TRIES
    const again = { error, next_at: retryAt, isStepDone: false }
    // Ours is gone or damaged, and the provider has it still.
    if (step === 'delete' && OURS_IS_LOST.includes(error)) return { change: { ...again, file: null }, tells: false }
    if (step === 'delete' || !isOver) return { change: again, tells: false }
    if (step === 'transcribe')
      return { change: { ...this.#textOf(null), error, next_at: nowMs, isStepDone: true }, tells: true }
    // The provider has it no more, so there is nothing to come back for. Everything else may be mended.
    const change =
      error === 'not_found' ? { error, next_at: null, provider_deleted_at: nowMs, isStepDone: true } : again
    return state === 'recorded'
      ? { change: { ...change, state: 'no_transcript' }, tells: isVoicemail }
      : { change, tells: false }
  }

  #textOf(transcript: Transcript | null): Partial<VoicemailChange> {
    if (transcript === null) return { state: 'no_transcript', text_enc: null }
    const { text, confidence, uncertain, engine } = transcript
    return {
      state: 'transcribed',
      text_enc: this.#deps.secretBox.seal(text),
      confidence: percentOf(confidence),
      uncertain: uncertain ? 1 : 0,
      engine,
    }
  }
}

/** What is to be done with it next. */
function stepOf({ kind, state, file, audio_deleted_at: deletedAt }: ClaimedVoicemail): Step {
  if (deletedAt !== null) return 'delete'
  if (file === null) return 'fetch'
  return state === 'fetched' && kind === 'voicemail' ? 'transcribe' : 'delete'
}

function idsOf({ id, kind, attempts }: ClaimedVoicemail) {
  return { voicemailId: id, kind, attempt: attempts }
}
