// Sends mail or text messages. Their receivers cannot recognise a repetition: what may have been accepted is never sent again automatically.
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { MessageEnd, MessageRows } from '#cloud/storage/message-rows.ts'
import type { Service } from '#shared/service.ts'
import type { Signal } from '#shared/signal.ts'
import { type AfterAttempt, Outbox, type OutboxDeps, type Outcome } from './outbox.ts'

/**
 * - `sent`: the receiver has accepted it
 * - `later`: it has not, and may accept it another time
 * - `refused`: it will never accept it
 * - `dropped`: it is not wanted any more
 * - `uncertain`: it got the message, and it is not known whether it has accepted it
 * - `stopped`: we ended the attempt before anything was sent
 * - `lost`: `begin` returned false
 *
 * `error`: a class such as `timeout` or `smtp_550`, never text from outside, which may contain the address.
 */
export type MessageOutcome =
  | { kind: 'sent'; providerId?: string }
  | { kind: 'later' | 'refused' | 'uncertain' | 'dropped'; error: string }
  | { kind: 'stopped' }
  | { kind: 'lost' }

export interface MessageAttempt {
  /** Called once, just before the first byte of the message is given away. False: do not. */
  begin: () => Promise<boolean>
  stopped: AbortSignal
}

interface Claimed {
  id: string
  kind: string
  attempts: number
  expires_at: number
  /** A relay ended while it sent it: it is only asked what became of it. */
  isInterrupted?: boolean
}

export interface MessageKind<Id extends string, Item extends Claimed & { id: Id }> {
  rows: MessageRows<Id, Item> & { changed: Signal }
  /** Delays between attempts, in seconds; the last is repeated until the message is too late. */
  retrySeconds: readonly number[]
  /** Messages on their way at a time. */
  atOnce: number
  /** False: nothing is set up that sends, and whatever is due is kept to be read. */
  sends: boolean
  /** One attempt. Never rejects. */
  send: (item: Item, attempt: MessageAttempt) => Promise<MessageOutcome>
  /**
   * Asks the receiver what became of one that a relay was sending when it died: `sent`, `later` (ask again), or else it stays uncertain.
   * Never rejects. Absent: there is nobody to ask.
   */
  lookUp?: (item: Item, stopped: AbortSignal) => Promise<Exclude<MessageOutcome, { kind: 'lost' }>>
  /** For the log. */
  words: {
    /** In the plural. */
    what: string
    tooLate: string
    interrupted: string
    kept: string
    sent: string
    notSent: string
    /** The name of the id. */
    id: string
  }
}

/** Twice as long as an attempt may last. */
const LEASE_MS = 120_000
/** Between two questions about a message whose fate is not known. */
const LOOK_AGAIN_MS = 300_000

type Done = Outcome & { kind: MessageOutcome['kind']; providerId: string | null }

export class MessageWorker<Id extends string, Item extends Claimed & { id: Id }> implements Service {
  readonly #deps: OutboxDeps & { db: RelayDatabase }
  readonly #kind: MessageKind<Id, Item>
  readonly #outbox: Outbox<Item, Done>
  #underWay = 0

  constructor(deps: OutboxDeps & { db: RelayDatabase }, kind: MessageKind<Id, Item>) {
    this.#deps = deps
    this.#kind = kind
    const { rows } = kind
    this.#outbox = new Outbox(deps, {
      what: kind.words.what,
      rows,
      changed: rows.changed,
      sweepMs: 2_000,
      leaseMs: LEASE_MS,
      drainMs: 5_000,
      retrySeconds: kind.retrySeconds,
      neverGivesUp: true,
      pass: () => this.#pass(),
      numberOf: ({ attempts }) => attempts,
      send: (item, stopped) => this.#send(item, stopped),
      settle: (item, done, follows) => this.#settle(item, done, follows),
      release: ({ id }) => rows.release([id]),
      ended: () => {
        this.#underWay -= 1
      },
      idsOf: (item) => this.#idsOf(item),
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
    const { db, log } = this.#deps
    const { rows, atOnce, sends, words, lookUp } = this.#kind
    const looksUp = sends && lookUp !== undefined
    const limit = atOnce - this.#underWay
    if (limit <= 0 || !(await rows.hasDue(await this.#outbox.look()))) return
    const { over, kept, interrupted, claimed } = await this.#outbox.claim((times) =>
      db.unit(async (tx) => ({
        over: await rows.endOverdue(tx, times.nowMs, { looksUp }),
        kept: sends ? 0 : await rows.keep(tx, times.nowMs),
        interrupted: looksUp ? await rows.claimInterrupted(tx, { ...times, limit: 1 }) : [],
        claimed: sends ? await rows.claim(tx, { ...times, limit }) : [],
      })),
    )
    if (over.dropped > 0) log.warn({ count: over.dropped }, words.tooLate)
    if (over.uncertain > 0) log.warn({ count: over.uncertain }, words.interrupted)
    if (kept > 0) log.info({ count: kept }, words.kept)
    const begun = [...interrupted.map((item) => ({ ...item, isInterrupted: true })), ...claimed]
    for (const item of begun) {
      this.#underWay += 1
      this.#outbox.begin(item)
    }
    // There may be more.
    if (begun.length > 0) this.#outbox.wake()
  }

  async #send(item: Item, stopped: AbortSignal): Promise<Done | null> {
    const { db } = this.#deps
    const { rows, send, lookUp } = this.#kind
    if (item.isInterrupted && lookUp !== undefined) return doneOf(await lookUp(item, stopped))
    const outcome = await send(item, { begin: () => db.unit((tx) => rows.beginSending(tx, item)), stopped })
    return outcome.kind === 'lost' ? null : doneOf(outcome)
  }

  async #settle(item: Item, done: Done, { next, nowMs }: AfterAttempt): Promise<void> {
    const { db, log } = this.#deps
    const { rows, words } = this.#kind
    const end = item.isInterrupted
      ? endOfLook(done, nowMs, item.expires_at)
      : endOf(done, { next, nowMs }, item.expires_at)
    await db.unit((tx) => rows.settle(tx, item, end))
    const facts = { ...this.#idsOf(item), state: end.state, error: done.error }
    if (end.state === 'sent') log.info(facts, words.sent)
    else log.warn(facts, item.isInterrupted ? words.interrupted : words.notSent)
  }

  #idsOf({ id, kind, attempts }: Item) {
    return { [this.#kind.words.id]: id, kind, attempt: attempts }
  }
}

function endOf({ kind, providerId, ...done }: Done, { next, nowMs }: AfterAttempt, expiresAtMs: number): MessageEnd {
  if (next.state === 'delivered')
    return { state: 'sent', error: null, nowMs, ...(providerId !== null && { providerId }) }
  const error = done.error ?? ''
  if (kind === 'uncertain' || kind === 'dropped') return { state: kind, error, nowMs }
  if (next.state === 'failed') return { state: 'failed', error, nowMs }
  return next.nextAtMs < expiresAtMs
    ? { state: 'queued', error, nextAtMs: next.nextAtMs }
    : { state: 'dropped', error, nowMs }
}

/** It is never sent again, whatever comes of it. */
function endOfLook({ kind, providerId, error }: Done, nowMs: number, expiresAtMs: number): MessageEnd {
  if (kind === 'sent') return { state: 'sent', error: null, nowMs, ...(providerId !== null && { providerId }) }
  const nextAtMs = nowMs + LOOK_AGAIN_MS
  return kind === 'later' && nextAtMs < expiresAtMs
    ? { state: 'sending', error: error ?? '', nextAtMs }
    : { state: 'uncertain', error: 'interrupted', nowMs }
}

function doneOf(outcome: Exclude<MessageOutcome, { kind: 'lost' }>): Done {
  const { kind } = outcome
  return {
    kind,
    error: kind === 'sent' ? null : kind === 'stopped' ? 'stopped' : outcome.error,
    retryAfterMs: null,
    isFinal: kind === 'refused' || kind === 'uncertain' || kind === 'dropped',
    providerId: outcome.kind === 'sent' ? (outcome.providerId ?? null) : null,
  }
}
