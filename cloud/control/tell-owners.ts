// Mail to every owner of an account, in the transaction of the change that it reports.
import type { Notice } from '#cloud/notices/notice-kinds.ts'
import { writeNotice } from '#cloud/notices/write-notice.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { AccountId } from '#shared/ids.ts'
import type { ControlContext } from './context.ts'

/** Each in their own language. Without CLOUD_MASTER_KEY nothing can be encrypted, so no mail is sent. @returns `wake` of the change */
export async function tellOwners(
  tx: Tx,
  { users, memberships, notices, secretBox, clock }: ControlContext,
  { accountId, notice }: { accountId: AccountId; notice: Notice },
): Promise<() => void> {
  if (secretBox === null) return () => undefined
  for (const userId of await memberships.owners(tx, accountId)) {
    const owner = await users.find(userId, tx)
    if (owner === null || owner.disabled_at !== null) continue
    await writeNotice(tx, { secretBox, clock }, { to: owner.email, language: owner.language, accountId, notice })
  }
  return () => notices.changed.notify()
}
