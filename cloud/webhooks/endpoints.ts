// A merchant's webhook endpoints: create, list, get, delete. The signing secret is shown once, at creation.

import type { EndpointOwner, EndpointStore } from '#cloud/storage/endpoint-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { WebhookEndpointsTable } from '#cloud/storage/schema-webhooks.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { newId, type WebhookId } from '#shared/ids.ts'
import type * as api from '#shared/wire/api/webhooks.ts'
import type { SecretBox } from './secret-box.ts'
import { newSigningSecret } from './signature.ts'
import type { TargetGuard } from './target-guard.ts'

type WebhookEndpoint = api.WebhookEndpoint & { webhookId: WebhookId }
type CreatedWebhookEndpoint = api.CreatedWebhookEndpoint & { webhookId: WebhookId }

const ENDPOINTS_PER_MERCHANT = 20

/** What is needed of a merchant that `authorize` has let through. */
export type EndpointMerchant = Pick<MerchantRecord, 'key' | 'publicId' | 'accountId' | 'environment'>

export interface EndpointDeps {
  endpoints: EndpointStore
  secretBox: SecretBox
  guard: TargetGuard
  clock: Clock
}

/**
 * @returns the endpoint with its secret, which no other call shows again.
 * @throws ServiceError webhook.invalid_url (422), webhook.limit_reached (409)
 */
export async function createEndpoint(
  { endpoints, secretBox, guard, clock }: EndpointDeps,
  merchant: EndpointMerchant,
  wanted: Pick<api.CreateWebhook, 'url' | 'events' | 'description'>,
): Promise<CreatedWebhookEndpoint> {
  const reason = await guard.refusal(wanted.url, merchant.environment)
  if (reason !== null)
    throw new ServiceError('webhook.invalid_url', { message: reason, errors: [{ field: 'url', message: reason }] })
  const nowMs = clock.now()
  const secret = newSigningSecret()
  const row: WebhookEndpointsTable = {
    id: newId('we', nowMs),
    account_id: merchant.accountId,
    merchant_id: merchant.key,
    environment: merchant.environment,
    url: wanted.url,
    events: JSON.stringify([...new Set(wanted.events)]),
    description: wanted.description ?? null,
    secret_enc: secretBox.seal(secret),
    old_secret_enc: null,
    old_secret_until: null,
    status: 'enabled',
    failing_since: null,
    failures: 0,
    disabled_reason: null,
    last_delivery_at: null,
    created_at: nowMs,
  }
  if (!(await endpoints.insert(row, ENDPOINTS_PER_MERCHANT)))
    throw new ServiceError('webhook.limit_reached', {
      message: `The merchant already has ${ENDPOINTS_PER_MERCHANT} webhook endpoints. Delete one first.`,
    })
  return { ...shown(row, merchant), secret }
}

/** Oldest first. */
export async function listEndpoints(
  { endpoints }: Pick<EndpointDeps, 'endpoints'>,
  merchant: EndpointMerchant,
): Promise<WebhookEndpoint[]> {
  return (await endpoints.list(ownerOf(merchant))).map((row) => shown(row, merchant))
}

/** @throws ServiceError webhook.not_found (404): unknown, or of another merchant or account */
export async function getEndpoint(
  { endpoints }: Pick<EndpointDeps, 'endpoints'>,
  merchant: EndpointMerchant,
  webhookId: WebhookId,
): Promise<WebhookEndpoint> {
  const row = await endpoints.find(ownerOf(merchant), webhookId)
  if (!row) throw new ServiceError('webhook.not_found')
  return shown(row, merchant)
}

/** Its deliveries go with it. @throws ServiceError webhook.not_found (404) */
export async function deleteEndpoint(
  { endpoints }: Pick<EndpointDeps, 'endpoints'>,
  merchant: EndpointMerchant,
  webhookId: WebhookId,
): Promise<void> {
  if (!(await endpoints.delete(ownerOf(merchant), webhookId))) throw new ServiceError('webhook.not_found')
}

function ownerOf(merchant: EndpointMerchant): EndpointOwner {
  return { accountId: merchant.accountId, merchantKey: merchant.key, environment: merchant.environment }
}

function shown(row: WebhookEndpointsTable, merchant: EndpointMerchant): WebhookEndpoint {
  return {
    webhookId: row.id,
    merchantId: merchant.publicId,
    url: row.url,
    events: JSON.parse(row.events),
    description: row.description,
    status: row.status,
    disabledReason: row.disabled_reason,
    createdAt: toIso(row.created_at),
    lastDeliveryAt: row.last_delivery_at === null ? null : toIso(row.last_delivery_at),
    failingSince: row.failing_since === null ? null : toIso(row.failing_since),
  }
}
