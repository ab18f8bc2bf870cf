// The first sign-in of an account's owner by a link that is good once: `npm start` and the operator's line make it.
import type { Tx } from '#cloud/storage/database.ts'
import type { UsersTable } from '#cloud/storage/schema-people.ts'
import { type AccountId, asId, type UserId } from '#shared/ids.ts'
import { beginSession, type Entered } from './begin-session.ts'
import { findLinkCode, type LinkParts, makeLinkCode } from './link-codes.ts'
import { dashboardLink } from './mail.ts'
import { insertPerson } from './new-person.ts'
import type { PeopleParts, Visit } from './parts.ts'
import { PeopleRefusal } from './people-refusal.ts'

const VALID_MS = 86_400_000

export interface Welcome {
  userId: UserId
  email: string
  /** `/dashboard#welcome=...` of the relay. */
  link: string
  expiresAtMs: number
}

type WelcomeParts = LinkParts & Pick<PeopleParts, 'users' | 'memberships' | 'site'>

/**
 * A link that signs in the first owner of the account, once, within a day. An account without an owner gets one.
 * @param owner the owner to create
 * @throws PeopleRefusal refused: the account has no owner, and another person has the address already
 */
export async function welcomeLink(
  tx: Tx,
  parts: WelcomeParts,
  { accountId, owner, madeBy }: { accountId: AccountId; owner: { email: string; name: string }; madeBy: string },
): Promise<Welcome> {
  const user = (await firstOwner(tx, parts, accountId)) ?? (await makeOwner(tx, parts, { accountId, owner }))
  const { code, expiresAtMs } = await makeLinkCode(tx, parts, {
    kind: 'welcome',
    emailNorm: user.email_norm,
    ...{ accountId, role: null, madeBy },
    details: { userId: user.id },
    validMs: VALID_MS,
  })
  return { userId: user.id, email: user.email, link: `${dashboardLink(parts)}#welcome=${code}`, expiresAtMs }
}

/** @throws PeopleRefusal refused: it was used, has expired, or does not exist */
export async function enterByWelcome(parts: PeopleParts, code: string, visit: Visit): Promise<Entered> {
  return parts.db.unit(async (tx) => {
    const row = await findLinkCode(parts, 'welcome', { code, tx })
    const isOpen = row !== null && row.used_at === null && row.expires_at > parts.clock.now()
    const user = isOpen ? await parts.users.find(userIdOf(row.details), tx) : null
    if (row === null || user === null || user.disabled_at !== null)
      throw new PeopleRefusal(
        { kind: 'refused', key: 'welcome.ended' },
        'This link was used, or has expired. Sign in, or have a new one made.',
      )
    await parts.codes.change(tx, row.id, { used_at: parts.clock.now() })
    return beginSession(tx, parts, { user, visit, method: 'link' })
  })
}

async function firstOwner(
  tx: Tx,
  { memberships, users }: WelcomeParts,
  accountId: AccountId,
): Promise<UsersTable | null> {
  const [first] = await memberships.owners(tx, accountId)
  return first === undefined ? null : users.find(first, tx)
}

async function makeOwner(
  tx: Tx,
  parts: WelcomeParts,
  { accountId, owner }: { accountId: AccountId; owner: { email: string; name: string } },
): Promise<UsersTable> {
  const person = { ...owner, language: 'en', passwordHash: null, isVerified: false, isOperator: false }
  const user = await insertPerson(tx, parts, person)
  if (user === null)
    throw new PeopleRefusal(
      { kind: 'refused', key: 'welcome.taken' },
      `${owner.email} is somebody already. Invite them as the account's owner instead.`,
    )
  const created_at = parts.clock.now()
  await parts.memberships.put(tx, { user_id: user.id, account_id: accountId, role: 'owner', created_at })
  return user
}

function userIdOf(details: string): UserId {
  return asId<'usr'>((JSON.parse(details) as { userId: string }).userId)
}
