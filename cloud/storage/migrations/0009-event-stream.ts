// Ninth schema of the relay: events stand in the order of their commits, each with a position that is never given twice. Columns are explained in ../schema-webhooks.ts.

import { POSITIONS_PER_MS } from '#cloud/storage/event-position.ts'
import { runs } from './run-statements.ts'

const COLUMNS =
  'id, account_id, merchant_id, environment, type, subject_id, sequence, audience, test, created_at, payload'

/**
 * Old events come in the order of their ids, which is that of their making; each gets the position that it would have got then: its time, or
 * the place after the event before it. Only numbers are sorted, and each payload is copied once: 26 s for a million events on two busy cores.
 * The position is the row's own key, so `events_own` and `events_shared` end with it without naming it.
 */
const ON_SQLITE = [
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

/**
 * Several relays write at once, so a position is given under a lock that lasts until the COMMIT: one for each merchant, because events are
 * only ever followed at one. Positions of different merchants may be equal.
 */
const ON_POSTGRES = [
  `alter table events add column position bigint not null`,
  `create unique index events_position on events (merchant_id, position)`,
  `create index events_age on events (position)`,
  `drop index events_own`,
  `drop index events_shared`,
  `create index events_own on events (merchant_id, account_id, type, position) where audience = 'account'`,
  `create index events_shared on events (merchant_id, type, position) where audience = 'merchant'`,
  `create table event_positions (merchant_id text collate "C" primary key, newest bigint not null, forgotten bigint not null default 0)`,
  `create function next_event_position(merchant text, earliest bigint) returns bigint language sql as $$
    insert into event_positions as p (merchant_id, newest) values (merchant, earliest)
      on conflict (merchant_id) do update set newest = greatest(p.newest + 1, excluded.newest) returning newest $$`,
]

export const up = runs([
  ...ON_SQLITE.map((sqlite) => ({ sqlite, postgres: null })),
  ...ON_POSTGRES.map((postgres) => ({ sqlite: null, postgres })),
])
