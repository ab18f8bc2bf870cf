// Orders that this relay has forgotten, because it was restored from an older copy, come back from the gateway that has them.
import type { AccountStore } from '#cloud/storage/account-store.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import type { HandBackStore } from '#cloud/storage/hand-back-store.ts'
import type { LocationStore } from '#cloud/storage/location-store.ts'
import type { MerchantRecord, MerchantStore } from '#cloud/storage/merchant-store.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import type { RestoreStore } from '#cloud/storage/restore-store.ts'
import { recordEvent } from '#cloud/webhooks/record-event.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import {
  asId,
  type GatewayId,
  isId,
  type LocationId,
  type PrintJobId,
  type ServiceOrderId,
  timeOfId,
  type WebhookId,
} from '#shared/ids.ts'
import type { KitchenOrder } from '#shared/order.ts'
import { type JobDoc, jobDoc } from '#shared/wire/gateway-link.ts'
import type { HandBack, HandedBackJob } from '#shared/wire/hand-back.ts'
import { forgottenOrderRow } from './forgotten-order.ts'
import { type OrderOrigin, openOrigin } from './order-origin.ts'
import { orderResource } from './order-resource.ts'

export interface TakeBackDeps {
  db: RelayDatabase
  accounts: AccountStore
  merchants: MerchantStore
  locations: LocationStore
  orders: OrderStore
  deliveries: DeliveryStore
  handBacks: HandBackStore
  restores: RestoreStore
  secretBox: SecretBox
  clock: Clock
}

/** One piece, with what was asked for. */
export interface TakenBack extends HandBack {
  gatewayId: GatewayId
  locationId: LocationId
  /** Where the recall ends: the piece that reaches it is the last. */
  end: number
}

export interface TakeBackCounts {
  /** Written again. */
  recorded: number
  /** Not forgotten. */
  known: number
  /** No proof that this relay gave this order to this kitchen, or no order. */
  refused: number
  /** The client has sent the order again meanwhile: its second ticket is marked POSSIBLE DUPLICATE. */
  doubled: number
}

interface Kitchen extends TakenBack {
  merchant: MerchantRecord
  nowMs: number
}

interface Proved {
  jobId: PrintJobId
  seq: number
  doc: Extract<JobDoc, { kind: 'order' | 'board' }>
  order: KitchenOrder
  origin: OrderOrigin
}

/**
 * Stores a piece together with the gateway's progress, in one transaction. An order is accepted only with the seal that this relay has put into
 * its job, for this order of this kitchen, byte for byte: a gateway can make no seal, and none of another account.
 * @returns null for a gateway without a location
 */
export async function takeBackOrders(deps: TakeBackDeps, piece: TakenBack): Promise<TakeBackCounts | null> {
  const location = await deps.locations.find(piece.locationId)
  if (location === null) return null
  const merchant = await deps.merchants.byKey(location.merchant_id)
  const nowMs = deps.clock.now()
  const { counts, endpointIds } = await deps.db.unit(async (tx) => {
    const counts: TakeBackCounts = { recorded: 0, known: 0, refused: 0, doubled: 0 }
    const endpointIds: WebhookId[] = []
    for (const job of piece.jobs) {
      const [outcome, told] = await takeBack(deps, tx, { kitchen: { ...piece, merchant, nowMs }, job })
      counts[outcome]++
      endpointIds.push(...told)
    }
    const range = piece.upTo >= piece.end ? null : { after: piece.upTo, upTo: piece.end }
    await deps.handBacks.setRange(tx, piece.gatewayId, { range, nowMs })
    return { counts, endpointIds }
  })
  deps.deliveries.announce(endpointIds)
  if (counts.recorded > 0) deps.orders.changed.notify(merchant.key)
  return counts
}

async function takeBack(
  deps: TakeBackDeps,
  tx: Tx,
  { kitchen, job }: { kitchen: Kitchen; job: HandedBackJob },
): Promise<[keyof TakeBackCounts, endpointIds: WebhookId[]]> {
  const proved = provedOf(deps, kitchen, job)
  if (proved === null || (await deps.accounts.find(proved.origin.accountId)) === null) return ['refused', []]
  const { jobId, order, origin } = proved
  const { merchant, locationId, handBacks } = { ...kitchen, ...deps }
  const serviceOrderId: ServiceOrderId = asId(order.serviceOrderId)
  if (await handBacks.isKnown(tx, jobId, serviceOrderId)) return ['known', []]
  await deps.restores.prove(tx, { locationId, orderedMs: timeOfId(serviceOrderId) })
  const acting = { ...merchant, accountId: origin.accountId }
  const younger = await deps.orders.first(acting, order.orderId, tx)
  if (younger !== null) {
    if (younger.print_job_id !== null) await handBacks.markQueued(tx, younger.print_job_id)
    return ['doubled', []]
  }
  return ['recorded', await write(deps, tx, { kitchen, proved })]
}

/** Null: it is not accepted. */
function provedOf({ secretBox }: TakeBackDeps, kitchen: Kitchen, job: HandedBackJob): Proved | null {
  const { merchant, locationId, after, upTo } = kitchen
  const doc = jobDoc.safeParse(job.doc).data
  if (doc?.kind !== 'order' && doc?.kind !== 'board') return null
  const { order, origin: sealed } = doc
  if (sealed === undefined || !isId('pj', job.jobId) || !isId('ord', order.serviceOrderId)) return null
  if (order.locationId !== locationId || order.merchantId !== merchant.publicId) return null
  if (job.seq <= after || job.seq > upTo) return null
  const of = { jobId: job.jobId, merchantKey: merchant.key, kind: doc.kind, order }
  const origin = openOrigin(secretBox, of, sealed)
  return origin && { jobId: asId(job.jobId), seq: job.seq, doc, order, origin }
}

/** @returns endpoints with a new delivery */
async function write(
  deps: TakeBackDeps,
  tx: Tx,
  { kitchen, proved }: { kitchen: Kitchen; proved: Proved },
): Promise<WebhookId[]> {
  const { gatewayId, stream, locationId, merchant, nowMs, jobs } = kitchen
  const { jobId, seq, doc, order, origin } = proved
  const printJobId = doc.kind === 'order' ? jobId : null
  const row = forgottenOrderRow({ order, printJobId, origin, merchantKey: merchant.key, locationId, nowMs })
  const { notBefore = null, expiresAt = null } = jobs.find((job) => job.seq === seq) ?? {}
  const orderId: ServiceOrderId = row.id
  await deps.orders.insert(tx, row, { source: order.source })
  const times = { notBeforeMs: notBefore, expiresAtMs: expiresAt, createdAtMs: row.queued_at, nowMs }
  await deps.handBacks.insertJob(tx, { id: jobId, orderId, locationId, doc, gatewayId, stream, seq, ...times })
  if (row.pos_order_id !== null) await deps.handBacks.raiseRegister(tx, merchant.key, row.pos_order_id)
  const { publicId, environment, key } = merchant
  // With the id of the first time: a receiver that has processed it recognises it.
  const { endpointIds } = await recordEvent(tx, deps, {
    type: 'order.accepted',
    accountId: origin.accountId,
    merchantKey: key,
    merchantId: publicId,
    environment,
    subjectId: row.id,
    sequence: row.sequence,
    atMs: row.queued_at,
    data: { order: orderResource(row, publicId) },
  })
  return endpointIds
}
