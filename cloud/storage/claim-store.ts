// Claim codes: the location that a box joins with a code. Only hashes are stored.
import type { GatewayId, LocationId } from '#shared/ids.ts'
import type { Db, RelayDatabase, Tx } from './database.ts'
import { holding } from './hold.ts'
import { queryBuilder } from './query-builder.ts'
import type { NewRow } from './schema.ts'
import type { ClaimCodesTable } from './schema-pairing.ts'

const codeByHash = holding((p) =>
  queryBuilder.selectFrom('claim_codes').selectAll().where('code_hash', '=', p('codeHash')),
)

export class ClaimStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  async insert(tx: Tx, row: NewRow<'claim_codes'>): Promise<void> {
    await tx.insertInto('claim_codes').values(row).execute()
  }

  /** Whatever its state; null for one that was never made or is swept. */
  async find(codeHash: string, on: Db | Tx = this.#db.read): Promise<ClaimCodesTable | null> {
    const [row] = await codeByHash(on, { codeHash })
    return row ?? null
  }

  /** The code is this gateway's. Belongs into the unit that makes the gateway, after `find` in it. */
  async markClaimed(
    tx: Tx,
    of: { codeHash: string; attemptHash: string; gatewayId: GatewayId; nowMs: number },
  ): Promise<void> {
    await tx
      .updateTable('claim_codes')
      .set({ claimed_at: of.nowMs, attempt_hash: of.attemptHash, gateway_id: of.gatewayId })
      .where('code_hash', '=', of.codeHash)
      .where('claimed_at', 'is', null)
      .execute()
  }

  /** Whether there is a code that can no longer be claimed. */
  async hasExpired(nowMs: number): Promise<boolean> {
    const row = await this.#db.read
      .selectFrom('claim_codes')
      .select('code_hash')
      .where('expires_at', '<=', nowMs)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Those that wait for their box, the one that ends first at first. */
  async open(locationIds: readonly LocationId[], nowMs: number): Promise<ClaimCodesTable[]> {
    if (locationIds.length === 0) return []
    return this.#db.read
      .selectFrom('claim_codes')
      .selectAll()
      .where('location_id', 'in', [...locationIds])
      .where('claimed_at', 'is', null)
      .where('expires_at', '>', nowMs)
      .orderBy('expires_at')
      .execute()
  }

  /** Forgets codes that can no longer be claimed. */
  async sweep(tx: Tx, nowMs: number): Promise<void> {
    await tx.deleteFrom('claim_codes').where('expires_at', '<=', nowMs).execute()
  }

  /** How many of a location wait for their box. */
  async countOpen(tx: Tx, locationId: LocationId, nowMs: number): Promise<number> {
    const row = await tx
      .selectFrom('claim_codes')
      .select((e) => e.fn.countAll<number>().as('n'))
      .where('location_id', '=', locationId)
      .where('claimed_at', 'is', null)
      .where('expires_at', '>', nowMs)
      .executeTakeFirst()
    return row?.n ?? 0
  }
}
