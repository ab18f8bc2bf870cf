// Holds the stream of a listener open, hands its deliveries to a target, and reports what came of them: each number once, over every loss.
import * as z from 'zod/mini'
import { fullJitterMs } from '#shared/backoff.ts'
import { EXIT, LineError } from '#shared/cli/command.ts'
import type { Clock } from '#shared/clock.ts'
import type { DeliveryDetail } from '#shared/sdk/api.ts'
import { type ConnectionOptions, call, outcomeOf } from '#shared/sdk/call.ts'
import { AuthError, NotFoundError, TicketrailError, ValidationError } from '#shared/sdk/error.ts'
import { smallAnswer } from '#shared/small-answer.ts'
import type { CreatedListener, StreamDelivery, StreamMessages } from '#shared/wire/api/listeners.ts'
import type { AttemptResult, ListenJournal } from './listen-journal.ts'
import { streamMessages } from './stream-messages.ts'

export interface ListenerOptions {
  /** Includes clock and random. */
  connection: ConnectionOptions
  clock: Clock
  random: () => number
  journal: ListenJournal
  /** Settings of a new listener. */
  wanted: { merchantId: string; events?: string[]; like?: string; label?: string }
  /** The signal ends it: whether it arrived is not known then. */
  target: (delivery: StreamDelivery, over: AbortSignal) => Promise<AttemptResult>
  /** Called for each attempt after the target has answered. */
  onAttempt: (delivery: StreamDelivery, result: AttemptResult) => void
  onReady: (listener: { webhookId: string; secret: string | null; waiting: number }) => void
  onLost: (why: string) => void
  /** Nothing of the target is there to take an event. */
  onAway: (away: Away) => void
}

/**
 * `held`: the target is away, and events wait for it. `missed`: an event failed that was held or broken off for too long; of those that were held,
 * the first. `back`: the target answers again; `missed` events failed meanwhile.
 */
export type Away = { webhookId: string; sinceMs: number } & (
  | { kind: 'held'; error: string }
  | { kind: 'missed' }
  | { kind: 'back'; missed: number }
)

/** Beats come every 10 s. */
const SILENCE_MS = 25_000
const BACKOFF = { firstMs: 250, maxMs: 10_000 }
/** Number of reported attempts to remember. The relay repeats none of them, unless its answer was lost. */
const REMEMBERED = 1_000
/** An event did not reach the target: it is tried again for so long, counted from the first that did not. */
export const HELD_MS = 15 * 60_000
/** A target that breaks off one event so often in a row does so each time. A kill of this program is not its fault, and is not counted. */
const MOST_AGAIN = 10
/** Short: whoever restarts a program waits for it. */
const HELD_BACKOFF = { firstMs: 250, maxMs: 2_000 }
/** Of the target: not one byte reached a program. */
const NOT_ARRIVED = ['refused', 'dns', 'unreachable']
/** A stream that lived for so long was a good one: the next try comes at once. */
const GOOD_STREAM_MS = 10_000
/** At the end, results on their way may take so long. */
const LAST_RESULTS_MS = 3_000

type End = 'lost' | StreamMessages['bye']['reason']

export class Listener {
  readonly #options: ListenerOptions
  /** By delivery and number. Null: the target has not answered yet. */
  readonly #attempts = new Map<string, AttemptResult | null>()
  /** How often in a row an attempt of this delivery was broken off. */
  readonly #broken = new Map<string, number>()
  readonly #busy = new Set<Promise<void>>()
  /** Aborted when it ends: what waits for a retry is left to the next run. */
  readonly #ending = new AbortController()
  /** Aborted when it has ended: nothing may keep the process running. */
  readonly #over = new AbortController()
  #webhookId: string | null
  /** Since when the target is away, on both clocks, and what failed meanwhile. */
  #away: { sinceMs: number; monotonicMs: number; missed: number } | null = null

  constructor(options: ListenerOptions) {
    this.#options = options
    this.#webhookId = options.journal.listener?.webhookId ?? null
    for (const { key, result } of options.journal.leftOver()) this.#attempts.set(key, result)
  }

  /** What the life before has reported does not come again: it is over. @throws TicketrailError where the relay cannot say it now */
  async #settleLeftOver(signal: AbortSignal): Promise<void> {
    const { connection, journal, wanted } = this.#options
    for (const { key } of journal.leftOver()) {
      const [deliveryId = '', number = ''] = key.split(':')
      const query = new URLSearchParams({ merchantId: wanted.merchantId })
      try {
        const path = `/v1/webhook/delivery/${deliveryId}?${query}`
        const { attempts } = (await call(connection, { method: 'GET', path }, { signal })) as DeliveryDetail
        if (!attempts.some((attempt) => attempt.number === Number(number))) continue
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error
      }
      journal.recorded(key)
    }
  }

  /**
   * Runs until the signal aborts. @throws LineError if another program took over the listener; AuthError; any error of the first connection
   */
  async run(stopped: AbortSignal): Promise<void> {
    try {
      await this.#listen(stopped)
    } finally {
      this.#ending.abort()
      const done = new AbortController()
      void Promise.all(this.#busy).then(() => done.abort())
      await this.#options.clock.sleep(LAST_RESULTS_MS, done.signal)
      this.#over.abort()
    }
  }

  async #listen(stopped: AbortSignal): Promise<void> {
    const { clock, onLost, random } = this.#options
    let isSettled = false
    let wasReady = false
    for (let tries = 0; !stopped.aborted; ) {
      let retryAfterMs = 0
      try {
        if (!isSettled) await this.#settleLeftOver(stopped)
        isSettled = true
        this.#webhookId ??= await this.#make(stopped)
        const webhookId = this.#webhookId
        const beganMs = clock.monotonicMs()
        const end = await this.#stream(webhookId, stopped, () => {
          wasReady = true
        })
        if (clock.monotonicMs() - beganMs >= GOOD_STREAM_MS) tries = 0
        if (end === 'replaced')
          throw new LineError('Another program listens in place of this one: the same line was started again.')
        if (end === 'deleted') this.#webhookId = null
        // The next connection is told why, or reaches another relay. One that ends so again and again is not to be asked without a pause.
        if (end !== 'lost' && tries === 0) {
          tries = 1
          continue
        }
        if (end === 'lost' && !stopped.aborted) onLost('The stream was lost')
      } catch (error) {
        if (stopped.aborted) break
        if (!(error instanceof TicketrailError) || error instanceof AuthError) throw error
        if (error instanceof NotFoundError && this.#webhookId !== null) {
          this.#webhookId = null
          continue
        }
        if (!wasReady && error.status !== 429 && error.status !== 503) throw error
        retryAfterMs = (error.retryAfter ?? 0) * 1_000
        onLost(error.message)
      }
      await clock.sleep(retryAfterMs + fullJitterMs(tries++, { ...BACKOFF, random }), stopped)
    }
  }

  async #make(signal: AbortSignal): Promise<string> {
    const { connection, wanted, journal } = this.#options
    const made = (await call(
      connection,
      { method: 'POST', path: '/v1/webhook/listener', body: wanted },
      { signal },
    )) as CreatedListener
    journal.listens({ webhookId: made.webhookId, secret: made.secret })
    return made.webhookId
  }

  /** One connection. @returns how it ended. @throws TicketrailError if it was refused */
  async #stream(webhookId: string, stopped: AbortSignal, onReady: () => void): Promise<End> {
    const { connection, clock, journal } = this.#options
    const { apiKey, baseUrl, fetch = globalThis.fetch } = connection
    const silent = new AbortController()
    const signal = AbortSignal.any([stopped, silent.signal])
    const onSilence = () => silent.abort()
    const cancel = clock.after(SILENCE_MS, onSilence)
    try {
      const answer = await fetch(`${baseUrl}/v1/webhook/${webhookId}/stream`, {
        headers: { authorization: `Bearer ${apiKey}`, accept: 'text/event-stream' },
        redirect: 'manual',
        signal,
      })
      cancel()
      if (answer.status !== 200 || answer.body === null)
        throw outcomeOf(answer, (await smallAnswer(answer)) ?? new Uint8Array()).error
      for await (const { event, data } of streamMessages(answer.body, { clock, ms: SILENCE_MS, onSilence })) {
        if (event === 'ready') {
          onReady()
          const { waiting } = JSON.parse(data) as StreamMessages['ready']
          this.#options.onReady({ webhookId, secret: journal.listener?.secret ?? null, waiting })
        } else if (event === 'delivery') this.#take(webhookId, deliveryOf(data))
        else if (event === 'bye') return (JSON.parse(data) as StreamMessages['bye']).reason
      }
      return 'lost'
    } catch (error) {
      if (error instanceof TicketrailError) throw error
      return 'lost'
    } finally {
      cancel()
      silent.abort()
    }
  }

  /** The relay repeats an attempt until it has a result. Only an attempt that was never begun is passed to the target. */
  #take(webhookId: string, delivery: StreamDelivery): void {
    const key = `${delivery.deliveryId}:${delivery.number}`
    const known = this.#attempts.get(key)
    if (known === null) return
    const work = known === undefined ? this.#attempt(webhookId, key, delivery) : this.#report(webhookId, key, known)
    this.#busy.add(work)
    void work.finally(() => this.#busy.delete(work))
  }

  async #attempt(webhookId: string, key: string, delivery: StreamDelivery): Promise<void> {
    const { clock, random, onAttempt, onAway, journal } = this.#options
    this.#attempts.set(key, null)
    const broken = this.#broken.get(delivery.deliveryId) ?? 0
    if (broken > 0) await clock.sleep(fullJitterMs(broken - 1, { ...BACKOFF, random }), this.#ending.signal)
    const result = await this.#post(webhookId, key, delivery)
    if (result === null) return
    if (isBroken(result)) this.#broken.set(delivery.deliveryId, broken + 1)
    else this.#broken.delete(delivery.deliveryId)
    journal.answered(key, result)
    onAttempt(delivery, result)
    await this.#report(webhookId, key, result)
    if (!isBroken(result) || broken < MOST_AGAIN) return
    this.#broken.delete(delivery.deliveryId)
    onAway({ kind: 'missed', webhookId, sinceMs: clock.now() })
  }

  /**
   * While the target is away, the attempt is held and tried again: nothing of it has arrived, so it stays the same attempt, and the later events
   * of its order stay behind it. @returns null when this program ended before it had an answer
   */
  async #post(webhookId: string, key: string, delivery: StreamDelivery): Promise<AttemptResult | null> {
    const { clock, random, journal, target, onAway } = this.#options
    for (let tries = 0; !this.#ending.signal.aborted; tries++) {
      journal.begun(key)
      const result = await target(delivery, this.#over.signal)
      // Whether it arrived is not known: the next life says so.
      if (this.#over.signal.aborted) return null
      if (!hasNotArrived(result)) {
        const before = this.#away
        this.#away = null
        if (before !== null) onAway({ kind: 'back', webhookId, sinceMs: before.sinceMs, missed: before.missed })
        return result
      }
      // To the next life it is an attempt that was never begun.
      journal.recorded(key)
      if (this.#away === null) {
        this.#away = { sinceMs: clock.now(), monotonicMs: clock.monotonicMs(), missed: 0 }
        onAway({ kind: 'held', webhookId, sinceMs: this.#away.sinceMs, error: result.error })
      }
      if (clock.monotonicMs() - this.#away.monotonicMs >= HELD_MS) {
        this.#away.missed += 1
        if (this.#away.missed === 1) onAway({ kind: 'missed', webhookId, sinceMs: this.#away.sinceMs })
        return result
      }
      await clock.sleep(fullJitterMs(tries, { ...HELD_BACKOFF, random }), this.#ending.signal)
    }
    this.#attempts.delete(key)
    return null
  }

  /**
   * Until the relay has it, or does not want it any more. One that was broken off may have arrived or not: with its result the relay is asked for
   * the next attempt, before the later events of its order. Never throws: the stream goes on whatever becomes of it.
   */
  async #report(webhookId: string, key: string, result: AttemptResult): Promise<void> {
    const { journal, onLost } = this.#options
    this.#attempts.set(key, null)
    const [deliveryId = '', number = ''] = key.split(':')
    const path = `/v1/webhook/${webhookId}/result`
    const { response, ...outcome } = { response: undefined, ...result }
    const goesAgain = isBroken(result) && (this.#broken.get(deliveryId) ?? 0) <= MOST_AGAIN
    const bare = { deliveryId, number: Number(number), ...outcome, ...(goesAgain && { again: true }) }
    let told = await this.#insist(path, { ...bare, ...(response !== undefined && { response }) })
    // One that is never taken would come again for ever, and the events of its order wait behind it.
    if (isRefused(told) && response !== undefined) told = await this.#insist(path, bare)
    if (isRefused(told)) onLost(`A result was not taken: ${told.message}`)
    if (told !== 'ended') journal.recorded(key)
    this.#remember(key, result)
  }

  /** Repeats until the relay has answered. @returns its refusal, or `ended` if the program ended first */
  async #insist(path: string, body: object): Promise<'taken' | 'ended' | TicketrailError> {
    const { connection, clock, random } = this.#options
    for (let tries = 0; ; tries++) {
      try {
        await call(connection, { method: 'POST', path, body }, { signal: this.#over.signal })
        return 'taken'
      } catch (error) {
        if (this.#over.signal.aborted) return 'ended'
        if (!(error instanceof TicketrailError)) throw error
        if (error.status >= 400 && error.status < 500 && ![408, 429].includes(error.status)) return error
      }
      if (!this.#ending.signal.aborted)
        await clock.sleep(fullJitterMs(tries, { ...BACKOFF, random }), this.#ending.signal)
      if (this.#ending.signal.aborted) return 'ended'
    }
  }

  #remember(key: string, result: AttemptResult): void {
    this.#attempts.delete(key)
    this.#attempts.set(key, result)
    for (const [old, known] of this.#attempts) {
      if (this.#attempts.size <= REMEMBERED) break
      if (known !== null) this.#attempts.delete(old)
    }
  }
}

const streamDelivery = z.object({
  deliveryId: z.string(),
  number: z.int(),
  eventId: z.string(),
  type: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
})

/** @throws Error when it is none */
function deliveryOf(data: string): StreamDelivery {
  const delivery = streamDelivery.parse(JSON.parse(data))
  JSON.parse(delivery.body)
  return delivery
}

/** The body breaks a rule; not that it came too late, which is no fault. */
function isRefused(told: 'taken' | 'ended' | TicketrailError): told is ValidationError {
  return told instanceof ValidationError
}

/** The target cut the connection: it may have taken the event or not. */
function isBroken(result: AttemptResult): boolean {
  return 'error' in result && result.error === 'reset'
}

function hasNotArrived(result: AttemptResult): result is AttemptResult & { error: string } {
  return 'error' in result && NOT_ARRIVED.includes(result.error)
}

/** @throws LineError for what is no address, and for a target on another machine */
export function targetOf(typed: string, allowRemote: boolean): string {
  const text = /^\d+(\/|$)/.test(typed) ? `localhost:${typed}` : typed
  const full = text.includes('://') ? text : `http://${text}`
  if (!URL.canParse(full)) throw new LineError(`"${typed}" is no address, such as localhost:3000/webhooks`, EXIT.usage)
  const { hostname, protocol } = new URL(full)
  if (!/^https?:$/.test(protocol))
    throw new LineError(`"${typed}" begins with ${protocol}//: events are posted by http or https.`, EXIT.usage)
  const isHere = isThisMachine(hostname)
  if (!isHere && !allowRemote)
    throw new LineError(
      `${hostname} is another machine: events hold customers' data. Add --allow-remote if you mean it.`,
      EXIT.usage,
    )
  return full
}

export function isThisMachine(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
