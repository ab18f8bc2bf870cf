// Telephone numbers of the receptionist. A row is the job that wires it: its lease is `next_at`, so a relay that dies with it leaves it due.
import type { MerchantKey, PhoneNumberId } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import type { Db, RelayDatabase, Tx } from './database.ts'
import type { PhoneNumbersTable } from './schema-receptionist.ts'

export type PhoneNumberRow = PhoneNumbersTable

export class PhoneNumberStore {
  readonly #db: RelayDatabase
  /** A number is to be wired or unwired: fired after the commit, by whoever asked for it. */
  readonly changed = new Signal()

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Null: there is none. */
  async byId(id: PhoneNumberId, on: Db | Tx = this.#db.read): Promise<PhoneNumberRow | null> {
    return (await on.selectFrom('phone_numbers').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
  }

  /** Null: it is no number of this relay. */
  async byE164(e164: string, on: Db | Tx = this.#db.read): Promise<PhoneNumberRow | null> {
    return (await on.selectFrom('phone_numbers').selectAll().where('e164', '=', e164).executeTakeFirst()) ?? null
  }

  /** The oldest first. */
  async ofMerchant(merchantKey: MerchantKey, on: Db | Tx = this.#db.read): Promise<PhoneNumberRow[]> {
    return on.selectFrom('phone_numbers').selectAll().where('merchant_id', '=', merchantKey).orderBy('id').execute()
  }

  /** A number is wanted; the caller fires `changed` after the commit. @param wanted JSON as in the table */
  async want(
    tx: Tx,
    number: Pick<PhoneNumbersTable, 'id' | 'merchant_id' | 'provider' | 'wanted'>,
    nowMs: number,
  ): Promise<void> {
    await tx
      .insertInto('phone_numbers')
      .values({
        ...number,
        e164: null,
        provider_id: null,
        state: 'wanted',
        error: null,
        attempts: 0,
        next_at: nowMs,
        wired_at: null,
        created_at: nowMs,
      })
      .execute()
  }

  /**
   * Tries one that failed again, from the first attempt, also a wired one whose company could not be told something; the caller fires `changed`
   * after the commit. @returns false: nothing has failed
   */
  async retry(tx: Tx, id: PhoneNumberId, nowMs: number): Promise<boolean> {
    const done = await tx
      .updateTable('phone_numbers')
      .set((e) => ({
        ...{ error: null, attempts: 0, next_at: nowMs },
        state: e
          .case()
          .when('state', '=', 'wired')
          .then('wired' as const)
          .else('wanted' as const)
          .end(),
      }))
      .where('id', '=', id)
      .where((e) =>
        e.or([
          e('state', '=', 'failed'),
          e.and([e('state', '=', 'wired'), e('error', 'is not', null), e('next_at', 'is', null)]),
        ]),
      )
      .executeTakeFirst()
    return done.numUpdatedRows > 0n
  }

  /** Its hooks are to be taken away, and the row then; the caller fires `changed` after the commit. @returns false: there is none of this merchant */
  async unwire(
    tx: Tx,
    { id, merchantKey }: { id: PhoneNumberId; merchantKey: MerchantKey },
    nowMs: number,
  ): Promise<boolean> {
    const done = await tx
      .updateTable('phone_numbers')
      .set({ state: 'unwiring', error: null, attempts: 0, next_at: nowMs })
      .where('id', '=', id)
      .where('merchant_id', '=', merchantKey)
      .where('state', '!=', 'unwiring')
      .executeTakeFirst()
    return done.numUpdatedRows > 0n
  }

  /**
   * What the company was told of a merchant's numbers has changed: it is told again, also by an attempt that is under way with the old words.
   * A wired number stays that meanwhile. The simulated one keeps nothing. The caller fires `changed` after the commit.
   */
  async rewire(tx: Tx, merchantKey: MerchantKey, nowMs: number): Promise<void> {
    await tx
      .updateTable('phone_numbers')
      .set({ attempts: 0, next_at: nowMs })
      .where('merchant_id', '=', merchantKey)
      .where('state', 'in', ['wired', 'wiring'])
      .where('provider', '!=', 'simulator')
      .execute()
  }

  /** What is due, the longest waiting first. */
  async due(nowMs: number, most: number): Promise<PhoneNumberId[]> {
    const rows = await this.#db.read
      .selectFrom('phone_numbers')
      .select('id')
      .where('next_at', 'is not', null)
      .where('next_at', '<=', nowMs)
      .orderBy('next_at')
      .limit(most)
      .execute()
    return rows.map(({ id }) => id)
  }

  /** Begins an attempt. @param untilMs when another may begin, should this one's end never be heard of. @returns null: it is not due any more */
  async begin(
    tx: Tx,
    id: PhoneNumberId,
    { nowMs, untilMs }: { nowMs: number; untilMs: number },
  ): Promise<PhoneNumberRow | null> {
    const row = await tx
      .updateTable('phone_numbers')
      .set((e) => ({
        attempts: e('attempts', '+', 1),
        next_at: untilMs,
        state: e
          .case()
          .when('state', 'in', ['unwiring', 'wired'])
          .then(e.ref('state'))
          .else('wiring' as const)
          .end(),
      }))
      .where('id', '=', id)
      .where('next_at', '<=', nowMs)
      .returningAll()
      .executeTakeFirst()
    return row ?? null
  }

  /** @returns `taken`: another number of this relay has it; `lost`: it is not being wired any more. Both change nothing */
  async wired(
    tx: Tx,
    attempt: Attempt,
    number: { e164: string; providerId: string; nowMs: number },
  ): Promise<'wired' | 'taken' | 'lost'> {
    const { e164, providerId, nowMs } = number
    const other = await this.byE164(e164, tx)
    if (other !== null && other.id !== attempt.id) return 'taken'
    const done = await tx
      .updateTable('phone_numbers')
      .set({ state: 'wired', e164, provider_id: providerId, error: null, next_at: null, wired_at: nowMs })
      .where('id', '=', attempt.id)
      .where('attempts', '=', attempt.attempts)
      .where('state', 'in', ['wiring', 'wired'])
      .executeTakeFirst()
    return done.numUpdatedRows > 0n ? 'wired' : 'lost'
  }

  /** The attempt failed. @param isGone the company has the number no more. @param nextAtMs null: it is given up until somebody asks again */
  async failed(
    tx: Tx,
    attempt: Attempt,
    { error, nextAtMs, isGone }: { error: string; nextAtMs: number | null; isGone: boolean },
  ): Promise<void> {
    await tx
      .updateTable('phone_numbers')
      .set((e) => ({
        error,
        next_at: nextAtMs,
        // What could not be unwired goes on being that: its hooks may still be set. So does what is wired and was only told something new.
        state: e
          .case()
          .when('state', 'in', isGone ? ['unwiring'] : ['unwiring', 'wired'])
          .then(e.ref('state'))
          .else(nextAtMs === null ? ('failed' as const) : ('wanted' as const))
          .end(),
      }))
      .where('id', '=', attempt.id)
      .where('attempts', '=', attempt.attempts)
      .where('next_at', 'is not', null)
      .execute()
  }

  /** Its hooks are taken away. */
  async remove(tx: Tx, attempt: Attempt): Promise<void> {
    await tx
      .deleteFrom('phone_numbers')
      .where('id', '=', attempt.id)
      .where('attempts', '=', attempt.attempts)
      .where('state', '=', 'unwiring')
      .execute()
  }
}

/** A row as its attempt began: what has become of it meanwhile is left alone. */
export type Attempt = Pick<PhoneNumberRow, 'id' | 'attempts'>
