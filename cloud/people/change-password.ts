// Sets a password, the first or another one: by a signed-in person, or by a code. Everything issued before it ends; this browser gets a new session.
import type { Tx } from '#cloud/storage/database.ts'
import type { UsersTable } from '#cloud/storage/schema-people.ts'
import { beginSession, type Entered } from './begin-session.ts'
import { hashOfChosen } from './choose-password.ts'
import { mailSignInChanged } from './mail.ts'
import type { PeopleParts, Visit } from './parts.ts'
import { PeopleRefusal } from './people-refusal.ts'
import type { SignedIn } from './signed-in.ts'

/** @throws PeopleRefusal elevate: the person must confirm their identity; invalid, busy; refused: an operator has a passkey */
export async function setPassword(
  parts: PeopleParts,
  { person, password }: { person: SignedIn; password: string },
  visit: Visit,
): Promise<Entered> {
  const { db, users, clock } = parts
  if ((person.elevatedUntilMs ?? 0) <= clock.now())
    throw new PeopleRefusal(
      { kind: 'elevate', key: 'right.elevate' },
      'Show once more that it is you: your password or a passkey.',
    )
  const password_hash = await hashOfChosen(parts, password, [person.name, person.email])
  const entered = await db.unit(async (tx) => {
    const user = await users.find(person.userId, tx)
    if (user === null || user.disabled_at !== null)
      throw new PeopleRefusal({ kind: 'signed-out', key: 'session.signed-out' }, 'Sign in again.')
    return takePassword(tx, parts, { user: { ...user, password_hash }, visit })
  })
  parts.notices.changed.notify()
  return entered
}

/**
 * Ends the person's sessions, and the codes and links with which somebody who has read their mail could sign in; they get a mail about it. The
 * caller fires `notices.changed` after the commit.
 * @param user with the new hash
 */
export async function takePassword(
  tx: Tx,
  parts: PeopleParts,
  { user, visit }: { user: UsersTable; visit: Visit },
): Promise<Entered> {
  const { id, email_norm, password_hash, email_verified_at } = user
  // Codes before the user, as in hold.ts: callers that use a code lock them in this order too.
  await parts.codes.endSignIns(tx, email_norm, parts.clock.now())
  await parts.users.change(tx, id, { password_hash, email_verified_at })
  await parts.logins.endAll(tx, id)
  await mailSignInChanged(tx, parts, { user, deed: 'password-set', name: null })
  return beginSession(tx, parts, { user, visit, method: 'password' })
}
