// Mail that the relay sends, and other outboxes: for the account concerned, and for operators.
import type { NoticeKind } from '#cloud/notices/notice-kinds.ts'
import { type OpenedNotice, openedNotice } from '#cloud/notices/open-notice.ts'
import { writeNotice } from '#cloud/notices/write-notice.ts'
import { COUNTED_TO } from '#cloud/storage/message-rows.ts'
import type { ListedNotice } from '#cloud/storage/notice-store.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { isoOrNull, toIso } from '#shared/clock.ts'
import { accountOf } from './act.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { Handlers } from './handler.ts'
import { type NOTICE_OPERATIONS, NOTICE_STATES, type NoticeAnswer, type OperatorNotice } from './notice-list.ts'
import { requireSecretBox } from './secrets.ts'

const NOT_SENT = NOTICE_STATES.filter((state) => state !== 'sent')

export const NOTICE_HANDLERS: Pick<Handlers, keyof typeof NOTICE_OPERATIONS> = {
  'notices.list': async ({ notices, secretBox }, doing, { limit }) =>
    (await notices.list({ accountId: accountOf(doing), limit })).map((row) =>
      shown(row, openedIfAny(secretBox, row), doing.seesCustomers),
    ),

  'op.outbox': async (context, doing, { state, limit }) => {
    const { notices, texts, backlog, secretBox, clock, sendsMail = false } = context
    const rows = await notices.list({ accountId: null, states: state === undefined ? NOT_SENT : [state], limit })
    const { states, waitingSinceMs } = await notices.figures(NOTICE_STATES)
    const messages = await texts.figures(NOTICE_STATES)
    const { deliveries, oldestDeliveryMs } = await backlog.read(clock.now())
    return {
      sendsMail,
      mail: states,
      mailCountedTo: COUNTED_TO,
      mailWaitsSince: isoOrNull(waitingSinceMs),
      notices: rows.map((row) => forOperator(row, secretBox, doing.by === 'console')),
      texts: messages.states,
      textsWaitSince: isoOrNull(messages.waitingSinceMs),
      webhooks: { ...deliveries, oldestDueMs: oldestDeliveryMs },
      ...(await backlog.outside()),
    }
  },

  'op.read-mail': async (context, doing, { noticeId }) => {
    const row = await context.notices.find(doing.tx, noticeId)
    if (row === null)
      throw new ControlRefusal('not-found', `There is no mail ${noticeId}. It is deleted after 30 days.`, {
        said: { key: 'mail.unknown' },
      })
    if (row.state !== 'kept')
      throw new ControlRefusal(
        'refused',
        'Only mail that is kept here is read here: this one is on its way, or over.',
        {
          said: { key: 'mail.not-kept' },
        },
      )
    const opened = openedNotice(requireSecretBox(context), row)
    if (opened === null)
      throw new ControlRefusal('refused', 'This mail was sealed under another CLOUD_MASTER_KEY.', {
        said: { key: 'mail.sealed' },
      })
    const { subject, text } = opened
    // Operators do not see customers.
    const to = row.kind === 'order-ready' && !doing.seesCustomers ? '***' : opened.to
    return {
      answer: { noticeId, to, subject, text },
      audit: { accountId: row.account_id, action: 'mail.read', subject: noticeId, after: { kind: row.kind } },
    }
  },

  'op.test-mail': async (context, doing, { to, language }) => {
    const by = doing.by === 'person' ? doing.name : 'The operator of this relay'
    const noticeId = await writeNotice(
      doing.tx,
      { secretBox: requireSecretBox(context), clock: context.clock },
      { to, language, accountId: null, notice: { kind: 'test', values: { by } } },
    )
    return {
      answer: { noticeId },
      audit: { accountId: null, action: 'mail.test', subject: noticeId },
      wake: () => context.notices.changed.notify(),
    }
  },
}

/** Null: no master key is set, or it was sealed under another one. */
function openedIfAny(box: SecretBox | null, row: ListedNotice): OpenedNotice | null {
  return box === null ? null : openedNotice(box, row)
}

/** @param seesCustomers otherwise the address of a customer is hidden */
function shown(row: ListedNotice, opened: OpenedNotice | null, seesCustomers: boolean): NoticeAnswer {
  const isHidden = row.kind === 'order-ready' && !seesCustomers
  return {
    noticeId: row.id,
    // Written by `writeNotice` alone; one of an older release may have another.
    kind: row.kind as NoticeKind,
    to: isHidden && opened !== null ? '***' : (opened?.to ?? null),
    subject: opened?.subject ?? null,
    state: row.state,
    error: row.error,
    attempts: row.attempts,
    createdAt: toIso(row.created_at),
    nextAt: isoOrNull(row.next_at),
    settledAt: isoOrNull(row.settled_at),
  }
}

/** @param withText anybody who can open the admin socket can read everything here anyway */
function forOperator(row: ListedNotice, box: SecretBox | null, withText: boolean): OperatorNotice {
  const opened = openedIfAny(box, row)
  const text = withText && row.state === 'kept' ? (opened?.text ?? null) : null
  return { ...shown(row, opened, withText), accountId: row.account_id, text }
}
