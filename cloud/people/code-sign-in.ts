// Signs in by a mailed code, and sets a new password by one. No answer reveals whether a person has the address.
import type { Tx } from '#cloud/storage/database.ts'
import type { EmailCodesTable, UsersTable } from '#cloud/storage/schema-people.ts'
import type { CodeId } from '#shared/ids.ts'
import { beginSession, type Entered, isKnownDevice, refuseWithoutPasskey } from './begin-session.ts'
import { takePassword } from './change-password.ts'
import { hashOfChosen } from './choose-password.ts'
import { emailNorm } from './email.ts'
import { beginTry } from './guessing.ts'
import { mailNewDevice, mailTo } from './mail.ts'
import type { PeopleParts, Visit } from './parts.ts'
import { CODE_MINUTES, makeCode, peekCode, refusalOf, type TypedCode, useCode } from './typed-codes.ts'

interface CodeWish {
  kind: 'sign-in' | 'reset'
  email: string
  /** Of the page on which it is asked for, as in shared/languages.ts; without it, that of the person. */
  language?: string | undefined
}

/** Sends a code to the person with the address; if there is none, nobody gets one, and the answer is the same. @throws PeopleRefusal throttled */
export async function sendCode(parts: PeopleParts, { kind, email, language }: CodeWish, visit: Visit): Promise<CodeId> {
  const codeId = await parts.db.unit(async (tx) => {
    const user = await parts.users.byEmail(emailNorm(email), tx)
    const ownDevice = user !== null && isKnownDevice(parts, user, visit.device) ? visit.device : null
    const made = await makeCode(tx, parts, { kind, email, visit, ownDevice })
    if (user === null || user.disabled_at !== null) return made.codeId
    const values = { purpose: kind, code: made.code, minutes: CODE_MINUTES }
    const to = { to: user.email, language: language ?? user.language }
    await mailTo(tx, parts, { ...to, notice: { kind: 'code', values } })
    return made.codeId
  })
  parts.notices.changed.notify()
  return codeId
}

/** @throws PeopleRefusal wrong-code, throttled, refused */
export async function enterByCode(
  parts: PeopleParts,
  typed: Pick<TypedCode, 'codeId' | 'code'>,
  visit: Visit,
): Promise<Entered> {
  const entered = await withCode(
    parts,
    { typed: { ...typed, kind: 'sign-in' }, visit, prepare: nothing },
    async (tx, row) => {
      const user = await userOf(tx, parts, row)
      await parts.users.change(tx, user.id, { email_verified_at: user.email_verified_at ?? parts.clock.now() })
      if (!isKnownDevice(parts, user, visit.device)) await mailNewDevice(tx, parts, { user, visit, method: 'code' })
      return beginSession(tx, parts, { user, visit, method: 'code' })
    },
  )
  parts.notices.changed.notify()
  return entered
}

/** A new password ends all sessions of the person; this browser gets a new one. @throws PeopleRefusal wrong-code, throttled, invalid, busy, refused */
export async function resetPassword(
  parts: PeopleParts,
  { password, ...code }: Pick<TypedCode, 'codeId' | 'code'> & { password: string },
  visit: Visit,
): Promise<Entered> {
  const typed = { ...code, kind: 'reset' as const }
  const prepare = async (row: EmailCodesTable): Promise<string> => {
    const user = await parts.users.byEmail(row.email_norm)
    return hashOfChosen(parts, password, user === null ? [] : [user.name, user.email])
  }
  const entered = await withCode(parts, { typed, visit, prepare }, async (tx, row, password_hash) => {
    const user = await userOf(tx, parts, row)
    refuseWithoutPasskey(user, await parts.passkeys.count(user.id, tx))
    const email_verified_at = user.email_verified_at ?? parts.clock.now()
    return takePassword(tx, parts, { user: { ...user, password_hash, email_verified_at }, visit })
  })
  parts.notices.changed.notify()
  return entered
}

interface CodeUse<P> {
  typed: TypedCode
  visit: Visit
  /** What takes long, and is done for the right code alone. It is not used up when this refuses. */
  prepare: (row: EmailCodesTable) => Promise<P>
}

/**
 * Does `work` in the unit that uses the code up. A wrong code counts, though the answer is a refusal.
 * @throws PeopleRefusal wrong-code, throttled
 */
export async function withCode<P, T>(
  parts: PeopleParts,
  { typed, visit, prepare }: CodeUse<P>,
  work: (tx: Tx, row: EmailCodesTable, prepared: P) => Promise<T>,
): Promise<T> {
  const trier = { address: visit.countedAs, name: `code ${typed.codeId}`, device: null }
  await beginTry(parts, trier)
  const seen = await peekCode(parts, typed)
  const prepared = seen === null ? null : { by: await prepare(seen) }
  const outcome = await parts.db.unit(async (tx) => {
    const check = await useCode(tx, parts, typed)
    if (check.kind !== 'right') return { refusal: refusalOf(check) }
    if (prepared === null) throw refusalOf({ kind: 'ended' })
    return { done: await work(tx, check.row, prepared.by) }
  })
  if ('refusal' in outcome) throw outcome.refusal
  await parts.throttle.succeeded(trier, { comesBack: false })
  return outcome.done
}

const nothing = async (): Promise<null> => null

/** @throws PeopleRefusal: the person was removed while the code was on its way */
async function userOf(tx: Tx, { users }: PeopleParts, row: EmailCodesTable): Promise<UsersTable> {
  const user = await users.byEmail(row.email_norm, tx)
  if (user === null || user.disabled_at !== null) throw refusalOf({ kind: 'ended' })
  return user
}
