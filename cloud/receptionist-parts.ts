// What the receptionist is put together from: the telephone companies as the settings say.
import { dirname, join } from 'node:path'
import type { Clock } from '#shared/clock.ts'
import { ConfigError } from '#shared/settings.ts'
import type { Shared } from './background.ts'
import type { CloudConfig } from './config.ts'
import type { PhoneNumberStore } from './storage/phone-number-store.ts'
import { SimulatedTelephony } from './telephony/simulated/simulated-telephony.ts'
import { Telephones } from './telephony/telephones.ts'
import type { SecretBox } from './webhooks/secret-box.ts'

/** The folder of recordings. */
export function mediaFolderOf({
  CLOUD_MEDIA_DIR: folder,
  CLOUD_DATABASE: file,
}: Pick<CloudConfig, 'CLOUD_MEDIA_DIR' | 'CLOUD_DATABASE'>): string {
  return folder ?? join(dirname(file), 'media')
}

interface Given {
  phoneNumbers: PhoneNumberStore
  secretBox: SecretBox
  clock: Clock
  /** Where this relay listens, known after its start. */
  ownUrl: () => string
}

/** What the relay's parts share of the receptionist. @throws ConfigError */
export function receptionistParts(config: CloudConfig, given: Given): Pick<Shared, 'telephony' | 'receptionistUrl'> {
  const { CLOUD_RECEPTIONIST_URL: own, CLOUD_PUBLIC_URL: shared } = config
  return { telephony: telephonyOf(config, given), receptionistUrl: () => own ?? shared ?? given.ownUrl() }
}

function telephonyOf(config: CloudConfig, { phoneNumbers, secretBox }: Given): Telephones {
  if (config.CLOUD_TELEPHONY !== 'simulator')
    throw new ConfigError(`CLOUD_TELEPHONY=${config.CLOUD_TELEPHONY} is not there yet.`)
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
  return new Telephones({ live: null, simulated })
}
