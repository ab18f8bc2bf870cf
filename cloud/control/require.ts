// Looks up what an operation names by id.
import type { Tx } from '#cloud/storage/database.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { AccountsTable } from '#cloud/storage/schema-accounts.ts'
import type { AccountId } from '#shared/ids.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'

/** @param tx in a unit. @throws ControlRefusal not-found */
export async function requireAccount(
  { accounts }: Pick<ControlContext, 'accounts'>,
  accountId: AccountId,
  tx?: Tx,
): Promise<AccountsTable> {
  const account = await accounts.find(accountId, tx)
  if (account !== null) return account
  throw new ControlRefusal('not-found', `There is no account ${accountId}.`, { said: { key: 'account.unknown' } })
}

/** By the operator's id: a live merchant by its id alone, a test merchant with its account. @throws ControlRefusal not-found, refused: several have this id */
export async function requireMerchant(
  { merchants }: Pick<ControlContext, 'merchants'>,
  accountId: AccountId | null,
  merchantId: string,
): Promise<MerchantRecord> {
  const named = await merchants.named(merchantId)
  const meant = accountId === null ? named : named.filter((row) => row.account_id === accountId)
  const [first, second] = meant
  if (first === undefined)
    throw new ControlRefusal('not-found', `There is no merchant ${merchantId}.`, { said: { key: 'merchant.unknown' } })
  if (second !== undefined)
    throw new ControlRefusal('refused', `Each sandbox account has its own ${merchantId}: say which one.`, {
      said: { key: 'merchant.several', values: { merchantId } },
    })
  return merchants.byKey(first.id)
}
