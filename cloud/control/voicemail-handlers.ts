// Voicemails as people see them: whom from, the text with a warning where it may be wrong, and whether somebody has settled it; and deletes them.
import type { ListedVoicemail } from '#cloud/storage/voicemail-store.ts'
import { maskedNumber } from '#cloud/texts/phone-number.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { toIso } from '#shared/clock.ts'
import { ControlRefusal } from './control-refusal.ts'
import { masksCustomers } from './customer-mask.ts'
import { type Handlers, merchantOf } from './handler.ts'
import { requireSecretBox } from './secrets.ts'
import type { VOICEMAIL_OPERATIONS, VoicemailAnswer } from './voicemail-list.ts'

export const VOICEMAIL_HANDLERS: Pick<Handlers, keyof typeof VOICEMAIL_OPERATIONS> = {
  'voicemails.list': async (context, doing, { before = null, limit }) => {
    const shown = { secretBox: requireSecretBox(context), isMasked: masksCustomers(doing) }
    const asked = { merchantKey: merchantOf(doing).key, kind: 'voicemail', before, limit: limit + 1 } as const
    const found = await context.voicemails.list(asked)
    const rows = found.slice(0, limit)
    return {
      voicemails: rows.map((row) => voicemailAnswer(row, shown)),
      next: found.length > limit ? (rows.at(-1)?.id ?? null) : null,
    }
  },

  'voicemails.get': async (context, doing, { voicemailId }) => {
    const row = await context.voicemails.find(merchantOf(doing).key, voicemailId)
    if (row === null) throw unknownVoicemail()
    return voicemailAnswer(row, { secretBox: requireSecretBox(context), isMasked: masksCustomers(doing) })
  },

  'voicemails.done': async ({ voicemails, clock }, doing, { voicemailId, done }) => {
    const merchant = merchantOf(doing)
    if (doing.by !== 'person') throw new ControlRefusal('refused', 'Only a person at the dashboard settles this.')
    const settled = { merchantKey: merchant.key, id: voicemailId, by: done ? doing.userId : null, nowMs: clock.now() }
    if (!(await voicemails.markDone(doing.tx, settled))) throw unknownVoicemail()
    return {
      answer: { changed: true },
      wake: () => voicemails.changed.notify(merchant.key),
      audit: {
        ...{ accountId: merchant.ownerAccountId, action: 'voicemail.done', subject: merchant.publicId },
        after: { voicemailId, done },
      },
    }
  },

  'voicemails.delete': async ({ voicemails, callerData, running, clock }, doing, { voicemailId }) => {
    const merchant = merchantOf(doing)
    if ((await voicemails.find(merchant.key, voicemailId, doing.tx)) === null) throw unknownVoicemail()
    await callerData.forgetVoicemails(doing.tx, [voicemailId], clock.now())
    return {
      answer: null,
      wake: () => {
        voicemails.changed.notify(merchant.key)
        // What cannot be deleted now is deleted by the hourly sweep of files: nothing knows it any more.
        running?.media?.delete(voicemailId).catch(() => {})
      },
      audit: {
        ...{ accountId: merchant.ownerAccountId, action: 'voicemail.delete', subject: merchant.publicId },
        after: { voicemailId },
      },
    }
  },
}

function unknownVoicemail(): ControlRefusal {
  return new ControlRefusal('not-found', 'This voicemail is no longer there.', { said: { key: 'voicemail.unknown' } })
}

function voicemailAnswer(
  row: ListedVoicemail,
  { secretBox, isMasked }: { secretBox: Pick<SecretBox, 'open'>; isMasked: boolean },
): VoicemailAnswer {
  const from = row.from_enc === null ? null : secretBox.open(row.from_enc)
  const isRead = row.state === 'transcribed' && row.text_enc !== null
  return {
    voicemailId: row.id,
    callId: row.call_id,
    from: isMasked ? maskedNumber(from) : from,
    at: toIso(row.created_at),
    seconds: row.seconds,
    state: isRead ? 'text' : row.state === 'recorded' || row.state === 'fetched' ? 'waits' : 'no-text',
    text: isRead && !isMasked && row.text_enc !== null ? secretBox.open(row.text_enc) : null,
    isUncertain: row.uncertain === 1,
    hasSound: !isMasked && row.file !== null && row.audio_deleted_at === null,
    isDone: row.done_at !== null,
  }
}
