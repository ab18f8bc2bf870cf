// Listeners: endpoints without a URL, for a program on a developer's machine. Creates them and records their results; listener-desk.ts has their streams.
import type { Tx } from '#cloud/storage/database.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import { endpointOf } from '#cloud/storage/endpoint-store.ts'
import type { Listener, ListenerStore } from '#cloud/storage/listener-store.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { type AccountId, isId, type WebhookId } from '#shared/ids.ts'
import { type Logger, logWalk } from '#shared/log.ts'
import type {
  CreatedListener,
  CreateListener,
  ListenerResultBody,
  RecordedResultAnswer,
} from '#shared/wire/api/listeners.ts'
import { type EndpointDeps, type EndpointMerchant, newEndpoint, ownerOf } from './endpoints.ts'
import { KEPT_MS, LEASE_MS, type ListenerDesk } from './listener-desk.ts'
import type { SecretBox } from './secret-box.ts'

/** No HTTP client of any release of the relay connects to it. */
const LISTENER_URL = 'listener:'
/** Per account and environment. They do not count as endpoints. */
const MOST_LISTENERS = 5
/** Attempts of one delivery that may be asked for again with their result: a program that never stops asking ends here. */
const MOST_AGAIN = 100
/** Kept of what the developer's server answered, as of any receiver. */
const RESPONSE_BYTES = 1_024

/**
 * Signs the deliveries of the account's listeners, so that a developer sets one secret once. It is derived from the master key and not
 * stored: nobody can compute it without that key.
 */
export function listenSecret(
  secretBox: SecretBox,
  { accountId, environment }: { accountId: AccountId; environment: 'sandbox' | 'live' },
): string {
  return `whsec_${Buffer.from(secretBox.mac('listen secret', `${accountId} ${environment}`), 'hex').toString('base64')}`
}

/**
 * Creates a listener.
 * @returns its secret only if it is the account's own: with `like`, another endpoint's secret signs, and is not shown
 * @throws ServiceError webhook.listener_limit (409); webhook.not_found (404) if `like` is not an endpoint of this account at this merchant
 */
export async function createListener(
  tx: Tx,
  deps: Pick<EndpointDeps, 'secretBox' | 'clock'> & { listeners: ListenerStore },
  { merchant, events, like, label }: { merchant: EndpointMerchant } & Omit<CreateListener, 'merchantId'>,
): Promise<Effect<CreatedListener & { webhookId: WebhookId }>> {
  const likeId = like === undefined ? null : await signerOf(tx, merchant, like)
  const secret = listenSecret(deps.secretBox, merchant)
  const row = newEndpoint(deps, merchant, { kind: 'listener', url: LISTENER_URL, events, description: label, secret })
  const expiresMs = row.created_at + KEPT_MS
  if (!(await deps.listeners.insert(tx, row, { likeId, expiresMs, most: MOST_LISTENERS })))
    throw new ServiceError('webhook.listener_limit')
  return { answer: { webhookId: row.id, expiresAt: toIso(expiresMs), secret: likeId === null ? secret : null } }
}

/** @throws ServiceError webhook.not_found (404) */
async function signerOf(tx: Tx, merchant: EndpointMerchant, like: string): Promise<WebhookId> {
  const row = isId('we', like) ? await endpointOf(tx, ownerOf(merchant), like) : null
  if (row !== null && row.kind !== 'listener') return row.id
  const message = 'must be the webhookId of an endpoint of this merchant, and not of a listener'
  throw new ServiceError('webhook.not_found', { errors: [{ field: 'like', message }] })
}

export interface ResultDeps {
  listeners: ListenerStore
  desk: Pick<ListenerDesk, 'answered'>
  clock: Clock
  log: Logger
}

/**
 * Records the result of an attempt once, at any relay: a repetition changes nothing.
 * @throws ServiceError webhook.delivery_not_found (404) if it is not a delivery of this listener; webhook.result_unexpected (409) if this
 * attempt was not sent, or has ended without a result
 */
export async function recordResult(
  { listeners, desk, clock, log }: ResultDeps,
  { endpointId }: Listener,
  { deliveryId, number, status, error, ms, response, again = false }: ListenerResultBody,
): Promise<RecordedResultAnswer> {
  if (!isId('dlv', deliveryId)) throw new ServiceError('webhook.delivery_not_found')
  const failure = error ?? failureOf(status)
  const attempt = { durationMs: ms, status: status ?? null, error: failure, response: firstOf(response) }
  const times = { nowMs: clock.now(), leaseMs: LEASE_MS }
  const goesAgain = again && number <= MOST_AGAIN
  const result = await listeners.record(endpointId, { deliveryId, number, attempt, goesAgain }, times)
  if (result.state === null)
    throw new ServiceError(result.kind === 'unknown' ? 'webhook.delivery_not_found' : 'webhook.result_unexpected')
  const { state } = result
  if (result.kind === 'recorded') {
    const { ordinal, event_id: eventId, type: event, subject_id: subjectId } = result.delivery
    if (!desk.answered(endpointId, { ordinal, number })) listeners.changed.notify(endpointId)
    const order = isId('ord', subjectId) ? subjectId : undefined
    const line = { walk: '10/10' as const, serviceOrderId: order, deliveryId, eventId, event, endpointId }
    const words = failure === null ? 'the client took the event' : 'the client did not take the event'
    logWalk(log, { ...line, attempt: number, status, error: failure, state, ms }, words)
  }
  return { deliveryId, number, state, repeated: result.kind === 'repeated' }
}

/** The same classes as for any receiver. */
function failureOf(status = 0): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : 'http_status'
}

function firstOf(response: string | undefined): string | null {
  if (response === undefined || response === '') return null
  return Buffer.from(response).subarray(0, RESPONSE_BYTES).toString('utf8').replaceAll('\u0000', '\ufffd')
}
