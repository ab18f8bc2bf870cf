// The outbox to the kitchen: one row is one job of the gateway link, from the order's commit until its outcome is final.

import type { AccountId, GatewayId, LocationId, MerchantKey, PrintJobId, ServiceOrderId } from '#shared/ids.ts'
import type { TicketEvidence } from '#shared/print-job.ts'
import { Signal } from '#shared/signal.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { type RelayDatabase, type Tx, wordsOf } from './database.ts'
import { type DispatchQueries, type DispatchRow, dispatchQueries } from './dispatch-queries.ts'
import { type DispatchState, type FinalState, isFinal, statesBefore } from './dispatch-states.ts'
import { holdRow } from './hold.ts'
import { jobText } from './job-text.ts'
import type { DispatchesTable } from './schema.ts'
import { takeWhileFits } from './take-while-fits.ts'

/** A job as it goes over the link. */
export interface OutgoingJob {
  jobId: PrintJobId
  orderId: ServiceOrderId | null
  seq: number
  /** JSON text of the `jobDoc`. */
  doc: string
  bytes: number
  state: DispatchState
  notBeforeMs: number | null
  expiresAtMs: number | null
  possibleDuplicate: boolean
  cancelRequested: boolean
  createdAtMs: number
}

/** An older image of a disk is hardly ever older, and a kitchen's tickets are stale long before. */
const CANCELS_REOPENED_MS = 7 * 86_400_000

/**
 * `availableAtMs` of a job that waits for nothing. Not the time of the relay that stored it: its clock may be ahead of that of the relay
 * that has the gateway, or be set back meanwhile.
 */
export const AT_ONCE = 0

export interface WantedCancel {
  jobId: PrintJobId
  seq: number
  stream: string
  isOrderVoided: boolean
  /** Why the order was voided, in the client's words. */
  voidReason: string | null
}

export interface ClaimRequest {
  gatewayId: GatewayId
  locationId: LocationId
  stream: string
  /** The session that claims; another one may have taken over meanwhile. */
  epoch: number
  /** The highest number given out on the stream, as the session has it. */
  lastSeq: number
  /** The claimed jobs may already be on paper: they print with the mark. */
  isInDoubt?: boolean
  maxJobs: number
  maxBytes: number
  /** True takes one job even if it alone is larger than `maxBytes`: the window is empty. */
  atLeastOne: boolean
  nowMs: number
}

export class DispatchStore {
  /** A location has something new: a job, or a job to cancel. Fired by the code that committed it, after the commit. */
  readonly changed = new Signal<LocationId>()
  /**
   * A job was inserted into a unit that is not committed yet. A claim that starts now waits for that unit and shares its COMMIT:
   * one disk wait instead of two before the job is published. A subscriber that misses it gets `changed`.
   */
  readonly inserted = new Signal<LocationId>()
  readonly #db: RelayDatabase
  readonly #queries: DispatchQueries

  constructor(db: RelayDatabase) {
    this.#db = db
    this.#queries = dispatchQueries(db)
  }

  /**
   * Puts a job into the outbox, in the caller's unit. After its commit the caller fires `changed` with the location.
   * @throws ServiceError request.too_large (413): `jobText`
   */
  async insert(
    tx: Tx,
    dispatch: {
      id: PrintJobId
      orderId: ServiceOrderId | null
      locationId: LocationId
      doc: JobDoc
      /** Not handed to the gateway before this time, or `AT_ONCE`. */
      availableAtMs: number
      notBeforeMs: number | null
      expiresAtMs: number | null
      createdAtMs: number
      /** Its account and merchant: absent for an order's own tickets, because the order has them. */
      owner?: { accountId: AccountId; merchantKey: MerchantKey }
    },
  ): Promise<void> {
    const { doc, bytes } = jobText(dispatch.doc)
    await this.#queries.insert(tx, {
      id: dispatch.id,
      order_id: dispatch.orderId,
      location_id: dispatch.locationId,
      doc,
      bytes,
      available_at: dispatch.availableAtMs,
      not_before: dispatch.notBeforeMs,
      expires_at: dispatch.expiresAtMs,
      created_at: dispatch.createdAtMs,
      kind: dispatch.doc.kind,
      account_id: dispatch.owner?.accountId ?? null,
      merchant_id: dispatch.owner?.merchantKey ?? null,
    })
    // On PostgreSQL a claim sees no unit before its COMMIT.
    if (!wordsOf(tx).locksRows) this.inserted.notify(dispatch.locationId)
  }

  /** True when a committed job of this location waits and may go now. */
  async hasQueued(locationId: LocationId, nowMs: number): Promise<boolean> {
    return (await this.#queries.hasQueued(this.#db.read, { location: locationId, now: nowMs })).length > 0
  }

  /** Locations with a committed job that may go now. @param among where this relay has gateways: with others on the database, only these */
  async locationsWithQueued(nowMs: number, among?: () => readonly LocationId[]): Promise<LocationId[]> {
    const { read, replicaId } = this.#db
    const rows = await (replicaId === null || among === undefined
      ? this.#queries.locations(read, { now: nowMs })
      : this.#queries.locationsAmong(read, { now: nowMs, among: among() }))
    return rows.map((row) => row.location_id)
  }

  /**
   * Gives the next queued jobs of a location to a gateway: oldest first, each with the next sequence number of the stream.
   * @returns null when the session is no longer the gateway's current one: nothing was claimed then.
   */
  async claim(tx: Tx, request: ClaimRequest): Promise<OutgoingJob[] | null> {
    await holdRow(tx, 'gateways', request.gatewayId)
    const queued = await this.#queries.queued(tx, {
      location: request.locationId,
      now: request.nowMs,
      limit: request.maxJobs,
    })
    const rows = takeWhileFits(queued, request.maxBytes, request.atLeastOne)
    if (rows.length === 0) return []
    const { gatewayId, stream, epoch, lastSeq } = request
    const fence = { gateway: gatewayId, stream, epoch, lastSeq, newLast: lastSeq + rows.length }
    if ((await this.#queries.advanceSeq(tx, fence)).length === 0) return null
    const first = lastSeq + 1
    const jobs: OutgoingJob[] = []
    for (const [index, row] of rows.entries()) {
      const seq = first + index
      const possible_duplicate = request.isInDoubt === true ? 1 : row.possible_duplicate
      await this.#queries.send(tx, {
        id: row.id,
        gateway: request.gatewayId,
        stream: request.stream,
        seq,
        now: request.nowMs,
        marked: possible_duplicate,
      })
      jobs.push(toJob({ ...row, seq, state: 'sent', possible_duplicate }))
    }
    return jobs
  }

  /** Jobs of a stream that carry a sequence number in (afterSeq, afterSeq + count], in order. Numbers may be missing. */
  async claimedAfter(at: {
    gatewayId: GatewayId
    stream: string
    afterSeq: number
    count: number
  }): Promise<OutgoingJob[]> {
    const rows = await this.#queries.claimedAfter(this.#db.read, {
      gateway: at.gatewayId,
      stream: at.stream,
      after: at.afterSeq,
      upTo: at.afterSeq + at.count,
    })
    return rows.map(toJob)
  }

  /** The gateway has everything up to `upToSeq` on its disk; `afterSeq` is how far it was known to be before. */
  async accept(
    tx: Tx,
    at: { gatewayId: GatewayId; stream: string; afterSeq: number; upToSeq: number; nowMs: number },
  ): Promise<void> {
    const on = { gateway: at.gatewayId, stream: at.stream, upTo: at.upToSeq }
    await holdRow(tx, 'gateways', at.gatewayId)
    await this.#queries.accept(tx, { ...on, after: at.afterSeq, now: at.nowMs })
    await this.#queries.acked(tx, on)
  }

  /**
   * The gateway's disk has less than it had acknowledged (it was restored): what it accepted after `afterSeq` and has not settled
   * is sent again, marked, because it may be on paper.
   */
  async rewind(tx: Tx, at: { gatewayId: GatewayId; stream: string; afterSeq: number }): Promise<void> {
    await this.#queries.rewind(tx, { gateway: at.gatewayId, stream: at.stream, after: at.afterSeq })
  }

  /**
   * The gateway's disk is new: every open job that it ever got goes back into the queue, marked as a possible duplicate. Jobs that were to
   * be cancelled are not printed again: they keep the lost stream, and `cancelsOf` returns them. @returns the queued ones
   */
  async requeueAfterLostStream(tx: Tx, gatewayId: GatewayId): Promise<PrintJobId[]> {
    const requeued = await this.#queries.requeue(tx, { gateway: gatewayId })
    return requeued.map((row) => row.id)
  }

  /**
   * The gateway reports that it has nothing to print and nothing to report, so it has already reported everything up to `upToSeq`
   * that is not held for later or still on its displays: a job of these that is still open was settled once, and this database lost
   * that (it was restored from a backup). Such jobs go back into the queue; a gateway that has them reports them again and
   * prints nothing. @returns their ids
   */
  async requeueForgotten(at: { gatewayId: string; stream: string; upToSeq: number; nowMs: number }): Promise<string[]> {
    const about = { gateway: at.gatewayId, stream: at.stream, upTo: at.upToSeq, now: at.nowMs }
    if ((await this.#queries.forgotten(this.#db.read, about)).length === 0) return []
    const rows = await this.#db.unit((tx) => this.#queries.requeueForgotten(tx, about))
    return rows.map((row) => row.id)
  }

  /** The highest sequence number that any job of this stream carries; 0 if none. */
  async highestSeq(tx: Tx, gatewayId: GatewayId, stream: string): Promise<number> {
    const row = await tx
      .selectFrom('dispatches')
      .select((e) => e.fn.max('seq').as('seq'))
      .where('gateway_id', '=', gatewayId)
      .where('stream', '=', stream)
      .where('seq', 'is not', null)
      .executeTakeFirst()
    return Number(row?.seq ?? 0)
  }

  /**
   * Takes a job back. `cancelled`: it was still here and is final now. `uncertain`: the same, but a gateway that has lost its memory since
   * may have printed it. `requested`: it is, or was, at the gateway, which will be asked, also when it has printed it: then it prints the
   * VOID slip; after the commit the caller fires `changed`. `settled`: nothing will come of it any more. `unknown`: no such job.
   */
  async requestCancel(
    tx: Tx,
    jobId: PrintJobId,
    nowMs: number,
  ): Promise<'cancelled' | 'uncertain' | 'requested' | 'settled' | 'unknown'> {
    const row = await tx
      .selectFrom('dispatches')
      .select(['state', 'gateway_id', 'possible_duplicate'])
      .where('id', '=', jobId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!row) return 'unknown'
    if (row.state === 'cancelled' || row.state === 'expired') return 'settled'
    if (isFinal(row.state) && row.gateway_id === null) return 'settled'
    const mark = tx.updateTable('dispatches').where('id', '=', jobId)
    if (row.state === 'queued') {
      const state = row.possible_duplicate === 1 ? 'uncertain' : 'cancelled'
      await mark
        .set({ state, settled_at: nowMs, cancel_requested_at: nowMs, cancel_answered_at: nowMs })
        .where('state', 'in', statesBefore(state))
        .execute()
      return state
    }
    await mark.set({ cancel_requested_at: nowMs }).where('cancel_requested_at', 'is', null).execute()
    return 'requested'
  }

  /** The gateway has answered the cancel: it is not sent again. */
  async cancelAnswered(tx: Tx, jobId: PrintJobId, nowMs: number): Promise<void> {
    await tx
      .updateTable('dispatches')
      .set({ cancel_answered_at: nowMs })
      .where('id', '=', jobId)
      .where('cancel_answered_at', 'is', null)
      .execute()
  }

  /** Another disk than the one that answered has these jobs: the gateway is asked again to take them back, those of the last week. */
  async reopenCancels(
    tx: Tx,
    at: { gatewayId: GatewayId; stream: string; upToSeq: number; nowMs: number },
  ): Promise<void> {
    const about = { gateway: at.gatewayId, stream: at.stream, upTo: at.upToSeq, since: at.nowMs - CANCELS_REOPENED_MS }
    await this.#queries.reopenCancels(tx, about)
  }

  /** This gateway will never answer: what it was to take back and has not reported is uncertain, and so is its order's paper. */
  async giveUpCancels(tx: Tx, gatewayId: GatewayId, nowMs: number): Promise<void> {
    const asked = await this.#queries.cancels(tx, { gateway: gatewayId })
    // Before the jobs, as everybody does it.
    for (const orderId of [...new Set(asked.flatMap((row) => row.order_id ?? []))].sort())
      await holdRow(tx, 'orders', orderId)
    for (const { id: jobId } of asked) {
      await this.cancelAnswered(tx, jobId, nowMs)
      const settled = await this.settle(tx, { jobId, state: 'uncertain', evidence: [], atMs: nowMs })
      if (settled === null || settled.orderId === null) continue
      await tx.updateTable('orders').set({ print_state: 'uncertain' }).where('id', '=', settled.orderId).execute()
    }
  }

  /** Reprints of this order and its courses that were fired, whatever became of them. */
  async furtherJobs(tx: Tx, orderId: ServiceOrderId): Promise<PrintJobId[]> {
    const reprints = await this.#queries.reprints(tx, { order: orderId })
    const fires = await this.#queries.fires(tx, { order: orderId })
    return [...reprints, ...fires].map((row) => row.id)
  }

  /**
   * Jobs at this gateway that are to be cancelled and for which it has not answered, in the order in which it got them. `seq` shows
   * whether the gateway has them; `isOrderVoided`: not only this job is cancelled, but its order.
   */
  async cancelsOf(gatewayId: GatewayId): Promise<WantedCancel[]> {
    const rows = await this.#queries.cancels(this.#db.read, { gateway: gatewayId })
    return rows.map(({ id, seq, stream, status, void_reason }) => ({
      jobId: id,
      seq: seq ?? 0,
      stream: stream ?? '',
      isOrderVoided: status === 'voided',
      voidReason: status === 'voided' ? void_reason : null,
    }))
  }

  /**
   * Writes a job's final state once, in the caller's unit.
   * @returns the order whose own tickets these are (null for any other job) and the order of which a course was fired by it, or null when
   * the job is unknown or already final.
   */
  async settle(
    tx: Tx,
    outcome: {
      jobId: PrintJobId
      state: FinalState
      evidence: readonly TicketEvidence[]
      atMs: number
    },
  ): Promise<{ orderId: ServiceOrderId | null; firedOf: ServiceOrderId | null } | null> {
    const row = (
      await this.#queries.settle(tx, {
        id: outcome.jobId,
        state: outcome.state,
        evidence: JSON.stringify(outcome.evidence),
        at: outcome.atMs,
        // What was never on paper needs no answer.
        answered: outcome.state === 'cancelled' || outcome.state === 'expired' ? outcome.atMs : null,
      })
    )[0]
    const ofKind = (kind: DispatchesTable['kind']) => (row?.kind === kind ? row.order_id : null)
    return row ? { orderId: ofKind('order'), firedOf: ofKind('fire') } : null
  }

  /** By job id. Jobs that are not of this location are not in it. */
  async statesOf(locationId: LocationId, ids: readonly PrintJobId[]): Promise<Map<PrintJobId, DispatchState>> {
    const rows = await this.#queries.statesOf(this.#db.read, { location: locationId, ids })
    return new Map(rows.map(({ id, state }) => [id, state]))
  }

  /** The owner and state of this job; null if it is unknown. */
  async ownerOf(jobId: PrintJobId) {
    const row = (await this.#queries.ownerOf(this.#db.read, { id: jobId }))[0]
    return row ? { orderId: row.order_id, locationId: row.location_id, state: row.state } : null
  }
}

function toJob(row: DispatchRow): OutgoingJob {
  return {
    jobId: row.id,
    orderId: row.order_id,
    seq: row.seq ?? 0,
    doc: row.doc,
    bytes: row.bytes,
    state: row.state,
    notBeforeMs: row.not_before,
    expiresAtMs: row.expires_at,
    possibleDuplicate: row.possible_duplicate === 1,
    cancelRequested: row.cancel_requested_at !== null,
    createdAtMs: row.created_at,
  }
}
