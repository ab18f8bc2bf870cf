// What an error of PostgreSQL, or of the connection to it, means for the unit that met it.
import { DatabaseError } from 'pg'
import type { Hindrance } from '#cloud/storage/database.ts'
import { codeOf } from '#shared/code-of.ts'

/**
 * `again`: another unit was in the way, or the server has no room for one more just now, and a second try may pass. `conflict`: the row is
 * there already. `lost`: this connection is gone, or could not be made; what of the server is to be asked on another one. `readOnly`: a
 * standby, or a server that refuses writes. `full`: its disk is. `slow`: no answer in time. `failing`: its disk or its files are at fault.
 */
export type PostgresFault = 'again' | 'conflict' | 'lost' | 'readOnly' | 'full' | 'slow' | 'failing'

/** The server is a standby, or takes no writes for all that connect to it. */
export class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer'
  constructor() {
    super('the server takes no writes')
  }
}

/** There is no connection, or none any more. The driver's error has neither a class nor a code of its own, and is the cause. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
  /** The system's, such as ECONNRESET; else empty. */
  readonly code: string
  /** It ended without notice, while an answer was awaited: others of its age may be dead too. */
  readonly isSilent: boolean

  constructor(cause: Error) {
    super(cause.message, { cause })
    this.code = codeOf(cause)
    this.isSilent = this.code === 'ETIMEDOUT' || /timeout/.test(cause.message)
  }
}

/**
 * For errors that a call of the driver threw, and no others: errors of the network and of the driver become a ConnectionLost. Errors of the
 * server, of this program about a value, and of a class of their own are unchanged.
 */
export function ofDriver(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseError) return error
  // Several addresses of one name.
  const isPlain = error.constructor === Error || error instanceof AggregateError
  return isPlain || SYSTEM_CODE.test(codeOf(error)) ? new ConnectionLost(error) : error
}

/** Node names faults of the network so. */
const SYSTEM_CODE = /^E(?!RR_)[A-Z]/

/** https://www.postgresql.org/docs/15/errcodes-appendix.html */
const BY_CODE: Readonly<Record<string, PostgresFault>> = {
  // Serialization failure, deadlock, lock not available within lock_timeout.
  '40001': 'again',
  '40P01': 'again',
  '55P03': 'again',
  '23505': 'conflict',
  '25006': 'readOnly',
  // The unit stood still for too long, or took too long, as when this relay was frozen: its session was ended.
  '25P03': 'lost',
  '25P04': 'lost',
  '53100': 'full',
  // Cancelled by statement_timeout.
  '57014': 'slow',
  // Out of memory, too many connections: this one is affected, the others continue.
  '53200': 'again',
  '53300': 'again',
}

/** Connection exceptions (08P01, a violation of the protocol, among them), operator intervention; errors of the system, a damaged index or page. */
const BY_CLASS: Readonly<Record<string, PostgresFault>> = {
  '08': 'lost',
  // Who may connect, and to what, was changed.
  '28': 'lost',
  '3D': 'lost',
  '57': 'lost',
  '58': 'failing',
  XX: 'failing',
}

/**
 * Null: it is the statement's own error, or none of PostgreSQL's. The error's message is not read: a transaction's own may contain
 * anything.
 */
export function postgresFault(error: unknown): PostgresFault | null {
  if (error instanceof ReadOnlyServer) return 'readOnly'
  if (error instanceof ConnectionLost) return 'lost'
  if (!(error instanceof DatabaseError)) return null
  const { code = '' } = error
  return BY_CODE[code] ?? BY_CLASS[code.slice(0, 2)] ?? null
}

/**
 * A newer release has changed the table under a statement that this connection had planned. Nothing was done; it can be planned again. The
 * message depends on the language, the place in the server's source does not.
 */
export const isOldPlan = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

/** Of a unit that another one was in the way of. */
export function hindranceOf(error: unknown): Hindrance {
  const { code = 'unknown', constraint = null } = error instanceof DatabaseError ? error : {}
  return { code, constraint }
}

/** Whether the session went with it: nothing more can be asked on this connection. */
export function endsConnection(error: unknown): boolean {
  const fault = postgresFault(error)
  return fault === 'lost' || fault === 'readOnly'
}

/** Whether other connections of the same age may lead to where this one did: nowhere, or to a server that was the primary before. */
export const isOfAll = (error: unknown): boolean =>
  (error instanceof ConnectionLost && error.isSilent) || postgresFault(error) === 'readOnly'
