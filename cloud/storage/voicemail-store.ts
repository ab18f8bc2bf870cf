// Recordings of callers. A row is the job that fetches the sound, turns a voicemail into text and takes the provider's copy away; it is claimed with a lease by the relay that does it.
import { sql } from 'kysely'
import type { CallId, MerchantKey, UserId, VoicemailId } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import { markMessage } from './call-store.ts'
import type { Db, RelayDatabase, Tx } from './database.ts'
import { isFree, OutboxRows } from './outbox-rows.ts'
import type { PhoneNumbersTable, VoicemailsTable } from './schema-receptionist.ts'

/** As a provider tells of it. */
export type NewVoicemail = Pick<
  VoicemailsTable,
  'id' | 'merchant_id' | 'number_id' | 'kind' | 'recording_id' | 'created_at'
> & {
  providerCallId: string
  /** Null: only its text is told. */
  seconds: number | null
  /** The provider's text, sealed; null: none. */
  textEnc: string | null
  /** When it can be fetched; epoch ms. */
  fetchAt: number
}

const CLAIMED = [
  'id',
  'merchant_id',
  'number_id',
  'call_id',
  'kind',
  'recording_id',
  'state',
  'seconds',
  'file',
  'text_enc',
  'attempts',
  'audio_deleted_at',
  'text_deleted_at',
] as const

/** A recording that is leased to this program. */
export type ClaimedVoicemail = Pick<VoicemailsTable, (typeof CLAIMED)[number]> & {
  /** Of the number that was called; null: that is not known any more. */
  provider: PhoneNumbersTable['provider'] | null
}

/** What an attempt changes. */
export type VoicemailChange = Partial<
  Pick<
    VoicemailsTable,
    'state' | 'file' | 'text_enc' | 'confidence' | 'uncertain' | 'engine' | 'error' | 'next_at' | 'provider_deleted_at'
  >
> & {
  /** This step is done: the next one has all its attempts. */
  isStepDone: boolean
}

/** As lists show it. */
export type ListedVoicemail = VoicemailsTable & { from_enc: string | null; started_at: number | null }

/** Ids that are looked up at once. */
const PIECE = 500

const DAY_MS = 86_400_000
/** The whole call, a message, and some to spare. */
export const MOST_OF_A_CALL = 4
/** Of a restaurant within a day: nobody has so much to hear. About 1.4 GB. */
const MOST_SECONDS = 24 * 3_600
/** Of calls that are tried: their sound is silence. */
export const MOST_SIMULATED_SECONDS = 900

const WAITS = sql<boolean>`next_at is not null`

export class VoicemailStore extends OutboxRows<VoicemailId> {
  /** A recording was told or changed; fired by the code that committed it, after the commit. */
  readonly changed = new Signal<MerchantKey>()
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    super(db, {
      table: 'voicemails',
      key: 'id',
      leased: sql`lease_until is not null`,
      rows: (ids) => sql`id in (${sql.join(ids)})`,
      parts: () => Promise.resolve([{ index: 'voicemails_due', within: WAITS, attempts: sql`attempts` }]),
    })
    this.#db = db
  }

  /**
   * Whatever order its news come in: the sound, the text, a repetition of either. The caller fires `changed` after the commit. A hook of one
   * number says nothing of a call or a recording of another.
   * @returns whether anything changed
   */
  async told(tx: Tx, news: NewVoicemail): Promise<boolean> {
    const { recording_id, seconds, textEnc, fetchAt } = news
    const known = await tx
      .selectFrom('voicemails')
      .select(['id', 'call_id', 'number_id', 'state', 'seconds', 'next_at', 'attempts', 'text_enc', 'text_deleted_at'])
      .where('recording_id', '=', recording_id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (known === undefined) return this.#insert(tx, news)
    if (known.number_id !== news.number_id) return false
    const isOpen = known.state === 'recorded' || known.state === 'fetched'
    const isText = textEnc !== null && known.text_enc === null && known.text_deleted_at === null && isOpen
    const isSound = seconds !== null && known.state === 'recorded' && known.seconds === 0 && known.next_at === null
    // A repetition after an attempt leaves the time of the next one as it is.
    const isUntried = known.state === 'recorded' && known.attempts === 0
    const isSooner = seconds !== null && isUntried && known.next_at !== null && fetchAt < known.next_at
    if (!isText && !isSound && !isSooner) return false
    const change = {
      ...(isText && { text_enc: textEnc }),
      ...(isSound && { seconds, ...(seconds === 0 && NOTHING_SAID(fetchAt)) }),
      // A text that was waited for is used at once.
      ...((isSound || isSooner || (isText && known.next_at !== null)) && { next_at: fetchAt }),
    }
    await tx.updateTable('voicemails').set(change).where('id', '=', known.id).execute()
    if (isSound && known.call_id !== null) await markMessage(tx, known.call_id)
    return true
  }

  /** @returns false: the call is one of another number */
  async #insert(tx: Tx, news: NewVoicemail): Promise<boolean> {
    const { providerCallId, seconds, textEnc, fetchAt, ...row } = news
    const call = await tx
      .selectFrom('calls')
      .select(['id', 'number_id', 'text_deleted_at'])
      .where('provider_id', '=', providerCallId)
      .executeTakeFirst()
    if (call !== undefined && call.number_id !== news.number_id) return false
    // The number was erased before this came: the provider's copy is taken away, and nothing else is done with it.
    const erasedAt = call?.text_deleted_at ?? null
    const isBeyond = erasedAt === null && (await this.#isBeyond(tx, news, call?.id ?? null))
    const deletedAt = isBeyond ? news.created_at : erasedAt
    await tx
      .insertInto('voicemails')
      .values({
        ...row,
        call_id: call?.id ?? null,
        state: isBeyond ? 'no_transcript' : 'recorded',
        seconds: seconds ?? 0,
        file: null,
        text_enc: deletedAt === null ? textEnc : null,
        confidence: null,
        uncertain: 0,
        engine: null,
        attempts: 0,
        error: isBeyond ? 'quota' : null,
        // A text alone: its sound is told next.
        next_at: seconds === null && deletedAt === null ? null : fetchAt,
        lease_until: null,
        lease_by: null,
        done_by: null,
        done_at: null,
        audio_deleted_at: deletedAt,
        text_deleted_at: deletedAt,
        provider_deleted_at: null,
        ...(seconds === 0 && NOTHING_SAID(fetchAt)),
      })
      .execute()
    if (call !== undefined) await markMessage(tx, call.id)
    return true
  }

  /** Of one call, and of the restaurant's last day: then the sound is not kept, and the provider's copy is taken away. */
  async #isBeyond(
    tx: Tx,
    { merchant_id: merchantKey, created_at: nowMs }: NewVoicemail,
    callId: CallId | null,
  ): Promise<boolean> {
    if (callId !== null) {
      const { count } = await tx
        .selectFrom('voicemails')
        .select((e) => e.fn.countAll().as('count'))
        .where('call_id', '=', callId)
        .executeTakeFirstOrThrow()
      if (Number(count) >= MOST_OF_A_CALL) return true
    }
    const merchant = await tx
      .selectFrom('merchants')
      .select('environment')
      .where('id', '=', merchantKey)
      .executeTakeFirst()
    const day = await tx
      .selectFrom('voicemails')
      .select((e) => e.fn.sum('seconds').as('seconds'))
      .where('merchant_id', '=', merchantKey)
      .where('created_at', '>', nowMs - DAY_MS)
      .where('audio_deleted_at', 'is', null)
      .executeTakeFirst()
    return Number(day?.seconds ?? 0) >= (merchant?.environment === 'sandbox' ? MOST_SIMULATED_SECONDS : MOST_SECONDS)
  }

  /** Whether there is anything to claim: a read costs less than an empty unit. */
  async hasDue(nowMs: number): Promise<boolean> {
    const row = await this.#db.read
      .selectFrom('voicemails')
      .select('id')
      .where(WAITS)
      .where('next_at', '<=', nowMs)
      .where(isFree('voicemails', nowMs))
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Leases recordings that are due, the longest waiting first. Their attempt counts from now on: one at which the relay ends is one. */
  async claim(
    tx: Tx,
    { nowMs, leaseUntilMs, limit }: { nowMs: number; leaseUntilMs: number; limit: number },
  ): Promise<ClaimedVoicemail[]> {
    const due = await tx
      .selectFrom('voicemails')
      .select(CLAIMED)
      .where(WAITS)
      .where('next_at', '<=', nowMs)
      .where(isFree('voicemails', nowMs))
      .orderBy('next_at')
      .orderBy('id')
      .limit(limit)
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    const ids = due.map(({ id }) => id)
    if (ids.length === 0) return []
    await this.lease(tx, ids, leaseUntilMs)
    await tx
      .updateTable('voicemails')
      .set((e) => ({ attempts: e('attempts', '+', 1) }))
      .where('id', 'in', ids)
      .execute()
    const numbers = await tx
      .selectFrom('phone_numbers')
      .select(['id', 'provider'])
      .where(
        'id',
        'in',
        due.map((row) => row.number_id),
      )
      .execute()
    const providers = new Map(numbers.map(({ id, provider }) => [id, provider]))
    return due.map((row) => ({
      ...row,
      attempts: row.attempts + 1,
      provider: providers.get(row.number_id) ?? null,
    }))
  }

  /** Gives its lease back: the attempt was ended by us and counts for nothing. */
  async giveBack({ id, attempts }: Pick<ClaimedVoicemail, 'id' | 'attempts'>): Promise<void> {
    await this.#db.unit((tx) =>
      tx
        .updateTable('voicemails')
        .set({ lease_until: null, attempts: attempts - 1 })
        .where('id', '=', id)
        .where('attempts', '=', attempts)
        .execute(),
    )
  }

  /**
   * Stores what came of an attempt.
   * @returns false: nothing was stored, for another relay has it, or it was deleted or erased meanwhile
   */
  async settle(tx: Tx, claimed: ClaimedVoicemail, { isStepDone, ...change }: VoicemailChange): Promise<boolean> {
    const settled = await tx
      .updateTable('voicemails')
      .set({ ...change, lease_until: null, ...(isStepDone && { attempts: 0 }) })
      .where('id', '=', claimed.id)
      .where('attempts', '=', claimed.attempts)
      .where('state', '=', claimed.state)
      .where('audio_deleted_at', claimed.audio_deleted_at === null ? 'is' : '=', claimed.audio_deleted_at)
      .where('text_deleted_at', claimed.text_deleted_at === null ? 'is' : '=', claimed.text_deleted_at)
      .executeTakeFirst()
    return settled.numUpdatedRows > 0n
  }

  /** The caller's number, sealed; null: withheld, erased, or the call is not known. */
  async callerOf(tx: Tx, callId: CallId | null): Promise<string | null> {
    if (callId === null) return null
    const call = await tx.selectFrom('calls').select('from_enc').where('id', '=', callId).executeTakeFirst()
    return call?.from_enc ?? null
  }

  /** The newest first. Recordings in which nothing was said, and deleted ones, are left out. @param of.before the last of the page before */
  async list(of: {
    merchantKey: MerchantKey
    kind?: VoicemailsTable['kind']
    before?: VoicemailId | null
    limit: number
  }): Promise<ListedVoicemail[]> {
    let rows = this.#listed(this.#db.read)
      .where('v.merchant_id', '=', of.merchantKey)
      .where('v.seconds', '>', 0)
      .orderBy('v.created_at', 'desc')
      .orderBy('v.id', 'desc')
      .limit(of.limit)
    if (of.kind !== undefined) rows = rows.where('v.kind', '=', of.kind)
    if (of.before) {
      const before = sql`(select created_at, id from voicemails where id = ${of.before})`
      rows = rows.where(sql<boolean>`(v.created_at, v.id) < ${before}`)
    }
    return rows.execute()
  }

  /** Null: there is none of this merchant, or it was deleted. */
  async find(merchantKey: MerchantKey, id: VoicemailId, on: Db | Tx = this.#db.read): Promise<ListedVoicemail | null> {
    const row = await this.#listed(on)
      .where('v.id', '=', id)
      .where('v.merchant_id', '=', merchantKey)
      .executeTakeFirst()
    return row ?? null
  }

  /** @param by null: it is open again. @returns false: there is none of this merchant */
  async markDone(
    tx: Tx,
    { merchantKey, id, by, nowMs }: { merchantKey: MerchantKey; id: VoicemailId; by: UserId | null; nowMs: number },
  ): Promise<boolean> {
    const done = await tx
      .updateTable('voicemails')
      .set({ done_by: by, done_at: by === null ? null : nowMs })
      .where('id', '=', id)
      .where('merchant_id', '=', merchantKey)
      .executeTakeFirst()
    return done.numUpdatedRows > 0n
  }

  /** Whether they still have their sound, or will have. One that is not known is missing. */
  async haveSound(ids: readonly VoicemailId[]): Promise<Map<VoicemailId, boolean>> {
    const found = new Map<VoicemailId, boolean>()
    for (let at = 0; at < ids.length; at += PIECE) {
      const rows = await this.#db.read
        .selectFrom('voicemails')
        .select(['id', 'audio_deleted_at'])
        .where('id', 'in', ids.slice(at, at + PIECE))
        .execute()
      for (const { id, audio_deleted_at: deletedAt } of rows) found.set(id, deletedAt === null)
    }
    return found
  }

  #listed(on: Db | Tx) {
    return (
      on
        .selectFrom('voicemails as v')
        .leftJoin('calls as c', 'c.id', 'v.call_id')
        .selectAll('v')
        .select(['c.from_enc', 'c.started_at'])
        // One that was deleted stays as a row, so that late news of it change nothing.
        .where((e) => e.or([e('v.audio_deleted_at', 'is', null), e('v.text_deleted_at', 'is', null)]))
    )
  }
}

/** There is nothing to fetch and to read; only the provider's copy is to be taken away. */
const NOTHING_SAID = (nowMs: number) =>
  ({ state: 'no_transcript', audio_deleted_at: nowMs, text_deleted_at: nowMs }) as const
