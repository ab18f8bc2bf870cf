// Takes what a telephone company tells of recordings: on disk before it is acknowledged, whatever order and however often it comes.
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { VoicemailStore } from '#cloud/storage/voicemail-store.ts'
import type { HookRecording } from '#cloud/telephony/telephony.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import { newId } from '#shared/ids.ts'
import { cutCards } from './cut-cards.ts'
import type { HookNumber, HookSinks } from './hook-sinks.ts'

export interface TakeRecordingDeps {
  db: RelayDatabase
  voicemails: VoicemailStore
  secretBox: SecretBox
  clock: Clock
}

/** The provider tells it again when it can be fetched. If that never comes, it is tried all the same. */
const READY_AFTER_MS = 60_000

export function takesRecordings(deps: TakeRecordingDeps): HookSinks['recording'] {
  return async (number, recording) => {
    const { db, voicemails, clock } = deps
    const news = newsOf(deps, number, recording)
    const isNew = await db.unit((tx) => voicemails.told(tx, { ...news, fetchAt: clock.now() }), {
      againOnConflict: true,
    })
    if (isNew) voicemails.changed.notify(number.merchantKey)
  }
}

/**
 * In the unit that stores that a call was recorded: the recording is then known although its own news never comes.
 * The caller fires `VoicemailStore.changed` after the commit.
 */
export async function keepRecorded(
  tx: Tx,
  deps: Omit<TakeRecordingDeps, 'db'>,
  { number, recording }: { number: HookNumber; recording: HookRecording },
): Promise<void> {
  const fetchAt = deps.clock.now() + READY_AFTER_MS
  await deps.voicemails.told(tx, { ...newsOf(deps, number, recording), fetchAt })
}

function newsOf(
  { secretBox, clock }: Pick<TakeRecordingDeps, 'secretBox' | 'clock'>,
  { id, merchantKey }: HookNumber,
  { providerCallId, recordingId, seconds, kind, text }: HookRecording,
) {
  const nowMs = clock.now()
  return {
    id: newId('vm', nowMs),
    merchant_id: merchantKey,
    number_id: id,
    kind,
    recording_id: recordingId,
    created_at: nowMs,
    providerCallId,
    seconds,
    textEnc: text === null ? null : secretBox.seal(cutCards(text)),
  }
}
