// Forgets old attempts and events, oldest first and in pieces. Ids sort by time, so the primary keys serve as index.
import { type AttemptId, type EventId, firstId } from '#shared/ids.ts'
import type { RelayDatabase } from './database.ts'

/** Rows deleted in one commit: a few milliseconds, so that no order waits long. */
const PIECE = 200

export interface Piece {
  deleted: number
  /** Where the next piece begins; null after the last. */
  reached: string | null
}

export class WebhookHistory {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** @param after `reached` of the piece before, empty for the first */
  async deleteAttempts(after: string, beforeMs: number): Promise<Piece> {
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

  /** With their deliveries. An event that is still to be sent to somebody stays until that has ended. */
  async deleteEvents(after: string, beforeMs: number): Promise<Piece> {
    const rows = await this.#db.read
      .selectFrom('events')
      .select('id')
      .where('id', '>', after as EventId)
      .where('id', '<', firstId('evt', beforeMs))
      .orderBy('id')
      .limit(PIECE)
      .execute()
    const last = rows.at(-1)
    if (!last) return { deleted: 0, reached: null }
    const deleted = await this.#db.unit(async (tx) => {
      let count = 0
      for (const { id } of rows) {
        const deliveries = await tx
          .selectFrom('deliveries')
          .select(['state', 'manual_at'])
          .where('event_id', '=', id)
          .execute()
        if (
          deliveries.some(({ state, manual_at }) => state === 'pending' || state === 'retrying' || manual_at !== null)
        )
          continue
        await tx.deleteFrom('deliveries').where('event_id', '=', id).execute()
        await tx.deleteFrom('events').where('id', '=', id).execute()
        count += 1
      }
      return count
    })
    return { deleted, reached: last.id }
  }
}
