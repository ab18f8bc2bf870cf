// The addresses under which the relay is reached: its API from this machine, its broker from the gateways.
import type { ServedCertificate } from './certificate/served-certificate.ts'
import type { CloudConfig } from './config.ts'

/** Of the API, for a client on this machine; a wildcard becomes loopback. */
export function apiUrl(certificate: ServedCertificate | null, host: string, port: number): string {
  return `${certificate === null ? 'http' : 'https'}://${urlHost(host)}:${port}`
}

/** Addresses of the dashboard, as a browser names them in `Origin`: the public one, the listening one, and on this machine `localhost`. */
export function pageOrigins(publicUrl: string | undefined, httpUrl: string): string[] {
  const listening = URL.parse(httpUrl)
  const known = [publicUrl, httpUrl].flatMap((url) => (url === undefined ? [] : [URL.parse(url)?.origin ?? '']))
  const isHere = listening !== null && ['127.0.0.1', '[::1]', 'localhost'].includes(listening.hostname)
  const here = isHere ? [`${listening.protocol}//localhost${listening.port === '' ? '' : `:${listening.port}`}`] : []
  return [...new Set([...known, ...here])].filter((origin) => origin !== '')
}

/**
 * Where gateways reach the broker. A public address with https has /mqtt behind it, at the port that every restaurant's firewall lets out;
 * otherwise it is the embedded broker's own port, under a name that its certificate has.
 */
export function brokerUrlFor(
  config: CloudConfig,
  { mqttPort, certificate }: { mqttPort: number; certificate: Pick<ServedCertificate, 'nameFor'> | null },
): string {
  const { CLOUD_GATEWAY_BROKER_URL: said, CLOUD_PUBLIC_URL: publicUrl, CLOUD_MQTT_HOST: host } = config
  if (said !== undefined) return said
  const overPublic = publicUrl && `${publicUrl.replace(/^http/, 'ws')}/mqtt`
  if (overPublic?.startsWith('wss:')) return overPublic
  if (certificate !== null) {
    const known = publicUrl === undefined ? reachable(host) : new URL(publicUrl).hostname
    return `mqtts://${bracketed(certificate.nameFor(known))}:${mqttPort}`
  }
  return overPublic ?? `mqtt://${urlHost(host)}:${mqttPort}`
}

const urlHost = (host: string): string => bracketed(reachable(host))

const reachable = (host: string): string => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host)

const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
