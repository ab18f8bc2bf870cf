// What everything about people works with.
import type { AccountStore } from '#cloud/storage/account-store.ts'
import type { CodeStore } from '#cloud/storage/code-store.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { MembershipStore } from '#cloud/storage/membership-store.ts'
import type { NoticeStore } from '#cloud/storage/notice-store.ts'
import type { PasskeyStore } from '#cloud/storage/passkey-store.ts'
import type { LoginSessionStore } from '#cloud/storage/session-store.ts'
import type { UserStore } from '#cloud/storage/user-store.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import type { SignInId, UserId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { Passwords } from '#shared/pages/passwords.ts'
import type { SharedThrottle } from './shared-throttle.ts'
import type { Site } from './site.ts'

export interface PeopleParts {
  db: RelayDatabase
  accounts: AccountStore
  users: UserStore
  memberships: MembershipStore
  logins: LoginSessionStore
  codes: CodeStore
  passkeys: PasskeyStore
  notices: Pick<NoticeStore, 'changed'>
  secretBox: SecretBox
  passwords: Passwords
  throttle: SharedThrottle
  /** Who may create an account: everybody, or invited people. */
  signUp: 'open' | 'invited'
  /** False: mail stays in the outbox, where the operator reads it. */
  sendsMail: boolean
  /** Known once the relay listens. */
  site: () => Site
  clock: Clock
  log: Logger
}

/** The browser that a sign-in comes from. */
export interface Visit {
  address: string
  /** By which limits count it: of IPv6 the /64. */
  countedAs: string
  /** The browser's own description. */
  agent: string
  /** The form in which its session's token is kept (shared/pages/cookies.ts). */
  kept: (token: string) => string
  /** What it showed as the sign of an earlier sign-in; null: nothing. */
  device: string | null
  /** Its session before; it ends with a sign-in. Null: it had none. */
  before: { sessionId: SignInId; userId: UserId } | null
}

/** Two hashes at once, 32 that wait: 64 MB. Dearer ones than a box makes, which has a slower processor and fewer strangers. */
export function relayPasswords(): Passwords {
  return new Passwords({ N: 32_768, r: 8, p: 3 }, undefined, { atOnce: 2, mostWaiting: 34 })
}
