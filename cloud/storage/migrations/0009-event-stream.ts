// Ninth schema of the relay: events stand in the order of their commits, each with a position that is never given twice. Columns are explained in ../schema-webhooks.ts.

import { type Kysely, sql } from 'kysely'
import { POSITIONS_PER_MS } from '#cloud/storage/event-position.ts'
import type { RelaySchema } from '#cloud/storage/schema.ts'

const COLUMNS =
  'id, account_id, merchant_id, environment, type, subject_id, sequence, audience, test, created_at, payload'

/**
 * Old events come in the order of their ids, which is that of their making; each gets the position that it would have got then: its time, or
 * the place after the event before it. Only numbers are sorted, and each payload is copied once: 26 s for a million events on two busy cores.
 * The position is the row's own key, so `events_own` and `events_shared` end with it without naming it.
 */
const STATEMENTS: readonly string[] = [
  `create table events_in_order (position integer primary key autoincrement, id text not null unique, account_id text not null,
    merchant_id text not null, environment text not null, type text not null, subject_id text not null, sequence integer not null,
    audience text not null default 'account', test integer not null default 0, created_at bigint not null, payload text not null,
    unique (subject_id, type, sequence))`,
  `insert into events_in_order (position, ${COLUMNS})
    select place.position, ${COLUMNS} from
      (select row_id, n + max(created_at * ${POSITIONS_PER_MS} - n) over (order by n rows unbounded preceding) as position from
        (select rowid as row_id, created_at, row_number() over (order by id) as n from events)) as place
      join events on events.rowid = place.row_id
      order by place.position`,
  `drop table events`,
  `alter table events_in_order rename to events`,
  `create index events_own on events (merchant_id, account_id, type) where audience = 'account'`,
  `create index events_shared on events (merchant_id, type) where audience = 'merchant'`,
  `create table event_stream (forgotten integer not null)`,
  `insert into event_stream (forgotten) values (0)`,
]

export async function up(db: Kysely<RelaySchema>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
