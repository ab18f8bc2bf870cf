// The relay's settings: environment variables only, one schema from which documentation and .env.example are made.
import { isIP } from 'node:net'
import { z } from 'zod'
import { ConfigError, readSettings } from '#shared/settings.ts'
import { isGuardedUrl } from '#shared/wire/guarded-url.ts'
import { faultsTogether } from './config-rules.ts'
import { voiceSettings } from './config-voice.ts'
import { listeningHost } from './listening-host.ts'
import { withMasterKey } from './master-key.ts'
import { mailServerOf, senderOf } from './notices/mail-address.ts'
import { databaseUrlWords, isDatabaseUrl } from './storage/postgres/database-url.ts'

const anyPort = z
  .string()
  .regex(/^\d{1,5}$/, { error: 'must be a port number from 0 to 65535' })
  .transform(Number)
  .refine((n) => n <= 65_535, { error: 'must be a port number from 0 to 65535' })

const port = (fallback: number) => anyPort.default(fallback)
const optionalPort = anyPort.optional()

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)

const yesOrNo = z
  .enum(['yes', 'no'], { error: 'must be yes or no' })
  .default('no')
  .transform((text) => text === 'yes')

const file = () => z.string().min(1).optional()

/** `10.0.0.1`, `10.0.0.0/8`, `fd00::/8` */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

const databaseUrl = z.string().refine(isDatabaseUrl, { error: databaseUrlWords })

const connections = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, { error: 'must be a number from 1 to 999' })
  .transform(Number)

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535
}

export const cloudConfig = z.object({
  CLOUD_DATABASE: z
    .string()
    .min(1)
    .default('data/cloud/relay.db')
    .describe(
      'SQLite file with everything that the relay stores; created with its folder if missing. Not used with DATABASE_URL.',
    ),
  DATABASE_URL: databaseUrl
    .optional()
    .describe(
      'PostgreSQL database in place of the SQLite file: postgres://USER:PASSWORD@HOST:5432/NAME, with ?sslmode=verify-full over a network. docs/many-relays.md.',
    ),
  CLOUD_DB_SLOTS: connections
    .default(10)
    .describe('Connections to PostgreSQL for writes; this many transactions run at once.'),
  CLOUD_DB_READERS: connections.default(6).describe('Connections to PostgreSQL for reads.'),
  CLOUD_ADMIN_SOCKET: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Path of the socket through which the operator's command line works while the relay runs; default: the name of CLOUD_DATABASE with .sock behind it; with DATABASE_URL a name in the same folder that contains the database and CLOUD_HTTP_PORT.",
    ),
  CLOUD_HTTP_HOST: listeningHost
    .default('127.0.0.1')
    .describe(
      'Address that the API listens on; `localhost` is 127.0.0.1. Other than loopback it needs a certificate, or CLOUD_ALLOW_PLAIN.',
    ),
  CLOUD_HTTP_PORT: port(8080).describe('Port of the API; 0 takes any free one.'),
  CLOUD_TLS_CERT_FILE: file().describe(
    'PEM file with the certificate of the API and then its intermediate ones: the API then uses https, /mqtt wss, and the embedded broker mqtts. Read again when it changes and at SIGHUP.',
  ),
  CLOUD_TLS_KEY_FILE: file().describe('PEM file with the private key of CLOUD_TLS_CERT_FILE, without a passphrase.'),
  CLOUD_MQTT_TLS_CERT_FILE: file().describe(
    'PEM file with another certificate for the embedded broker alone; default: that of the API.',
  ),
  CLOUD_MQTT_TLS_KEY_FILE: file().describe(
    'PEM file with the private key of CLOUD_MQTT_TLS_CERT_FILE, without a passphrase.',
  ),
  CLOUD_ALLOW_PLAIN: list
    .refine((parts) => parts.every((part) => ['api', 'mqtt', 'broker'].includes(part)), {
      error: 'must be some of api, mqtt and broker, with commas between',
    })
    .default([])
    .describe(
      'What may be used without TLS over a network, although others there can read keys and passwords: api, mqtt (where they listen), broker (CLOUD_BROKER_URL). For a private network between proxy and relay.',
    ),
  CLOUD_PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('Address of the API as clients see it, used in docUrl; default: the listening address.'),
  CLOUD_DASHBOARD: z
    .enum(['on', 'off'])
    .default('on')
    .describe('off: nothing is served below /dashboard. The API is not affected.'),
  CLOUD_SIGN_UP: z
    .enum(['open', 'invited'])
    .default('open')
    .describe(
      'Who can sign up for a sandbox account at the dashboard: `open`, anybody with a mail address; `invited`, only invited people.',
    ),
  CLOUD_TRUSTED_PROXIES: list
    .refine((parts) => parts.every(isNetwork), {
      error: 'must be addresses or networks with commas between, such as 10.0.0.0/8,::1',
    })
    .default([])
    .describe(
      "Addresses or networks of your proxies: the relay takes a client's address from their X-Forwarded-For, also for gateways at /mqtt, and ignores that of all others.",
    ),
  CLOUD_MQTT_HOST: listeningHost
    .default('127.0.0.1')
    .describe(
      'Address that the embedded broker listens on. Other than loopback it needs a certificate, or CLOUD_ALLOW_PLAIN.',
    ),
  CLOUD_MQTT_PORT: port(1883).describe('Port of the embedded broker; 0 takes any free one.'),
  CLOUD_MQTT_PROXY_PROTOCOL: z
    .enum(['off', 'on'])
    .default('off')
    .describe(
      "on: only CLOUD_TRUSTED_PROXIES may connect to the MQTT port, and each connection must begin with a PROXY header (version 2 or 1) with the gateway's address.",
    ),
  CLOUD_METRICS_PORT: optionalPort.describe(
    'Port of GET /metrics for Prometheus; 0 takes any free one. Default: off, and nothing is counted.',
  ),
  CLOUD_METRICS_HOST: listeningHost
    .default('127.0.0.1')
    .describe(
      'Address that CLOUD_METRICS_PORT listens on. Anybody who reaches it can read the totals of all merchants, without a key.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .optional()
    .describe(
      'Collector to which spans of each order are sent by OTLP over HTTP, such as http://127.0.0.1:4318. Default: none are made. OTEL_EXPORTER_OTLP_HEADERS is read, too.',
    ),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, { error: 'must be a share from 0 to 1, such as 0.1' })
    .transform(Number)
    .default(1)
    .describe(
      'Share of the orders whose spans are sent, of those whose client has not decided it by its own `traceparent`.',
    ),
  CLOUD_BROKER_URL: z
    .string()
    .regex(/^(mqtts?|wss?):\/\/.+/, { error: 'must begin with mqtt://, mqtts://, ws:// or wss://' })
    .optional()
    .describe('External broker to use instead of the embedded one, such as mqtts://broker.example:8883.'),
  CLOUD_BROKER_USERNAME: z.string().optional().describe('User name of the relay at the external broker.'),
  CLOUD_BROKER_PASSWORD: z.string().optional().describe('Password of the relay at the external broker.'),
  CLOUD_MOSQUITTO_PASSWORD_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Password file of the Mosquitto at CLOUD_BROKER_URL, which the relay keeps, with its rules beside it in the same name and .acl: claims and revocations count there too.',
    ),
  CLOUD_MOSQUITTO_PID_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('pid_file of that Mosquitto: it gets SIGHUP when its passwords have changed.'),
  CLOUD_GATEWAY_BROKER_URL: z
    .string()
    .regex(/^(mqtts?|wss?):\/\/.+/, { error: 'must begin with mqtt://, mqtts://, ws:// or wss://' })
    .refine(isGuardedUrl, {
      error: 'must begin with mqtts:// or wss://, because passwords go there; plain only on this machine',
    })
    .optional()
    .describe(
      'Address where gateways reach the broker, which they get when they are paired; default: /mqtt at CLOUD_PUBLIC_URL if that is https, else the embedded broker.',
    ),
  CLOUD_GATEWAY_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      "PEM file of a private authority that signed the broker's certificate: gateways get it at pairing and trust only this authority.",
    ),
  CLOUD_MASTER_KEY: z
    .string({ error: 'is required: make one with `openssl rand -base64 32` and keep it' })
    .refine((text) => /^[A-Za-z0-9+/]{43}=$/.test(text), {
      error: 'must be the base64 of 32 bytes: make one with `openssl rand -base64 32`',
    })
    .describe(
      'Base64 of 32 random bytes that encrypt the webhook secrets. Required, here or in a file; without it they cannot be read.',
    ),
  CLOUD_MASTER_KEY_FILE: file().describe(
    'File that holds the master key instead, which only its owner and group may read.',
  ),
  CLOUD_START_WITHOUT_SECRETS: yesOrNo.describe(
    'yes: the relay starts although CLOUD_MASTER_KEY is not that of its database, or does not open the webhook secrets there. They are lost then: each endpoint needs a new one (rotate-secret).',
  ),
  CLOUD_DRAIN_SECONDS: z
    .string()
    .regex(/^(0|[1-9]\d{0,2})$/, { error: 'must be a number of seconds from 0 to 999' })
    .transform(Number)
    .optional()
    .describe(
      'Seconds for which the relay serves on after SIGTERM while /readyz is 503, so that its balancer stops sending; then its gateways move to other relays. Default: 10 with DATABASE_URL; 0 without, because a relay with SQLite runs alone and no other relay can replace it.',
    ),
  CLOUD_OUTGOING: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'off: nothing leaves the relay to webhook endpoints, points of sale and platforms, and neither mail nor text messages are sent. What waits for them stays waiting until a start with on; orders, gateways and printing work as always. For a relay on a copy of production data.',
    ),
  CLOUD_WEBHOOK_ALLOW_CIDRS: list
    .refine((parts) => parts.every(isNetwork), {
      error: 'must be addresses or networks with commas between, such as 127.0.0.0/8,::1/128',
    })
    .default([])
    .describe(
      'Private networks that webhooks of the sandbox may go to all the same, at any port and over http, such as 127.0.0.0/8,::1/128. Never webhooks of live endpoints; channels and points of sale that the operator connects by the command line, in live too. What people connect at the dashboard is held to the rules of webhooks.',
    ),
  CLOUD_WEBHOOK_PORTS: list
    .refine((parts) => parts.length > 0 && parts.every(isPort), {
      error: 'must be port numbers from 1 to 65535 with commas between, such as 80,443,8443',
    })
    .transform((parts) => parts.map(Number))
    .default([80, 443, 8443])
    .describe('Ports of public addresses that webhooks may go to.'),
  CLOUD_WEBHOOK_RETRY_SECONDS: list
    .refine((parts) => parts.length > 0 && parts.every((part) => /^\d{1,7}$/.test(part)), {
      error: 'must be seconds with commas between, such as 60,300,1800,7200,43200',
    })
    .transform((parts) => parts.map(Number))
    .default([60, 300, 1_800, 7_200, 43_200])
    .describe('Seconds from each failed webhook attempt to the next.'),
  CLOUD_MAIL_URL: z
    .string()
    .refine((url) => mailServerOf(url) !== null, {
      error: 'must be smtp://USER:PASSWORD@HOST:PORT or smtps://..., with both user and password or neither',
    })
    .optional()
    .describe(
      'Mail server that sends codes, invitations and alerts: smtps:// with TLS from the first byte (465), smtp:// with STARTTLS (587), which a password over a network needs. Default: none; mail is kept and `admin notices list` shows it. docs/notices.md.',
    ),
  CLOUD_MAIL_FROM: z
    .string()
    .refine((text) => senderOf(text) !== null, {
      error: 'must be a mail address such as mail@example.com, or Name <mail@example.com>',
    })
    .optional()
    .describe('As whom mail is sent; required with CLOUD_MAIL_URL.'),
  CLOUD_CUSTOMER_DATA_DAYS: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, { error: 'must be a number of days from 1 to 99999' })
    .transform(Number)
    .default(90)
    .describe("Days after which customers' names, telephone numbers and e-mail addresses are blanked in old orders."),
  CLOUD_REQUEST_LOG_DAYS: z
    .string()
    .regex(/^([0-9]|[12]\d|30)$/, { error: 'must be a number of days from 0 to 30' })
    .transform(Number)
    .default(7)
    .describe(
      "Days for which the dashboard shows what was called and what was answered, without customers' data and secrets; kept in a file of its own beside CLOUD_DATABASE. 0: nothing is kept.",
    ),
  CLOUD_ORDER_DAYS: z
    .string()
    .regex(/^(never|0|[6-9]\d|[1-9]\d{2,4})$/, { error: 'must be a number of days from 60 to 99999, or never' })
    .transform((text) => (text === 'never' || text === '0' ? null : Number(text)))
    .default(400)
    .describe(
      'Days after which old orders are exported and deleted; never (or 0) keeps them. At least 60: gateways and webhooks may refer to an order that long.',
    ),
  CLOUD_EXPORT_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('Folder into which orders are exported before they are deleted; without it none is deleted.'),
  CLOUD_DELETE_WITHOUT_EXPORT: yesOrNo.describe('yes: old orders are deleted although CLOUD_EXPORT_DIR is not set.'),
  ...voiceSettings,
  CLOUD_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Lowest level of log lines that are written.'),
})
export type CloudConfig = z.output<typeof cloudConfig>

/** Reads the settings. An empty variable counts as absent. @throws ConfigError */
export function readCloudConfig(env: Readonly<Record<string, string | undefined>>): CloudConfig {
  const config = readSettings(cloudConfig, withMasterKey(env))
  const faults = faultsTogether(config)
  if (faults.length > 0) throw new ConfigError(`The settings cannot be used. ${faults.join(' ')}`)
  return config
}
