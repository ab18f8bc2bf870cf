// Operations on the people of an account, and of operators on people: their inputs and answers.
import { z } from 'zod'
import { emailField, languageField } from '#cloud/people/email.ts'
import type { AccountId, CodeId, UserId } from '#shared/ids.ts'
import { text } from '#shared/wire/api/fields.ts'
import { idField, pageOfList } from './input-fields.ts'
import { changes, reads } from './operation.ts'
import { ROLES, type Role } from './roles.ts'

const none = z.strictObject({})
const userId = idField('usr', 'a person')
const accountId = idField('acc', 'an account')
const role = z.enum(ROLES)
const language = languageField.default('en')

export const PEOPLE_OPERATIONS = {
  'people.list': reads('People of the account, and invitations that wait', none, 'govern'),
  'people.invite': changes(
    'Invite somebody into the account; another invitation takes the place of one that waits',
    z.strictObject({ email: emailField, role, language }),
    { right: 'govern', stepUp: true, isSecret: true },
  ),
  'people.role': changes(
    'Change what somebody may do in the account, from their next call on; who has no other account signs in again',
    z.strictObject({ userId, role }),
    { right: 'govern', stepUp: true },
  ),
  'people.remove': changes('Take somebody out of the account', z.strictObject({ userId }), {
    right: 'govern',
    stepUp: true,
  }),
  'people.invitations.revoke': changes(
    'Take an invitation back',
    z.strictObject({ invitationId: idField('cod', 'an invitation') }),
    { right: 'govern', stepUp: true },
  ),
  'live.get': reads(
    'Whether the account has live keys and merchants, and since when it waits for them',
    none,
    'member',
  ),
  'live.ask': changes(
    'Ask those who run the relay for live keys and merchants',
    z.strictObject({ text: text(1_000) }),
    'govern',
  ),
  'op.people': reads('Everybody who can sign in, newest first', z.strictObject(pageOfList), 'operator'),
  'op.people.invite': changes(
    'Invite somebody into an account, or to those who run the relay',
    z.union([
      z.strictObject({ email: emailField, language, accountId, role }),
      z.strictObject({ email: emailField, language, operator: z.literal(true) }),
    ]),
    { right: 'operator', stepUp: true, isSecret: true },
  ),
  'op.people.remove': changes(
    'Forget a person: name, address, passkeys and memberships go, and nobody signs in as them',
    z.strictObject({ userId }),
    { right: 'operator', stepUp: true },
  ),
  'op.viewAs.begin': changes(
    'Look at an account of others for 30 minutes, for a reason that its audit log shows; nothing can be changed',
    z.strictObject({ accountId, reason: text(300).min(10) }),
    { right: 'operator', stepUp: true },
  ),
  'op.viewAs.end': changes('Look at it no longer', none, 'operator'),
}

export interface PersonOfAccount {
  userId: UserId
  name: string
  email: string
  role: Role
  since: string
  /** To the five minutes; null: is signed in nowhere. */
  lastSeenAt: string | null
  isYou: boolean
}

export interface InvitationAnswer {
  invitationId: CodeId
  email: string
  role: Role
  invitedBy: string
  expiresAt: string
}

export interface InvitedAnswer {
  invitationId: CodeId
  email: string
  /** Null: it went by mail alone. */
  link: string | null
  expiresAt: string
}

export interface PersonOfRelay {
  userId: UserId
  /** Empty where the person was forgotten. */
  name: string
  email: string
  isOperator: boolean
  accounts: { accountId: AccountId; name: string; role: Role }[]
  createdAt: string
  removedAt: string | null
}

export interface PeopleAnswers {
  'people.list': { people: PersonOfAccount[]; invitations: InvitationAnswer[] }
  'people.invite': InvitedAnswer
  'people.role': { userId: UserId; role: Role }
  'people.remove': { userId: UserId }
  'people.invitations.revoke': { invitationId: CodeId }
  /** `askedAt` null: nothing was requested, or it was answered. */
  'live.get': { isLive: boolean; askedAt: string | null }
  'live.ask': { askedAt: string }
  'op.people': { data: PersonOfRelay[]; nextCursor: string | null }
  'op.people.invite': InvitedAnswer
  'op.people.remove': { userId: UserId }
  'op.viewAs.begin': { accountId: AccountId; until: string }
  'op.viewAs.end': { accountId: AccountId | null }
}
