// Sends the outbox of notices. A mail server cannot recognise a repetition: what may have been accepted is never sent again automatically.
import { type AfterAttempt, Outbox, type Outcome } from '#cloud/outbox/outbox.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { MessageEnd } from '#cloud/storage/message-rows.ts'
import type { ClaimedNotice, NoticeStore } from '#cloud/storage/notice-store.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import type { MailOutcome, MailTransport } from './mail-transport.ts'
import { openedNotice } from './open-notice.ts'

export interface MailWorkerDeps {
  db: RelayDatabase
  notices: NoticeStore
  secretBox: SecretBox
  /** Null: no mail server is set up. Whatever is due is kept, to be read by the operator. */
  mail: MailTransport | null
  clock: Clock
  random: () => number
  log: Logger
}

/** Delays between attempts, in seconds; the last is repeated until the notice is too late. */
export const MAIL_RETRY_SECONDS = [60, 300, 1_800, 7_200] as const
/** Twice as long as an attempt may last. */
const LEASE_MS = 120_000
/** A server of mail takes few connections of one sender. */
const AT_ONCE = 4

type MailDone = Outcome & { isUncertain: boolean }

export class MailWorker implements Service {
  readonly #deps: MailWorkerDeps
  readonly #outbox: Outbox<ClaimedNotice, MailDone>
  #underWay = 0

  constructor(deps: MailWorkerDeps) {
    const { notices } = deps
    this.#deps = deps
    this.#outbox = new Outbox(deps, {
      what: 'notices',
      rows: notices,
      changed: notices.changed,
      sweepMs: 2_000,
      leaseMs: LEASE_MS,
      drainMs: 5_000,
      retrySeconds: MAIL_RETRY_SECONDS,
      neverGivesUp: true,
      pass: () => this.#pass(),
      numberOf: ({ attempts }) => attempts,
      send: (notice, stopped) => this.#send(notice, stopped),
      settle: (notice, done, follows) => this.#settle(notice, done, follows),
      release: ({ id }) => notices.release([id]),
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
    const { db, notices, mail, log } = this.#deps
    const limit = AT_ONCE - this.#underWay
    if (limit <= 0 || !(await notices.hasDue(await this.#outbox.look()))) return
    const { over, kept, claimed } = await this.#outbox.claim((times) =>
      db.unit(async (tx) => ({
        over: await notices.endOverdue(tx, times.nowMs),
        kept: mail === null ? await notices.keep(tx, times.nowMs) : 0,
        claimed: mail === null ? [] : await notices.claim(tx, { ...times, limit }),
      })),
    )
    if (over.dropped > 0) log.warn({ count: over.dropped }, 'notices were too late and are not sent any more')
    if (over.uncertain > 0)
      log.warn({ count: over.uncertain }, 'a relay ended while it sent notices: it is not known whether they left')
    if (kept > 0) log.info({ count: kept }, 'no mail server is set up: notices are kept, admin notices list shows them')
    for (const notice of claimed) {
      this.#underWay += 1
      this.#outbox.begin(notice)
    }
    // There may be more.
    if (claimed.length > 0) this.#outbox.wake()
  }

  async #send(notice: ClaimedNotice, stopped: AbortSignal): Promise<MailDone | null> {
    const { db, notices, secretBox, mail } = this.#deps
    if (mail === null) return null
    const opened = openedNotice(secretBox, notice)
    if (opened === null) return { error: 'not_readable', retryAfterMs: null, isFinal: true, isUncertain: false }
    const outcome = await mail.send(
      { id: notice.id, ...opened },
      { begin: () => db.unit((tx) => notices.beginSending(tx, notice)), stopped },
    )
    return outcome.kind === 'lost' ? null : doneOf(outcome)
  }

  async #settle(notice: ClaimedNotice, done: MailDone, { next, nowMs }: AfterAttempt): Promise<void> {
    const { db, notices, log } = this.#deps
    const error = done.error ?? ''
    const end: MessageEnd =
      next.state === 'delivered'
        ? { state: 'sent', error: null, nowMs }
        : done.isUncertain
          ? { state: 'uncertain', error, nowMs }
          : next.state === 'failed'
            ? { state: 'failed', error, nowMs }
            : next.nextAtMs < notice.expires_at
              ? { state: 'queued', error, nextAtMs: next.nextAtMs }
              : { state: 'dropped', error, nowMs }
    await db.unit((tx) => notices.settle(tx, notice, end))
    const facts = { ...idsOf(notice), state: end.state, error: done.error }
    if (end.state === 'sent') log.info(facts, 'a notice was sent')
    else log.warn(facts, 'a notice was not sent')
  }
}

function idsOf({ id, kind, attempts }: ClaimedNotice) {
  return { noticeId: id, kind, attempt: attempts }
}

function doneOf(outcome: Exclude<MailOutcome, { kind: 'lost' }>): MailDone {
  const { kind } = outcome
  const error = kind === 'sent' ? null : kind === 'stopped' ? 'stopped' : outcome.error
  return {
    error,
    retryAfterMs: null,
    isFinal: kind === 'refused' || kind === 'uncertain',
    isUncertain: kind === 'uncertain',
  }
}
