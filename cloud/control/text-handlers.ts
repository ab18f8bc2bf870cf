// Text messages as people of the restaurant see them, and the numbers that get none.
import type { ListedNotice } from '#cloud/storage/notice-store.ts'
import type { ListedText } from '#cloud/storage/text-store.ts'
import { maskedNumber, tailOf } from '#cloud/texts/phone-number.ts'
import { openedText } from '#cloud/texts/text-worker.ts'
import { numberMac } from '#cloud/texts/write-text.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { isoOrNull, toIso } from '#shared/clock.ts'
import { ControlRefusal } from './control-refusal.ts'
import { masksCustomers } from './customer-mask.ts'
import { type Handlers, merchantOf } from './handler.ts'
import { requireSecretBox } from './secrets.ts'
import type { TEXT_OPERATIONS, TextAnswer, ToldAnswer } from './text-list.ts'

export const TEXT_HANDLERS: Pick<Handlers, keyof typeof TEXT_OPERATIONS> = {
  'texts.list': async (context, doing, { limit }) => {
    const shown = { secretBox: requireSecretBox(context), isMasked: masksCustomers(doing) }
    const rows = await context.texts.list({ accountId: null, merchantKey: merchantOf(doing).key, limit })
    return rows.map((row) => textAnswer(row, shown))
  },

  'texts.optouts': async ({ texts }, doing, { limit }) =>
    (await texts.optouts(merchantOf(doing).key, limit)).map(({ tail, source, created_at }) => ({
      ...{ tail, source, since: toIso(created_at) },
    })),

  'texts.put-optout': async (context, doing, { number }) => {
    const merchant = merchantOf(doing)
    const tail = tailOf(number)
    const changed = await context.texts.optOut(doing.tx, {
      ...{ merchant_id: merchant.key, to_mac: numberMac(requireSecretBox(context), number) },
      ...{ tail, source: 'person', created_at: context.clock.now() },
    })
    if (!changed) return { answer: { changed } }
    // The audit log is kept for years and is read by many: it never has the number.
    const audit = { accountId: merchant.ownerAccountId, action: 'text.optout', subject: merchant.publicId } as const
    return { answer: { changed }, audit: { ...audit, after: { tail } } }
  },

  'texts.remove-optout': async (context, doing, { number }) => {
    const merchant = merchantOf(doing)
    const toMac = numberMac(requireSecretBox(context), number)
    const optout = await context.texts.optout(doing.tx, merchant.key, toMac)
    if (optout === null)
      throw new ControlRefusal('not-found', 'This number gets text messages already.', {
        said: { key: 'text.no-optout' },
      })
    // Nobody else may take this wish back: telephone companies do not send to this number either.
    if (optout.source === 'word')
      throw new ControlRefusal('refused', 'This number has written STOP: only START from it begins messages again.', {
        said: { key: 'text.stopped' },
      })
    await context.texts.optIn(doing.tx, merchant.key, toMac)
    return {
      answer: { changed: true },
      audit: {
        ...{ accountId: merchant.ownerAccountId, action: 'text.optin', subject: merchant.publicId },
        before: { tail: optout.tail, source: optout.source },
      },
    }
  },
}

function textAnswer(row: ListedText, { secretBox, isMasked }: { secretBox: SecretBox; isMasked: boolean }): TextAnswer {
  const opened = openedText(secretBox, row)
  const to = opened?.to ?? null
  return {
    textId: row.id,
    kind: row.kind,
    subjectId: row.subject_id,
    to: isMasked ? maskedNumber(to) : to,
    // That of a voicemail has words of the caller.
    text: isMasked ? null : (opened?.text ?? null),
    state: row.state,
    error: row.error,
    attempts: row.attempts,
    createdAt: toIso(row.created_at),
    nextAt: isoOrNull(row.next_at),
    settledAt: isoOrNull(row.settled_at),
    deliveredAt: isoOrNull(row.delivered_at),
  }
}

/** What the customer of an order was told. @param told null: not that way */
export function toldAnswer(told: { sms: ListedText | null; mail: ListedNotice | null }): ToldAnswer[] {
  const { sms, mail } = told
  return [
    ...(sms === null ? [] : [{ by: 'sms' as const, ...cameOf(sms), deliveredAt: isoOrNull(sms.delivered_at) }]),
    ...(mail === null ? [] : [{ by: 'mail' as const, ...cameOf(mail), deliveredAt: null }]),
  ]
}

function cameOf({ state, error, created_at, settled_at }: ListedText | ListedNotice) {
  return { state, error, at: toIso(settled_at ?? created_at) }
}
