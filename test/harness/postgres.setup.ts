// Before the suites on PostgreSQL: a server of their own, unless TEST_DATABASE_URL names one on which databases may be made.
import type { Migration } from '#cloud/storage/migrations/migrations.ts'
import { dropDatabases, makeTemplate } from './postgres-databases.ts'
import { PostgresServer } from './postgres-server.ts'

/** What such a server does beside the tests costs them time. */
const QUIET = { autovacuum: 'off', jit: 'off', bgwriter_lru_maxpages: '0', checkpoint_timeout: '1h' }

/** @returns what ends it */
export const setup = (): Promise<() => Promise<void>> => serverWith()

/** @param newer migrations of a later release, that all databases have, too. @returns what ends it */
export async function serverWith(newer?: readonly Migration[]): Promise<() => Promise<void>> {
  if (process.env['TEST_DATABASE_TEMPLATE'] !== undefined) return async () => {}
  const given = process.env['TEST_DATABASE_URL']
  const server = given === undefined ? await PostgresServer.start({ settings: QUIET }) : null
  const url = given ?? server!.url()
  const template = await makeTemplate(url, newer)
  process.env['TEST_DATABASE_URL'] = url
  process.env['TEST_DATABASE_TEMPLATE'] = template
  return async () => {
    delete process.env['TEST_DATABASE_TEMPLATE']
    if (server === null) return dropDatabases(url, template)
    delete process.env['TEST_DATABASE_URL']
    await server.remove()
  }
}
