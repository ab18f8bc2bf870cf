// Invites people into an account, or as operators, by a link that shows this before it is accepted.
import type { Tx } from '#cloud/storage/database.ts'
import type { EmailCodesTable, UsersTable } from '#cloud/storage/schema-people.ts'
import { toIso } from '#shared/clock.ts'
import type { AccountId, CodeId } from '#shared/ids.ts'
import { joined } from './audit.ts'
import { beginSession, type Entered } from './begin-session.ts'
import { hashOfChosen } from './choose-password.ts'
import { emailNorm } from './email.ts'
import { findLinkCode, makeLinkCode } from './link-codes.ts'
import { dashboardLink, mailTo } from './mail.ts'
import { insertPerson } from './new-person.ts'
import type { PeopleParts, Visit } from './parts.ts'
import { PeopleRefusal } from './people-refusal.ts'
import type { SignedIn } from './signed-in.ts'

const DAY_MS = 86_400_000
const VALID_MS = 7 * DAY_MS

export interface Invitation {
  email: string
  /** As in shared/languages.ts: of the mail, and of a new person. */
  language: string
  /** Null: as an operator. */
  into: { accountId: AccountId; accountName: string; role: NonNullable<EmailCodesTable['role']> } | null
  /** The id of the inviting person, or `cli`. */
  madeBy: string
  /** The name in the mail and on the page. */
  invitedBy: string
}

export interface Invited {
  codeId: CodeId
  link: string
  expiresAtMs: number
}

interface Details {
  email: string
  language: string
  accountName: string | null
  invitedBy: string
}

type InviteParts = Pick<PeopleParts, 'codes' | 'clock' | 'users' | 'memberships' | 'site' | 'sendsMail'> & {
  secretBox: PeopleParts['secretBox'] | null
}

/**
 * Runs in the caller's transaction; the caller fires `notices.changed` after it. Replaces another invitation of the same person into the same account.
 * @throws PeopleRefusal refused: is a member already
 */
export async function invite(tx: Tx, parts: InviteParts, invitation: Invitation): Promise<Invited> {
  const { email, language, into, madeBy, invitedBy } = invitation
  const norm = emailNorm(email)
  const known = await parts.users.byEmail(norm, tx)
  if (known !== null && (await isMember(tx, parts, { user: known, accountId: into?.accountId ?? null })))
    throw memberAlready()
  await parts.codes.removeInvitationsOf(tx, norm, into?.accountId ?? null)
  const accountName = into?.accountName ?? null
  const details: Details = { email, language, accountName, invitedBy }
  const { codeId, code, expiresAtMs } = await makeLinkCode(tx, parts, {
    kind: 'invite',
    emailNorm: norm,
    accountId: into?.accountId ?? null,
    role: into?.role ?? null,
    madeBy,
    details,
    validMs: VALID_MS,
  })
  const link = `${dashboardLink(parts)}/invite#${code}`
  const { secretBox } = parts
  if (secretBox !== null) {
    const role = into?.role ?? ('operator' as const)
    const values = { link, accountName: accountName ?? '', role, invitedBy, expiresAtMs }
    const to = { to: email, language: known?.language ?? language, accountId: into?.accountId ?? null }
    await mailTo(tx, { ...parts, secretBox }, { ...to, notice: { kind: 'invitation', values } })
  }
  return { codeId, link, expiresAtMs }
}

export interface Offer {
  email: string
  accountName: string | null
  role: EmailCodesTable['role']
  invitedBy: string
  isKnown: boolean
  isOperator: boolean
}

/** What a link is for. @throws PeopleRefusal not-found, refused */
export async function readInvitation(parts: PeopleParts, code: string): Promise<Offer> {
  const row = openOnly(await findLinkCode(parts, 'invite', { code }), parts.clock.now())
  const { email, accountName, invitedBy } = detailsOf(row)
  const isKnown = (await parts.users.byEmail(row.email_norm)) !== null
  return { email, accountName, role: row.role, invitedBy, isKnown, isOperator: row.account_id === null }
}

export interface Acceptance {
  code: string
  /** Of a new person; a known person keeps theirs. */
  name: string | null
  password: string | null
  language: string | null
  signedIn: SignedIn | null
}

/**
 * @returns the session of a new person; null: the signed-in person stays so, or must sign in again because they are an operator now
 * @throws PeopleRefusal not-found, refused, invalid, busy
 */
export async function acceptInvitation(
  parts: PeopleParts,
  accepted: Acceptance,
  visit: Visit,
): Promise<Entered | null> {
  const { code, password, name } = accepted
  const seen = openOnly(await findLinkCode(parts, 'invite', { code }), parts.clock.now())
  const { email, accountName } = detailsOf(seen)
  const isNew = (await parts.users.byEmail(seen.email_norm)) === null
  const known = [name ?? '', email, accountName ?? '']
  const passwordHash = isNew && password !== null ? await hashOfChosen(parts, password, known) : null
  return parts.db.unit(async (tx) => {
    const row = openOnly(await findLinkCode(parts, 'invite', { code, tx }), parts.clock.now())
    const user = await accepting(tx, parts, { row, accepted, passwordHash })
    await parts.codes.change(tx, row.id, { used_at: parts.clock.now() })
    await becomeMember(tx, parts, { row, user })
    const role = row.role ?? 'operator'
    await joined(tx, parts, { user, accountId: row.account_id, action: 'people.join', address: visit.address, role })
    if (accepted.signedIn !== null) return null
    return beginSession(tx, parts, { user, visit, method: passwordHash === null ? 'link' : 'password' })
  })
}

/** The accepting person: signed in with the address, or new. */
async function accepting(
  tx: Tx,
  parts: PeopleParts,
  { row, accepted, passwordHash }: { row: EmailCodesTable; accepted: Acceptance; passwordHash: string | null },
): Promise<UsersTable> {
  const { email, language } = detailsOf(row)
  const { signedIn, name } = accepted
  if (signedIn !== null && emailNorm(signedIn.email) !== row.email_norm)
    throw new PeopleRefusal(
      { kind: 'refused', key: 'invite.other-person', values: { email } },
      `This invitation is for ${email}: sign out first.`,
    )
  const known = await parts.users.byEmail(row.email_norm, tx)
  if (known !== null) {
    if (signedIn?.userId === known.id) return known
    throw new PeopleRefusal(
      { kind: 'refused', key: 'invite.sign-in', values: { email } },
      `Sign in as ${email} first, then open this link again.`,
    )
  }
  if (name === null)
    throw new PeopleRefusal({ kind: 'invalid', key: 'invite.name', field: 'name' }, 'must be your name')
  const person = { email, name, language: accepted.language ?? language, passwordHash }
  // A link that did not go by mail shows nothing about the address.
  const user = await insertPerson(tx, parts, { ...person, isVerified: parts.sendsMail, isOperator: false })
  if (user === null)
    throw new PeopleRefusal({ kind: 'refused', key: 'invite.sign-in', values: { email } }, 'Sign in first.')
  return user
}

async function becomeMember(
  tx: Tx,
  parts: PeopleParts,
  { row, user }: { row: EmailCodesTable; user: UsersTable },
): Promise<void> {
  if (await isMember(tx, parts, { user, accountId: row.account_id })) throw memberAlready()
  if (row.account_id === null) {
    await parts.users.change(tx, user.id, { is_operator: 1 })
    await parts.logins.endAll(tx, user.id)
  } else {
    const role = row.role ?? 'staff'
    const created_at = parts.clock.now()
    await parts.memberships.put(tx, { user_id: user.id, account_id: row.account_id, role, created_at })
  }
}

async function isMember(
  tx: Tx,
  { memberships }: Pick<PeopleParts, 'memberships'>,
  { user, accountId }: { user: UsersTable; accountId: AccountId | null },
): Promise<boolean> {
  if (accountId === null) return user.is_operator === 1
  return (await memberships.role(user.id, accountId, tx)) !== null
}

/** As lists show it. @param row of `codes.invitations` */
export function openInvitation(row: EmailCodesTable) {
  const { email, invitedBy } = detailsOf(row)
  return { invitationId: row.id, email, role: row.role ?? 'staff', invitedBy, expiresAt: toIso(row.expires_at) }
}

function memberAlready(): PeopleRefusal {
  return new PeopleRefusal({ kind: 'refused', key: 'invite.member' }, 'This person is a member already.')
}

/** @throws PeopleRefusal with what to do */
function openOnly(row: EmailCodesTable | null, nowMs: number): EmailCodesTable {
  if (row === null)
    throw new PeopleRefusal(
      { kind: 'not-found', key: 'invite.unknown' },
      'There is no such invitation, or it was taken back. Ask for a new one.',
    )
  if (row.used_at !== null)
    throw new PeopleRefusal(
      { kind: 'refused', key: 'invite.used' },
      'This invitation was accepted already. Sign in, or ask for a new one.',
    )
  if (row.expires_at <= nowMs)
    throw new PeopleRefusal(
      { kind: 'refused', key: 'invite.expired' },
      'This invitation has expired. Ask for a new one.',
    )
  return row
}

function detailsOf({ details }: EmailCodesTable): Details {
  return JSON.parse(details) as Details
}
