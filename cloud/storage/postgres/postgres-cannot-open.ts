// Why the database of DATABASE_URL cannot be opened, in one line for the operator: what is wrong, and what to do. Never the password.
import { Client, type ClientConfig, DatabaseError } from 'pg'
import { CannotOpen } from '#cloud/storage/cannot-open.ts'
import { codeOf } from '#shared/code-of.ts'
import { ConnectionLost, postgresFault } from './postgres-fault.ts'

/** Whether a next start may find it otherwise, though nobody changes DATABASE_URL. */
interface Why {
  words: string
  passes: boolean
}

/** The driver reads what DATABASE_URL names. @throws CannotOpen */
export function newClient(config: ClientConfig): Client {
  try {
    const client = new Client(config)
    // The caller gets the error from its query; without a listener it would end the program.
    client.on('error', () => {})
    return client
  } catch (cause) {
    throw new CannotOpen(unreadable(cause), { cause })
  }
}

function unreadable(error: unknown): string {
  const path = error instanceof Error && 'path' in error ? String(error.path) : null
  if (path === null) return `DATABASE_URL cannot be used (${wordsOf(error)}): correct it`
  return `DATABASE_URL names the file ${path}, which cannot be read (${codeOf(error)}): correct its sslrootcert, sslcert or sslkey, or let the relay's user read the file`
}

/** @param url as in the settings */
export function cannotOpen(url: string, error: unknown): unknown {
  if (error instanceof CannotOpen) return error
  const special = error instanceof DatabaseError ? whyOfServer(url, error) : whyOfConnection(url, error)
  const found = special ?? whyOfFault(url, error)
  return found === null ? error : new CannotOpen(found.words, { passes: found.passes, cause: error })
}

function whyOfServer(url: string, { code = '', message: said }: DatabaseError): Why | null {
  const where = placeOf(url)
  // Asked in the clear or for a hash, the driver answers with an empty one.
  if (code === '28P01' && hasNoPassword(url)) return why(wantsPassword(where), false)
  if (code.startsWith('28'))
    return why(`${where} refuses DATABASE_URL's user or password (${said}): correct them`, false)
  if (code === '3D000')
    return why(`${where} does not exist: make it by \`create database\`, or correct DATABASE_URL`, false)
  if (code === '42501')
    return why(`${where} does not let DATABASE_URL's user make tables (${said}): make it the owner`, false)
  if (code === '53300')
    return why(
      `${where} has no connection free for DATABASE_URL's user (${said}): raise max_connections at the server or the connection limit of the role or the database, or let each relay take fewer (CLOUD_DB_SLOTS, CLOUD_DB_READERS)`,
      true,
    )
  return null
}

/** The driver's messages when a new connection is not one of PostgreSQL in time. */
const CONNECTING = /^timeout expired$|due to connection timeout/

/** What Node says of the server's certificate. https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

function whyOfConnection(url: string, error: unknown): Why | null {
  if (!(error instanceof ConnectionLost)) return null
  const where = placeOf(url)
  const { code, message: said } = error
  if (UNTRUSTED.has(code))
    return why(
      `${where} shows a certificate that this machine does not trust (${code}): add sslrootcert=FILE to DATABASE_URL, with the certificate of the authority that signed it`,
      false,
    )
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return why(
      `${where} shows a certificate that is not valid today (${code}): renew it at the server that DATABASE_URL names, or set this machine's clock`,
      true,
    )
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return why(
      `${where} shows a certificate for another host name: DATABASE_URL must name the host as its certificate does`,
      false,
    )
  if (/does not support SSL/.test(said))
    return why(
      `${where} speaks no TLS: set \`ssl = on\` at the server, or take sslmode and the like out of DATABASE_URL`,
      false,
    )
  if (/^SASL.*client password must be/.test(said)) return why(wantsPassword(where), false)
  if (/^(ERR_(SSL|OSSL|TLS)|EPROTO)/.test(code) || said.startsWith('SASL'))
    return why(
      `${where} and the relay cannot agree on a connection (${said}): look at sslmode and the like in DATABASE_URL`,
      false,
    )
  if (code === 'ENOTFOUND')
    return why(
      `${where} cannot be found: no name server knows that host; correct DATABASE_URL, or add the name (${code})`,
      true,
    )
  return null
}

function whyOfFault(url: string, error: unknown): Why | null {
  const where = placeOf(url)
  const said = wordsOf(error)
  switch (postgresFault(error)) {
    case 'readOnly':
      return why(`${where} takes no writes: DATABASE_URL must name the primary server, not a standby`, true)
    case 'full':
      return why(`there is no room on the disk of ${where}, which DATABASE_URL names: make room`, true)
    case 'lost':
      if (!(error instanceof ConnectionLost) || error.code !== '')
        return why(`${where} cannot be reached (${codeOf(error) || said}): start it, or correct DATABASE_URL`, true)
      // Without an error of the system: packets are dropped, or the server accepted the connection and is silent, or closed it.
      if (CONNECTING.test(said))
        return why(
          `${where} does not answer as PostgreSQL (${said}): look whether PostgreSQL is what listens there, and that no firewall is between, or correct DATABASE_URL`,
          true,
        )
      return why(
        `${where} cannot be reached (${said}): start it, or correct DATABASE_URL if that port is not PostgreSQL's`,
        true,
      )
    case 'slow':
    case 'again':
      return why(
        `${where}, which DATABASE_URL names, does not answer in time (${said}): look what holds its tables`,
        true,
      )
    case 'failing':
      return why(`${where}, which DATABASE_URL names, has a fault (${said}): see the log of the server`, false)
    default:
      return null
  }
}

const wantsPassword = (where: string): string =>
  `${where} asks for a password, and DATABASE_URL has none: add it, or set PGPASSWORD to it`

const hasNoPassword = (url: string): boolean => new URL(url).password === ''

const why = (words: string, passes: boolean): Why => ({ words, passes })
const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** `the database "relay" at db.example:5432` */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  const host = hostname === '' ? 'the local socket' : `${hostname}:${port === '' ? '5432' : port}`
  return `the database "${decodeURIComponent(pathname.slice(1))}" at ${host}`
}
