// What telephone companies tell about text messages: what became of ours, and who wants none any more.
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { TextStore } from '#cloud/storage/text-store.ts'
import type { HookText } from '#cloud/telephony/telephony.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import type { MerchantKey } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { isUnsubscribed, wishOf } from './optout-words.ts'
import { tailOf } from './phone-number.ts'
import { openedText } from './text-worker.ts'
import { numberMac } from './write-text.ts'

export interface TakeTextDeps {
  db: RelayDatabase
  texts: TextStore
  secretBox: SecretBox
  clock: Clock
  log: Logger
}

/**
 * Resolves when it is on disk; a repetition changes nothing. STOP, START and HELP are answered by the telephone companies themselves: an answer of
 * ours would be a second one. Other words of customers are kept nowhere.
 * @param number whose hook it came to
 */
export async function takeText(
  deps: TakeTextDeps,
  number: { merchantKey: MerchantKey },
  news: HookText,
): Promise<null> {
  await (news.kind === 'status' ? takeStatus(deps, number, news) : takeWish(deps, number, news))
  return null
}

async function takeStatus(
  { db, texts, secretBox, clock, log }: TakeTextDeps,
  { merchantKey }: { merchantKey: MerchantKey },
  { providerId, textId, status, error }: HookText & { kind: 'status' },
): Promise<void> {
  const nowMs = clock.now()
  const text = await db.unit(async (tx) => {
    const told = await texts.told(tx, { merchantKey, providerId, textId, status, error, nowMs })
    if (told !== null && error !== null && isUnsubscribed(error)) {
      await texts.optOut(tx, {
        merchant_id: merchantKey,
        to_mac: told.to_mac,
        tail: tailOf(openedText(secretBox, told)?.to ?? ''),
        source: 'provider',
        created_at: nowMs,
      })
    }
    return told
  })
  if (text !== null && status === 'failed') log.warn({ textId: text.id, error }, 'a text message did not arrive')
}

async function takeWish(
  { db, texts, secretBox, clock, log }: TakeTextDeps,
  { merchantKey }: { merchantKey: MerchantKey },
  { from, text }: HookText & { kind: 'incoming' },
): Promise<void> {
  const wish = wishOf(text)
  if (wish === null || !/^\+[1-9]\d{6,14}$/.test(from)) return
  const toMac = numberMac(secretBox, from)
  const optout = { merchant_id: merchantKey, to_mac: toMac, tail: tailOf(from), created_at: clock.now() }
  const changed = await db.unit((tx) =>
    wish === 'stop' ? texts.optOut(tx, { ...optout, source: 'word' }) : texts.optIn(tx, merchantKey, toMac),
  )
  if (changed) log.info({ merchantKey, wish }, 'a number has chosen whether it gets text messages')
}
