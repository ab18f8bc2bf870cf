// One session on the server for work of the operator that takes long: without the limits of a relay's units.
import { type ClientBase, DatabaseError } from 'pg'
import { cannotOpen, newClient } from './postgres-cannot-open.ts'
import { NUMBERS, whyNotUsable, withDriverErrors } from './postgres-connection.ts'
import { ConnectionLost, ReadOnlyServer } from './postgres-fault.ts'

const CONNECT_WITHIN_MS = 5_000

export type ServerSession = Pick<ClientBase, 'query'>

/**
 * Runs `work` on a session that ends with it. An error of the server or of the network becomes one line for the operator.
 * @param does `reads`: a standby will do
 * @throws CannotOpen, or what `work` throws
 */
export async function onServer<T>(
  url: string,
  does: 'reads' | 'writes',
  work: (session: ServerSession) => Promise<T>,
): Promise<T> {
  const client = newClient({
    connectionString: url,
    application_name: 'ticketrail/admin',
    types: NUMBERS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  })
  const session: ServerSession = {
    query: (...asked: [never]) => withDriverErrors(() => client.query(...asked)),
  } as ServerSession
  try {
    await withDriverErrors(() => client.connect())
    const fault = does === 'writes' ? await whyNotUsable(client) : null
    if (fault !== null) throw fault
    return await work(session)
  } catch (error) {
    throw isOfServer(error) ? cannotOpen(url, error) : error
  } finally {
    await client.end().catch(() => {})
  }
}

/** What `work` refuses is an error of a class of its own. */
const isOfServer = (error: unknown): boolean =>
  [DatabaseError, ReadOnlyServer, ConnectionLost].some((kind) => error instanceof kind)
