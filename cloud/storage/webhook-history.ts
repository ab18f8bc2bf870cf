// Forgets old attempts and events, oldest first and in pieces. Ids of attempts and positions of events rise with time, so the primary keys serve as index.
import type { Selectable } from 'kysely'
import { type AttemptId, firstId } from '#shared/ids.ts'
import { type RelayDatabase, type Tx, wordsOf } from './database.ts'
import { holdName } from './hold.ts'
import type { EventsTable } from './schema-webhooks.ts'

/** Rows deleted in one commit: a few milliseconds, so that no order waits long. */
const PIECE = 200
/** How long an event can be followed and sent again. */
export const EVENTS_KEPT_MS = 30 * 86_400_000

export interface Piece<P> {
  deleted: number
  /** Where the next piece begins; null after the last. */
  reached: P | null
}

export class WebhookHistory {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** @param after `reached` of the piece before, empty for the first */
  async deleteAttempts(after: string, beforeMs: number): Promise<Piece<string>> {
    const rows = await this.#db.read
      .selectFrom('delivery_attempts')
      .select('id')
      .where('id', '>', after as AttemptId)
      .where('id', '<', firstId('att', beforeMs))
      .orderBy('id')
      .limit(PIECE)
      .execute()
    const last = rows.at(-1)
    if (!last) return { deleted: 0, reached: null }
    await this.#db.unit((tx) =>
      tx
        .deleteFrom('delivery_attempts')
        .where('id', '>', after as AttemptId)
        .where('id', '<=', last.id)
        .execute(),
    )
    return { deleted: rows.length, reached: last.id }
  }

  /**
   * Together with their deliveries. An event that must still be sent stays until that has ended, and one whose time is ahead of the clock
   * (recorded while the clock was wrong) until its time is old. The first that is neither old nor ahead is the last that is read.
   * @param after `reached` of the piece before, 0 for the first
   */
  async deleteEvents(after: number, { beforeMs, nowMs }: { beforeMs: number; nowMs: number }): Promise<Piece<number>> {
    const rows = await this.#db.read
      .selectFrom('events')
      .select(['position', 'id', 'merchant_id', 'created_at'])
      .where('position', '>', after)
      .orderBy('position')
      .limit(PIECE)
      .execute()
    const young = rows.findIndex(({ created_at: at }) => at >= beforeMs && at <= nowMs)
    const seen = young < 0 ? rows : rows.slice(0, young)
    const old = seen.filter(({ created_at: at }) => at < beforeMs)
    const deleted = old.length === 0 ? 0 : await this.#db.unit((tx) => forget(tx, old))
    const more = young < 0 && rows.length === PIECE
    return { deleted, reached: more ? (rows.at(-1)?.position ?? null) : null }
  }
}

type EventPlace = Pick<Selectable<EventsTable>, 'position' | 'id' | 'merchant_id'>

async function forget(tx: Tx, rows: readonly EventPlace[]): Promise<number> {
  await holdName(tx, 'forget')
  const gone: EventPlace[] = []
  for (const row of rows) {
    const { id } = row
    const deliveries = await tx
      .selectFrom('deliveries')
      .select(['state', 'manual_at'])
      .where('event_id', '=', id)
      .execute()
    if (deliveries.some(({ state, manual_at }) => state === 'pending' || state === 'retrying' || manual_at !== null))
      continue
    await tx.deleteFrom('deliveries').where('event_id', '=', id).execute()
    gone.push(row)
  }
  await forgetEvents(tx, gone)
  return gone.length
}

/** Deletes events. A client that follows the events and had not come so far gets 410. */
export async function forgetEvents(tx: Tx, rows: readonly EventPlace[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await tx.deleteFrom('events').where('id', 'in', ids).execute()
  if (!wordsOf(tx).positionsByMerchant) {
    const forgotten = lastOf(rows)
    await tx.updateTable('event_stream').set({ forgotten }).where('forgotten', '<', forgotten).execute()
    return
  }
  // Always in one order: two that delete at once do not wait for each other.
  const merchants = [...Map.groupBy(rows, (row) => row.merchant_id)].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [merchant, of] of merchants) {
    const forgotten = lastOf(of)
    await tx
      .updateTable('event_positions')
      .set({ forgotten })
      .where('merchant_id', '=', merchant)
      .where('forgotten', '<', forgotten)
      .execute()
  }
}

const lastOf = (rows: readonly EventPlace[]): number => Math.max(0, ...rows.map(({ position }) => position))
