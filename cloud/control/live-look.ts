// One read of a merchant for the live feed: at most seven queries by an index, of the newest 50 rows each.
import { activeCallOf, MOST_ACTIVE } from '#cloud/receptionist/active-calls.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { ownerOf } from '#cloud/webhooks/endpoints.ts'
import { isoOrNull, toIso } from '#shared/clock.ts'
import type { ServiceOrderId } from '#shared/ids.ts'
import { orderNumber } from '#shared/tickets/order-number.ts'
import { VERSION } from '#shared/version.ts'
import type { InjectOrder } from '#shared/wire/api/orders.ts'
import type { ControlContext } from './context.ts'
import type { LiveAnswers, LiveCall, LiveEndpoint, LiveGateway, LiveOrder, LivePrinter } from './live-answers.ts'

const NEWEST_ORDERS = 50

type OfBody = Pick<LiveOrder, 'source' | 'pieces'>

/** Reads one merchant for one account repeatedly: what never changes of an order is read once. */
export class LiveLook {
  readonly #context: ControlContext
  readonly #merchant: MerchantRecord
  readonly #isMasked: boolean
  #bodies = new Map<ServiceOrderId, OfBody>()

  /** @param isMasked customers are hidden from those who watch */
  constructor(context: ControlContext, { merchant, isMasked }: { merchant: MerchantRecord; isMasked: boolean }) {
    this.#context = context
    this.#merchant = merchant
    this.#isMasked = isMasked
  }

  async now(): Promise<LiveAnswers> {
    const { db } = this.#context
    const [orders, gateways, printers, deliveries, calls] = await Promise.all([
      this.#orders(),
      this.#gateways(),
      this.#printers(),
      this.#deliveries(),
      this.#calls(),
    ])
    const status = { relay: { takesOrders: db.gate.refusal() === null, version: VERSION } }
    return { orders, gateways, printers, deliveries, calls, status }
  }

  async #orders(): Promise<LiveAnswers['orders']> {
    const { live } = this.#context
    const rows = await live.newestOrders(this.#merchant, NEWEST_ORDERS)
    const unknown = rows.map(({ id }) => id).filter((id) => !this.#bodies.has(id))
    const read = unknown.length === 0 ? [] : await live.bodies(unknown)
    const known = new Map([...this.#bodies, ...read.map(({ id, body }) => [id, ofBody(body)] as const)])
    this.#bodies = new Map(rows.flatMap(({ id }) => (known.has(id) ? [[id, known.get(id) as OfBody] as const] : [])))
    return Object.fromEntries(
      rows.flatMap((row): [ServiceOrderId, LiveOrder][] => {
        const body = this.#bodies.get(row.id)
        // Deleted between the two reads.
        if (body === undefined) return []
        const { id, client_order_id: orderId } = row
        const order: LiveOrder = {
          serviceOrderId: id,
          orderId,
          number: orderNumber({ posOrderId: row.pos_order_id, orderId }),
          status: row.status,
          printState: row.print_state,
          totalCents: row.total_cents,
          ...body,
          queuedAt: toIso(row.queued_at),
          fireAt: isoOrNull(row.fire_at),
          estimatedReadyAt: toIso(row.estimated_ready_at),
          readyAt: isoOrNull(row.ready_at),
        }
        return [[id, order]]
      }),
    )
  }

  async #gateways(): Promise<LiveAnswers['gateways']> {
    const rows = await this.#context.gatewayList.list(this.#merchant.key)
    const present = rows.filter((row) => row.revoked_at === null)
    return byKey(
      present.map(
        (row): LiveGateway => ({
          gatewayId: row.id,
          name: row.name,
          locationId: row.location_id,
          locationName: row.location_name,
          presence: row.presence,
          lastSeenAt: row.presence === 'online' ? null : isoOrNull(row.last_seen_at),
          simulated: row.simulated === 1,
        }),
      ),
      ({ gatewayId }) => gatewayId,
    )
  }

  async #printers(): Promise<LiveAnswers['printers']> {
    const kitchens = await this.#context.printJobs.kitchens(this.#merchant.key)
    const printers = kitchens.flatMap(({ gatewayId, presence, printers: own }) =>
      own.map(({ printerId, name, state, reasons, standIn }): LivePrinter => {
        const isHeard = presence === 'online'
        const shown = { state: isHeard ? state : 'unknown', reasons: isHeard ? [...reasons] : [] } as const
        return { gatewayId, printerId, name, ...shown, standIn }
      }),
    )
    return byKey(printers, ({ gatewayId, printerId }) => `${gatewayId}/${printerId}`)
  }

  async #deliveries(): Promise<LiveAnswers['deliveries']> {
    const { endpoints, live } = this.#context
    const rows = await endpoints.list(ownerOf(this.#merchant))
    const counts = new Map((await live.openDeliveries(rows.map(({ id }) => id))).map((row) => [row.endpointId, row]))
    return byKey(
      rows.map(
        ({ id, status, failing_since: failingMs }): LiveEndpoint => ({
          webhookId: id,
          status,
          failingSince: isoOrNull(failingMs),
          retrying: counts.get(id)?.retrying ?? 0,
          failed: counts.get(id)?.failed ?? 0,
        }),
      ),
      ({ webhookId }) => webhookId,
    )
  }

  async #calls(): Promise<LiveAnswers['calls']> {
    const { calls, clock, secretBox } = this.#context
    const rows = await calls.active(this.#merchant.key, MOST_ACTIVE)
    // Without a key nothing was ever sealed.
    if (secretBox === null) return {}
    const seen = { secretBox, nowMs: clock.now(), isMasked: this.#isMasked }
    const shown = rows.map((row): LiveCall => {
      const { durationSeconds: _, ...call } = activeCallOf(row, seen)
      return call
    })
    return byKey(shown, ({ callId }) => callId)
  }
}

function ofBody(text: string): OfBody {
  const { source, items } = JSON.parse(text) as InjectOrder
  return { source, pieces: items.reduce((sum, { qty }) => sum + qty, 0) }
}

function byKey<T, K extends string>(values: readonly T[], key: (value: T) => K): Record<K, T> {
  return Object.fromEntries(values.map((value) => [key(value), value])) as Record<K, T>
}
