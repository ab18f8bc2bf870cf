// Tables of people, their sign-ins and the mail that is sent to them; conventions as in schema.ts.
import type {
  AccountId,
  CodeId,
  DeviceSignInId,
  MerchantKey,
  NoticeId,
  PasskeyId,
  SignInId,
  UserId,
} from '#shared/ids.ts'
import type { AccountsTable } from './schema-accounts.ts'

export interface UsersTable {
  id: UserId
  /** Lower case and NFKC: under it a person is found. */
  email_norm: string
  /** As it was typed. */
  email: string
  name: string
  /** Of mail and pages, as in shared/languages.ts. */
  language: string
  /** As shared/pages/passwords.ts makes it; null: signs in with a passkey or by codes. */
  password_hash: string | null
  email_verified_at: number | null
  /** 1: an operator. */
  is_operator: number
  disabled_at: number | null
  created_at: number
}

export interface MembershipsTable {
  user_id: UserId
  account_id: AccountId
  role: 'staff' | 'developer' | 'manager' | 'owner'
  created_at: number
}

export interface PasskeysTable {
  id: PasskeyId
  /** Base64url, as the browser sends it. */
  credential_id: string
  user_id: UserId
  /** COSE key in base64url. */
  public_key: string
  counter: number
  /** JSON array. */
  transports: string
  backed_up: number
  name: string
  created_at: number
  last_used_at: number | null
}

export interface LoginSessionsTable {
  id: SignInId
  /** Hex SHA-256 of the token's stored form: the token itself is in the browser alone. */
  token_hash: string
  user_id: UserId
  created_at: number
  seen_at: number
  /** Until when the person has shown again that it is them. */
  elevated_until: number | null
  method: 'password' | 'passkey' | 'code' | 'link'
  address: string
  /** The browser's own description; at most 200 characters. */
  agent: string
  /** An operator views this account, for the given reason, until then. */
  view_account_id: AccountId | null
  view_reason: string | null
  view_until: number | null
}

export interface EmailCodesTable {
  id: CodeId
  /** The recipient's, as in `users`. */
  email_norm: string
  kind: 'sign-up' | 'sign-in' | 'reset' | 'invite' | 'welcome'
  /** Hex of the id and the code: HMAC under the master key of one that is typed, SHA-256 of one in a link, which is 128 random bits. */
  code_hash: string
  /** JSON: what the person typed with it. No secrets. */
  details: string
  /** Of an invitation; null: as an operator. */
  account_id: AccountId | null
  role: MembershipsTable['role'] | null
  /** The user that invites, or `cli`. */
  made_by: string | null
  /** Where it was asked for. */
  address: string
  /** Wrong ones that were typed for it. */
  tries: number
  expires_at: number
  used_at: number | null
  created_at: number
}

/** A program on a machine, such as the command line, that asks a person for an API key (RFC 8628). */
export interface DeviceSignInsTable {
  id: DeviceSignInId
  /** Hex SHA-256 of the device code, which is 256 random bits. */
  device_hash: string
  /** Hex HMAC, under the master key, of the code that a person types. */
  user_hash: string
  /** Name of the machine, as the program sends it. */
  host: string
  /** Name and version of the program, as it sends them. */
  app: string
  /** Where the program asked from. */
  address: string
  /** By which limits count that address: of IPv6 the /64. */
  counted_as: string
  environment: 'sandbox' | 'live'
  /** JSON array: what the key is to be allowed. */
  scopes: string
  /** `taken`: the program has its key, or was refused one. */
  state: 'waiting' | 'approved' | 'denied' | 'taken'
  /** The account that the person approved it for; null: none yet. */
  account_id: AccountId | null
  answered_by: UserId | null
  expires_at: number
  created_at: number
}

/** Challenges of passkeys that were answered: each is good for one answer. */
export interface SpentChallengesTable {
  /** Hex SHA-256. */
  challenge_hash: string
  /** It can no longer be answered after this. */
  expires_at: number
}

/** Tries of sign-ins, by what they are counted under: a name, an address, both together, or a browser. */
export interface SignInTriesTable {
  /** HMAC under the master key. */
  key_hash: string
  /** Wrong ones in a row. */
  tries: number
  /** The last of them; 0: there was none. */
  last_at: number
  /** Of a name at an address: when it came in from there last; null: it did not. */
  came_in_at: number | null
  /** It is no longer valid after this. */
  expires_at: number
}

/** A sandbox account requests live keys. */
export interface LiveRequestsTable {
  account_id: AccountId
  text: string
  asked_at: number
  answered_at: number | null
  answer: 'approved' | 'refused' | null
}

/** A live account requests another plan. */
export interface PlanRequestsTable {
  account_id: AccountId
  plan: AccountsTable['plan']
  text: string
  asked_at: number
  answered_at: number | null
  answer: 'approved' | 'refused' | null
}

/** Mail to send, written in the transaction of the event that it reports. */
export interface NoticesTable {
  id: NoticeId
  /** The account whose owners see it in the list; null: personal, such as a code, or the operator's. */
  account_id: AccountId | null
  /** The restaurant whose customer it goes to; null: it is to somebody of the account. */
  merchant_id: MerchantKey | null
  /** As in cloud/notices/notice-kinds.ts. */
  kind: string
  /** Address, and text as JSON of subject, text and html; sealed (SecretBox). */
  to_enc: string
  text_enc: string
  language: string
  /**
   * `sending`: from just before the first byte of the mail is given away until the answer is known; found without a lease it is `uncertain`,
   * for the mail server may have it, and it is not sent again by itself. `kept`: no mail server is set up, it stays here to be read.
   * `dropped`: it was too late.
   */
  state: 'queued' | 'sending' | 'sent' | 'failed' | 'uncertain' | 'kept' | 'dropped'
  /** Attempts that were begun. The code that records a result names its number, so that one which lost its lease changes nothing. */
  attempts: number
  /** When it is due; null: nothing more is done. */
  next_at: number | null
  lease_until: number | null
  lease_by: string | null
  /** A class such as `timeout` or `smtp_550`, never text from outside. */
  error: string | null
  /** Not sent after this. */
  expires_at: number
  created_at: number
  settled_at: number | null
}
