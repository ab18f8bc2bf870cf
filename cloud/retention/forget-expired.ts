// Deletes answers under an Idempotency-Key, codes and sessions once they have expired, and mail, text messages and alerts that are old: in the background, not during a request.
import type { AlertStore } from '#cloud/storage/alert-store.ts'
import type { ClaimStore } from '#cloud/storage/claim-store.ts'
import type { CodeStore } from '#cloud/storage/code-store.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { DeviceSignInStore } from '#cloud/storage/device-sign-in-store.ts'
import type { IdempotencyStore } from '#cloud/storage/idempotency-store.ts'
import type { NoticeStore } from '#cloud/storage/notice-store.ts'
import {
  type LoginSessionStore,
  IDLE_MS as SESSION_IDLE_MS,
  LONGEST_MS as SESSION_LONGEST_MS,
} from '#cloud/storage/session-store.ts'
import type { SignInTryStore } from '#cloud/storage/sign-in-try-store.ts'
import type { TextStore } from '#cloud/storage/text-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { Sweeps } from '#shared/rounds.ts'
import { BELIEVED_MS } from './deletion-clock.ts'

const HOUR_MS = 3_600_000
/** Rows deleted in one commit: a few milliseconds, so that no order waits long. */
const PIECE = 200
/** So long it can be asked whether a message left, and what was wrong. */
const NOTICE_DAYS = 30

export interface ForgetExpiredDeps {
  db: RelayDatabase
  claims: ClaimStore
  idempotency: IdempotencyStore
  codes: CodeStore
  deviceSignIns: DeviceSignInStore
  signInTries: SignInTryStore
  logins: LoginSessionStore
  notices: NoticeStore
  texts: TextStore
  alerts: AlertStore
  clock: Clock
  log: Logger
}

export class ForgetExpired extends Sweeps<ForgetExpiredDeps> {
  constructor(deps: ForgetExpiredDeps) {
    super(deps, { everyMs: HOUR_MS, failed: 'expired answers, codes and sessions, or old mail, could not be deleted' })
  }

  /** One pass over everything that has expired or is old. */
  override async sweep(): Promise<void> {
    const { db, claims, idempotency, codes, deviceSignIns, signInTries, logins, notices, texts, alerts, clock } =
      this.deps
    // Expired rows are never returned, so they may stay a while: a clock that is wrong within the accepted range deletes nothing that counts.
    const beforeMs = clock.now() - BELIEVED_MS
    for (const rows of [idempotency, codes, deviceSignIns, signInTries])
      while (!this.stopping && (await rows.hasExpired(beforeMs))) await db.unit((tx) => rows.prune(tx, beforeMs, PIECE))
    if (await claims.hasExpired(beforeMs)) await db.unit((tx) => claims.sweep(tx, beforeMs))
    const ended = { seenMs: beforeMs - SESSION_IDLE_MS, createdMs: beforeMs - SESSION_LONGEST_MS }
    while (!this.stopping && (await logins.hasEnded(ended))) await db.unit((tx) => logins.prune(tx, ended, PIECE))
    const oldMs = clock.now() - NOTICE_DAYS * 24 * HOUR_MS
    for (const rows of [notices, texts, alerts])
      while (!this.stopping && (await rows.hasOlder(oldMs))) await db.unit((tx) => rows.prune(tx, oldMs, PIECE))
  }
}
