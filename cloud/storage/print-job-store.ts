// Print jobs as their owners see them, and the kitchens that can print them.
import type { GatewayId, LocationId, MerchantKey, PrintJobId, ServiceOrderId } from '#shared/ids.ts'
import type { PrinterReason, PrinterState } from '#shared/print-job.ts'
import type { GatewayRouting } from '#shared/wire/gateway-routing.ts'
import type { StationWay } from '#shared/wire/gateway-standing.ts'
import { type Db, prepared, type RelayDatabase, type Tx } from './database.ts'
import type { Presence } from './gateway-store.ts'
import type { MerchantRecord } from './merchant-store.ts'
import { queryBuilder } from './query-builder.ts'
import type { DispatchesTable } from './schema.ts'

/** For one order: an order reprinted a hundred times shows the newest. */
const MOST_JOBS = 50

/** A job of the outbox without its place in it. */
export type PrintJobRow = Omit<DispatchesTable, 'ordinal' | 'kind'> & {
  kind: Exclude<DispatchesTable['kind'], 'board'>
}

/** A gateway that is not revoked, with its printers in the order in which it chooses: the default one first, then as it last reported them. */
export interface Kitchen {
  gatewayId: GatewayId
  locationId: LocationId
  presence: Presence
  lastSeenAtMs: number | null
  /** `hello.caps`; empty for a gateway that was never here. */
  caps: readonly string[]
  printers: readonly KitchenPrinter[]
  /** How each station can take an order, by the gateway's last report; null: not reported. */
  stations: readonly StationWay[] | null
  /** Its rules have other conditions than the station; null: they do not, or it is not reported. */
  routing: GatewayRouting | null
}

export interface KitchenPrinter {
  printerId: string
  name: string
  stations: readonly string[]
  isDefault: boolean
  state: PrinterState
  reasons: readonly PrinterReason[]
  /** Id of the printer by which its tickets come out while it does not print; null: none is known. */
  standIn: string | null
}

const jobOfOwner = prepared((p) =>
  queryBuilder
    .selectFrom('dispatches as d')
    .leftJoin('orders as o', 'o.id', 'd.order_id')
    .selectAll('d')
    .where('d.id', '=', p('id'))
    // An order's own tickets belong to the order's account.
    .where((e) => e(e.fn.coalesce('d.account_id', 'o.account_id'), '=', p('account')))
    .where((e) => e(e.fn.coalesce('d.merchant_id', 'o.merchant_id'), '=', p('merchant'))),
)

const kitchenRows = () =>
  queryBuilder
    .selectFrom('gateways as g')
    .leftJoin('printers as p', 'p.gateway_id', 'g.id')
    .select(['g.id', 'g.location_id', 'g.presence', 'g.last_seen_at', 'g.caps', 'g.stations as ways', 'g.routing'])
    .select(['p.printer_id', 'p.name', 'p.stations', 'p.is_default', 'p.state', 'p.reasons', 'p.stand_in'])
    .select('p.place')
    .where('g.revoked_at', 'is', null)

const atLocation = prepared((p) => kitchenRows().where('g.location_id', '=', p('location')))

const ofMerchant = prepared((p) =>
  kitchenRows()
    .innerJoin('locations as l', 'l.id', 'g.location_id')
    .where('l.merchant_id', '=', p('merchant'))
    .orderBy('l.is_default', 'desc')
    .orderBy('l.id')
    .orderBy('g.created_at'),
)

export class PrintJobStore {
  readonly #db: RelayDatabase
  /** The last reported stations of each gateway, parsed once: every order needs them. */
  readonly #ways = new Map<GatewayId, { text: string; stations: readonly StationWay[] }>()
  readonly #routings = new Map<GatewayId, { text: string; routing: GatewayRouting }>()

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** The acting account's job at this merchant; null also when it is another's. */
  async find(
    merchant: Pick<MerchantRecord, 'accountId' | 'key'>,
    id: PrintJobId,
    on: Db | Tx = this.#db.read,
  ): Promise<PrintJobRow | null> {
    const [row] = await jobOfOwner(on, { id, account: merchant.accountId, merchant: merchant.key })
    return row && isPrinted(row) ? row : null
  }

  /** Oldest first; of more than 50 the newest. The caller has checked the order's owner. */
  async ofOrder(orderId: ServiceOrderId): Promise<PrintJobRow[]> {
    const rows = await this.#db.read
      .selectFrom('dispatches')
      .selectAll()
      .where('order_id', '=', orderId)
      .orderBy('ordinal', 'desc')
      .limit(MOST_JOBS)
      .execute()
    return rows.reverse().filter(isPrinted)
  }

  /** The gateways of a merchant, those of a location together, oldest first. */
  async kitchens(merchantKey: MerchantKey, on: Db | Tx = this.#db.read): Promise<Kitchen[]> {
    return kitchensOf(await ofMerchant(on, { merchant: merchantKey }), (row) => this.#toldBy(row))
  }

  /** The gateways of one location. */
  async kitchensAt(locationId: LocationId): Promise<Kitchen[]> {
    return kitchensOf(await atLocation(this.#db.read, { location: locationId }), (row) => this.#toldBy(row))
  }

  #toldBy(row: KitchenRow): Pick<Kitchen, 'stations' | 'routing'> {
    return { stations: this.#waysOf(row), routing: this.#routingOf(row) }
  }

  #routingOf({ id, routing: text }: KitchenRow): Kitchen['routing'] {
    if (text === null) return null
    const known = this.#routings.get(id)
    if (known?.text === text) return known.routing
    const routing = JSON.parse(text) as GatewayRouting
    this.#routings.set(id, { text, routing })
    return routing
  }

  #waysOf({ id, ways: text }: KitchenRow): Kitchen['stations'] {
    if (text === null) return null
    const known = this.#ways.get(id)
    if (known?.text === text) return known.stations
    // Written from a checked status.
    const stations = JSON.parse(text) as StationWay[]
    this.#ways.set(id, { text, stations })
    return stations
  }
}

/** A display's job goes onto no paper. */
function isPrinted<J extends Pick<DispatchesTable, 'kind'>>(job: J): job is J & Pick<PrintJobRow, 'kind'> {
  return job.kind !== 'board'
}

type KitchenRow = Awaited<ReturnType<typeof atLocation>>[number]

function kitchensOf(
  rows: readonly KitchenRow[],
  toldBy: (row: KitchenRow) => Pick<Kitchen, 'stations' | 'routing'>,
): Kitchen[] {
  return [...Map.groupBy(rows, (row) => row.id).values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    return {
      gatewayId: first.id,
      locationId: first.location_id,
      presence: first.presence,
      lastSeenAtMs: first.last_seen_at,
      caps: JSON.parse(first.caps) as string[],
      printers: group.sort(byChoice).flatMap((row) => printerOf(row) ?? []),
      ...toldBy(first),
    }
  })
}

/** Here and not in SQL, which needs 13 us more for it: every order asks. */
function byChoice(a: KitchenRow, b: KitchenRow): number {
  return (b.is_default ?? 0) - (a.is_default ?? 0) || (a.place ?? 0) - (b.place ?? 0)
}

/** Null for a gateway without printers. */
function printerOf(row: KitchenRow): KitchenPrinter | null {
  if (row.printer_id === null) return null
  return {
    printerId: row.printer_id,
    name: row.name ?? row.printer_id,
    stations: JSON.parse(row.stations ?? '[]') as string[],
    isDefault: row.is_default === 1,
    state: row.state ?? 'unknown',
    reasons: JSON.parse(row.reasons ?? '[]') as PrinterReason[],
    standIn: row.stand_in,
  }
}
