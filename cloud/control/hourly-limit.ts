// Limits for an account in an hour on what sends mail to people, so that nobody can fill the mailboxes of others.
import type { Tx } from '#cloud/storage/database.ts'
import { holdRow } from '#cloud/storage/hold.ts'
import type { AccountId } from '#shared/ids.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'

const HOUR_MS = 3_600_000

interface HourlyLimit {
  accountId: AccountId
  most: number
  /** How many there were since then, and when the first of them; epoch ms. */
  count: (sinceMs: number) => Promise<{ count: number; firstMs: number | null }>
}

interface RefusedLimit extends HourlyLimit {
  /** The key of the refusal, whose sentence has {most} and {minutes}. */
  key: string
  /** What there are too many of, such as `20 invitations were sent`. */
  words: string
}

type Clocked = Pick<ControlContext, 'clock'>

/** Locks the account's row, so that simultaneous calls are counted one after the other. @returns minutes until there is room; null: there is */
export async function minutesUntilRoom(
  tx: Tx,
  { clock }: Clocked,
  { accountId, most, count }: HourlyLimit,
): Promise<number | null> {
  await holdRow(tx, 'accounts', accountId)
  const sinceMs = clock.now() - HOUR_MS
  const found = await count(sinceMs)
  if (found.count < most) return null
  return Math.max(1, Math.ceil(((found.firstMs ?? sinceMs) - sinceMs) / 60_000))
}

/** @throws ControlRefusal refused */
export async function refuseBeyond(tx: Tx, context: Clocked, { key, words, ...limit }: RefusedLimit): Promise<void> {
  const minutes = await minutesUntilRoom(tx, context, limit)
  if (minutes === null) return
  const { most } = limit
  throw new ControlRefusal('refused', `${words} within an hour: wait ${minutes} min before the next.`, {
    said: { key, values: { most, minutes } },
  })
}
