// The most frequent queries of the outbox to the kitchen, compiled once. States are literals in them: SQLite uses a partial index only for
// a condition that it can read, never for a bound value.
import { sql } from 'kysely'
import type { LocationId, PrintJobId } from '#shared/ids.ts'
import { type Db, prepared, type RelayDatabase } from './database.ts'
import type { DispatchesTable } from './schema.ts'

const COLUMNS = [
  'id',
  'order_id',
  'seq',
  'doc',
  'bytes',
  'state',
  'not_before',
  'expires_at',
  'possible_duplicate',
  'cancel_requested_at',
  'created_at',
] as const
export type DispatchRow = Pick<DispatchesTable, (typeof COLUMNS)[number]>
export type DispatchQueries = ReturnType<typeof dispatchQueries>

const state = (name: DispatchesTable['state']) => sql.lit(name)

export function dispatchQueries(db: RelayDatabase) {
  return { ...queueQueries(db), ...streamQueries(db), ...outcomeQueries(db), ...forgottenQueries(db) }
}

function queueQueries({ read }: RelayDatabase) {
  return {
    insert: prepared((p) =>
      read.insertInto('dispatches').values({
        id: p('id'),
        order_id: p('order_id'),
        location_id: p('location_id'),
        doc: p('doc'),
        bytes: p('bytes'),
        state: state('queued'),
        available_at: p('available_at'),
        not_before: p('not_before'),
        expires_at: p('expires_at'),
        possible_duplicate: 0,
        created_at: p('created_at'),
        kind: p('kind'),
        account_id: p('account_id'),
        merchant_id: p('merchant_id'),
      }),
    ),
    hasQueued: prepared((p) =>
      read
        .selectFrom('dispatches')
        .select('ordinal')
        .where('location_id', '=', p('location'))
        .where('state', '=', state('queued'))
        .where('available_at', '<=', p('now'))
        .limit(sql.lit(1)),
    ),
    // For these only, by as many seeks: one relay of several reads only its own gateways.
    locationsAmong: (on: Db, { now, among }: { now: number; among: readonly LocationId[] }) =>
      sql<{ location_id: LocationId }>`
        select id as location_id from unnest(${among}::text[]) as mine(id)
          where exists (select 1 from dispatches where location_id = mine.id and state = 'queued' and available_at <= ${now})`
        .execute(on)
        .then(({ rows }) => rows),
    // From one location of the partial index to the next: SQLite's `distinct` would read every queued job.
    locations: (on: Db, { now }: { now: number }) =>
      sql<{ location_id: LocationId }>`
        with recursive hop(id) as (
          select min(location_id) from dispatches where state = 'queued'
          union all
          select (select min(location_id) from dispatches where state = 'queued' and location_id > hop.id)
            from hop where hop.id is not null
        )
        select id as location_id from hop where id is not null
          and exists (select 1 from dispatches where location_id = hop.id and state = 'queued' and available_at <= ${now})`
        .execute(on)
        .then(({ rows }) => rows),
    queued: prepared((p) =>
      read
        .selectFrom('dispatches')
        .select(COLUMNS)
        .where('location_id', '=', p('location'))
        .where('state', '=', state('queued'))
        .where('available_at', '<=', p('now'))
        // As the partial index has them: what waits for its day is not read, however much it is.
        .orderBy('available_at')
        .orderBy('ordinal')
        .limit(p('limit'))
        // What another gateway of the location is just taking is its.
        .forNoKeyUpdate()
        .skipLocked(),
    ),
    requeue: prepared((p) =>
      read
        .updateTable('dispatches')
        .set({ state: state('queued'), possible_duplicate: 1, claimed_at: null, accepted_at: null })
        .set({ gateway_id: null, stream: null, seq: null })
        .where('gateway_id', '=', p('gateway'))
        .where('state', 'in', [state('sent'), state('accepted')])
        .where('cancel_requested_at', 'is', null)
        .returning('id'),
    ),
  }
}

function streamQueries({ read }: RelayDatabase) {
  return {
    advanceSeq: prepared((p) =>
      read
        .updateTable('gateways')
        .set({ last_seq: p('newLast') })
        .where('id', '=', p('gateway'))
        .where('stream', '=', p('stream'))
        .where('session_epoch', '=', p('epoch'))
        .where('last_seq', '=', p('lastSeq'))
        .where('revoked_at', 'is', null)
        .returning('last_seq'),
    ),
    send: prepared((p) =>
      read
        .updateTable('dispatches')
        .set({ state: state('sent'), gateway_id: p('gateway'), stream: p('stream') })
        .set({ seq: p('seq'), claimed_at: p('now'), possible_duplicate: p('marked') })
        .where('id', '=', p('id'))
        .where('state', '=', state('queued')),
    ),
    claimedAfter: prepared((p) =>
      read
        .selectFrom('dispatches')
        .select(COLUMNS)
        .where('gateway_id', '=', p('gateway'))
        .where('stream', '=', p('stream'))
        .where('seq', '>', p('after'))
        .where('seq', '<=', p('upTo'))
        .orderBy('seq'),
    ),
    accept: prepared((p) =>
      read
        .updateTable('dispatches')
        .set({ state: state('accepted'), accepted_at: p('now') })
        .where('gateway_id', '=', p('gateway'))
        .where('stream', '=', p('stream'))
        .where('seq', '>', p('after'))
        .where('seq', '<=', p('upTo'))
        .where('state', '=', state('sent')),
    ),
    acked: prepared((p) =>
      read
        .updateTable('gateways')
        .set({ acked_seq: p('upTo') })
        .where('id', '=', p('gateway'))
        .where('stream', '=', p('stream'))
        .where('acked_seq', '<', p('upTo')),
    ),
    rewind: prepared((p) =>
      read
        .updateTable('dispatches')
        .set({ state: state('sent'), accepted_at: null, possible_duplicate: 1 })
        .where('gateway_id', '=', p('gateway'))
        .where('stream', '=', p('stream'))
        .where('seq', '>', p('after'))
        .where('state', 'in', [state('sent'), state('accepted')]),
    ),
  }
}

function outcomeQueries({ read }: RelayDatabase) {
  return {
    cancels: prepared((p) =>
      read
        .selectFrom('dispatches as d')
        .leftJoin('orders as o', 'o.id', 'd.order_id')
        .select(['d.id', 'd.order_id', 'd.seq', 'd.stream', 'o.status', 'o.void_reason'])
        .where('d.gateway_id', '=', p('gateway'))
        .where('d.cancel_requested_at', 'is not', null)
        .where('d.cancel_answered_at', 'is', null)
        .orderBy('d.seq')
        .limit(sql.lit(256)),
    ),
    reopenCancels: prepared((p) =>
      read
        .updateTable('dispatches')
        .set({ cancel_answered_at: null })
        .where('gateway_id', '=', p('gateway'))
        .where('stream', '=', p('stream'))
        .where('seq', '<=', p('upTo'))
        .where('cancel_requested_at', '>=', p('since')),
    ),
    settle: prepared((p) =>
      read
        .updateTable('dispatches')
        .set((e) => ({
          state: p('state'),
          evidence: p('evidence'),
          settled_at: p('at'),
          cancel_answered_at: e.fn.coalesce('cancel_answered_at', e.val(p('answered'))),
        }))
        .where('id', '=', p('id'))
        .where('state', 'in', [state('queued'), state('sent'), state('accepted')])
        .returning(['order_id', 'kind']),
    ),
    reprints: prepared((p) =>
      read
        .selectFrom('dispatches')
        .select('id')
        .where('order_id', '=', p('order'))
        .where('kind', '=', sql.lit('reprint' as const)),
    ),
    fires: prepared((p) =>
      read
        .selectFrom('dispatches')
        .select('id')
        .where('order_id', '=', p('order'))
        .where('kind', '=', sql.lit('fire' as const)),
    ),
    // As many ids as a gateway asks for: not compiled once.
    statesOf: (on: Db, { location, ids }: { location: LocationId; ids: readonly PrintJobId[] }) =>
      on
        .selectFrom('dispatches')
        .select(['id', 'state'])
        .where('location_id', '=', location)
        .where('id', 'in', ids)
        .execute(),
    ownerOf: prepared((p) =>
      read.selectFrom('dispatches').select(['order_id', 'location_id', 'state']).where('id', '=', p('id')),
    ),
  }
}

/** Jobs that an idle gateway has accepted, and of which the relay has no result: it was restored from an older copy. */
function forgottenQueries({ read }: RelayDatabase) {
  return {
    // Both states are in it, so that SQLite uses its partial index of open jobs.
    forgotten: prepared((p) =>
      read
        .selectFrom('dispatches')
        .select('id')
        .where('gateway_id', '=', p('gateway'))
        .where('state', 'in', [state('sent'), state('accepted')])
        .where('state', '=', state('accepted'))
        .where('stream', '=', p('stream'))
        .where('seq', '<=', p('upTo'))
        .where('cancel_requested_at', 'is', null)
        .where((e) => e.or([e('not_before', 'is', null), e('not_before', '<=', p('now'))]))
        .where((e) => e.or([e('kind', '<>', sql.lit('board' as const)), e('expires_at', '<=', p('now'))]))
        .limit(sql.lit(1)),
    ),
    requeueForgotten: prepared((p) =>
      read
        .updateTable('dispatches')
        .set({ state: state('queued'), possible_duplicate: 1, claimed_at: null, accepted_at: null })
        .set({ gateway_id: null, stream: null, seq: null })
        .where('gateway_id', '=', p('gateway'))
        .where('state', 'in', [state('sent'), state('accepted')])
        .where('state', '=', state('accepted'))
        .where('stream', '=', p('stream'))
        .where('seq', '<=', p('upTo'))
        .where('cancel_requested_at', 'is', null)
        .where((e) => e.or([e('not_before', 'is', null), e('not_before', '<=', p('now'))]))
        .where((e) => e.or([e('kind', '<>', sql.lit('board' as const)), e('expires_at', '<=', p('now'))]))
        .returning('id'),
    ),
  }
}
