// What the receptionist needs of a telephone company: one interface, whoever it is. Events and steps are ours, so that the call machine knows no provider.

import type { TextId } from '#shared/ids.ts'

export type Provider = 'simulator' | 'twilio' | 'telnyx'

/** The last part of a hook's path: what the provider tells, or asks. */
export const HOOK_STEPS = ['answer', 'gather', 'dial', 'recording', 'status', 'sms', 'fallback'] as const
export type HookStep = (typeof HOOK_STEPS)[number]

/** One request of a provider, before anything of it is believed. */
export interface HookRequest {
  /** As the provider was told to call it: the configured public address with path and query, never what the Host header says. */
  url: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body byte for byte. */
  body: string
  /** Its pairs in their order. */
  form: readonly (readonly [name: string, value: string])[]
  nowMs: number
}

/** What happened in a call, in our words. Numbers are E.164; null: withheld. */
export type CallEvent =
  | { kind: 'incoming'; from: string | null; to: string; callerName: string | null }
  /** `confidence` from 0 to 1; null: the provider says nothing of it. */
  | { kind: 'speech'; text: string; confidence: number | null }
  | { kind: 'digits'; digits: string }
  /** Nothing was said and nothing pressed; also what comes after `redirect`. */
  | { kind: 'silence' }
  /** Of the person that the call was passed to. `answered`: they picked up, and hear the steps of the answer before the caller; `ended`: they spoke, and hung up. */
  | { kind: 'dial'; outcome: 'answered' | 'busy' | 'no-answer' | 'failed' | 'ended' }
  /** The caller left a message, or nothing: null, 0 seconds. It is told again as a `HookRecording` when it can be fetched. */
  | { kind: 'recorded'; recordingId: string | null; seconds: number }
  | { kind: 'status'; status: 'ringing' | 'in_progress' | 'completed' | 'missed' | 'failed' }

export interface HookCall {
  /** The provider's id of the call. */
  providerCallId: string
  /** Tells a repetition from the next input of the same step: the `turn` that `render` was given, or what the provider has. */
  sequence: string
  event: CallEvent
}

/** A finished recording, told beside the call. */
export interface HookRecording {
  providerCallId: string
  recordingId: string
  /** Null: this is the text of a recording that was told before, or is told next. */
  seconds: number | null
  /** `call`: of the whole call. */
  kind: 'voicemail' | 'call'
  /** The provider's own text of it; null: none, or not yet. */
  text: string | null
}

/** A text message that came in, or news of one that was sent. */
export type HookText =
  | { kind: 'incoming'; providerId: string; from: string; to: string; text: string }
  | {
      kind: 'status'
      providerId: string
      /** Ours, of the address that its news were to come to; null: the news do not say. */
      textId: TextId | null
      status: 'sent' | 'delivered' | 'failed'
      error: string | null
    }

/** What a valid hook says. */
export type HookNews =
  | { about: 'call'; call: HookCall }
  | { about: 'recording'; recording: HookRecording }
  | { about: 'text'; text: HookText }

/** What the caller hears and what happens to the call, in order. Texts are plain: each provider escapes them. */
export type CallStep =
  | { do: 'say'; text: string }
  /** A file of ours, as a path below the public address. */
  | { do: 'play'; path: string }
  /**
   * Says or plays, and listens. `hints`: words that the recognition may expect. `digits`: also one key; `several`: keys until # or a pause.
   * What follows it is not run.
   */
  | { do: 'gather'; say: readonly string[]; hints: readonly string[]; digits: boolean | 'several' }
  /**
   * `whisper` is said to the person who answers. `isUntold`: neither that they picked up nor how it ended is told to us, and the call ends
   * after it: there may be nobody who can answer that.
   */
  | { do: 'dial'; to: string; seconds: number; whisper: string | null; isUntold?: true }
  | { do: 'record'; seconds: number }
  /** Records the whole call from here on; the next step follows at once. */
  | { do: 'record-call' }
  /** Asks again after `say`, at the step `gather`: for what takes longer than an answer may. */
  | { do: 'redirect' }
  | { do: 'hangup' }
  /** Not answered, and not charged. `busy`: the caller hears the tone of an engaged line. */
  | { do: 'reject'; reason: 'rejected' | 'busy' }

/** In which voice and language steps are said. */
export interface Speech {
  /** BCP 47, such as `en-US`. */
  language: string
  /** The provider's name of a voice; null: its default. */
  voice: string | null
}

export interface HookAnswer {
  status: number
  type: string
  body: string
}

export interface WiredNumber {
  e164: string
  providerId: string
}

/** Why something did not work, as a class that is shown and logged, without anything of a customer. */
export class TelephonyError extends Error {
  readonly reason: string
  /** Another try may work. */
  readonly isTransient: boolean
  /** The request may have been carried out: it was written, and no answer came. */
  readonly isUncertain: boolean

  constructor(reason: string, { isTransient = false, isUncertain = false } = {}) {
    super(`telephony: ${reason}`)
    this.name = 'TelephonyError'
    this.reason = reason
    this.isTransient = isTransient
    this.isUncertain = isUncertain
  }
}

/** What this provider has no way for, or this relay not yet. */
export class NotSupported extends TelephonyError {
  constructor() {
    super('not_supported')
  }
}

export interface SentText {
  providerId: string
}

export interface ProvisionedAt {
  /** The same for each try of one number. */
  name: string
  /** The address of its hooks, without the step. */
  hooks: string
  /** The address that is asked when another hook cannot be: whole, with what it needs to answer without a database. */
  fallback: string
  signal: AbortSignal
}

export interface Telephony {
  readonly provider: Provider
  /** True: text messages never leave. They are kept, to be read at the dashboard; `sendText` is not to be called. */
  readonly keepsTexts: boolean
  /** Whether this came from the provider and is about our account. Constant time; nothing else of the request is read before. */
  verify(request: HookRequest): boolean
  /** @returns null: news that say nothing to us. @throws ZodError when the form is not what the provider documents */
  read(step: HookStep, request: HookRequest): HookNews | null
  /**
   * @param hooks the address of this number's hooks, without the step
   * @param turn goes into every address of the answer as `?turn=`; `read` gives it back as the call's `sequence`, so that a repetition is
   * known from the next input. Without it in an address `sequence` is what the provider has, such as the status that it tells
   */
  render(steps: readonly CallStep[], at: { hooks: string; speech: Speech; turn: number }): HookAnswer
  /**
   * Buys or attaches a number and sets its hooks. Idempotent by `name`: what an earlier try bought is found and used.
   * @throws TelephonyError
   */
  provision(wanted: { areaCode: string } | { number: string }, at: ProvisionedAt): Promise<WiredNumber>
  /**
   * Takes the hooks away; the number stays the operator's. One that is gone counts as unwired.
   * @param number `providerId` null: it is not known whether one was bought; it is looked up by its name
   * @throws TelephonyError
   */
  unwire(number: { providerId: string | null; name: string }, signal: AbortSignal): Promise<void>
  /**
   * @param begin is called right before the first byte leaves; false: do not send
   * @returns null: `begin` said no. @throws TelephonyError
   */
  sendText(
    text: { id: string; from: string; to: string; text: string; statusUrl: string },
    at: { begin: () => Promise<boolean>; signal: AbortSignal },
  ): Promise<SentText | null>
  /** Texts with these words that left for this number since then. @returns the company's ids. @throws TelephonyError */
  findTexts(
    like: { from: string; to: string; text: string; sinceMs: number },
    signal: AbortSignal,
  ): Promise<readonly string[]>
  /** The bytes of a WAV or MP3, at most `most`. @throws TelephonyError */
  fetchRecording(
    recordingId: string,
    at: { most: number; signal: AbortSignal },
  ): Promise<{ type: string; bytes: Buffer }>
  /** One that is gone counts as deleted. @throws TelephonyError */
  deleteRecording(recordingId: string, signal: AbortSignal): Promise<void>
  /** What the provider knows of a call; null: nothing. @throws TelephonyError */
  callState(
    providerCallId: string,
    signal: AbortSignal,
  ): Promise<'ringing' | 'in_progress' | 'completed' | 'missed' | 'failed' | null>
}
