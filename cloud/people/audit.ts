// What people do with themselves, in the audit log of the account that it is about. What operations change, cloud/control writes down.
import { recordAudit } from '#cloud/storage/audit-store.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { MembershipsTable, UsersTable } from '#cloud/storage/schema-people.ts'
import type { Clock } from '#shared/clock.ts'
import type { AccountId } from '#shared/ids.ts'

interface Joined {
  user: Pick<UsersTable, 'id'>
  /** Null: operators. */
  accountId: AccountId | null
  action: 'account.sign-up' | 'people.join'
  address: string
  role: MembershipsTable['role'] | 'operator'
}

/** Records a new member. No names and addresses of people: the log stays when they are deleted. */
export async function joined(
  tx: Tx,
  { clock }: { clock: Clock },
  { user, accountId, action, address, role }: Joined,
): Promise<void> {
  await recordAudit(tx, {
    at: clock.now(),
    actor: user.id,
    via: 'dashboard',
    address,
    account_id: accountId,
    action,
    subject: user.id,
    before: null,
    after: JSON.stringify({ role }),
  })
}
