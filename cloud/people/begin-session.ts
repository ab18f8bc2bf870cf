// Begins a session: always under a new token, whatever the browser sent, and without the one that it had.
import { randomBytes } from 'node:crypto'
import type { Tx } from '#cloud/storage/database.ts'
import type { LoginSessionsTable, UsersTable } from '#cloud/storage/schema-people.ts'
import { newId } from '#shared/ids.ts'
import { isDeviceToken, newDeviceToken } from '#shared/pages/device-token.ts'
import type { PeopleParts, Visit } from './parts.ts'
import { PeopleRefusal } from './people-refusal.ts'
import { tokenHash } from './signed-in.ts'

/** So long counts what a person has shown: a password or a passkey. */
export const ELEVATED_MS = 10 * 60_000
const LONGEST_AGENT = 200

export interface Entered {
  /** Of the session's cookie; in clear, this once. */
  token: string
  /** Of the cookie by which this browser is known again. It opens nothing. */
  device: string
}

/** @throws PeopleRefusal passkey.needed: an operator who has a passkey signed in without it */
export async function beginSession(
  tx: Tx,
  parts: PeopleParts,
  { user, visit, method }: { user: UsersTable; visit: Visit; method: LoginSessionsTable['method'] },
): Promise<Entered> {
  const { logins, passkeys, clock } = parts
  const keys = await passkeys.count(user.id, tx)
  if (method !== 'passkey') refuseWithoutPasskey(user, keys)
  const nowMs = clock.now()
  const token = randomBytes(32).toString('base64url')
  if (visit.before !== null) await logins.end(tx, visit.before.userId, visit.before.sessionId)
  await logins.insert(tx, {
    id: newId('sin', nowMs),
    token_hash: tokenHash(visit.kept(token)),
    user_id: user.id,
    created_at: nowMs,
    seen_at: nowMs,
    elevated_until: isStrong(method, user, keys) ? nowMs + ELEVATED_MS : null,
    method,
    address: visit.address,
    agent: visit.agent.slice(0, LONGEST_AGENT),
    view_account_id: null,
    view_reason: null,
    view_until: null,
  })
  return { token, device: newDeviceToken(deviceSecret(parts, user)) }
}

/** @param keys how many passkeys the person has @throws PeopleRefusal */
export function refuseWithoutPasskey(user: Pick<UsersTable, 'is_operator'>, keys: number): void {
  if (user.is_operator === 1 && keys > 0)
    throw new PeopleRefusal(
      { kind: 'refused', key: 'passkey.needed' },
      'Those who run this relay sign in with their passkey.',
    )
}

/** Whether this browser showed that the person came in with it before. */
export function isKnownDevice(parts: Pick<PeopleParts, 'secretBox'>, user: UsersTable, device: string | null): boolean {
  return device !== null && isDeviceToken(device, deviceSecret(parts, user))
}

/** Ends with the password, as the sign that is made from it. */
function deviceSecret({ secretBox }: Pick<PeopleParts, 'secretBox'>, user: UsersTable): string {
  return secretBox.mac('device', `${user.id} ${user.password_hash ?? ''}`)
}

/** A code is the strongest proof for a person who has neither password nor passkey. */
function isStrong(method: LoginSessionsTable['method'], user: UsersTable, keys: number): boolean {
  return method === 'password' || method === 'passkey' || (user.password_hash === null && keys === 0)
}
