// Where callers' data is in the relay's database: numbers, words and states of calls, recordings, requests for a table, text messages. Deletes what is old, and everything of one number.
import type { CallId, MerchantKey, ServiceOrderId, VoicemailId } from '#shared/ids.ts'
import { hasCustomer } from './customer-data-store.ts'
import type { Db, RelayDatabase, Tx } from './database.ts'

/** Which rows: of all merchants, written before then. */
interface Old {
  beforeMs: number
  limit: number
}

/** What is kept of one number at one merchant; contents are sealed. */
export interface CallerRows {
  calls: { id: CallId; at: number; turns: { who: 'caller' | 'receptionist'; textEnc: string; at: number }[] }[]
  voicemails: { id: VoicemailId; at: number; seconds: number; textEnc: string | null; hasAudio: boolean }[]
  tableRequests: { at: number; detailsEnc: string }[]
  texts: { at: number; textEnc: string }[]
}

export class CallerDataStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Recordings that still have their sound, or are to get it. */
  async oldSound({ beforeMs, limit }: Old): Promise<VoicemailId[]> {
    const rows = await this.#db.read
      .selectFrom('voicemails')
      .select('id')
      .where('audio_deleted_at', 'is', null)
      .where('created_at', '<', beforeMs)
      .orderBy('created_at')
      .limit(limit)
      .execute()
    return rows.map(({ id }) => id)
  }

  /** The caller deletes the files after the commit. The provider's copies are taken away next. */
  async forgetSound(tx: Tx, ids: readonly VoicemailId[], nowMs: number): Promise<void> {
    if (ids.length === 0) return
    await tx
      .updateTable('voicemails')
      .set((e) => ({
        file: null,
        audio_deleted_at: nowMs,
        attempts: 0,
        next_at: e.case().when('provider_deleted_at', 'is', null).then(nowMs).else(null).end(),
      }))
      .where('id', 'in', ids)
      .execute()
  }

  async oldVoicemailTexts({ beforeMs, limit }: Old): Promise<VoicemailId[]> {
    const rows = await this.#db.read
      .selectFrom('voicemails')
      .select('id')
      .where('text_deleted_at', 'is', null)
      .where('created_at', '<', beforeMs)
      .orderBy('created_at')
      .limit(limit)
      .execute()
    return rows.map(({ id }) => id)
  }

  async forgetVoicemailTexts(tx: Tx, ids: readonly VoicemailId[], nowMs: number): Promise<void> {
    if (ids.length === 0) return
    await tx.updateTable('voicemails').set({ text_enc: null, text_deleted_at: nowMs }).where('id', 'in', ids).execute()
  }

  /** Sound, text, and the text messages that have it. The caller deletes the files after the commit. @returns how many text messages there were */
  async forgetVoicemails(tx: Tx, ids: readonly VoicemailId[], nowMs: number): Promise<number> {
    if (ids.length === 0) return 0
    await this.forgetSound(tx, ids, nowMs)
    await this.forgetVoicemailTexts(tx, ids, nowMs)
    const texts = await tx
      .deleteFrom('text_messages')
      .where('kind', '=', 'voicemail')
      .where('subject_id', 'in', ids)
      .executeTakeFirst()
    return Number(texts.numDeletedRows)
  }

  /** Calls that are over and still have words and a number. */
  async oldCalls({ beforeMs, limit }: Old): Promise<CallId[]> {
    const rows = await this.#db.read
      .selectFrom('calls')
      .select('id')
      .where('text_deleted_at', 'is', null)
      .where('started_at', '<', beforeMs)
      .where('ended_at', 'is not', null)
      .orderBy('started_at')
      .limit(limit)
      .execute()
    return rows.map(({ id }) => id)
  }

  /** What was said, the state and the number; that there was a call stays. */
  async forgetCalls(tx: Tx, ids: readonly CallId[], nowMs: number): Promise<void> {
    if (ids.length === 0) return
    await tx.deleteFrom('call_turns').where('call_id', 'in', ids).execute()
    await tx
      .deleteFrom('call_inputs')
      .where('provider_id', 'in', (q) => q.selectFrom('calls').select('provider_id').where('id', 'in', ids))
      .execute()
    await tx
      .updateTable('calls')
      .set({ from_enc: null, from_mac: null, state_enc: '', text_deleted_at: nowMs })
      .where('id', 'in', ids)
      .execute()
  }

  /** @returns how many were deleted */
  async forgetTableRequests(tx: Tx, { beforeMs, limit }: Old): Promise<number> {
    const old = tx
      .selectFrom('appointment_requests')
      .select('id')
      .where('created_at', '<', beforeMs)
      .orderBy('created_at')
      .limit(limit)
    const gone = await tx.deleteFrom('appointment_requests').where('id', 'in', old).executeTakeFirst()
    return Number(gone.numDeletedRows)
  }

  /** Everything of this number at this merchant but orders. @param mac as in `from_mac` */
  async ofNumber(merchantKey: MerchantKey, mac: string): Promise<CallerRows> {
    const { read } = this.#db
    const calls = await read
      .selectFrom('calls')
      .select(['id', 'started_at'])
      .where('from_mac', '=', mac)
      .where('merchant_id', '=', merchantKey)
      .orderBy('started_at')
      .execute()
    const ids = calls.map(({ id }) => id)
    const turns =
      ids.length === 0
        ? []
        : await read.selectFrom('call_turns').selectAll().where('call_id', 'in', ids).orderBy('ordinal').execute()
    const voicemails =
      ids.length === 0
        ? []
        : await read.selectFrom('voicemails').selectAll().where('call_id', 'in', ids).orderBy('created_at').execute()
    const requests = await read
      .selectFrom('appointment_requests')
      .select(['created_at', 'details_enc'])
      .where('merchant_id', '=', merchantKey)
      .where((e) => e.or([e('phone_mac', '=', mac), ...(ids.length === 0 ? [] : [e('call_id', 'in', ids)])]))
      .orderBy('created_at')
      .execute()
    const texts = await read
      .selectFrom('text_messages')
      .select(['created_at', 'text_enc'])
      .where('merchant_id', '=', merchantKey)
      .where('to_mac', '=', mac)
      .orderBy('created_at')
      .execute()
    return {
      calls: calls.map(({ id, started_at: at }) => ({
        id,
        at,
        turns: turns
          .filter((turn) => turn.call_id === id)
          .map(({ who, text_enc: textEnc, at: saidAt }) => ({ who, textEnc, at: saidAt })),
      })),
      voicemails: voicemails.map(({ id, created_at: at, seconds, text_enc: textEnc, file }) => ({
        ...{ id, at, seconds, textEnc, hasAudio: file !== null },
      })),
      tableRequests: requests.map(({ created_at: at, details_enc: detailsEnc }) => ({ at, detailsEnc })),
      texts: texts.map(({ created_at: at, text_enc: textEnc }) => ({ at, textEnc })),
    }
  }

  /** Whether a call of this number goes on. @param mac as in `from_mac` */
  async isCalling(merchantKey: MerchantKey, mac: string, on: Db | Tx = this.#db.read): Promise<boolean> {
    const row = await on
      .selectFrom('calls')
      .select('id')
      .where('from_mac', '=', mac)
      .where('merchant_id', '=', merchantKey)
      .where('ended_at', 'is', null)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  /** The restaurant's telephone number at the receptionist, in E.164; the oldest of several, null: it has none. */
  async ownNumber(merchantKey: MerchantKey): Promise<string | null> {
    const row = await this.#db.read
      .selectFrom('phone_numbers')
      .select('e164')
      .where('merchant_id', '=', merchantKey)
      .where('e164', 'is not', null)
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst()
    return row?.e164 ?? null
  }

  /**
   * Deletes everything of this number at this merchant but orders and calls that go on. That somebody does not want text messages stays, by the hash of the number.
   * @returns the recordings whose files are to be deleted after the commit, and what else there was
   */
  async eraseNumber(
    tx: Tx,
    { merchantKey, mac, nowMs }: { merchantKey: MerchantKey; mac: string; nowMs: number },
  ): Promise<{ voicemails: VoicemailId[]; calls: number; tableRequests: number; texts: number }> {
    const calls = await tx
      .selectFrom('calls')
      .select('id')
      .where('from_mac', '=', mac)
      .where('merchant_id', '=', merchantKey)
      // The state of one that goes on is needed for its next turn.
      .where('ended_at', 'is not', null)
      .forNoKeyUpdate()
      .execute()
    const ids = calls.map(({ id }) => id)
    const voicemails =
      ids.length === 0 ? [] : await tx.selectFrom('voicemails').select('id').where('call_id', 'in', ids).execute()
    const recordings = voicemails.map(({ id }) => id)
    // Text messages to the restaurant have the caller's number and words as well.
    const toRestaurant = await this.forgetVoicemails(tx, recordings, nowMs)
    const requests = await tx
      .deleteFrom('appointment_requests')
      .where('merchant_id', '=', merchantKey)
      .where((e) => e.or([e('phone_mac', '=', mac), ...(ids.length === 0 ? [] : [e('call_id', 'in', ids)])]))
      .executeTakeFirst()
    const texts = await tx
      .deleteFrom('text_messages')
      .where('merchant_id', '=', merchantKey)
      .where('to_mac', '=', mac)
      .executeTakeFirst()
    await this.forgetCalls(tx, ids, nowMs)
    return {
      voicemails: recordings,
      calls: ids.length,
      tableRequests: Number(requests.numDeletedRows),
      texts: toRestaurant + Number(texts.numDeletedRows),
    }
  }

  /** Orders of this merchant that have a customer, in the order of their ids, with what was sent. */
  async ordersWithCustomer(
    merchantKey: MerchantKey,
    { after, limit }: { after: ServiceOrderId | null; limit: number },
  ): Promise<{ id: ServiceOrderId; body: string }[]> {
    let rows = this.#db.read
      .selectFrom('orders')
      .select(['id', 'body'])
      .where(hasCustomer(this.#db.words))
      .where('merchant_id', '=', merchantKey)
      .orderBy('id')
      .limit(limit)
    if (after !== null) rows = rows.where('id', '>', after)
    return rows.execute()
  }
}
