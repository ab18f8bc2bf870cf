// After a restore from a copy: what each gateway still has to hand back, and the jobs that it has handed back.
import { sql } from 'kysely'
import type { GatewayId, LocationId, PrintJobId, ServiceOrderId } from '#shared/ids.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import type { RelayDatabase, Tx } from './database.ts'
import { jobText } from './job-text.ts'
import type { KitchenGateway } from './restore-store.ts'

/** Numbers above `after`, up to `upTo`; equal: the gateway has lost its memory, and there is nothing to hand back. */
export interface RecallRange {
  after: number
  upTo: number
}

export interface HandedBackJob {
  id: PrintJobId
  orderId: ServiceOrderId
  locationId: LocationId
  doc: JobDoc
  gatewayId: GatewayId
  stream: string
  seq: number
  notBeforeMs: number | null
  expiresAtMs: number | null
  createdAtMs: number
  nowMs: number
}

export class HandBackStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Gateways that still have to hand something back, and since when. */
  async withOpenRange(): Promise<(KitchenGateway & { sinceMs: number })[]> {
    const rows = await this.#db.read
      .selectFrom('gateways')
      .select(['id', 'location_id', 'recall_since'])
      .where('recall_to', 'is not', null)
      .where('revoked_at', 'is', null)
      .where('simulated', '=', 0)
      .execute()
    return rows.map((row) => ({ gatewayId: row.id, locationId: row.location_id, sinceMs: row.recall_since ?? 0 }))
  }

  async rangeOf(tx: Tx, gatewayId: GatewayId): Promise<(RecallRange & { sinceMs: number }) | null> {
    const row = await tx
      .selectFrom('gateways')
      .select(['recall_after', 'recall_to', 'recall_since'])
      .where('id', '=', gatewayId)
      .executeTakeFirst()
    return row && row.recall_after !== null && row.recall_to !== null
      ? { after: row.recall_after, upTo: row.recall_to, sinceMs: row.recall_since ?? 0 }
      : null
  }

  /** @param range null: nothing is to be handed back any more */
  async setRange(
    tx: Tx,
    gatewayId: GatewayId,
    { range, nowMs }: { range: RecallRange | null; nowMs: number },
  ): Promise<void> {
    await tx
      .updateTable('gateways')
      .set((e) => ({
        recall_after: range?.after ?? null,
        recall_to: range?.upTo ?? null,
        recall_since: range === null ? null : e.fn.coalesce('recall_since', e.val(nowMs)),
      }))
      .where('id', '=', gatewayId)
      .execute()
  }

  /** The job as the gateway has it: on its disk, its result still to be reported. */
  async insertJob(tx: Tx, job: HandedBackJob): Promise<void> {
    await tx
      .insertInto('dispatches')
      .values({
        id: job.id,
        order_id: job.orderId,
        location_id: job.locationId,
        ...jobText(job.doc),
        state: 'accepted',
        available_at: job.createdAtMs,
        not_before: job.notBeforeMs,
        expires_at: job.expiresAtMs,
        gateway_id: job.gatewayId,
        stream: job.stream,
        seq: job.seq,
        possible_duplicate: 0,
        claimed_at: job.nowMs,
        accepted_at: job.nowMs,
        created_at: job.createdAtMs,
        kind: job.doc.kind,
      })
      .execute()
  }

  async isKnown(tx: Tx, jobId: PrintJobId, orderId: ServiceOrderId): Promise<boolean> {
    const job = await tx.selectFrom('dispatches').select('id').where('id', '=', jobId).executeTakeFirst()
    if (job) return true
    return (await tx.selectFrom('orders').select('id').where('id', '=', orderId).executeTakeFirst()) !== undefined
  }

  /** A waiting job is already on paper under another id: it prints with the mark. @returns whether it still waited */
  async markQueued(tx: Tx, jobId: PrintJobId): Promise<boolean> {
    const rows = await tx
      .updateTable('dispatches')
      .set({ possible_duplicate: 1 })
      .where('id', '=', jobId)
      .where('state', '=', sql.lit('queued' as const))
      .returning('id')
      .execute()
    return rows.length > 0
  }

  /** The register's number of that day is given out: the next order gets a later one. */
  async raiseRegister(tx: Tx, merchantKey: string, posOrderId: string): Promise<void> {
    const [, day, number] = /^(\d{4}-\d{2}-\d{2})-(\d{1,9})$/.exec(posOrderId) ?? []
    if (day === undefined) return
    await sql`insert into register_counters (merchant_id, business_day, value) values (${merchantKey}, ${day}, ${Number(number)})
      on conflict (merchant_id, business_day) do update set value = excluded.value where excluded.value > register_counters.value`.execute(
      tx,
    )
  }
}
