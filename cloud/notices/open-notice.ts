// A notice of the outbox as it was before it was sealed.
import type { NoticesTable } from '#cloud/storage/schema-people.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { NoticeText } from './texts/letter.ts'

export type OpenedNotice = NoticeText & { to: string }

/** Null: it was sealed under another master key. */
export function openedNotice(
  box: SecretBox,
  { to_enc, text_enc }: Pick<NoticesTable, 'to_enc' | 'text_enc'>,
): OpenedNotice | null {
  try {
    return { ...(JSON.parse(box.open(text_enc)) as NoticeText), to: box.open(to_enc) }
  } catch {
    return null
  }
}
