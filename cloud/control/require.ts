// Things that an operation names by their ids, looked up.
import type { AccountsTable } from '#cloud/storage/schema-accounts.ts'
import type { AccountId } from '#shared/ids.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'

/** @throws ControlRefusal not-found */
export async function requireAccount(
  { accounts }: Pick<ControlContext, 'accounts'>,
  accountId: AccountId,
): Promise<AccountsTable> {
  const account = await accounts.find(accountId)
  if (account !== null) return account
  throw new ControlRefusal('not-found', `There is no account ${accountId}.`, { said: { key: 'account.unknown' } })
}
