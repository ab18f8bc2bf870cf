// The page's data about the signed-in person, and what it may offer.
import type { FastifyRequest } from 'fastify'
import type { DoorAnswer, MembershipAnswer, PersonAnswer, SessionAnswer } from '#cloud/control/session-answers.ts'
import type { PeopleParts } from '#cloud/people/parts.ts'
import type { SignedIn } from '#cloud/people/signed-in.ts'
import { toIso } from '#shared/clock.ts'
import { browserOfCall } from './visit.ts'

export async function sessionAnswer(
  parts: PeopleParts,
  request: FastifyRequest,
  person: SignedIn | null,
): Promise<SessionAnswer> {
  const nowMs = parts.clock.now()
  const isElevated = (person?.elevatedUntilMs ?? 0) > nowMs
  return {
    state: person === null ? 'signed-out' : 'signed-in',
    person: person && (await personAnswer(parts, person)),
    accounts: person === null ? [] : await accountsOf(parts, person),
    viewing: person && (await viewingOf(parts, person)),
    elevatedUntil: person !== null && isElevated ? toIso(person.elevatedUntilMs ?? 0) : null,
    door: doorOf(parts, request),
    time: toIso(nowMs),
  }
}

async function personAnswer({ users, passkeys }: PeopleParts, person: SignedIn): Promise<PersonAnswer> {
  const { userId, name, email, language, isOperator } = person
  const user = await users.find(userId)
  const hasPassword = (user?.password_hash ?? null) !== null
  return { userId, name, email, language, isOperator, hasPassword, passkeys: await passkeys.count(userId) }
}

async function accountsOf({ memberships }: PeopleParts, { userId }: SignedIn): Promise<MembershipAnswer[]> {
  const rows = await memberships.ofUser(userId)
  return rows.map(({ id, name, role, plan, live_approved_at }) => ({
    ...{ accountId: id, name, role, plan },
    isLive: live_approved_at !== null,
  }))
}

async function viewingOf({ accounts }: PeopleParts, { viewing }: SignedIn): Promise<SessionAnswer['viewing']> {
  if (viewing === null) return null
  const account = await accounts.find(viewing.accountId)
  const { accountId, reason, untilMs } = viewing
  return { accountId, accountName: account?.name ?? '', reason, until: toIso(untilMs) }
}

function doorOf({ signUp, sendsMail, site }: PeopleParts, request: FastifyRequest): DoorAnswer {
  const { origin, passkeyName } = site()
  const { host } = new URL(origin)
  return {
    signUp,
    sendsMail,
    passkeys: passkeyName !== null && request.headers.host?.toLowerCase() === host,
    refused: browserOfCall(request).isPlain ? 'plain' : null,
  }
}
