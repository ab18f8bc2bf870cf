// What recordings of callers are brought in with, as the settings say: their files, the engine that makes texts of them, the worker.
import type { CloudConfig } from './config.ts'
import { MediaStore } from './receptionist/media-store.ts'
import { transcriberOf } from './receptionist/transcribers/transcribers.ts'
import { tellsOfVoicemails } from './receptionist/voicemail-notice.ts'
import { VoicemailWorker, type VoicemailWorkerDeps } from './receptionist/voicemail-worker.ts'
import type { ReceptionistStore } from './storage/receptionist-store.ts'
import type { TextStore } from './storage/text-store.ts'
import type { Telephones } from './telephony/telephones.ts'
import { mediaFolderOf } from './telephony-parts.ts'
import type { SecretBox } from './webhooks/secret-box.ts'

type RecordingDeps = Pick<VoicemailWorkerDeps, 'db' | 'voicemails' | 'secretBox' | 'clock' | 'random' | 'log'> & {
  receptionist: ReceptionistStore
  texts: TextStore
  telephony: Telephones
}

/** Recordings on the disk. */
export function mediaOf(config: CloudConfig, { secretBox }: { secretBox: SecretBox }): MediaStore {
  return new MediaStore({ folder: mediaFolderOf(config), secretBox })
}

/** Fetches recordings, and tells of voicemails. @param link of the dashboard; null: it has no public address */
export function voicemailWorker(deps: RecordingDeps, config: CloudConfig, link: string | null): VoicemailWorker {
  const { telephony, texts, clock } = deps
  return new VoicemailWorker({
    ...deps,
    media: mediaOf(config, deps),
    transcriber: transcriberOf(config, clock),
    telephonyOf: async ({ provider }) => (provider === null ? telephony.live : telephony.of(provider)),
    tell: tellsOfVoicemails({ ...deps, link, countries: config.CLOUD_SMS_COUNTRIES }),
    told: () => texts.changed.notify(),
  })
}
