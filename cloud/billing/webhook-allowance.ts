// How many webhook events an account may be sent in an hour.
import type { AccountStore } from '#cloud/storage/account-store.ts'
import type { AccountId } from '#shared/ids.ts'
import { planOf } from './plans.ts'

/**
 * First attempts an hour; null is unlimited. Asked at each claim, so a change of plan counts at once. An account that is gone gets nothing.
 */
export async function webhookAllowance(
  deps: { accounts: AccountStore },
  accountId: AccountId,
  environment: 'sandbox' | 'live',
): Promise<number | null> {
  const account = await deps.accounts.planColumns(accountId)
  return account === null ? 0 : planOf(account, environment).webhookEventsPerHour
}
