// Webhook endpoints of a merchant: create, change, rotate, test, list, delete. A signing secret is shown once, when it is created.

import type { Tx } from '#cloud/storage/database.ts'
import type { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import { type EndpointOwner, type EndpointStore, endpointOf } from '#cloud/storage/endpoint-store.ts'
import type { ListenerStore } from '#cloud/storage/listener-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { WebhookEndpointsTable, WebhookListenersTable } from '#cloud/storage/schema-webhooks.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { newId, type WebhookId } from '#shared/ids.ts'
import type * as api from '#shared/wire/api/webhooks.ts'
import { recordTestEvent, type TestEvent } from './record-event.ts'
import type { SecretBox } from './secret-box.ts'
import { newSigningSecret } from './signature.ts'
import type { TargetGuard } from './target-guard.ts'

type WebhookEndpoint = api.WebhookEndpoint & { webhookId: WebhookId }
type CreatedWebhookEndpoint = api.CreatedWebhookEndpoint & { webhookId: WebhookId }

/** Per account: another account that may act on the merchant has its own limit. */
const ENDPOINTS_PER_MERCHANT = 20
const HOUR_MS = 3_600_000

/** The part of a merchant that is needed after `authorize`. */
export type EndpointMerchant = Pick<MerchantRecord, 'key' | 'publicId' | 'accountId' | 'environment'>

export interface EndpointDeps {
  endpoints: EndpointStore
  listeners: Pick<ListenerStore, 'rowsOf'>
  deliveries: DeliveryStore
  secretBox: SecretBox
  clock: Clock
}

/**
 * Checks the URL. Resolves the host, so it runs before the transaction.
 * @throws ServiceError webhook.invalid_url (422)
 */
export async function checkTarget(
  { guard }: { guard: TargetGuard },
  { environment }: Pick<EndpointMerchant, 'environment'>,
  url: string,
): Promise<void> {
  const reason = await guard.refusal(url, environment)
  if (reason !== null)
    throw new ServiceError('webhook.invalid_url', { message: reason, errors: [{ field: 'url', message: reason }] })
}

/**
 * Creates an endpoint.
 * @param wanted with a URL that `checkTarget` has accepted
 * @returns the endpoint with its secret, which no other call shows
 * @throws ServiceError webhook.limit_reached (409)
 */
export async function createEndpoint(
  tx: Tx,
  { endpoints, secretBox, clock }: EndpointDeps,
  {
    merchant,
    ...wanted
  }: { merchant: EndpointMerchant } & Pick<api.CreateWebhook, 'url' | 'events' | 'description'> &
    Partial<Pick<WebhookEndpointsTable, 'kind'>>,
): Promise<Effect<CreatedWebhookEndpoint>> {
  const secret = newSigningSecret()
  const row = newEndpoint({ secretBox, clock }, merchant, { kind: 'url', ...wanted, secret })
  if (!(await endpoints.insert(tx, row, row.kind === 'inspector' ? 1 : ENDPOINTS_PER_MERCHANT)))
    throw new ServiceError('webhook.limit_reached', {
      message: `There are already ${ENDPOINTS_PER_MERCHANT} webhook endpoints for this merchant. Delete one first.`,
    })
  return { answer: { ...shownEndpoint(row, merchant), secret } }
}

/** The row of a new endpoint. */
export function newEndpoint(
  { secretBox, clock }: Pick<EndpointDeps, 'secretBox' | 'clock'>,
  merchant: EndpointMerchant,
  wanted: Pick<api.CreateWebhook, 'url' | 'events' | 'description'> &
    Pick<WebhookEndpointsTable, 'kind'> & { secret: string },
): WebhookEndpointsTable {
  const nowMs = clock.now()
  return {
    id: newId('we', nowMs),
    account_id: merchant.accountId,
    merchant_id: merchant.key,
    environment: merchant.environment,
    kind: wanted.kind,
    url: wanted.url,
    events: listOf(wanted.events),
    description: wanted.description ?? null,
    secret_enc: secretBox.seal(wanted.secret),
    old_secret_enc: null,
    old_secret_until: null,
    secret_since: null,
    status: 'enabled',
    failing_since: null,
    failures: 0,
    disabled_reason: null,
    last_delivery_at: null,
    answer: null,
    created_at: nowMs,
  }
}

/**
 * Absent fields stay unchanged. Enabling resets the failures. Disabling ends the open deliveries as failed; they can be recovered.
 * @param change with a URL that `checkTarget` has accepted
 * @throws ServiceError webhook.not_found (404), webhook.invalid_url (422) for a URL for an inspector
 */
export async function changeEndpoint(
  tx: Tx,
  { endpoints, listeners, deliveries }: EndpointDeps,
  {
    merchant,
    webhookId,
    ...change
  }: { merchant: EndpointMerchant; webhookId: WebhookId } & Omit<api.ChangeWebhook, 'merchantId'>,
): Promise<Effect<WebhookEndpoint>> {
  const before = await existing(tx, merchant, webhookId)
  const listener = (await listenersOf({ listeners }, [before], tx)).get(webhookId)
  const { url = before.url, events, description = before.description, status } = change
  if (before.kind !== 'url' && url !== before.url) throw noUrlFor(before)
  const row: WebhookEndpointsTable = {
    ...before,
    url,
    events: events ? listOf(events) : before.events,
    description,
    ...(status === 'enabled' ? { status, disabled_reason: null, failing_since: null, failures: 0 } : {}),
    ...(status === 'disabled' && before.status === 'enabled' ? { status, disabled_reason: 'owner' } : {}),
  }
  await endpoints.change(tx, webhookId, row)
  const wake = () =>
    row.status === 'disabled' ? deliveries.disabled.notify(webhookId) : deliveries.announce([webhookId])
  return { answer: shownEndpoint(row, merchant, listener), wake }
}

/**
 * The new secret signs at once; the old one also signs until it expires. A second rotation ends the oldest one.
 * @throws ServiceError webhook.not_found (404)
 */
export async function rotateSecret(
  tx: Tx,
  { endpoints, secretBox, clock }: EndpointDeps,
  {
    merchant,
    webhookId,
    expireOldInHours,
  }: { merchant: EndpointMerchant; webhookId: WebhookId } & Pick<api.RotateSecret, 'expireOldInHours'>,
): Promise<Effect<api.RotatedSecret>> {
  const { secret_enc: old } = await existing(tx, merchant, webhookId)
  const secret = newSigningSecret()
  const untilMs = clock.now() + expireOldInHours * HOUR_MS
  await endpoints.change(tx, webhookId, {
    secret_enc: secretBox.seal(secret),
    old_secret_enc: expireOldInHours > 0 ? old : null,
    old_secret_until: expireOldInHours > 0 ? untilMs : null,
    secret_since: clock.now(),
  })
  return { answer: { webhookId, secret, oldSecretExpiresAt: toIso(untilMs) } }
}

/**
 * Sends a made-up event to this endpoint. Its API route exists in the sandbox only.
 * @throws ServiceError webhook.not_found (404), webhook.disabled (409)
 */
export async function fireTestEvent(
  tx: Tx,
  { deliveries, clock }: Pick<EndpointDeps, 'deliveries' | 'clock'>,
  { merchant, webhookId, event }: { merchant: EndpointMerchant; webhookId: WebhookId; event: TestEvent },
): Promise<Effect<api.TestWebhookResult>> {
  const { status } = await existing(tx, merchant, webhookId)
  if (status === 'disabled') throw new ServiceError('webhook.disabled')
  const { endpointIds, ...answer } = await recordTestEvent(tx, { clock }, { merchant, endpointId: webhookId, event })
  return { answer, wake: () => deliveries.announce(endpointIds) }
}

/** Oldest first. */
export async function listEndpoints(
  { endpoints, listeners }: Pick<EndpointDeps, 'endpoints' | 'listeners'>,
  merchant: EndpointMerchant,
): Promise<WebhookEndpoint[]> {
  const rows = await endpoints.list(ownerOf(merchant))
  const found = await listenersOf({ listeners }, rows)
  return rows.map((row) => shownEndpoint(row, merchant, found.get(row.id)))
}

/** @throws ServiceError webhook.not_found (404) if unknown, or of another merchant or account */
export async function getEndpoint(
  { endpoints, listeners }: Pick<EndpointDeps, 'endpoints' | 'listeners'>,
  merchant: EndpointMerchant,
  webhookId: WebhookId,
): Promise<WebhookEndpoint> {
  const row = await endpoints.find(ownerOf(merchant), webhookId)
  if (!row) throw new ServiceError('webhook.not_found')
  return shownEndpoint(row, merchant, (await listenersOf({ listeners }, [row])).get(webhookId))
}

/** Additional state of endpoints of the kind `listener`. Makes no query if there are none. */
export function listenersOf(
  { listeners }: Pick<EndpointDeps, 'listeners'>,
  rows: readonly WebhookEndpointsTable[],
  tx?: Tx,
): Promise<Map<WebhookId, WebhookListenersTable>> {
  const ids = rows.filter(({ kind }) => kind === 'listener').map(({ id }) => id)
  return listeners.rowsOf(ids, tx)
}

/** Deletes its deliveries too. @throws ServiceError webhook.not_found (404) */
export async function deleteEndpoint(
  { endpoints }: Pick<EndpointDeps, 'endpoints'>,
  merchant: EndpointMerchant,
  webhookId: WebhookId,
): Promise<void> {
  if (!(await endpoints.delete(ownerOf(merchant), webhookId))) throw new ServiceError('webhook.not_found')
}

async function existing(tx: Tx, merchant: EndpointMerchant, webhookId: WebhookId): Promise<WebhookEndpointsTable> {
  const row = await endpointOf(tx, ownerOf(merchant), webhookId)
  if (!row) throw new ServiceError('webhook.not_found')
  return row
}

function noUrlFor({ id, kind }: WebhookEndpointsTable): ServiceError {
  const what = kind === 'inspector' ? 'the inspector of the dashboard' : 'a listener'
  const message = `${id} is ${what}: nothing is sent to a URL. Make an endpoint of its own.`
  return new ServiceError('webhook.invalid_url', { message, errors: [{ field: 'url', message }] })
}

/** Without duplicates, in the stored form. */
function listOf(events: readonly string[]): string {
  return JSON.stringify([...new Set(events)])
}

export function ownerOf(merchant: EndpointMerchant): EndpointOwner {
  return { accountId: merchant.accountId, merchantKey: merchant.key, environment: merchant.environment }
}

/** The endpoint as the API returns it. @param listener only for that kind */
export function shownEndpoint(
  row: WebhookEndpointsTable,
  merchant: EndpointMerchant,
  listener?: WebhookListenersTable,
): WebhookEndpoint {
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
    kind: row.kind,
    listener: listener === undefined ? null : shownListener(listener),
  }
}

function shownListener({ stream_id, expires_at, like_id }: WebhookListenersTable) {
  const connected = stream_id !== null
  return { connected, expiresAt: connected ? null : toIso(expires_at), like: like_id }
}
