// The rows of the sandbox's test merchants: which accounts lack them, and adding the missing ones.
import { sql } from 'kysely'
import type { AccountId, GatewayId, LocationId, MerchantKey } from '#shared/ids.ts'
import type { PrinterReport } from '#shared/wire/gateway-link.ts'
import type { RelayDatabase, Tx } from './database.ts'
import { printerRow } from './gateway-store.ts'
import type { NewRow } from './schema.ts'

/** A test merchant as an account has it now. */
export interface KnownMerchant {
  key: MerchantKey
  publicId: string
  timeZone: string
  locations: KnownLocation[]
}

export interface KnownLocation {
  locationId: LocationId
  name: string
  /** A gateway that may connect, or a simulated kitchen, prints here. */
  served: boolean
}

/** The simulated kitchen's row among the gateways. It has no credentials: nothing can connect under its name. */
export interface NewSimulatedGateway {
  gatewayId: GatewayId
  locationId: LocationId
  presence: 'online' | 'offline'
  caps: readonly string[]
  printers: readonly PrinterReport[]
  nowMs: number
}

/** The value of `gateways.stream` and `.session_epoch` of every simulated kitchen. */
export const SIMULATED_STREAM = 'simulated'
export const SIMULATED_EPOCH = 1

export class SandboxFixtureStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Accounts, oldest first, that lack one of these merchants, or where nothing serves a location of one. */
  async accountsLacking(publicIds: readonly string[]): Promise<AccountId[]> {
    const ids = sql.join(publicIds)
    const { rows } = await sql<{ id: AccountId }>`
      select a.id from accounts a
      where (select count(*) from merchants m
          where m.account_id = a.id and m.environment = 'sandbox' and m.public_id in (${ids})) < ${publicIds.length}
        or exists (select 1 from merchants m join locations l on l.merchant_id = m.id
          where m.account_id = a.id and m.environment = 'sandbox' and m.public_id in (${ids})
            and not exists (select 1 from gateways g where g.location_id = l.id and g.revoked_at is null))
      order by a.id`.execute(this.#db.read)
    return rows.map((row) => row.id)
  }

  /** Those of the account's sandbox merchants that are there, by public id. Reads what the unit itself has written. */
  async known(tx: Tx, accountId: AccountId): Promise<Map<string, KnownMerchant>> {
    const rows = await tx
      .selectFrom('merchants as m')
      .leftJoin('locations as l', 'l.merchant_id', 'm.id')
      .select(['m.id as key', 'm.public_id', 'm.time_zone', 'l.id as location_id', 'l.name'])
      .select((e) =>
        e
          .selectFrom('gateways as g')
          .select((f) => f.fn.countAll<number>().as('n'))
          .whereRef('g.location_id', '=', 'l.id')
          .where('g.revoked_at', 'is', null)
          .as('gateways'),
      )
      .where('m.account_id', '=', accountId)
      .where('m.environment', '=', 'sandbox')
      .orderBy('l.is_default', 'desc')
      .orderBy('l.id')
      .execute()
    const found = new Map<string, KnownMerchant>()
    for (const row of rows) {
      const { key, public_id: publicId, time_zone: timeZone } = row
      const merchant = found.get(publicId) ?? { key, publicId, timeZone, locations: [] }
      found.set(publicId, merchant)
      if (row.location_id !== null)
        merchant.locations.push({
          locationId: row.location_id,
          name: row.name ?? '',
          served: (row.gateways ?? 0) > 0,
        })
    }
    return found
  }

  /** Adds the items that the merchant does not have; what it has stays as it is, silenced or not. */
  async addItems(tx: Tx, rows: readonly NewRow<'catalog_items'>[]): Promise<void> {
    await tx
      .insertInto('catalog_items')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['merchant_id', 'ums_id']).doNothing())
      .execute()
  }

  /** Adds channel and mapped items, unless the merchant has the channel. @returns false when it has */
  async addChannel(
    tx: Tx,
    channel: NewRow<'channels'>,
    items: readonly { umsId: string; externalId: string }[],
  ): Promise<boolean> {
    const { merchant_id, channel_id, created_at } = channel
    const added = await tx
      .insertInto('channels')
      .values(channel)
      .onConflict((conflict) => conflict.columns(['merchant_id', 'channel_id']).doNothing())
      .executeTakeFirst()
    if ((added.numInsertedOrUpdatedRows ?? 0n) === 0n) return false
    await tx
      .insertInto('channel_items')
      .values(
        items.map(({ umsId, externalId }) => ({
          merchant_id,
          channel_id,
          ums_id: umsId,
          external_id: externalId,
          sync_state: 'synced',
          revision: 1,
          attempts: 0,
          synced_at: created_at,
        })),
      )
      .execute()
    return true
  }

  /** From now on the relay's own kitchen prints at this location. @throws when it is none of a sandbox merchant */
  async openKitchen(tx: Tx, kitchen: NewSimulatedGateway): Promise<void> {
    const { gatewayId, locationId, presence, caps, printers, nowMs } = kitchen
    const opened = await tx
      .updateTable('locations')
      .set({ kitchen: 'simulated' })
      .where('id', '=', locationId)
      .where('merchant_id', 'in', tx.selectFrom('merchants').select('id').where('environment', '=', 'sandbox'))
      .returning('id')
      .execute()
    if (opened.length === 0) throw new Error(`${locationId} is no location of a sandbox merchant`)
    await tx
      .insertInto('gateways')
      .values({
        id: gatewayId,
        location_id: locationId,
        name: 'Simulated kitchen',
        // No token has this hash.
        token_hash: '',
        shard: 0,
        stream: SIMULATED_STREAM,
        acked_seq: 0,
        last_seq: 0,
        session_epoch: SIMULATED_EPOCH,
        presence,
        simulated: 1,
        caps: JSON.stringify(caps),
        last_seen_at: presence === 'online' ? nowMs : null,
        created_at: nowMs,
      })
      .execute()
    if (printers.length === 0) return
    await tx
      .insertInto('printers')
      .values(printers.map((printer) => printerRow(gatewayId, printer, nowMs)))
      .execute()
  }
}
