// The actor of an operation: the operator's command line, or a person at the dashboard in one of their accounts.
import type { Environment } from '#cloud/auth/scopes.ts'
import type { AccountId, SignInId, UserId } from '#shared/ids.ts'
import type { Role } from './roles.ts'

/** Checked: its fields can be relied on. */
export type Act = ConsoleAct | PersonAct

/** Anybody who can open the admin socket may do everything, on every account. */
export interface ConsoleAct {
  by: 'console'
  /** The account that the line names; null: it names none. */
  accountId: AccountId | null
}

export interface PersonAct {
  by: 'person'
  userId: UserId
  /** In which browser. */
  sessionId: SignInId
  name: string
  email: string
  /** The account that the page shows. The person is a member of it, or an operator who views it. Null: the operation is about the person, or is the operator's. */
  accountId: AccountId | null
  /** Null where `accountId` is null, and for an operator who views. */
  role: Role | null
  environment: Environment
  /** Where the request came from. */
  address: string
}

/** Into `audit_log`. */
export function actorOf(act: Act): { actor: string; via: 'cli' | 'dashboard'; address: string | null } {
  if (act.by === 'console') return { actor: 'cli', via: 'cli', address: null }
  return { actor: act.userId, via: 'dashboard', address: act.address }
}

/** @throws Error where the operation should have been refused before: a bug */
export function accountOf(act: Act): AccountId {
  if (act.accountId === null) throw new Error('this operation needs an account')
  return act.accountId
}
