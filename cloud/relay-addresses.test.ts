// The broker addresses that gateways get, with and without certificates.
import { describe, expect, it } from 'vitest'
import type { CloudConfig } from './config.ts'
import { apiUrl, brokerUrlFor } from './relay-addresses.ts'

type Part = Partial<Pick<CloudConfig, 'CLOUD_GATEWAY_BROKER_URL' | 'CLOUD_PUBLIC_URL' | 'CLOUD_MQTT_HOST'>>

/** With a certificate for relay.example and for loopback. */
const certificate = { nameFor: (host: string) => (host === '127.0.0.1' ? host : 'relay.example') }
const told = (part: Part, has: typeof certificate | null = certificate): string =>
  brokerUrlFor({ CLOUD_MQTT_HOST: '127.0.0.1', ...part } as CloudConfig, { mqttPort: 8883, certificate: has })

describe('the broker address for gateways', () => {
  it.each<[string, Part, string]>([
    [
      'what the operator says',
      { CLOUD_GATEWAY_BROKER_URL: 'wss://x/mqtt', CLOUD_PUBLIC_URL: 'https://r' },
      'wss://x/mqtt',
    ],
    ['/mqtt of a public https', { CLOUD_PUBLIC_URL: 'https://relay.example' }, 'wss://relay.example/mqtt'],
    ['mqtts beside a public http', { CLOUD_PUBLIC_URL: 'http://old.example' }, 'mqtts://relay.example:8883'],
    ['mqtts under the name of the certificate', { CLOUD_MQTT_HOST: '192.0.2.1' }, 'mqtts://relay.example:8883'],
    ['mqtts on loopback', {}, 'mqtts://127.0.0.1:8883'],
    ['mqtts on loopback for a wildcard', { CLOUD_MQTT_HOST: '::' }, 'mqtts://127.0.0.1:8883'],
  ])('%s', (_, part, url) => expect(told(part)).toBe(url))

  it('without a certificate it is plain, on this machine', () => {
    expect([told({}, null), told({ CLOUD_MQTT_HOST: '::1' }, null)]).toEqual([
      'mqtt://127.0.0.1:8883',
      'mqtt://[::1]:8883',
    ])
    expect(told({ CLOUD_PUBLIC_URL: 'http://127.0.0.1:8080' }, null)).toBe('ws://127.0.0.1:8080/mqtt')
  })
})

it('the API is at http or https, by loopback when it listens everywhere', () => {
  expect(apiUrl(null, '0.0.0.0', 80)).toBe('http://127.0.0.1:80')
  expect(apiUrl(null, '::1', 80)).toBe('http://[::1]:80')
})
