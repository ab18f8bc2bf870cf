// Mail about access: to the owners of a restaurant when a partner asks, to those of the partner when it is answered. In the unit of the deed.
import type { NoticeValues } from '#cloud/notices/notice-kinds.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { GrantKey } from '#cloud/storage/grant-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { MerchantsTable } from '#cloud/storage/schema-accounts.ts'
import type { AccountId } from '#shared/ids.ts'
import type { ControlContext } from './context.ts'
import { minutesUntilRoom } from './hourly-limit.ts'
import { requireAccount } from './require.ts'
import { tellOwners } from './tell-owners.ts'

/** The most mails to one account within an hour, whoever requests. The dashboard shows every request. */
const MOST_ASKED = 20

/** For a request that did not wait before: asking again writes no mail. @returns `wake` */
export async function tellAsked(
  tx: Tx,
  context: ControlContext,
  {
    restaurant,
    accountId,
    scopes,
  }: {
    restaurant: Pick<MerchantsTable, 'account_id' | 'public_id' | 'name'>
    accountId: AccountId
    scopes: readonly string[]
  },
): Promise<() => void> {
  const { account_id: ownerId, public_id: merchantId, name: merchantName } = restaurant
  const full = await minutesUntilRoom(tx, context, {
    accountId: ownerId,
    most: MOST_ASKED,
    count: (sinceMs) => context.notices.written(tx, { accountId: ownerId, kind: 'access-asked', sinceMs }),
  })
  if (full !== null) return () => undefined
  const { name: partnerName } = await requireAccount(context, accountId)
  const values = { merchantId, merchantName, partnerId: accountId, partnerName, scopes, atMs: context.clock.now() }
  return tellOwners(tx, context, { accountId: ownerId, notice: { kind: 'access-asked', values } })
}

interface AnsweredAccess extends Pick<NoticeValues['access-answered'], 'deed' | 'scopes'> {
  merchant: Pick<MerchantRecord, 'publicId'>
}

/** @returns `wake` */
export async function tellAnswered(
  tx: Tx,
  context: ControlContext,
  {
    grant: { accountId },
    answer: { deed, merchant, scopes },
  }: { grant: Pick<GrantKey, 'accountId'>; answer: AnsweredAccess },
): Promise<() => void> {
  const { name: accountName } = await requireAccount(context, accountId)
  const values = { deed, merchantId: merchant.publicId, accountName, scopes, atMs: context.clock.now() }
  return tellOwners(tx, context, { accountId, notice: { kind: 'access-answered', values } })
}
