// Events as they were recorded: the exact bytes that every attempt of every delivery signs and sends.
import { prepared, type Tx } from './database.ts'
import { queryBuilder } from './query-builder.ts'
import type { NewRow } from './schema.ts'

const insert = prepared((p) =>
  queryBuilder.insertInto('events').values({
    id: p('id'),
    account_id: p('account_id'),
    merchant_id: p('merchant_id'),
    environment: p('environment'),
    type: p('type'),
    subject_id: p('subject_id'),
    sequence: p('sequence'),
    payload: p('payload'),
    audience: p('audience'),
    test: p('test'),
    created_at: p('created_at'),
  }),
)

/** Adds one event. A second one of the same subject, type and sequence fails: that is a bug of the caller. */
export async function insertEvent(tx: Tx, row: NewRow<'events'>): Promise<void> {
  await insert(tx, { audience: 'account', test: 0, ...row })
}
