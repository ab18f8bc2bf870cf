// The socket by which the command line and the relay of one database find each other, and how they verify that it is the same database.
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AskedDatabase } from './admin/ask-relay.ts'
import { realPathOf } from './backup/own-files.ts'
import type { CloudConfig } from './config.ts'
import { placeOf } from './storage/postgres/postgres-cannot-open.ts'

type PlaceSettings = Pick<CloudConfig, 'CLOUD_DATABASE' | 'DATABASE_URL' | 'CLOUD_ADMIN_SOCKET'>

/** Where the relay's admin socket is: of one database there may be several relays on a machine, each with a port of its own. */
export function adminSocketOf(config: PlaceSettings & Pick<CloudConfig, 'CLOUD_HTTP_PORT'>): string {
  const { CLOUD_ADMIN_SOCKET: path, CLOUD_DATABASE: file, DATABASE_URL: url, CLOUD_HTTP_PORT: port } = config
  if (path !== undefined) return path
  if (url === undefined) return socketOfFile(file)
  return join(dirname(file), `${startOfServer(config)}${port === 0 ? anyPort() : port}.sock`)
}

/** Where a relay of this database may answer on this machine; each does for a command. */
export function socketsToAsk(config: PlaceSettings): string[] {
  const { CLOUD_ADMIN_SOCKET: path, CLOUD_DATABASE: file, DATABASE_URL: url } = config
  if (path !== undefined) return [path]
  if (url === undefined) return [socketOfFile(file)]
  const start = startOfServer(config)
  return namesIn(dirname(file))
    .filter((name) => name.startsWith(start) && name.endsWith('.sock'))
    .toSorted()
    .map((name) => join(dirname(file), name))
}

/** Sockets of relays on PostgreSQL, of whatever database, in the folder of a SQLite file. */
export function serverSocketsBeside(file: string): string[] {
  const folder = dirname(file)
  return namesIn(folder)
    .filter((name) => /^relay-[0-9a-f]{12}-.+\.sock$/.test(name))
    .map((name) => join(folder, name))
}

/** The relay's own log of requests: each relay of a database has one, on its own machine. */
export function requestFileOf(
  config: Omit<PlaceSettings, 'CLOUD_ADMIN_SOCKET'> & Pick<CloudConfig, 'CLOUD_HTTP_PORT'>,
): string {
  const { CLOUD_DATABASE: file, DATABASE_URL: url, CLOUD_HTTP_PORT: port } = config
  if (url === undefined) return `${file.replace(/\.db$/, '')}-requests.db`
  return join(dirname(file), `${startOfServer(config)}${port}-requests.db`)
}

/** Next to the SQLite file. */
export const socketOfFile = (file: string): string => `${file}.sock`

/** What a relay sends about its database before any command; the command line compares it with its own. */
export function askedDatabase({
  CLOUD_DATABASE: file,
  DATABASE_URL: url,
}: Omit<PlaceSettings, 'CLOUD_ADMIN_SOCKET'>): AskedDatabase {
  if (url === undefined) return { mark: markOf(realPathOf(file)), words: `the file ${file}`, isServer: false }
  const { hostname, port, pathname } = new URL(url)
  const place = [hostname.toLowerCase(), port === '' ? '5432' : port, decodeURIComponent(pathname.slice(1))]
  return { mark: markOf(JSON.stringify(place)), words: `${placeOf(url)} (DATABASE_URL)`, isServer: true }
}

/** Relays that take any free port have sockets of their own all the same. */
const anyPort = (): string => `any${randomBytes(3).toString('hex')}`

const startOfServer = (config: Omit<PlaceSettings, 'CLOUD_ADMIN_SOCKET'>): string =>
  `relay-${askedDatabase(config).mark}-`

/** Short, because the path of a socket may have no more than about 100 characters. */
const markOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
