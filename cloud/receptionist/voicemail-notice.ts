// Texts the restaurant about a voicemail, in the transaction that settles its text: there is one message of a voicemail, and never none.
import type { Tx } from '#cloud/storage/database.ts'
import type { ReceptionistStore } from '#cloud/storage/receptionist-store.ts'
import type { VoicemailStore } from '#cloud/storage/voicemail-store.ts'
import { type TextsDeps, writeText } from '#cloud/texts/write-text.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Logger } from '#shared/log.ts'
import { DEFAULT_PROFILE, type ReceptionistProfile, readableProfile } from './profile.ts'
import { voicemailText } from './voicemail-words.ts'
import type { SettledVoicemail } from './voicemail-worker.ts'

const DAY_MS = 86_400_000

export interface VoicemailNoticeDeps extends TextsDeps {
  receptionist: ReceptionistStore
  voicemails: VoicemailStore
  /** Of the dashboard; null: the relay has no public address, or no dashboard. */
  link: string | null
  log: Logger
}

/** Writes nothing when the restaurant wants no text messages about voicemails. */
export function tellsOfVoicemails(deps: VoicemailNoticeDeps): (tx: Tx, settled: SettledVoicemail) => Promise<void> {
  return async (tx, { voicemail, text, nowMs }) => {
    const { voicemails, secretBox, link } = deps
    const { id, merchant_id: merchantKey, seconds, call_id: callId } = voicemail
    const { notifyTo, language } = await profileIn(tx, deps, voicemail)
    if (notifyTo === null) return
    const merchant = await tx
      .selectFrom('merchants')
      .select(['account_id', 'public_id', 'environment'])
      .where('id', '=', merchantKey)
      .executeTakeFirst()
    if (merchant === undefined) return
    const fromEnc = await voicemails.callerOf(tx, callId)
    const words = voicemailText(
      {
        from: fromEnc === null ? null : opened(secretBox, fromEnc),
        seconds,
        text: text === null ? null : { words: text.text, isUncertain: text.uncertain },
        link: link === null ? null : `${link}/receptionist?${placeOf(merchant)}`,
      },
      language,
    )
    await writeText(tx, deps, {
      merchant: { key: merchantKey, accountId: merchant.account_id, environment: merchant.environment },
      kind: 'voicemail',
      subjectId: id,
      to: notifyTo,
      text: words,
      expiresAtMs: nowMs + DAY_MS,
    })
  }
}

/** As every page of the dashboard has it in its address: who is a member of several accounts comes to the right one. */
function placeOf(merchant: { account_id: string; public_id: string; environment: string }): string {
  const { account_id: account, public_id: merchantId, environment } = merchant
  return new URLSearchParams({ account, merchant: merchantId, environment }).toString()
}

/**
 * As calls read it: a setting that cannot be read holds up no recording, and takes no other setting with it.
 * Without a readable number nobody is texted; the voicemail is at the dashboard all the same.
 */
async function profileIn(
  tx: Tx,
  { receptionist, log }: VoicemailNoticeDeps,
  { id, merchant_id: merchantKey }: SettledVoicemail['voicemail'],
): Promise<ReceptionistProfile> {
  const stored = await receptionist.profile(merchantKey, tx)
  if (stored === null) return DEFAULT_PROFILE
  const { profile, isWhole } = readableProfile(stored.profile)
  if (!isWhole)
    log.error(
      { voicemailId: id, merchantKey, isTold: profile.notifyTo !== null },
      'settings of a receptionist cannot be read: the text message about a voicemail is written as if they were not set',
    )
  return profile
}

/** Null: it was sealed under another master key. */
function opened(box: SecretBox, sealed: string): string | null {
  try {
    return box.open(sealed)
  } catch {
    return null
  }
}
