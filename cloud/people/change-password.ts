// Somebody who is signed in sets a password, their first or another one. Every session of theirs ends; this browser gets a new one.
import { beginSession, type Entered } from './begin-session.ts'
import { hashOfChosen } from './choose-password.ts'
import type { PeopleParts, Visit } from './parts.ts'
import { PeopleRefusal } from './people-refusal.ts'
import type { SignedIn } from './signed-in.ts'

/** @throws PeopleRefusal elevate: the person must show again who they are; invalid, busy; refused: an operator has a passkey */
export async function setPassword(
  parts: PeopleParts,
  { person, password }: { person: SignedIn; password: string },
  visit: Visit,
): Promise<Entered> {
  const { db, users, logins, clock } = parts
  if ((person.elevatedUntilMs ?? 0) <= clock.now())
    throw new PeopleRefusal(
      { kind: 'elevate', key: 'right.elevate' },
      'Show once more that it is you: your password or a passkey.',
    )
  const password_hash = await hashOfChosen(parts, password, [person.name, person.email])
  return db.unit(async (tx) => {
    const user = await users.find(person.userId, tx)
    if (user === null || user.disabled_at !== null)
      throw new PeopleRefusal({ kind: 'signed-out', key: 'session.signed-out' }, 'Sign in again.')
    await users.change(tx, user.id, { password_hash })
    await logins.endAll(tx, user.id)
    return beginSession(tx, parts, { user: { ...user, password_hash }, visit, method: 'password' })
  })
}
