// Before the suites of this release on the schema that the next one could make: a server whose databases have its migrations, too.
import { EXPANDED_SCHEMA } from '#test/fixtures/newer-schema.ts'
import { serverWith } from './postgres.setup.ts'

/** @returns what ends it */
export const setup = (): Promise<() => Promise<void>> => serverWith(EXPANDED_SCHEMA)
