// Text messages to send: written in the transaction of the event that they report, claimed with a lease by the relay that sends them. And who wants none.
import { sql } from 'kysely'
import type { AccountId, MerchantKey, PhoneNumberId, TextId } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import type { Db, RelayDatabase, Tx } from './database.ts'
import { MessageRows } from './message-rows.ts'
import type { PhoneNumbersTable } from './schema-receptionist.ts'
import type { SmsOptoutsTable, TextMessagesTable } from './schema-texts.ts'

/**
 * As it is stored: its content is sealed already. `end`: it does not leave at all. `dropped` with the reason, `kept` of a test merchant;
 * null: it is queued.
 */
export type NewText = Pick<
  TextMessagesTable,
  | 'id'
  | 'account_id'
  | 'merchant_id'
  | 'kind'
  | 'subject_id'
  | 'to_enc'
  | 'to_mac'
  | 'text_enc'
  | 'expires_at'
  | 'created_at'
> & { end: { state: 'dropped'; error: string } | { state: 'kept'; error: null } | null }

/** A text message that is leased to this program. */
export type ClaimedText = Pick<
  TextMessagesTable,
  'id' | 'kind' | 'merchant_id' | 'to_enc' | 'to_mac' | 'text_enc' | 'attempts' | 'expires_at' | 'created_at'
>

const LISTED = [
  'id',
  'account_id',
  'merchant_id',
  'kind',
  'subject_id',
  'to_enc',
  'text_enc',
  'state',
  'attempts',
  'next_at',
  'error',
  'created_at',
  'settled_at',
  'delivered_at',
] as const

/** As lists show it. */
export type ListedText = Pick<TextMessagesTable, (typeof LISTED)[number]>

/**
 * In the transaction of the event. There is one of a kind and subject: another is not written.
 * The caller fires `TextStore.changed` after the commit.
 * @returns whether it was written
 */
export async function insertText(tx: Tx, { end, ...text }: NewText): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('text_messages')
    .values({
      ...text,
      ...(end === null
        ? { state: 'queued', next_at: text.created_at, error: null, settled_at: null }
        : { ...end, next_at: null, settled_at: text.created_at }),
      attempts: 0,
      lease_until: null,
      lease_by: null,
      provider_id: null,
      delivered_at: null,
    })
    .onConflict((conflict) => conflict.columns(['kind', 'subject_id']).doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows ?? 0) > 0
}

export class TextStore extends MessageRows<TextId, ClaimedText> {
  /** A text message was written; fired by the code that committed it, after the commit. */
  readonly changed = new Signal()
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    super(db, {
      table: 'text_messages',
      due: 'text_messages_due',
      claims: ['merchant_id', 'to_mac', 'created_at'],
      isTold: sql`provider_id is not null`,
    })
    this.#db = db
  }

  /** How many left, or wait, since then: of a merchant, and of those one kind to one number. Counted up to `most` of each. */
  async written(
    tx: Tx,
    of: {
      merchantKey: MerchantKey
      kind: TextMessagesTable['kind']
      toMac: string
      sinceMs: number
      most: { ofMerchant: number; toNumber: number }
    },
  ): Promise<{ ofMerchant: number; toNumber: number }> {
    const counted = async (most: number, column: 'merchant_id' | 'to_mac', value: string) => {
      let some = tx
        .selectFrom('text_messages')
        .select('id')
        .where(column, '=', value as MerchantKey)
        .where('created_at', '>', of.sinceMs)
        .where('state', '<>', 'dropped')
        .limit(most)
      if (column === 'to_mac') some = some.where('kind', '=', of.kind)
      const row = await tx
        .selectFrom(some.as('some'))
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      return Number(row.n)
    }
    return {
      ofMerchant: await counted(of.most.ofMerchant, 'merchant_id', of.merchantKey),
      toNumber: await counted(of.most.toNumber, 'to_mac', of.toMac),
    }
  }

  /** The number at this provider that the merchant's text messages come from: the one that was made first. Null: none is wired. */
  async sender(
    merchantKey: MerchantKey,
    provider: PhoneNumbersTable['provider'],
  ): Promise<{ id: PhoneNumberId; e164: string } | null> {
    const row = await this.#db.read
      .selectFrom('phone_numbers')
      .select(['id', 'e164'])
      .where('merchant_id', '=', merchantKey)
      .where('provider', '=', provider)
      .where('state', '=', 'wired')
      .where('e164', 'is not', null)
      .orderBy('created_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    return row === undefined || row.e164 === null ? null : { id: row.id, e164: row.e164 }
  }

  /** Of these ids of the provider, the first that is of no message yet. Null: there is none. */
  async firstOfNone(providerIds: readonly string[]): Promise<string | null> {
    if (providerIds.length === 0) return null
    const known = await this.#db.read
      .selectFrom('text_messages')
      .select('provider_id')
      .where('provider_id', 'in', providerIds)
      .execute()
    const ids = new Set(known.map((row) => row.provider_id))
    return providerIds.find((id) => !ids.has(id)) ?? null
  }

  /**
   * The provider says what became of one that it took. Its later word counts: a message that arrived has arrived. News may come before the
   * provider's id is stored, or to a message of which nobody knew whether it left: `textId` then says which it is.
   * @returns null: it is none of this merchant, or the provider's id is another
   */
  async told(
    tx: Tx,
    news: {
      merchantKey: MerchantKey
      providerId: string
      textId: TextId | null
      status: 'sent' | 'delivered' | 'failed'
      error: string | null
      nowMs: number
    },
  ): Promise<Pick<TextMessagesTable, 'id' | 'to_mac' | 'to_enc' | 'text_enc'> | null> {
    const { providerId, status, error, nowMs } = news
    const text = await this.#toldOf(tx, news)
    if (text === null) return null
    // From now on it is known whose news these are, and the message is sent by nobody.
    const adopted = text.provider_id === null && {
      ...{ state: 'sent' as const, error: null, provider_id: providerId },
      ...{ next_at: null, lease_until: null, settled_at: text.settled_at ?? nowMs },
    }
    // News may be late, and come in any order.
    const change = {
      ...adopted,
      ...(status === 'delivered' && { state: 'sent' as const, error: null, delivered_at: text.delivered_at ?? nowMs }),
      ...(status === 'failed' && text.delivered_at === null && { state: 'failed' as const, error }),
    }
    if (Object.keys(change).length > 0)
      await tx.updateTable('text_messages').set(change).where('id', '=', text.id).execute()
    return text
  }

  async #toldOf(
    tx: Tx,
    { merchantKey, providerId, textId }: { merchantKey: MerchantKey; providerId: string; textId: TextId | null },
  ) {
    const texts = tx
      .selectFrom('text_messages')
      .select(['id', 'to_mac', 'to_enc', 'text_enc', 'provider_id', 'settled_at', 'delivered_at'])
      .where('merchant_id', '=', merchantKey)
      .forNoKeyUpdate()
    const known = await texts.where('provider_id', '=', providerId).executeTakeFirst()
    if (known !== undefined) return textId === null || textId === known.id ? known : null
    if (textId === null) return null
    // Nobody but the provider was given the address of it, and only when it was sent.
    const own = texts.where('id', '=', textId).where('provider_id', 'is', null).where('attempts', '>', 0)
    return (await own.executeTakeFirst()) ?? null
  }

  /** The newest first. */
  async list(of: {
    accountId: AccountId | null
    merchantKey?: MerchantKey
    states?: readonly TextMessagesTable['state'][]
    limit: number
  }): Promise<ListedText[]> {
    let rows = this.#db.read
      .selectFrom('text_messages')
      .select(LISTED)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(of.limit)
    if (of.accountId !== null) rows = rows.where('account_id', '=', of.accountId)
    if (of.merchantKey !== undefined) rows = rows.where('merchant_id', '=', of.merchantKey)
    if (of.states !== undefined) rows = rows.where('state', 'in', of.states)
    return rows.execute()
  }

  /** What was written about one thing, such as an order. */
  async about(kind: TextMessagesTable['kind'], subjectId: string): Promise<ListedText | null> {
    const row = await this.#db.read
      .selectFrom('text_messages')
      .select(LISTED)
      .where('kind', '=', kind)
      .where('subject_id', '=', subjectId)
      .executeTakeFirst()
    return row ?? null
  }

  /** Null: the number gets text messages. */
  async optout(tx: Tx, merchantKey: MerchantKey, toMac: string): Promise<SmsOptoutsTable | null> {
    const row = await tx
      .selectFrom('sms_optouts')
      .selectAll()
      .where('merchant_id', '=', merchantKey)
      .where('to_mac', '=', toMac)
      .executeTakeFirst()
    return row ?? null
  }

  async isOptedOut(merchantKey: MerchantKey, toMac: string, on: Db | Tx = this.#db.read): Promise<boolean> {
    const row = await on
      .selectFrom('sms_optouts')
      .select('created_at')
      .where('merchant_id', '=', merchantKey)
      .where('to_mac', '=', toMac)
      .executeTakeFirst()
    return row !== undefined
  }

  /** @returns false: it was one already */
  async optOut(tx: Tx, optout: SmsOptoutsTable): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('sms_optouts')
      .values(optout)
      .onConflict((conflict) => conflict.columns(['merchant_id', 'to_mac']).doNothing())
      .executeTakeFirst()
    return Number(numInsertedOrUpdatedRows ?? 0) > 0
  }

  /** @returns false: it was none */
  async optIn(tx: Tx, merchantKey: MerchantKey, toMac: string): Promise<boolean> {
    const { numDeletedRows } = await tx
      .deleteFrom('sms_optouts')
      .where('merchant_id', '=', merchantKey)
      .where('to_mac', '=', toMac)
      .executeTakeFirst()
    return numDeletedRows > 0n
  }

  /** The newest first. */
  async optouts(merchantKey: MerchantKey, limit: number): Promise<SmsOptoutsTable[]> {
    return this.#db.read
      .selectFrom('sms_optouts')
      .selectAll()
      .where('merchant_id', '=', merchantKey)
      .orderBy('created_at', 'desc')
      .orderBy('to_mac')
      .limit(limit)
      .execute()
  }
}
