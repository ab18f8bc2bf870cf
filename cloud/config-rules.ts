// What the relay's settings must fulfil together: certificates with their keys, and nothing secret over an open network.
import { isGuardedUrl } from '#shared/wire/guarded-url.ts'
import { halfTelephony, halfTranscriber, type TelephonySettings } from './config-voice.ts'

/** The settings of the relay that are checked. */
type OpenSettings = Parameters<typeof halfTranscriber>[0] &
  TelephonySettings & {
    CLOUD_HTTP_HOST: string
    CLOUD_TLS_CERT_FILE?: string | undefined
    CLOUD_TLS_KEY_FILE?: string | undefined
    CLOUD_MQTT_HOST: string
    CLOUD_MQTT_TLS_CERT_FILE?: string | undefined
    CLOUD_MQTT_TLS_KEY_FILE?: string | undefined
    CLOUD_BROKER_URL?: string | undefined
    CLOUD_BROKER_PASSWORD?: string | undefined
    CLOUD_ALLOW_PLAIN: readonly string[]
    CLOUD_MAIL_URL?: string | undefined
    CLOUD_MAIL_FROM?: string | undefined
  }

/** A sentence for each error, which names all ways to fix it. */
export function faultsTogether(config: OpenSettings): string[] {
  return [
    ...halfCertificates(config),
    ...plainListeners(config),
    ...plainBroker(config),
    ...halfMail(config),
    ...halfTranscriber(config),
    ...halfTelephony(config),
  ]
}

function halfCertificates(config: OpenSettings): string[] {
  return (['CLOUD_TLS', 'CLOUD_MQTT_TLS'] as const).flatMap((name) => {
    const [certificate, key] = [`${name}_CERT_FILE`, `${name}_KEY_FILE`] as const
    if ((config[certificate] === undefined) === (config[key] === undefined)) return []
    const [given, missing] = config[certificate] === undefined ? [key, certificate] : [certificate, key]
    return [`${given} needs ${missing} beside it.`]
  })
}

function halfMail({ CLOUD_MAIL_URL: url, CLOUD_MAIL_FROM: from }: OpenSettings): string[] {
  if ((url === undefined) === (from === undefined)) return []
  const [given, missing] = url === undefined ? ['FROM', 'URL'] : ['URL', 'FROM']
  return [`CLOUD_MAIL_${given} needs CLOUD_MAIL_${missing} beside it.`]
}

/** Keys of the API and passwords of gateways would pass there for everybody to read. */
function plainListeners(config: OpenSettings): string[] {
  const api = {
    what: 'api',
    hostVariable: 'CLOUD_HTTP_HOST',
    host: config.CLOUD_HTTP_HOST,
    hasCertificate: config.CLOUD_TLS_CERT_FILE !== undefined,
    variables: 'CLOUD_TLS_CERT_FILE and CLOUD_TLS_KEY_FILE',
  }
  const mqtt = {
    what: 'mqtt',
    hostVariable: 'CLOUD_MQTT_HOST',
    host: config.CLOUD_MQTT_HOST,
    hasCertificate: config.CLOUD_MQTT_TLS_CERT_FILE !== undefined || api.hasCertificate,
    variables: 'CLOUD_TLS_CERT_FILE and CLOUD_TLS_KEY_FILE (or CLOUD_MQTT_TLS_*)',
  }
  return (config.CLOUD_BROKER_URL === undefined ? [api, mqtt] : [api])
    .filter(({ what, host, hasCertificate }) => !hasCertificate && !isLoopback(host) && !isAllowed(config, what))
    .map(
      ({ what, hostVariable, host, variables }) =>
        `${hostVariable} ${host} is open to a network and has no TLS: set ${variables}, or name it in CLOUD_ALLOW_PLAIN=${allowing(config, what)} if only your proxy reaches it.`,
    )
}

function plainBroker(config: OpenSettings): string[] {
  const url = config.CLOUD_BROKER_URL
  if (url === undefined || isGuardedUrl(url) || isAllowed(config, 'broker')) return []
  const { password, host } = URL.parse(url) ?? { password: '', host: '' }
  if (config.CLOUD_BROKER_PASSWORD === undefined && password === '') return []
  return [
    `CLOUD_BROKER_URL sends a password to ${host} without TLS: use mqtts:// or wss://, or name it in CLOUD_ALLOW_PLAIN=${allowing(config, 'broker')} if the network between is private.`,
  ]
}

const isAllowed = (config: OpenSettings, what: string): boolean => config.CLOUD_ALLOW_PLAIN.includes(what)

/** What the setting would be. */
const allowing = (config: OpenSettings, what: string): string => [...config.CLOUD_ALLOW_PLAIN, what].join(',')

function isLoopback(host: string): boolean {
  return isGuardedUrl(`http://${host.includes(':') ? `[${host}]` : host}`)
}
