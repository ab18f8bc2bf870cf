// What turns a voicemail into text: one interface, whichever engine does it.

import type { Clock } from '#shared/clock.ts'
import { timeLimit } from '#shared/time-limit.ts'

export interface SpokenAudio {
  bytes: Buffer
  type: 'audio/wav' | 'audio/mpeg'
  /** As the telephone company says. */
  seconds: number
  /** The telephone company's own text of it; null: none has come. */
  providerText: string | null
}

export interface Transcript {
  /** One line, at most 5,000 characters; empty: nothing was said. */
  text: string
  /** From 0 to 1; null: the engine does not say. */
  confidence: number | null
  /** It may be wrong, and whoever reads it is told so. */
  uncertain: boolean
  engine: string
}

export interface Transcriber {
  /** Null: there is no engine. @throws TranscriberError */
  transcribe(audio: SpokenAudio, stopped: AbortSignal): Promise<Transcript | null>
}

/** Why there is no text, as a class that is shown and logged, without anything that was said. */
export class TranscriberError extends Error {
  readonly reason: string
  /** Another try would fail the same way. */
  readonly isFinal: boolean

  constructor(reason: string, { isFinal = false } = {}) {
    super(`transcriber: ${reason}`)
    this.name = 'TranscriberError'
    this.reason = reason
    this.isFinal = isFinal
  }
}

/** No answer of an engine is longer, in bytes: an hour of speech has less. */
export const MOST_ANSWER = 65_536

const MOST_CHARACTERS = 5_000
/** What an engine is less sure of is shown as uncertain. */
const SURE = 0.6

/** @param answer as the engine gave it @throws TranscriberError when it is no UTF-8 */
export function transcriptOf(
  answer: Uint8Array | string,
  { confidence, engine }: Pick<Transcript, 'confidence' | 'engine'>,
): Transcript {
  const text = (typeof answer === 'string' ? answer : decoded(answer))
    .normalize('NFC')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS)
    .toWellFormed()
  return { text, confidence, uncertain: confidence === null || confidence < SURE, engine }
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new TranscriberError('not_text')
  }
}

/** The telephone company cuts messages at two minutes: nothing is waited for longer because it says another length. */
const MOST_SECONDS = 150

/** How long an engine may take: three times the length and half a minute, so at most 8 minutes. */
export function limitMs(seconds: number): number {
  return (3 * Math.min(Math.max(seconds, 0), MOST_SECONDS) + 30) * 1_000
}

/** Runs `work` until it ends, the limit is over or the relay stops. @throws TranscriberError `timeout` or `stopped` */
export async function withinLimit<T>(
  { clock, seconds, stopped }: { clock: Clock; seconds: number; stopped: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = timeLimit(clock, limitMs(seconds), stopped)
  try {
    return await work(limit.signal)
  } catch (error) {
    if (stopped.aborted) throw new TranscriberError('stopped')
    if (limit.isOver()) throw new TranscriberError('timeout')
    throw error
  } finally {
    limit.end()
  }
}
