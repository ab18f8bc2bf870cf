// Operations on mail that leaves the relay, and on what else waits to leave it: their inputs and what they answer.
import { z } from 'zod'
import type { NoticeKind } from '#cloud/notices/notice-kinds.ts'
import { emailField, languageField } from '#cloud/people/email.ts'
import type { AccountId, NoticeId } from '#shared/ids.ts'
import { idField } from './input-fields.ts'
import { changes, reads } from './operation.ts'

export const NOTICE_STATES = ['queued', 'sending', 'sent', 'failed', 'uncertain', 'kept', 'dropped'] as const
export type NoticeState = (typeof NOTICE_STATES)[number]

const limit = z.number().int().min(1).max(500).default(50)

export const NOTICE_OPERATIONS = {
  'notices.list': reads('Mail to the people of the account, newest first', z.strictObject({ limit }), 'govern'),
  'op.outbox': reads(
    'What waits to leave this relay, and mail that did not leave, newest first',
    z.strictObject({
      /** Without it, all mail that was not sent. */
      state: z.enum(NOTICE_STATES).optional(),
      limit,
    }),
    'operator',
  ),
  'op.read-mail': changes(
    'Read a mail that is kept here, to hand it on: whoever reads a code may sign in with it',
    z.strictObject({ noticeId: idField('ntc', 'a mail') }),
    { right: 'operator', stepUp: true, isSecret: true },
  ),
  'op.test-mail': changes(
    'Send a mail that says nothing but that mail arrives',
    z.strictObject({ to: emailField, language: languageField.default('en') }),
    'operator',
  ),
}

export interface NoticeAnswer {
  noticeId: NoticeId
  kind: NoticeKind
  /** Null: it cannot be read under this master key. */
  to: string | null
  subject: string | null
  state: NoticeState
  /** A class such as `timeout` or `smtp_550`; null: nothing went wrong. */
  error: string | null
  attempts: number
  createdAt: string
  /** When it is tried next; null: never. */
  nextAt: string | null
  settledAt: string | null
}

export interface OperatorNotice extends NoticeAnswer {
  /** Null: it is a person's own, or the operator's. */
  accountId: AccountId | null
  /** Only at the operator's command line, of one that is kept because no mail server is set up. People read it with `op.read-mail`. */
  text: string | null
}

export interface ReadMailAnswer {
  noticeId: NoticeId
  to: string
  subject: string
  text: string
}

export interface OutboxAnswer {
  /** False: no mail server is set up, and mail is kept. */
  sendsMail: boolean
  mail: Record<NoticeState, number>
  /** Of a state with so many there may be more. */
  mailCountedTo: number
  /** When the mail was written that waits longest. */
  mailWaitsSince: string | null
  notices: OperatorNotice[]
  /** Text messages, counted as mail is. */
  texts: Record<NoticeState, number>
  textsWaitSince: string | null
  /** Deliveries that wait for a first attempt, and for another; how long the one is due that is due longest. */
  webhooks: { pending: number; retrying: number; oldestDueMs: number }
  /** Changes that platforms, and messages that points of sale, have not taken. At most 10,000 are counted. */
  channels: number
  pos: number
}

export interface NoticeAnswers {
  'notices.list': NoticeAnswer[]
  'op.outbox': OutboxAnswer
  'op.read-mail': ReadMailAnswer
  'op.test-mail': { noticeId: NoticeId }
}
