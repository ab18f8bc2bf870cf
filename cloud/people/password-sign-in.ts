// Signs in by e-mail and password, and lets a signed-in person confirm their identity.
import type { UsersTable } from '#cloud/storage/schema-people.ts'
import { beginSession, ELEVATED_MS, type Entered, isKnownDevice, refuseWithoutPasskey } from './begin-session.ts'
import { emailNorm } from './email.ts'
import { beginTry, refuseWhileBusy } from './guessing.ts'
import { mailNewDevice } from './mail.ts'
import type { PeopleParts, Visit } from './parts.ts'
import { PeopleRefusal } from './people-refusal.ts'
import type { SignedIn } from './signed-in.ts'

/**
 * An unknown address gets the answer of a wrong password, after the same work.
 * @throws PeopleRefusal wrong-password, throttled, busy; refused: an operator's passkey is needed
 */
export async function enterByPassword(
  parts: PeopleParts,
  { email, password }: { email: string; password: string },
  visit: Visit,
): Promise<Entered> {
  const { db, users, passwords, throttle, notices, log } = parts
  const name = emailNorm(email)
  const known = await users.byEmail(name)
  const isKnown = known !== null && isKnownDevice(parts, known, visit.device)
  const trier = { address: visit.countedAs, name, device: isKnown ? visit.device : null }
  await refuseWhileBusy(parts, trier)
  await beginTry(parts, trier)
  const isRight = await passwords.matches(password, known?.password_hash ?? null)
  if (!isRight || known === null || known.disabled_at !== null) {
    // Not the address: people type passwords there.
    log.warn({ address: visit.address }, 'a sign-in was refused')
    throw new PeopleRefusal({ kind: 'wrong-password', key: 'session.wrong-password' }, 'E-mail or password is wrong.')
  }
  await throttle.succeeded(trier, { comesBack: true })
  const entered = await db.unit(async (tx) => {
    const user = await unchanged(tx, parts, known)
    const session = await beginSession(tx, parts, { user, visit, method: 'password' })
    if (!isKnown) await mailNewDevice(tx, parts, { user, visit, method: 'password' })
    return session
  })
  if (!isKnown) notices.changed.notify()
  log.info({ userId: known.id, address: visit.address }, 'signed in')
  return entered
}

/** @throws PeopleRefusal signed-out: the password was changed or the person disabled, while it was checked */
async function unchanged(
  tx: Parameters<PeopleParts['users']['find']>[1] & object,
  { users }: PeopleParts,
  { id, password_hash }: UsersTable,
): Promise<UsersTable> {
  const user = await users.find(id, tx)
  if (user !== null && user.disabled_at === null && user.password_hash === password_hash) return user
  throw new PeopleRefusal({ kind: 'signed-out', key: 'session.signed-out' }, 'Sign in again.')
}

/** The password of a signed-in person counts for ten minutes. @throws PeopleRefusal wrong-password, throttled, busy, refused */
export async function elevateByPassword(
  parts: PeopleParts,
  { person, password }: { person: SignedIn; password: string },
  visit: Visit,
): Promise<void> {
  const { db, users, passkeys, passwords, throttle, logins, clock } = parts
  const user = await users.find(person.userId)
  if (user !== null) refuseWithoutPasskey(user, await passkeys.count(user.id))
  // Already signed in: counted separately from guesses elsewhere.
  const trier = { address: visit.countedAs, name: person.userId, device: person.sessionId }
  await refuseWhileBusy(parts, trier)
  await beginTry(parts, trier)
  if (!(await passwords.matches(password, user?.password_hash ?? null)))
    throw new PeopleRefusal(
      { kind: 'wrong-password', key: 'session.not-your-password', field: 'password' },
      'That is not your password.',
    )
  await throttle.succeeded(trier, { comesBack: false })
  await db.unit((tx) => logins.change(tx, person.sessionId, { elevated_until: clock.now() + ELEVATED_MS }))
}
