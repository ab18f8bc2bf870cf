// What single parts of the relay take from its settings.
import type { CertificateFiles } from '#shared/certificate/certificate-files.ts'
import type { Clock } from '#shared/clock.ts'
import { ConfigError } from '#shared/settings.ts'
import type { CertificatePlaces } from './certificate/relay-certificates.ts'
import type { CloudConfig } from './config.ts'
import { TrustedProxies } from './limits/trusted-proxies.ts'
import { mailServerOf, senderOf } from './notices/mail-address.ts'
import type { MailTransport } from './notices/mail-transport.ts'
import { SmtpTransport } from './notices/smtp-transport.ts'

export function orderRetentionOf(config: CloudConfig) {
  return {
    orderDays: config.CLOUD_ORDER_DAYS,
    exportFolder: config.CLOUD_EXPORT_DIR ?? null,
    mayDeleteUnexported: config.CLOUD_DELETE_WITHOUT_EXPORT,
  }
}

export function voiceRetentionOf(config: CloudConfig) {
  return { audioDays: config.CLOUD_VOICE_AUDIO_DAYS, textDays: config.CLOUD_VOICE_TEXT_DAYS }
}

/** Seconds for which a relay that is to stop serves on: as set, else as long as there may be another relay that takes its place. */
export function drainSecondsOf(config: Pick<CloudConfig, 'CLOUD_DRAIN_SECONDS' | 'DATABASE_URL'>): number {
  return config.CLOUD_DRAIN_SECONDS ?? defaultDrainSeconds(config)
}

/** A relay with SQLite is alone: clients wait for it, so it goes at once. */
function defaultDrainSeconds({ DATABASE_URL: url }: Pick<CloudConfig, 'DATABASE_URL'>): number {
  return url === undefined ? 0 : 10
}

/** @throws ConfigError */
export function proxiesOf({
  CLOUD_TRUSTED_PROXIES: ranges,
  CLOUD_MQTT_PROXY_PROTOCOL: mqtt,
}: CloudConfig): TrustedProxies {
  if (mqtt === 'on' && ranges.length === 0)
    throw new ConfigError(
      'CLOUD_MQTT_PROXY_PROTOCOL=on needs CLOUD_TRUSTED_PROXIES: only they may connect to the MQTT port then.',
    )
  return new TrustedProxies(ranges)
}

/** Null: no mail server is set up. Both settings are there, or none, and both were checked. */
export function mailOf(
  { CLOUD_MAIL_URL: url = '', CLOUD_MAIL_FROM: sender = '' }: Pick<CloudConfig, 'CLOUD_MAIL_URL' | 'CLOUD_MAIL_FROM'>,
  { clock }: { clock: Clock },
): MailTransport | null {
  const [server, from] = [mailServerOf(url), senderOf(sender)]
  return server === null || from === null ? null : new SmtpTransport({ server, from, clock })
}

export function linkOf(config: CloudConfig) {
  return {
    mqttHost: config.CLOUD_MQTT_HOST,
    mqttPort: config.CLOUD_MQTT_PORT,
    mqttProxyProtocol: config.CLOUD_MQTT_PROXY_PROTOCOL === 'on',
    brokerUrl: config.CLOUD_BROKER_URL,
    brokerUsername: config.CLOUD_BROKER_USERNAME,
    brokerPassword: config.CLOUD_BROKER_PASSWORD,
  }
}

export function certificatePlaces(config: CloudConfig): CertificatePlaces {
  const files = (certificateFile?: string, keyFile?: string): CertificateFiles | null =>
    certificateFile === undefined || keyFile === undefined ? null : { certificateFile, keyFile }
  return {
    api: files(config.CLOUD_TLS_CERT_FILE, config.CLOUD_TLS_KEY_FILE),
    mqtt: files(config.CLOUD_MQTT_TLS_CERT_FILE, config.CLOUD_MQTT_TLS_KEY_FILE),
  }
}
