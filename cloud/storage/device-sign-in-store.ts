// Programs that ask a person for an API key. Only hashes of their codes are kept.
import type { AccountId, DeviceSignInId } from '#shared/ids.ts'
import type { Db, RelayDatabase, Tx } from './database.ts'
import { deleteExpired, hasExpiredRow } from './expired-rows.ts'
import { holding } from './hold.ts'
import { queryBuilder } from './query-builder.ts'
import type { NewRow } from './schema.ts'
import type { DeviceSignInsTable } from './schema-people.ts'

const EXPIRING = { table: 'device_sign_ins', key: 'id' } as const

const byDevice = holding((p) =>
  queryBuilder.selectFrom('device_sign_ins').selectAll().where('device_hash', '=', p('hash')),
)
const byUserCode = holding((p) =>
  queryBuilder.selectFrom('device_sign_ins').selectAll().where('user_hash', '=', p('hash')),
)

export class DeviceSignInStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** @returns false when another row has one of the codes */
  async insert(tx: Tx, row: NewRow<'device_sign_ins'>): Promise<boolean> {
    const rows = await tx
      .insertInto('device_sign_ins')
      .values(row)
      .onConflict((on) => on.doNothing())
      .returning('id')
      .execute()
    return rows.length > 0
  }

  /** Whatever its state. In a unit the row is held. */
  async byDeviceHash(hash: string, on: Db | Tx = this.#db.read): Promise<DeviceSignInsTable | null> {
    const [row] = await byDevice(on, { hash })
    return row ?? null
  }

  /** Whatever its state. In a unit the row is held. */
  async byUserHash(hash: string, on: Db | Tx = this.#db.read): Promise<DeviceSignInsTable | null> {
    const [row] = await byUserCode(on, { hash })
    return row ?? null
  }

  /** Those that wait for an answer: from this address, and from everywhere. */
  async countOpen(tx: Tx, countedAs: string, nowMs: number): Promise<{ ofAddress: number; ofAll: number }> {
    const open = tx
      .selectFrom('device_sign_ins')
      .select((e) => e.fn.countAll<number>().as('count'))
      .where('expires_at', '>', nowMs)
      .where('state', '=', 'waiting')
    const ofAddress = await open.where('counted_as', '=', countedAs).executeTakeFirst()
    const ofAll = await open.executeTakeFirst()
    return { ofAddress: Number(ofAddress?.count ?? 0), ofAll: Number(ofAll?.count ?? 0) }
  }

  /** Approved for this account, and the key not fetched yet. */
  async countApproved(tx: Tx, accountId: AccountId, nowMs: number): Promise<number> {
    const { count } = await tx
      .selectFrom('device_sign_ins')
      .select((e) => e.fn.countAll<number>().as('count'))
      .where('expires_at', '>', nowMs)
      .where('state', '=', 'approved')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /**
   * Deletes `count` of those that wait: each time the oldest of the network that has most of them, so that who floods makes room for others.
   * @param networkOf groups what was counted by address
   */
  async makeRoom(
    tx: Tx,
    { nowMs, count, networkOf }: { nowMs: number; count: number; networkOf: (countedAs: string) => string },
  ): Promise<void> {
    const rows = await tx
      .selectFrom('device_sign_ins')
      .select(['id', 'counted_as'])
      .where('expires_at', '>', nowMs)
      .where('state', '=', 'waiting')
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    const networks = [...Map.groupBy(rows, ({ counted_as }) => networkOf(counted_as)).values()]
    const going: DeviceSignInId[] = []
    while (going.length < count && networks.length > 0) {
      networks.sort((a, b) => b.length - a.length)
      const [row] = networks[0]?.splice(0, 1) ?? []
      if (row === undefined) break
      going.push(row.id)
    }
    if (going.length > 0) await tx.deleteFrom('device_sign_ins').where('id', 'in', going).execute()
  }

  async change(
    tx: Tx,
    id: DeviceSignInId,
    change: Partial<Pick<DeviceSignInsTable, 'state' | 'account_id' | 'answered_by'>>,
  ): Promise<void> {
    await tx.updateTable('device_sign_ins').set(change).where('id', '=', id).execute()
  }

  /** Whether there is one that can no longer be used. */
  hasExpired(nowMs: number): Promise<boolean> {
    return hasExpiredRow(this.#db, EXPIRING, nowMs)
  }

  /** Forgets up to `limit` of them. */
  prune(tx: Tx, nowMs: number, limit: number): Promise<void> {
    return deleteExpired(tx, EXPIRING, { nowMs, limit })
  }
}
