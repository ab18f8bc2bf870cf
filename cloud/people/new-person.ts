// Writes a new person down. One address is one person, also when two requests make them at once.
import type { Tx } from '#cloud/storage/database.ts'
import { holdName } from '#cloud/storage/hold.ts'
import type { UsersTable } from '#cloud/storage/schema-people.ts'
import type { UserStore } from '#cloud/storage/user-store.ts'
import type { Clock } from '#shared/clock.ts'
import { newId } from '#shared/ids.ts'
import { emailNorm } from './email.ts'

export interface NewPerson {
  email: string
  name: string
  /** As in shared/languages.ts. */
  language: string
  passwordHash: string | null
  /** They have shown that mail to the address reaches them. */
  isVerified: boolean
  isOperator: boolean
}

/** @returns null when another person has the address */
export async function insertPerson(
  tx: Tx,
  { users, clock }: { users: UserStore; clock: Clock },
  { email, name, language, passwordHash, isVerified, isOperator }: NewPerson,
): Promise<UsersTable | null> {
  const nowMs = clock.now()
  const norm = emailNorm(email)
  await holdName(tx, 'user', norm)
  if ((await users.byEmail(norm, tx)) !== null) return null
  const user: UsersTable = {
    id: newId('usr', nowMs),
    email_norm: norm,
    email,
    name,
    language,
    password_hash: passwordHash,
    email_verified_at: isVerified ? nowMs : null,
    is_operator: isOperator ? 1 : 0,
    disabled_at: null,
    created_at: nowMs,
  }
  await users.insert(tx, user)
  return user
}
