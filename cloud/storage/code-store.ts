// Codes that were sent by mail or shown as a link, and challenges of passkeys that were answered. Only hashes of codes are kept.
import type { AccountId, CodeId, UserId } from '#shared/ids.ts'
import type { Db, RelayDatabase, Tx } from './database.ts'
import { deleteExpired, hasExpiredRow } from './expired-rows.ts'
import { holding } from './hold.ts'
import { queryBuilder } from './query-builder.ts'
import type { NewRow } from './schema.ts'
import type { EmailCodesTable } from './schema-people.ts'

const CODES = { table: 'email_codes', key: 'id' } as const
const CHALLENGES = { table: 'spent_challenges', key: 'challenge_hash' } as const

const byId = holding((p) => queryBuilder.selectFrom('email_codes').selectAll().where('id', '=', p('id')))

/** Kinds that a stranger may have sent to an address. */
const ASKED_FOR = ['sign-up', 'sign-in', 'reset'] as const

export interface Asked {
  count: number
  /** Epoch ms; 0: there is none. */
  firstMs: number
}

export class CodeStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  async insert(tx: Tx, row: NewRow<'email_codes'>): Promise<void> {
    await tx.insertInto('email_codes').values(row).execute()
  }

  /** Whatever its state. In a unit the row is held. */
  async find(id: CodeId, on: Db | Tx = this.#db.read): Promise<EmailCodesTable | null> {
    const [row] = await byId(on, { id })
    return row ?? null
  }

  /** Those that were asked for since then, for this address of mail and from this address of the network: how many, and when the first of them. */
  async asked(
    tx: Tx,
    { emailNorm, address, sinceMs }: { emailNorm: string; address: string; sinceMs: number },
  ): Promise<{ ofEmail: Asked; ofAddress: Asked }> {
    const since = tx
      .selectFrom('email_codes')
      .select((e) => [e.fn.countAll<number>().as('count'), e.fn.min('created_at').as('firstMs')])
      .where('created_at', '>', sinceMs)
      .where('kind', 'in', ASKED_FOR)
    const ofEmail = await since.where('email_norm', '=', emailNorm).executeTakeFirst()
    const ofAddress = await since.where('address', '=', address).executeTakeFirst()
    return { ofEmail: askedOf(ofEmail), ofAddress: askedOf(ofAddress) }
  }

  async change(tx: Tx, id: CodeId, change: Partial<Pick<EmailCodesTable, 'tries' | 'used_at'>>): Promise<void> {
    await tx.updateTable('email_codes').set(change).where('id', '=', id).execute()
  }

  /** Codes and links with which this address could sign in; invitations stay, because they change no person's identity. */
  async endSignIns(tx: Tx, emailNorm: string, nowMs: number): Promise<void> {
    await tx
      .updateTable('email_codes')
      .set({ used_at: nowMs })
      .where('email_norm', '=', emailNorm)
      .where('kind', 'in', ['sign-in', 'reset', 'welcome'])
      .where('used_at', 'is', null)
      .execute()
  }

  /** Invitations of an account that can still be accepted, newest first. */
  async invitations(accountId: AccountId, nowMs: number): Promise<EmailCodesTable[]> {
    return this.#db.read
      .selectFrom('email_codes')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('kind', '=', 'invite')
      .where('used_at', 'is', null)
      .where('expires_at', '>', nowMs)
      .orderBy('id', 'desc')
      .execute()
  }

  /** Of a person who is deleted. */
  async removeAll(tx: Tx, emailNorm: string): Promise<void> {
    await tx.deleteFrom('email_codes').where('email_norm', '=', emailNorm).execute()
  }

  /** @returns false when this account has no such invitation that waits */
  async removeInvitation(tx: Tx, accountId: AccountId, id: CodeId): Promise<boolean> {
    const rows = await tx
      .deleteFrom('email_codes')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('kind', '=', 'invite')
      .where('used_at', 'is', null)
      .returning('id')
      .execute()
    return rows.length > 0
  }

  /** Open invitations of this person into the account (null: as an operator), which a new one replaces. */
  async removeInvitationsOf(tx: Tx, emailNorm: string, accountId: AccountId | null): Promise<void> {
    await tx
      .deleteFrom('email_codes')
      .where('email_norm', '=', emailNorm)
      .where('kind', '=', 'invite')
      .where('used_at', 'is', null)
      .where('account_id', accountId === null ? 'is' : '=', accountId)
      .execute()
  }

  /**
   * Open invitations that this person has sent: of one account, or of all and as operators.
   * @returns the withdrawn ones
   */
  removeInvitationsBy(
    tx: Tx,
    madeBy: UserId,
    accountId?: AccountId,
  ): Promise<Pick<EmailCodesTable, 'id' | 'account_id'>[]> {
    const sent = tx
      .deleteFrom('email_codes')
      .where('made_by', '=', madeBy)
      .where('kind', '=', 'invite')
      .where('used_at', 'is', null)
    const meant = accountId === undefined ? sent : sent.where('account_id', '=', accountId)
    return meant.returning(['id', 'account_id']).execute()
  }

  /** Takes a challenge of a passkey for this one answer. @returns false when it was taken before */
  async spend(tx: Tx, challengeHash: string, expiresAtMs: number): Promise<boolean> {
    const rows = await tx
      .insertInto('spent_challenges')
      .values({ challenge_hash: challengeHash, expires_at: expiresAtMs })
      .onConflict((on) => on.column('challenge_hash').doNothing())
      .returning('challenge_hash')
      .execute()
    return rows.length > 0
  }

  /** Whether there is a code or a challenge that can no longer be used. */
  async hasExpired(nowMs: number): Promise<boolean> {
    return (await hasExpiredRow(this.#db, CODES, nowMs)) || hasExpiredRow(this.#db, CHALLENGES, nowMs)
  }

  /** Forgets up to `limit` of each. */
  async prune(tx: Tx, nowMs: number, limit: number): Promise<void> {
    for (const table of [CODES, CHALLENGES]) await deleteExpired(tx, table, { nowMs, limit })
  }
}

function askedOf(row: { count: number; firstMs: number | null } | undefined): Asked {
  return { count: row?.count ?? 0, firstMs: row?.firstMs ?? 0 }
}
