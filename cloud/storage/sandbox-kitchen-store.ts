// The reads of the simulated kitchen from the outbox to kitchens. Each query has the sandbox in its where clause: a location of a live merchant,
// or one that a gateway is paired with, is never found here, whatever its row contains.
import { sql } from 'kysely'
import type { AccountId, GatewayId, LocationId, MerchantKey, PrintJobId, ServiceOrderId } from '#shared/ids.ts'
import { type Db, prepared, type RelayDatabase, type Tx } from './database.ts'
import type { DispatchState } from './dispatch-states.ts'
import { holding } from './hold.ts'
import { queryBuilder } from './query-builder.ts'

/** A simulated kitchen that prints. */
export interface KitchenAt {
  gatewayId: GatewayId
  locationId: LocationId
  stream: string
  epoch: number
  lastSeq: number
}

/** A job that a simulated kitchen has claimed. */
export interface KitchenJob {
  jobId: PrintJobId
  gatewayId: GatewayId
  locationId: LocationId
  orderId: ServiceOrderId | null
  /** JSON text of the `jobDoc`. */
  doc: string
  state: DispatchState
  accountId: AccountId
  merchantKey: MerchantKey
  claimedAtMs: number
  notBeforeMs: number | null
  expiresAtMs: number | null
  possibleDuplicate: boolean
  cancelRequested: boolean
  /** Not this job alone is taken back: its order is called off. */
  isOrderVoided: boolean
  /** Why, in the client's words. */
  voidReason: string | null
}

const kitchens = () =>
  queryBuilder
    .selectFrom('gateways as g')
    .innerJoin('locations as l', 'l.id', 'g.location_id')
    .innerJoin('merchants as m', 'm.id', 'l.merchant_id')
    .where('g.simulated', '=', sql.lit(1))
    .where('g.revoked_at', 'is', null)
    .where('l.kitchen', '=', sql.lit('simulated' as const))
    .where('m.environment', '=', sql.lit('sandbox' as const))

const jobs = () =>
  kitchens()
    .innerJoin('dispatches as d', 'd.gateway_id', 'g.id')
    .leftJoin('orders as o', 'o.id', 'd.order_id')
    .select(['d.id', 'd.location_id', 'd.order_id', 'd.doc', 'd.state', 'd.claimed_at', 'd.not_before'])
    .select(['d.expires_at', 'd.possible_duplicate', 'd.cancel_requested_at', 'd.created_at'])
    .select([
      'g.id as gateway_id',
      'm.id as merchant_id',
      'm.account_id as owner_id',
      'o.status as order_status',
      'o.void_reason',
    ])
    .select((e) => e.fn.coalesce('d.account_id', 'o.account_id').as('account_id'))

const kitchenAt = prepared((p) =>
  kitchens()
    .select(['g.id', 'g.stream', 'g.session_epoch', 'g.last_seq'])
    .where('g.location_id', '=', p('location'))
    .where('g.presence', '=', sql.lit('online' as const)),
)

const jobById = holding((p) => jobs().where('d.id', '=', p('id')), 'd')

const openJobs = prepared((_, words) =>
  jobs()
    .where('d.state', 'in', [sql.lit('sent' as const), sql.lit('accepted' as const)])
    // `+`: else SQLite walks all jobs that ever were, to spare the sorting of the few that are open.
    .orderBy(words.unindexed('d.ordinal')),
)

// The condition of the partial index dispatches_cancel is in it word by word.
const cancelled = () => jobs().where('d.cancel_requested_at', 'is not', null).where('d.cancel_answered_at', 'is', null)

const anyCancels = prepared(() => cancelled())
const cancelsOf = prepared((p) => cancelled().where('d.gateway_id', '=', p('gateway')).orderBy('d.ordinal'))

type JobRow = Awaited<ReturnType<typeof jobById>>[number]

export class SandboxKitchenStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** The simulated kitchen that prints at this location now, or null: a real one, an offline one, or none. */
  async at(locationId: LocationId, on: Db | Tx = this.#db.read): Promise<KitchenAt | null> {
    const [row] = await kitchenAt(on, { location: locationId })
    if (!row) return null
    return { gatewayId: row.id, locationId, stream: row.stream ?? '', epoch: row.session_epoch, lastSeq: row.last_seq }
  }

  /** The job, if a simulated kitchen has it or has printed it. */
  async job(jobId: PrintJobId, on: Db | Tx = this.#db.read): Promise<KitchenJob | null> {
    const [row] = await jobById(on, { id: jobId })
    return row ? jobOf(row) : null
  }

  /** Claimed jobs without an outcome, of all simulated kitchens: a start resumes them. */
  async open(): Promise<KitchenJob[]> {
    return (await openJobs(this.#db.read, {})).map(jobOf)
  }

  /** Jobs of this kitchen that were taken back, for which nothing was done yet. */
  async cancels(gatewayId: GatewayId): Promise<KitchenJob[]> {
    return (await cancelsOf(this.#db.read, { gateway: gatewayId })).map(jobOf)
  }

  /** Where there are such jobs. */
  async locationsWithCancels(): Promise<LocationId[]> {
    const rows = await anyCancels(this.#db.read, {})
    return [...new Set(rows.map((row) => row.location_id))]
  }
}

function jobOf(row: JobRow): KitchenJob {
  return {
    jobId: row.id,
    gatewayId: row.gateway_id,
    locationId: row.location_id,
    orderId: row.order_id,
    doc: row.doc,
    state: row.state,
    accountId: row.account_id ?? row.owner_id,
    merchantKey: row.merchant_id,
    claimedAtMs: row.claimed_at ?? row.created_at,
    notBeforeMs: row.not_before,
    expiresAtMs: row.expires_at,
    possibleDuplicate: row.possible_duplicate === 1,
    cancelRequested: row.cancel_requested_at !== null,
    isOrderVoided: row.order_status === 'voided',
    voidReason: row.order_status === 'voided' ? row.void_reason : null,
  }
}
