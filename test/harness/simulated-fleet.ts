// Many simulated gateways of one relay: provisioned straight into its database, started together, counted together.
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { GatewayStore } from '#cloud/storage/gateway-store.ts'
import { LocationStore } from '#cloud/storage/location-store.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { type Clock, systemClock } from '#shared/clock.ts'
import { newGatewayToken } from '#shared/gateway-token.ts'
import { type LocationId, newId } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import { shardOf, topicsFor } from '#shared/wire/gateway-link.ts'
import { SimulatedGateway, type SimulatedIdentity, type SimulatedOptions } from './simulated-gateway.ts'
import { UNTHROTTLED } from './site.ts'

export interface FleetMember extends SimulatedIdentity {
  locationId: LocationId
}

export interface Provisioned {
  apiKey: string
  merchantId: string
  /** An item that can be ordered. */
  umsId: string
  members: FleetMember[]
}

const PIECE = 500

/** On the SQLite file of a relay that does not run yet. */
export async function provisionFleet(file: string, gateways: number): Promise<Provisioned> {
  const db = await SqliteDatabase.open(file, (error) => {
    throw error
  })
  const provisioned = await provisionFleetIn(db, gateways)
  await db.close()
  return provisioned
}

/** An account without limits whose one merchant has so many locations, each with a gateway. */
export async function provisionFleetIn(db: RelayDatabase, gateways: number): Promise<Provisioned> {
  const account = await createSandboxAccount({ db, clock: systemClock }, { name: 'Fleet' })
  const merchant = account.merchants[0]
  const umsId = merchant?.umsIds[0]
  if (!merchant || umsId === undefined) throw new Error('the fixtures have no merchant with an item')
  await db.unit((tx) =>
    tx
      .updateTable('accounts')
      .set({ plan_overrides: JSON.stringify(UNTHROTTLED) })
      .execute(),
  )
  const [store, locations] = [new GatewayStore(db), new LocationStore(db)]
  const members: FleetMember[] = []
  for (let from = 0; from < gateways; from += PIECE)
    await db.unit(async (tx) => {
      for (let n = from; n < Math.min(from + PIECE, gateways); n++) {
        const at = systemClock.now()
        const [gatewayId, locationId] = [newId('gw', at), newId('loc', at)]
        const { token, tokenHash } = newGatewayToken()
        const shard = shardOf(gatewayId)
        const place = { merchant_id: merchant.key, name: `Kitchen ${n}`, is_default: 0 as const, created_at: at }
        await locations.insert(tx, { id: locationId, ...place })
        await store.insert(tx, { id: gatewayId, locationId, name: `Box ${n}`, tokenHash, shard, createdAtMs: at })
        members.push({ gatewayId, token, topics: topicsFor(gatewayId, shard), locationId })
      }
    })
  return { apiKey: account.apiKey, merchantId: merchant.merchantId, umsId, members }
}

export type FleetCounts = SimulatedGateway['counts'] & { welcomed: number }

export class SimulatedFleet {
  readonly gateways: readonly SimulatedGateway[]
  /** One of them was welcomed, or lost its connection. */
  readonly changed = new Signal()

  /** @param options of the gateway with this number, beside its identity */
  constructor(
    members: readonly FleetMember[],
    options: (n: number) => Omit<SimulatedOptions, keyof SimulatedIdentity | 'clock'> & { clock?: Clock },
  ) {
    this.gateways = members.map((member, n) => new SimulatedGateway({ clock: systemClock, ...member, ...options(n) }))
    for (const { changed } of this.gateways) changed.subscribe(() => this.changed.notify())
  }

  start(): void {
    for (const gateway of this.gateways) gateway.start()
  }

  stop(): void {
    for (const gateway of this.gateways) gateway.stop()
  }

  /** Added up. */
  get counts(): FleetCounts {
    const sum: FleetCounts = { ...emptyCounts(), welcomed: this.gateways.filter(({ welcomed }) => welcomed).length }
    for (const { counts } of this.gateways)
      for (const key of Object.keys(counts) as (keyof typeof counts)[]) sum[key] += counts[key]
    return sum
  }

  /** Resolves when all of them are welcomed. */
  async allWelcomed(): Promise<void> {
    let missing = this.gateways.filter(({ welcomed }) => !welcomed)
    while (missing.length > 0) {
      const [first] = missing
      if (first && !first.welcomed) await first.changed.next()
      missing = missing.filter(({ welcomed }) => !welcomed)
    }
  }

  /** Resolves when none of them is welcomed any more. */
  async allGone(): Promise<void> {
    for (const gateway of this.gateways) while (gateway.welcomed) await gateway.changed.next()
  }
}

function emptyCounts(): SimulatedGateway['counts'] {
  return { attempts: 0, refused: 0, hellos: 0, waits: 0, welcomes: 0, jobs: 0, racks: 0, late: 0 }
}
