// Sends the outbox of text messages. After a time-out the telephone company is asked whether the message left: it cannot recognise a repetition.

import { type MessageAttempt, type MessageOutcome, MessageWorker } from '#cloud/outbox/message-worker.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { ClaimedText, TextStore } from '#cloud/storage/text-store.ts'
import { hookAddress } from '#cloud/telephony/hook-address.ts'
import { type Telephony, TelephonyError } from '#cloud/telephony/telephony.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import type { PhoneNumberId, TextId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { timeLimit } from '#shared/time-limit.ts'
import { isUnsubscribed } from './optout-words.ts'
import { tailOf } from './phone-number.ts'

export interface TextWorkerDeps {
  db: RelayDatabase
  texts: TextStore
  secretBox: SecretBox
  telephony: Pick<Telephony, 'provider' | 'sendText' | 'findTexts'>
  /** The address of a number's hooks, without the step. */
  hooks: (numberId: PhoneNumberId) => string
  clock: Clock
  random: () => number
  log: Logger
}

/** Delays between attempts, in seconds; the last is repeated until the message is too late. */
export const TEXT_RETRY_SECONDS = [15, 60, 300] as const
const SEND_MS = 20_000
const FIND_MS = 10_000
/** Clocks of telephone companies and ours may differ so much. */
const CLOCKS_DIFFER_MS = 5_000

export class TextWorker extends MessageWorker<TextId, ClaimedText> {
  constructor(deps: TextWorkerDeps) {
    super(deps, {
      rows: deps.texts,
      retrySeconds: TEXT_RETRY_SECONDS,
      atOnce: 4,
      sends: deps.telephony.provider !== 'simulator',
      send: (text, attempt) => sendText(deps, text, attempt),
      lookUp: (text, stopped) => lookUpInterrupted(deps, text, stopped),
      words: {
        what: 'text messages',
        id: 'textId',
        tooLate: 'text messages were too late and are not sent any more',
        interrupted: 'a relay ended while it sent text messages: it is not known whether they left',
        kept: 'telephony is simulated: text messages are kept, the dashboard shows them',
        sent: 'a text message was sent',
        notSent: 'a text message was not sent',
      },
    })
  }
}

async function sendText(
  deps: TextWorkerDeps,
  text: ClaimedText,
  { begin, stopped }: MessageAttempt,
): Promise<MessageOutcome> {
  const { texts, secretBox, telephony, hooks, clock } = deps
  const opened = openedText(secretBox, text)
  if (opened === null) return { kind: 'refused', error: 'not_readable' }
  const sender = await texts.sender(text.merchant_id, telephony.provider)
  // A number may be wired soon.
  if (sender === null) return { kind: 'later', error: 'no_number' }
  const statusUrl = hookAddress(hooks(sender.id), 'sms', { text: text.id })
  const leaving = { id: text.id, from: sender.e164, ...opened, statusUrl }
  const sinceMs = clock.now() - CLOCKS_DIFFER_MS
  const progress = { hasBegun: false, isOptedOut: false }
  const mayBegin = async (): Promise<boolean> => {
    // Somebody may have written STOP since it was queued.
    progress.isOptedOut = await texts.isOptedOut(text.merchant_id, text.to_mac)
    if (progress.isOptedOut) return false
    progress.hasBegun = await begin()
    return progress.hasBegun
  }
  const limit = timeLimit(clock, SEND_MS, stopped)
  try {
    const sent = await telephony.sendText(leaving, { begin: mayBegin, signal: limit.signal })
    if (sent !== null) return { kind: 'sent', providerId: sent.providerId }
    return progress.isOptedOut ? { kind: 'dropped', error: 'opted_out' } : { kind: 'lost' }
  } catch (error) {
    if (!progress.hasBegun) return stopped.aborted ? { kind: 'stopped' } : { kind: 'later', error: reasonOf(error) }
    return afterError(deps, { text, leaving, sinceMs }, error)
  } finally {
    limit.end()
  }
}

interface Leaving {
  text: ClaimedText
  leaving: { from: string; to: string; text: string }
  sinceMs: number
}

/** Its request was written. An error that the seam does not know says nothing of what the company has done. */
async function afterError(deps: TextWorkerDeps, of: Leaving, error: unknown): Promise<MessageOutcome> {
  if (!(error instanceof TelephonyError) || error.isUncertain) return lookedUp(deps, of, reasonOf(error))
  if (error.isTransient) return { kind: 'later', error: error.reason }
  // The company keeps a list of its own.
  if (isUnsubscribed(error.reason)) {
    await rememberOptout(deps, of)
    return { kind: 'dropped', error: 'opted_out' }
  }
  return { kind: 'refused', error: error.reason }
}

async function lookedUp(deps: TextWorkerDeps, { leaving, sinceMs }: Leaving, error: string): Promise<MessageOutcome> {
  // Also while the relay stops: within the time that it has for that.
  const limit = timeLimit(deps.clock, FIND_MS)
  try {
    const providerId = await found(deps, { ...leaving, sinceMs }, limit.signal)
    // None now may still be one in a moment: that does not make it safe to send.
    return providerId === null ? { kind: 'uncertain', error } : { kind: 'sent', providerId }
  } catch {
    return { kind: 'uncertain', error }
  } finally {
    limit.end()
  }
}

/** It was sent, or was about to be, when its relay ended. */
async function lookUpInterrupted(
  deps: TextWorkerDeps,
  text: ClaimedText,
  stopped: AbortSignal,
): Promise<Exclude<MessageOutcome, { kind: 'lost' }>> {
  const { texts, secretBox, telephony, clock } = deps
  const unknown: { kind: 'uncertain'; error: string } = { kind: 'uncertain', error: 'interrupted' }
  const opened = openedText(secretBox, text)
  const sender = await texts.sender(text.merchant_id, telephony.provider)
  if (opened === null || sender === null) return unknown
  const limit = timeLimit(clock, FIND_MS, stopped)
  try {
    const sinceMs = text.created_at - CLOCKS_DIFFER_MS
    const providerId = await found(deps, { from: sender.e164, ...opened, sinceMs }, limit.signal)
    return providerId === null ? unknown : { kind: 'sent', providerId }
  } catch (error) {
    if (stopped.aborted) return { kind: 'stopped' }
    const isTransient = limit.isOver() || !(error instanceof TelephonyError) || error.isTransient
    return isTransient ? { kind: 'later', error: reasonOf(error) } : unknown
  } finally {
    limit.end()
  }
}

/** The company's id. Null: it has none that is not another message of ours with the same words. @throws TelephonyError */
async function found(
  { texts, telephony }: TextWorkerDeps,
  { from, to, text, sinceMs }: { from: string; to: string; text: string; sinceMs: number },
  signal: AbortSignal,
): Promise<string | null> {
  return texts.firstOfNone(await telephony.findTexts({ from, to, text, sinceMs }, signal))
}

async function rememberOptout({ db, texts, clock }: TextWorkerDeps, { text, leaving }: Leaving): Promise<void> {
  const { merchant_id, to_mac } = text
  const optout = { merchant_id, to_mac, tail: tailOf(leaving.to), source: 'provider' as const, created_at: clock.now() }
  await db.unit((tx) => texts.optOut(tx, optout))
}

/** Null: it was sealed under another master key. */
export function openedText(
  box: SecretBox,
  { to_enc, text_enc }: Pick<ClaimedText, 'to_enc' | 'text_enc'>,
): { to: string; text: string } | null {
  try {
    return { to: box.open(to_enc), text: box.open(text_enc) }
  } catch {
    return null
  }
}

function reasonOf(error: unknown): string {
  return error instanceof TelephonyError ? error.reason : 'connection'
}
