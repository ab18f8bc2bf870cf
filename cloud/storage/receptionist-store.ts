// What the receptionist of a merchant says and knows: its profile, and questions with their answers.
import type { KnowledgeId, MerchantKey } from '#shared/ids.ts'
import { type Db, prepared, type RelayDatabase, type Tx } from './database.ts'
import { queryBuilder } from './query-builder.ts'
import type { KnowledgeEntriesTable } from './schema-receptionist.ts'

/** The profile's text as it is stored: cloud/receptionist/profile.ts reads it. */
export interface StoredProfile {
  profile: string
  version: number
}

const byAge = prepared((p) =>
  queryBuilder.selectFrom('knowledge_entries').selectAll().where('merchant_id', '=', p('merchant')).orderBy('id'),
)

export class ReceptionistStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Null: nothing was set. */
  async profile(merchantKey: MerchantKey, on: Db | Tx = this.#db.read): Promise<StoredProfile | null> {
    const row = await on
      .selectFrom('receptionist_profiles')
      .select(['profile', 'version'])
      .where('merchant_id', '=', merchantKey)
      .executeTakeFirst()
    return row ?? null
  }

  /** @returns false: it was changed since that version; 0: there was none */
  async putProfile(
    tx: Tx,
    change: { merchantKey: MerchantKey; profile: string; version: number; nowMs: number },
  ): Promise<boolean> {
    const { merchantKey, profile, version, nowMs } = change
    if (version === 0) {
      const made = await tx
        .insertInto('receptionist_profiles')
        .values({ merchant_id: merchantKey, profile, version: 1, updated_at: nowMs })
        .onConflict((conflict) => conflict.column('merchant_id').doNothing())
        .executeTakeFirst()
      return Number(made.numInsertedOrUpdatedRows ?? 0) > 0
    }
    const changed = await tx
      .updateTable('receptionist_profiles')
      .set({ profile, version: version + 1, updated_at: nowMs })
      .where('merchant_id', '=', merchantKey)
      .where('version', '=', version)
      .executeTakeFirst()
    return changed.numUpdatedRows > 0n
  }

  /** By age, the oldest first. */
  async knowledge(merchantKey: MerchantKey, on: Db | Tx = this.#db.read): Promise<KnowledgeEntriesTable[]> {
    return byAge(on, { merchant: merchantKey })
  }

  /**
   * @param version of the entry that is changed; 0: a new one
   * @returns false: it was changed or deleted since that version
   */
  async putKnowledge(tx: Tx, entry: Omit<KnowledgeEntriesTable, 'hits' | 'version'>, version = 0): Promise<boolean> {
    if (version === 0) {
      await tx
        .insertInto('knowledge_entries')
        .values({ ...entry, hits: 0, version: 1 })
        .execute()
      return true
    }
    const { id, merchant_id, created_at: _, ...change } = entry
    const changed = await tx
      .updateTable('knowledge_entries')
      .set({ ...change, version: version + 1 })
      .where('id', '=', id)
      .where('merchant_id', '=', merchant_id)
      .where('version', '=', version)
      .executeTakeFirst()
    return changed.numUpdatedRows > 0n
  }

  /** @returns false: there is none of this merchant */
  async deleteKnowledge(tx: Tx, merchantKey: MerchantKey, id: KnowledgeId): Promise<boolean> {
    const gone = await tx
      .deleteFrom('knowledge_entries')
      .where('id', '=', id)
      .where('merchant_id', '=', merchantKey)
      .executeTakeFirst()
    return gone.numDeletedRows > 0n
  }
}
