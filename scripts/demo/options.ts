// The options of `npm start`: parsing, checks, and the help text.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { DemoError } from './demo-error.ts'

export interface Address {
  host: string
  port: number
}

export interface DemoOptions {
  /** A real printer instead of the virtual one. */
  printer: Address | null
  /** Plays a telephone call once everything runs. */
  call: boolean
  /** Absolute path of the data folder. */
  dataDir: string
  /** 0 = any free port. */
  cloudPort: number
  gatewayPort: number
  mqttPort: number
}

export const HELP = `Starts the relay, a paired gateway and a virtual printer on this machine.

  npm start                                  everything on loopback, data in data/
  npm start -- --printer 192.168.1.50        print on a real printer instead
  npm start -- --call                        a telephone call first, whose order is printed

Options
  --printer HOST[:PORT]   ESC/POS printer to use instead of the virtual one (port 9100 unless given)
  --call                  play a telephone call with the receptionist once everything runs
  --data DIR              folder for databases, keys, logs and paper (default data/)
  --cloud-port PORT       the relay's HTTP API (default 8080, 0 = any free port)
  --gateway-port PORT     the gateway's page (default 8081, 0 = any free port)
  --mqtt-port PORT        the relay's MQTT broker (default 1883, 0 = any free port)
  --no-install            do not install packages, even when some are missing
  --help                  this text
`

/**
 * @param args the command line without node and script
 * @param baseDir folder that a relative --data starts from
 * @param defaultDataDir absolute path used without --data
 * @returns null when help was asked for
 * @throws DemoError that names the option
 */
export function parseDemoOptions(args: readonly string[], baseDir: string, defaultDataDir: string): DemoOptions | null {
  const values = parse(args)
  if (values.help) return null
  return {
    printer: values.printer === undefined ? null : parseAddress(values.printer),
    call: values.call ?? false,
    dataDir: values.data === undefined ? defaultDataDir : resolve(baseDir, values.data),
    cloudPort: parsePort('--cloud-port', values['cloud-port'] ?? '8080'),
    gatewayPort: parsePort('--gateway-port', values['gateway-port'] ?? '8081'),
    mqttPort: parsePort('--mqtt-port', values['mqtt-port'] ?? '1883'),
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        printer: { type: 'string' },
        call: { type: 'boolean' },
        data: { type: 'string' },
        'cloud-port': { type: 'string' },
        'gateway-port': { type: 'string' },
        'mqtt-port': { type: 'string' },
        'no-install': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new DemoError(`${text}\n\n${HELP}`, { cause: error })
  }
}

function parsePort(option: string, text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new DemoError(`${option} needs a port from 0 to 65535, not "${text}".`)
  return port
}

/** `host`, `host:port`, `[v6]` or `[v6]:port`. */
function parseAddress(text: string): Address {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/.exec(text)
  const port = match?.[3] === undefined ? 9_100 : Number(match[3])
  if (!match || port < 1 || port > 65_535)
    throw new DemoError(`--printer needs HOST or HOST:PORT, such as 192.168.1.50 or 192.168.1.50:9100, not "${text}".`)
  return { host: match[1] ?? match[2] ?? '', port }
}
