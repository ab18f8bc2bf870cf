// Writes a mail into the outbox, in the unit of what it tells: its text is made and sealed now, so that nothing about it changes until it leaves.
import type { Tx } from '#cloud/storage/database.ts'
import { insertNotice } from '#cloud/storage/notice-store.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import { type AccountId, type NoticeId, newId } from '#shared/ids.ts'
import { lastsMs, type Notice } from './notice-kinds.ts'
import { noticeText } from './texts/notice-text.ts'

export interface NoticeTo {
  /** A mail address, checked where it came in. */
  to: string
  /** As in shared/languages.ts. */
  language: string
  /** Whose owner sees it in the list of sent mail; null: it is a person's own, such as a code. */
  accountId: AccountId | null
  notice: Notice
}

/** Whoever commits fires `notices.changed` after it, as `wake` of a change: else the mail leaves some seconds later. */
export async function writeNotice(
  tx: Tx,
  { secretBox, clock }: { secretBox: SecretBox; clock: Clock },
  { to, language, accountId, notice }: NoticeTo,
): Promise<NoticeId> {
  const nowMs = clock.now()
  const id = newId('ntc', nowMs)
  await insertNotice(tx, {
    id,
    account_id: accountId,
    kind: notice.kind,
    to_enc: secretBox.seal(to),
    text_enc: secretBox.seal(JSON.stringify(noticeText(notice, language))),
    language,
    expires_at: nowMs + lastsMs(notice, nowMs),
    created_at: nowMs,
  })
  return id
}
