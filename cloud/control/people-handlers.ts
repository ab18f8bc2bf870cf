// People of an account: invite, change a role, remove. The last owner stays, so that somebody can always manage the account.
import { type Invitation, type Invited, invite, openInvitation } from '#cloud/people/invitations.ts'
import { siteOf, USUAL_SITE } from '#cloud/people/site.ts'
import type { Tx } from '#cloud/storage/database.ts'
import { holdRow } from '#cloud/storage/hold.ts'
import { isoOrNull, toIso } from '#shared/clock.ts'
import type { AccountId, UserId } from '#shared/ids.ts'
import { accountOf } from './act.ts'
import type { AuditEntry, ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { Changed, Doing, Handlers } from './handler.ts'
import { refuseBeyond } from './hourly-limit.ts'
import type { InvitedAnswer, PEOPLE_OPERATIONS } from './people-list.ts'
import { requireAccount } from './require.ts'
import type { Role } from './roles.ts'

type OfAccount = Exclude<keyof typeof PEOPLE_OPERATIONS, `op.${string}`>

/** Of an account, within an hour. */
const MOST_INVITATIONS = 20

export const PEOPLE_HANDLERS: Pick<Handlers, OfAccount> = {
  'people.list': async (context, doing) => {
    const { memberships, codes, clock } = context
    const accountId = accountOf(doing)
    const people = await memberships.ofAccount(accountId)
    return {
      people: people.map(({ id, since, lastSeenAt, ...person }) => ({
        ...{ ...person, userId: id, since: toIso(since) },
        lastSeenAt: isoOrNull(lastSeenAt),
        isYou: doing.by === 'person' && doing.userId === id,
      })),
      invitations: (await codes.invitations(accountId, clock.now())).map(openInvitation),
    }
  },

  'people.invite': async (context, doing, { email, role, language }) => {
    const account = await requireAccount(context, accountOf(doing))
    await refuseTooMany(doing.tx, context, account.id)
    const into = { accountId: account.id, accountName: account.name, role }
    return invited(doing.tx, context, { doing, email, language, into })
  },

  'people.role': async (context, doing, { userId, role }) => {
    const accountId = accountOf(doing)
    const before = await requireMember(doing.tx, context, { accountId, userId })
    if (before === role) return { answer: { userId, role } }
    if (before === 'owner') await refuseLastOwner(doing.tx, context, { accountId, userId })
    const row = { user_id: userId, account_id: accountId, role, created_at: context.clock.now() }
    await context.memberships.put(doing.tx, row)
    await signOutUnlessElsewhere(doing.tx, context, { accountId, userId })
    const uninvited = await takeBackInvitations(doing.tx, context, { userId, accountId })
    const audit = {
      accountId,
      action: 'people.role' as const,
      subject: userId,
      before: { role: before },
      after: { role },
    }
    return { answer: { userId, role }, audit: [...uninvited, audit] }
  },

  'people.remove': async (context, doing, { userId }) => {
    const accountId = accountOf(doing)
    const role = await requireMember(doing.tx, context, { accountId, userId })
    if (role === 'owner') await refuseLastOwner(doing.tx, context, { accountId, userId })
    await context.memberships.remove(doing.tx, userId, accountId)
    await signOutUnlessElsewhere(doing.tx, context, { accountId, userId })
    const uninvited = await takeBackInvitations(doing.tx, context, { userId, accountId })
    return {
      answer: { userId },
      audit: [...uninvited, { accountId, action: 'people.remove', subject: userId, before: { role } }],
    }
  },

  'people.invitations.revoke': async ({ codes }, doing, { invitationId }) => {
    const accountId = accountOf(doing)
    if (!(await codes.removeInvitation(doing.tx, accountId, invitationId)))
      throw new ControlRefusal('not-found', 'This invitation was accepted, has expired or was taken back already.', {
        said: { key: 'invite.gone' },
      })
    return { answer: { invitationId }, audit: { accountId, action: 'people.uninvite', subject: invitationId } }
  },

  'live.get': async (context, doing) => {
    const account = await requireAccount(context, accountOf(doing))
    const askedAtMs = await context.accountRequests.liveAskedAt(account.id)
    return {
      isLive: account.live_approved_at !== null,
      askedAt: isoOrNull(askedAtMs),
    }
  },

  'live.ask': async (context, doing, { text }) => {
    const account = await requireAccount(context, accountOf(doing))
    if (account.live_approved_at !== null)
      throw new ControlRefusal('refused', 'This account has live keys already.', { said: { key: 'live.already' } })
    const askedAtMs = context.clock.now()
    await context.accountRequests.askLive(doing.tx, { account_id: account.id, text, asked_at: askedAtMs })
    const audit = { accountId: account.id, action: 'live.ask' as const, subject: account.id }
    return { answer: { askedAt: toIso(askedAtMs) }, audit }
  },
}

/** Needed because anybody can sign up for an account. @throws ControlRefusal */
function refuseTooMany(tx: Tx, context: ControlContext, accountId: AccountId): Promise<void> {
  return refuseBeyond(tx, context, {
    accountId,
    most: MOST_INVITATIONS,
    key: 'invite.too-many',
    words: `${MOST_INVITATIONS} invitations were sent`,
    count: (sinceMs) => context.notices.written(tx, { accountId, kind: 'invitation', sinceMs }),
  })
}

/** Invites a person, sends the mail, and records the author. The link is shown where no mail is sent, and on the relay's command line. */
export async function invited(
  tx: Tx,
  context: ControlContext,
  { doing, ...to }: { doing: Doing } & Pick<Invitation, 'email' | 'language' | 'into'>,
): Promise<Changed<InvitedAnswer>> {
  const { sendsMail = false, site = () => siteOf(USUAL_SITE) } = context
  const by = doing.by === 'person' ? { madeBy: doing.userId, invitedBy: doing.name } : CONSOLE
  const made: Invited = await invite(tx, { ...context, sendsMail, site }, { ...to, ...by })
  const isShown = !sendsMail || doing.by === 'console'
  const role = to.into?.role ?? 'operator'
  return {
    answer: {
      ...{ invitationId: made.codeId, email: to.email, link: isShown ? made.link : null },
      expiresAt: toIso(made.expiresAtMs),
    },
    // Not the address: the log stays when people are forgotten.
    audit: { accountId: to.into?.accountId ?? null, action: 'people.invite', subject: made.codeId, after: { role } },
    wake: () => context.notices.changed.notify(),
  }
}

const CONSOLE = { madeBy: 'cli', invitedBy: 'Ticketrail' }

/**
 * Ends the invitations of a person who may not invite any more: otherwise a removed person could return by one sent to another address.
 * @param of without an account: everything that they sent
 */
export async function takeBackInvitations(
  tx: Tx,
  { codes }: Pick<ControlContext, 'codes'>,
  { userId, accountId }: { userId: UserId; accountId?: AccountId },
): Promise<AuditEntry[]> {
  const taken = await codes.removeInvitationsBy(tx, userId, accountId)
  return taken.map((row) => ({ accountId: row.account_id, action: 'people.uninvite', subject: row.id }))
}

/** Holds the account, so that its people stay as they are read. @throws ControlRefusal not-found */
async function requireMember(
  tx: Tx,
  { memberships }: ControlContext,
  { accountId, userId }: { accountId: AccountId; userId: UserId },
): Promise<Role> {
  await holdRow(tx, 'accounts', accountId)
  const role = await memberships.role(userId, accountId, tx)
  if (role !== null) return role
  throw new ControlRefusal('not-found', 'There is no such person in this account.', { said: { key: 'people.unknown' } })
}

/**
 * Signs out a person without another account. A person with one, or an operator, stays signed in for that: their rights here are
 * read at each call, and their live feeds of this account are checked again at once.
 */
async function signOutUnlessElsewhere(
  tx: Tx,
  { memberships, users, logins }: ControlContext,
  { accountId, userId }: { accountId: AccountId; userId: UserId },
): Promise<void> {
  const others = (await memberships.ofUser(userId, tx)).filter(({ id }) => id !== accountId)
  const user = await users.find(userId, tx)
  if (others.length === 0 && user?.is_operator !== 1) await logins.endAll(tx, userId)
}

/** After the account is held. @throws ControlRefusal */
export async function refuseLastOwner(
  tx: Tx,
  { memberships }: ControlContext,
  { accountId, userId }: { accountId: AccountId; userId: UserId },
): Promise<void> {
  const others = (await memberships.owners(tx, accountId)).filter((owner) => owner !== userId)
  if (others.length > 0) return
  throw new ControlRefusal('refused', `${accountId} has no other owner: make somebody else an owner first.`, {
    said: { key: 'people.last-owner', values: { accountId } },
  })
}
