// Endpoints that a webhook event about an alert may go to.
import type { AccountId, MerchantKey, WebhookId } from '#shared/ids.ts'
import type { WebhookEventType } from '#shared/wire/webhook-event-names.ts'
import type { Tx } from './database.ts'

export interface AlertReceiver {
  id: WebhookId
  /** Distinguishes receivers: the URL; of an inspector its id. */
  receiver: string
  merchantKey: MerchantKey
  merchantId: string
  environment: 'sandbox' | 'live'
}

/**
 * The account's own endpoints that name the type, the oldest first: of the merchant, or, for an alert about the account as a whole, of all
 * live merchants, which reads the endpoints of all accounts, a few times a month. An alert about an endpoint goes to no endpoint with the
 * same URL.
 * @param subject of the alert: the id of an endpoint, or of something else
 */
export async function alertReceivers(
  tx: Tx,
  of: { accountId: AccountId; merchantKey: MerchantKey | null; subject: string; type: WebhookEventType },
): Promise<AlertReceiver[]> {
  const { accountId, merchantKey, subject, type } = of
  const rows = await tx
    .selectFrom('webhook_endpoints as w')
    .innerJoin('merchants as m', 'm.id', 'w.merchant_id')
    .select([
      'w.id',
      'w.kind',
      'w.url',
      'w.events',
      'm.id as merchantKey',
      'm.public_id as merchantId',
      'w.environment',
    ])
    .where('w.account_id', '=', accountId)
    .where((eb) => (merchantKey === null ? eb('w.environment', '=', 'live') : eb('w.merchant_id', '=', merchantKey)))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_endpoints as about')
            .select('about.id')
            .where('about.id', '=', subject as WebhookId)
            .whereRef('about.url', '=', 'w.url'),
        ),
      ),
    )
    .orderBy('w.id')
    .execute()
  return rows
    .filter(({ events }) => (JSON.parse(events) as string[]).includes(type))
    .map(({ id, kind, url, merchantKey, merchantId, environment }) => ({
      ...{ id, merchantKey, merchantId, environment },
      receiver: kind === 'inspector' ? id : url,
    }))
}
