// The gateway's settings: environment variables only, one schema from which documentation and .env.example are made.
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { type AllowedRange, readAllowedRanges } from '#gateway/control/cloud-address-policy.ts'
import { isSmallNetwork } from '#gateway/discovery/local-networks.ts'
import type { PrinterSetting } from '#gateway/storage/printer-store.ts'
import { ConfigError, readSettings } from '#shared/settings.ts'

const PORT = z
  .string()
  .regex(/^\d{1,5}$/, { error: 'must be a port number from 0 to 65535' })
  .transform(Number)
  .refine((n) => n <= 65_535, { error: 'must be a port number from 0 to 65535' })
const USUAL_HTTPS_PORT = 8_443

const PRINTERS_FORM =
  'must be a list such as grill=192.168.1.50,fry=192.168.1.51:9100/epson-thermal-203@fry+oven,bar=usb:/dev/usb/lp0'
const MAX_PRINTERS = 32

export const gatewayConfig = z.object({
  GATEWAY_DATABASE: z
    .string()
    .min(1)
    .default('data/gateway/gateway.db')
    .describe('SQLite file with everything that the gateway stores; created with its folder if missing.'),
  GATEWAY_PROOF_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder outside that of the database, with a small file that shows whether the database is the newest: with an older copy, waiting tickets print marked as possible duplicates; ' +
        'default: ticketrail in $XDG_STATE_HOME or ~/.local/state, and beside the database where there is neither.',
    ),
  GATEWAY_HTTP_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address that the status page listens on; 0.0.0.0 shows it to the whole local network.'),
  GATEWAY_HTTP_PORT: PORT.default(8081).describe('Port of the status page; 0 takes any free one.'),
  GATEWAY_HTTPS_PORT: PORT.optional().describe(
    'Port of the page by https, where people sign in; 0: no https. Default: 8443, and none while GATEWAY_HTTP_HOST is of this machine only.',
  ),
  GATEWAY_HTTPS_CERTIFICATE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'PEM file with a certificate of your own for the page, then the intermediate certificates; read again within a minute when it changes. ' +
        'Default: one that the gateway makes itself and keeps in page-certificate.pem beside the database.',
    ),
  GATEWAY_HTTPS_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('PEM file with the key of GATEWAY_HTTPS_CERTIFICATE, without a passphrase.'),
  GATEWAY_HTTP_SIGN_IN: z
    .enum(['this-machine', 'everywhere'])
    .default('this-machine')
    .describe(
      'Where people may sign in over plain http when https is on. everywhere: anyone on the network can read their passwords.',
    ),
  GATEWAY_PAIRING_FILE: z
    .string()
    .min(1)
    .default('data/gateway/pairing.json')
    .describe(
      'JSON file with the identity that pairing gave. Missing: the gateway runs without a relay, page and printers work.',
    ),
  GATEWAY_RELAY_URL: z
    .url({ protocol: /^https?$/, error: 'must be an https address, such as https://relay.example' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'Address of the relay where claim codes are claimed, such as https://relay.example; http only on this machine.',
    ),
  GATEWAY_CLOUD_PRINTERS: z
    .string()
    .transform(readRanges)
    .default([])
    .describe(
      'Networks and ports of printers that the cloud may set up here beside those of the own private networks at 9100-9109, ' +
        'such as 10.20.0.0/16 or 10.20.0.0/16:9100-9200, with commas between.',
    ),
  GATEWAY_ALLOWED_PRINTERS: z
    .string()
    .transform(readRanges)
    .default([])
    .describe(
      'Networks and ports where printers may be set up on the page and by the command line beside private networks at ports of printers, ' +
        'such as 203.0.113.0/28:9100 or 127.0.0.0/8:9100-9200, with commas between.',
    ),
  GATEWAY_PRINTERS: z
    .string()
    .transform(readPrinters)
    .default([])
    .describe(
      'Printers, as a comma list of name=host[:port][/profile][@station+station], or name=usb:/dev/usb/lp0[:profile][@station] ' +
        'for one at a device file of this machine; a name with = @ / or a comma in it stands in double quotes; the first is the default printer. ' +
        'An entry takes effect when it is new or changed: a new name is added, a known one gets the new address; what was set since then by the command line stays.',
    ),
  GATEWAY_CONTROL_SOCKET: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Socket by which the command line reaches the running gateway, for its own user only; default: control.sock beside the database.',
    ),
  GATEWAY_DISCOVERY_NETWORKS: z
    .string()
    .transform(readNetworks)
    .default([])
    .describe(
      'Networks that are searched for printers, such as 192.168.1.0/24,192.168.2.0/26: at most 256 addresses each, this machine ' +
        'must be in them; default: its own private ones.',
    ),
  GATEWAY_PRINT_SETUP_TICKET: z
    .enum(['yes', 'no'])
    .default('no')
    .describe(
      'yes: a box that is not set up and has no printer searches for one and prints the address of its page there; the code for the first user only on a USB printer.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .optional()
    .describe('Collector to which spans of traced orders are sent by OTLP over HTTP. Default: none are made.'),
  GATEWAY_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('Lowest level of log lines that are written.'),
})
export type GatewayConfig = z.output<typeof gatewayConfig> & { GATEWAY_PROOF_FOLDER: string }

/** Where the command line reaches the gateway. */
export function controlSocketOf(config: Pick<GatewayConfig, 'GATEWAY_CONTROL_SOCKET' | 'GATEWAY_DATABASE'>): string {
  return config.GATEWAY_CONTROL_SOCKET ?? join(dirname(config.GATEWAY_DATABASE), 'control.sock')
}

/** Where the page is by https; 0: nowhere. What only this machine can reach needs none. */
export function httpsPortOf(config: Pick<GatewayConfig, 'GATEWAY_HTTPS_PORT' | 'GATEWAY_HTTP_HOST'>): number {
  const isOnlyHere = /^(?:127\.[\d.]+|localhost|::1)$/i.test(config.GATEWAY_HTTP_HOST)
  return config.GATEWAY_HTTPS_PORT ?? (isOnlyHere ? 0 : USUAL_HTTPS_PORT)
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the settings. An empty variable counts as absent. @throws ConfigError */
export function readGatewayConfig(env: Environment): GatewayConfig {
  const config = readSettings(gatewayConfig, env)
  if ((config.GATEWAY_HTTPS_CERTIFICATE === undefined) !== (config.GATEWAY_HTTPS_KEY === undefined)) {
    const [missing, there] = config.GATEWAY_HTTPS_KEY === undefined ? ['KEY', 'CERTIFICATE'] : ['CERTIFICATE', 'KEY']
    throw new ConfigError(
      `The settings cannot be used. GATEWAY_HTTPS_${missing} must be set when GATEWAY_HTTPS_${there} is.`,
    )
  }
  return { ...config, GATEWAY_PROOF_FOLDER: config.GATEWAY_PROOF_FOLDER ?? proofFolderOf(env, config) }
}

/** Not the folder of the database, if there is another one. */
function proofFolderOf(
  { XDG_STATE_HOME, HOME }: Environment,
  { GATEWAY_DATABASE }: { GATEWAY_DATABASE: string },
): string {
  if (XDG_STATE_HOME) return join(XDG_STATE_HOME, 'ticketrail')
  return HOME ? join(HOME, '.local/state/ticketrail') : dirname(GATEWAY_DATABASE)
}

function readRanges(text: string, context: z.RefinementCtx): AllowedRange[] {
  const ranges = readAllowedRanges(text)
  if (ranges !== null) return ranges
  const message = 'must be a list of IPv4 networks with ports, such as 10.20.0.0/16:9100-9109'
  context.addIssue({ code: 'custom', message })
  return z.NEVER
}

function readNetworks(text: string, context: z.RefinementCtx): string[] {
  const networks = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const bad = networks.find((network) => !isSmallNetwork(network))
  if (bad === undefined) return networks
  const message = 'must be a list of IPv4 networks of at most 256 addresses, such as 192.168.1.0/24'
  context.addIssue({ code: 'custom', message })
  return z.NEVER
}

function readPrinters(text: string, context: z.RefinementCtx): PrinterSetting[] {
  const refuse = (message: string): never => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  const parts = entriesOf(text)
  const printers = parts.filter((part) => part !== '').map(readPrinter)
  const bad = printers.indexOf(null)
  if (bad >= 0) return refuse(`${PRINTERS_FORM}; entry ${bad + 1} is not of that form`)
  const read = printers.filter((printer) => printer !== null)
  if (read.length > MAX_PRINTERS) return refuse(`must name at most ${MAX_PRINTERS} printers`)
  const twice = read.find((printer, index) => read.findIndex((other) => other.name === printer.name) !== index)
  return twice ? refuse(`must name each printer once; ${twice.name} is there twice`) : read
}

/** At commas, but not at those of a name in quotes. */
function entriesOf(text: string): string[] {
  return (text.match(/\s*"[^"]*"[^,]*|[^,]+/g) ?? []).map((part) => part.trim())
}

/** Names with characters that have a meaning here are in double quotes. */
const NAME = '("[^"]{1,40}"|[^"=@/,][^=@/,]{0,39})'
const STATIONS = '(?:@(.{1,400}))?'
const NETWORK = new RegExp(
  `^${NAME}=(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9._-]{1,253})(?::(\\d{1,5}))?(?:/([a-z0-9-]{1,40}))?${STATIONS}$`,
)
// The path ends at a colon, because it is full of slashes. No ".." in it.
const DEVICE = new RegExp(
  `^${NAME}=usb:(/dev(?:/[A-Za-z0-9_-][A-Za-z0-9._-]{0,60}){1,6})(?::([a-z0-9-]{1,40}))?${STATIONS}$`,
)

/**
 * `name=host[:port][/profile][@station+station]`, an IPv6 host in brackets; or `name=usb:/dev/usb/lp0[:profile][@station+station]`.
 * Null when it is of neither form.
 */
function readPrinter(entry: string): PrinterSetting | null {
  const [, device, path, deviceProfile = null, deviceStations = ''] = DEVICE.exec(entry) ?? []
  if (device !== undefined && path !== undefined) {
    return printerSetting(device, {
      address: { host: path, port: 0 },
      profileId: deviceProfile,
      stationText: deviceStations,
    })
  }
  const [, name, host, portText = '9100', profileId = null, stations = ''] = NETWORK.exec(entry) ?? []
  const port = Number(portText)
  if (name === undefined || host === undefined || port < 1 || port > 65_535) return null
  return printerSetting(name, {
    address: { host: host.replace(/^\[|\]$/g, ''), port },
    profileId,
    stationText: stations,
  })
}

function printerSetting(
  name: string,
  {
    address,
    profileId,
    stationText,
  }: { address: { host: string; port: number }; profileId: string | null; stationText: string },
): PrinterSetting | null {
  const bare = name.replace(/^"(.*)"$/, '$1').trim()
  if (bare === '') return null
  const stations = stationText.split('+').map((station) => station.trim())
  return { name: bare, ...address, profileId, stations: stations.filter((it) => it !== '').slice(0, 64) }
}
