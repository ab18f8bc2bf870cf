// Writes a mail into the outbox, in the transaction of the event that it reports: its text is made and sealed now, so that it does not change until it is sent.
import type { Tx } from '#cloud/storage/database.ts'
import { insertNotice, type NewNotice } from '#cloud/storage/notice-store.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import { type AccountId, type MerchantKey, type NoticeId, newId } from '#shared/ids.ts'
import { lastsMs, type Notice } from './notice-kinds.ts'
import { noticeText } from './texts/notice-text.ts'

export interface NoticeTo {
  /** A mail address, checked where it came in. */
  to: string
  /** As in shared/languages.ts. */
  language: string
  /** The account whose owners see it in the list of sent mail; null: it is personal, such as a code. */
  accountId: AccountId | null
  /** The restaurant whose customer it goes to; absent: it is to somebody of the account. */
  merchantKey?: MerchantKey
  notice: Notice
  /** Of a notice that is written once, however often its event is told; absent: a new one. */
  id?: NoticeId
  /** It does not leave; absent: it is queued. */
  end?: NewNotice['end']
}

/** The caller fires `notices.changed` after the commit, as `wake` of a change: otherwise the mail is sent some seconds later. */
export async function writeNotice(
  tx: Tx,
  { secretBox, clock }: { secretBox: SecretBox; clock: Clock },
  { to, language, accountId, merchantKey, notice, end = null, id = newId('ntc', clock.now()) }: NoticeTo,
): Promise<NoticeId> {
  const nowMs = clock.now()
  const lasts = lastsMs(notice, nowMs)
  await insertNotice(tx, {
    id,
    account_id: accountId,
    merchant_id: merchantKey ?? null,
    kind: notice.kind,
    to_enc: secretBox.seal(to),
    text_enc: secretBox.seal(JSON.stringify(noticeText(notice, language))),
    language,
    expires_at: nowMs + lasts,
    created_at: nowMs,
    end: lasts > 0 ? end : { state: 'dropped', error: 'too_late' },
  })
  return id
}
