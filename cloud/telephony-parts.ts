// The telephone companies as the settings say, and the folder of recordings.
import { dirname, join } from 'node:path'
import type { Clock } from '#shared/clock.ts'
import type { CloudConfig } from './config.ts'
import type { PhoneNumberStore } from './storage/phone-number-store.ts'
import { SimulatedTelephony } from './telephony/simulated/simulated-telephony.ts'
import { Telephones } from './telephony/telephones.ts'
import type { Telephony } from './telephony/telephony.ts'
import { Telnyx } from './telephony/telnyx/telnyx.ts'
import { Twilio } from './telephony/twilio/twilio.ts'
import type { SecretBox } from './webhooks/secret-box.ts'

/** The folder of recordings. */
export function mediaFolderOf({
  CLOUD_MEDIA_DIR: folder,
  CLOUD_DATABASE: file,
}: Pick<CloudConfig, 'CLOUD_MEDIA_DIR' | 'CLOUD_DATABASE'>): string {
  return folder ?? join(dirname(file), 'media')
}

export function telephonyOf(
  config: CloudConfig,
  { phoneNumbers, secretBox, clock }: { phoneNumbers: PhoneNumberStore; secretBox: SecretBox; clock: Clock },
): Telephones {
  const simulated = new SimulatedTelephony({
    folder: join(mediaFolderOf(config), 'simulated'),
    seal: (text) => secretBox.seal(text),
    open: (sealed) => secretBox.open(sealed),
    mac: (purpose, text) => secretBox.mac(purpose, text),
    transcribes: config.CLOUD_TRANSCRIBER === 'provider',
    isTaken: async (e164, name) => {
      const other = await phoneNumbers.byE164(e164)
      return other !== null && other.id !== name
    },
  })
  return new Telephones({ live: companyOf(config, clock), simulated })
}

/** The company that the settings name: that its own settings are there was checked. Null: none, everything is simulated. */
function companyOf(config: CloudConfig, clock: Clock): Telephony | null {
  if (config.CLOUD_TELEPHONY === 'twilio')
    return new Twilio({
      url: config.CLOUD_TWILIO_URL ?? 'https://api.twilio.com',
      account: config.CLOUD_TWILIO_ACCOUNT ?? '',
      token: config.CLOUD_TWILIO_TOKEN ?? '',
      transcribes: config.CLOUD_TRANSCRIBER === 'provider',
      clock,
    })
  if (config.CLOUD_TELEPHONY === 'telnyx')
    return new Telnyx({
      url: config.CLOUD_TELNYX_URL ?? 'https://api.telnyx.com',
      key: config.CLOUD_TELNYX_KEY ?? '',
      publicKey: config.CLOUD_TELNYX_PUBLIC_KEY ?? '',
      account: config.CLOUD_TELNYX_ACCOUNT ?? null,
      clock,
    })
  return null
}
