// The types of the dashboard's session answers. Types only: the page reads them.

import type { PublicKeyCredentialRequestOptionsJSON } from '#cloud/people/passkey-shapes.ts'
import type { AccountId, CodeId, UserId } from '#shared/ids.ts'
import type { Role } from './roles.ts'

/** GET /dashboard/api/session, and what each sign-in answers. */
export interface SessionAnswer {
  state: 'signed-out' | 'signed-in'
  person: PersonAnswer | null
  /** Those that the person is a member of, by name. */
  accounts: MembershipAnswer[]
  /** An operator views this account until then; nothing can be changed. */
  viewing: { accountId: AccountId; accountName: string; reason: string; until: string } | null
  /** Until when the person has shown again that it is them; null: not now. */
  elevatedUntil: string | null
  door: DoorAnswer
  /** The relay's clock. */
  time: string
}

export interface PersonAnswer {
  userId: UserId
  name: string
  email: string
  language: string
  isOperator: boolean
  hasPassword: boolean
  passkeys: number
}

export interface MembershipAnswer {
  accountId: AccountId
  name: string
  role: Role
  plan: string
  /** May have live keys and merchants. */
  isLive: boolean
}

/** What the sign-in page may offer here. */
export interface DoorAnswer {
  signUp: 'open' | 'invited'
  /** False: codes stay in the relay's outbox, where the operator reads them. */
  sendsMail: boolean
  /** False at an address where browsers refuse passkeys, such as http://127.0.0.1. */
  passkeys: boolean
  /** Null: this address may sign in. `plain`: http from another machine, where a password could be read on the way. */
  refused: 'plain' | null
}

/** POST session/code, session/sign-up, session/reset: the same whether the address is known or not. */
export interface CodeSent {
  /** Goes with the code that the person types. */
  codeId: CodeId
  /** For so long the code is good. */
  minutes: number
}

/** POST session/sign-up/finish. */
export interface SignUpAnswer extends SessionAnswer {
  /** `apiKey`: of the sandbox, shown this once. */
  made: { accountId: AccountId; apiKey: string }
}

/** What a passkey is asked. */
export interface PasskeyQuestion {
  /** Goes back with the answer; good for five minutes and one answer. */
  ticket: string
  /** For `startAuthentication` of @simplewebauthn/browser. */
  options: PublicKeyCredentialRequestOptionsJSON
}

/** POST session/invite: what the link is for, before it is accepted. */
export interface InviteAnswer {
  kind: 'invite' | 'welcome'
  email: string
  accountName: string | null
  role: Role | null
  invitedBy: string | null
  /** There is a person with this address: a sign-in is enough. */
  isKnown: boolean
  isOperator: boolean
}
