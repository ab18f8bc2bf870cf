// The simulated kitchen of a sandbox location ends when a gateway comes there.
import { sql } from 'kysely'
import type { LocationId } from '#shared/ids.ts'
import type { Tx } from './database.ts'

/** Its gateway is revoked, and what it had not printed waits for the one that comes. A location without one stays as it is. */
export async function endSimulation(tx: Tx, locationId: LocationId, nowMs: number): Promise<void> {
  const ended = await tx
    .updateTable('gateways')
    .set({ revoked_at: nowMs, presence: 'offline' })
    .where('location_id', '=', locationId)
    .where('simulated', '=', 1)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  if (ended.length === 0) return
  await tx.updateTable('locations').set({ kitchen: 'gateway' }).where('id', '=', locationId).execute()
  for (const { id } of ended) {
    const unprinted = tx
      .updateTable('dispatches')
      .where('gateway_id', '=', id)
      // Literals, as in the partial index dispatches_open.
      .where('state', 'in', [sql.lit('sent' as const), sql.lit('accepted' as const)])
    await unprinted
      .set({ state: 'cancelled', settled_at: nowMs, cancel_answered_at: nowMs })
      .where('cancel_requested_at', 'is not', null)
      .execute()
    await unprinted
      .set({ state: 'queued', claimed_at: null, accepted_at: null, gateway_id: null, stream: null, seq: null })
      .execute()
  }
}
