// The accounts that a person may see, with the merchants that each may act on.
import type { Environment } from '#cloud/auth/scopes.ts'
import type { ListedMerchant } from '#cloud/storage/merchant-list-store.ts'
import type { AccountsTable } from '#cloud/storage/schema-accounts.ts'
import { toIso } from '#shared/clock.ts'
import type { AccountId, LocationId } from '#shared/ids.ts'
import type { PersonAct } from './act.ts'
import type { ControlContext } from './context.ts'
import type { WorkspaceAccount, WorkspaceMerchant } from './me-list.ts'
import type { Role } from './roles.ts'

/** Of each account and environment. Who has more finds them by the search of the page that lists them. */
const MOST_MERCHANTS = 200

export async function workspaceOf(context: ControlContext, act: PersonAct): Promise<WorkspaceAccount[]> {
  const own = await context.memberships.ofUser(act.userId)
  const accounts: WorkspaceAccount[] = []
  for (const { role, ...account } of own) accounts.push(await accountIn(context, account, role))
  const viewed = await viewedAccount(context, act)
  if (viewed !== null && !own.some(({ id }) => id === viewed.id)) accounts.push(await accountIn(context, viewed, null))
  return accounts
}

async function viewedAccount(
  { logins, accounts, clock }: ControlContext,
  { sessionId }: PersonAct,
): Promise<AccountsTable | null> {
  const viewing = await logins.viewing(sessionId, clock.now())
  return viewing === null ? null : accounts.find(viewing)
}

async function accountIn(
  context: ControlContext,
  account: Pick<AccountsTable, 'id' | 'name' | 'plan' | 'live_approved_at'>,
  role: Role | null,
): Promise<WorkspaceAccount> {
  const [live, sandbox] = [
    await merchantsOf(context, account.id, 'live'),
    await merchantsOf(context, account.id, 'sandbox'),
  ]
  const liveAskedAtMs = await context.accountRequests.liveAskedAt(account.id)
  return {
    ...{ accountId: account.id, name: account.name, role, plan: account.plan },
    isLive: account.live_approved_at !== null,
    liveAskedAt: liveAskedAtMs === null ? null : toIso(liveAskedAtMs),
    merchants: [...live.merchants, ...sandbox.merchants],
    hasMore: live.hasMore || sandbox.hasMore,
  }
}

async function merchantsOf(
  { merchantList }: ControlContext,
  accountId: AccountId,
  environment: Environment,
): Promise<{ merchants: WorkspaceMerchant[]; hasMore: boolean }> {
  const rows = await merchantList.page(accountId, environment, { limit: MOST_MERCHANTS, after: null })
  const merchants = rows.slice(0, MOST_MERCHANTS).map((row) => merchantIn(row, accountId))
  return { merchants, hasMore: rows.length > MOST_MERCHANTS }
}

function merchantIn({ row, locations }: ListedMerchant, accountId: AccountId): WorkspaceMerchant {
  return {
    ...{ merchantId: row.public_id, name: row.name, environment: row.environment, timeZone: row.time_zone },
    isOwn: row.account_id === accountId,
    locations: locations.map(({ locationId, name }) => ({ locationId: locationId as LocationId, name })),
  }
}
