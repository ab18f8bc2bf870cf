// The key of a program that a person has approved: made at the moment at which the program fetches it, so that nothing secret is kept until then.
import { issueApiKey } from '#cloud/auth/accounts.ts'
import { parseScopes } from '#cloud/auth/scopes.ts'
import { recordAudit } from '#cloud/storage/audit-store.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { DeviceSignInsTable, UsersTable } from '#cloud/storage/schema-people.ts'
import { toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { sha256Hex } from '#shared/gateway-token.ts'
import type { DeviceError, DeviceTokenAnswer } from '#shared/wire/device-sign-in.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { minutesUntilKey, refuseDeveloper, refuseNotLive, tellOfKey } from './key-checks.ts'
import { requireAccount } from './require.ts'
import { roleMay } from './roles.ts'

/** How long the key of a command line counts. */
export const DEVICE_KEY_DAYS = 90
const DAY_MS = 86_400_000

/** As the key is called in the list of keys. */
export const deviceKeyName = (host: string): string => `CLI on ${host}`

export type PickUp = { kind: 'key'; answer: DeviceTokenAnswer } | { kind: 'refused'; error: DeviceError }

/**
 * Answers the program that has this device code. The key is made once; whoever asks again gets `invalid_grant`.
 * @param mayAskNow counts the question against the interval; asked for codes that wait alone
 */
export async function pickUpKey(
  context: ControlContext,
  deviceCode: string,
  mayAskNow: (deviceHash: string) => boolean,
): Promise<PickUp> {
  const { db, deviceSignIns, clock } = context
  const hash = sha256Hex(deviceCode)
  const error = refusalOf(await deviceSignIns.byDeviceHash(hash), clock.now())
  if (error === 'authorization_pending' && !mayAskNow(hash)) return { kind: 'refused', error: 'slow_down' }
  if (error !== null) return { kind: 'refused', error }
  const { wake, ...pickedUp } = await db.unit((tx) => makeKey(tx, context, hash))
  wake?.()
  return pickedUp
}

/** Null: it was approved, and its key is not made yet. */
function refusalOf(row: DeviceSignInsTable | null, nowMs: number): DeviceError | null {
  if (row === null || row.state === 'taken') return 'invalid_grant'
  if (row.state === 'denied') return 'access_denied'
  if (row.expires_at <= nowMs) return 'expired_token'
  return row.state === 'approved' ? null : 'authorization_pending'
}

async function makeKey(tx: Tx, context: ControlContext, hash: string): Promise<PickUp & { wake?: () => void }> {
  const { deviceSignIns, clock } = context
  const nowMs = clock.now()
  const row = await deviceSignIns.byDeviceHash(hash, tx)
  const error = refusalOf(row, nowMs)
  if (row === null || error !== null) return { kind: 'refused', error: error ?? 'invalid_grant' }
  const { account_id: accountId, environment } = row
  const approver = await approverOf(tx, context, row)
  if (approver === null || accountId === null) {
    await deviceSignIns.change(tx, row.id, { state: 'denied' })
    return { kind: 'refused', error: 'access_denied' }
  }
  // It was approved before others were made: the program goes on asking.
  const minutes = await minutesUntilKey(tx, context, accountId)
  if (minutes !== null)
    throw new ServiceError('rate_limit.exceeded', {
      message: `The account made too many keys within an hour: wait ${minutes} min.`,
      retryAfterSeconds: minutes * 60,
    })
  const scopes = [...parseScopes(row.scopes)]
  const name = deviceKeyName(row.host)
  const expiresAtMs = nowMs + DEVICE_KEY_DAYS * DAY_MS
  const { keyId, apiKey } = await issueApiKey(tx, context, { accountId, environment, name, scopes, expiresAtMs })
  await deviceSignIns.change(tx, row.id, { state: 'taken' })
  await recordAudit(tx, {
    ...{ at: nowMs, actor: approver.id, via: 'api', address: row.address, account_id: accountId },
    ...{ action: 'key.create', subject: keyId },
    after: JSON.stringify({ environment, name, scopes, expiresAtMs }),
  })
  const key = { account_id: accountId, environment, hint: apiKey.slice(-4), name }
  const wake = await tellOfKey(tx, context, { deed: 'made', key, by: approver.name })
  const account = { accountId, name: (await requireAccount(context, accountId, tx)).name }
  const answer = { apiKey, keyId, account, environment, scopes, expiresAt: toIso(expiresAtMs) }
  return { kind: 'key', answer, wake }
}

/** The person who approved it; null: they may not give such a key any more. */
async function approverOf(tx: Tx, context: ControlContext, row: DeviceSignInsTable): Promise<UsersTable | null> {
  const { account_id: accountId, answered_by: userId, environment } = row
  if (accountId === null || userId === null) return null
  const user = await context.users.find(userId, tx)
  const role = await context.memberships.role(userId, accountId, tx)
  if (user === null || user.disabled_at !== null || role === null) return null
  if (!roleMay(role, 'build', { kind: 'changes', environment })) return null
  const seesCustomers = role !== 'developer' || (await context.accounts.developersSeeCustomers(accountId, tx))
  const scopes = [...parseScopes(row.scopes)]
  return (await isTaken(async () => {
    await refuseNotLive(context, { accountId, environment }, tx)
    refuseDeveloper({ role, seesCustomers }, environment, scopes)
  }))
    ? user
    : null
}

/** False: the check refused. */
async function isTaken(check: () => Promise<void>): Promise<boolean> {
  try {
    await check()
    return true
  } catch (error) {
    if (error instanceof ControlRefusal) return false
    throw error
  }
}
