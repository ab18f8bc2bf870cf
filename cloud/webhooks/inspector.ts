// The inspector: an endpoint whose responses are chosen on a dashboard page. No connection is made; leases, attempts, retries and the log are those of every endpoint.
import type { Tx } from '#cloud/storage/database.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import type { WebhookEndpointsTable } from '#cloud/storage/schema-webhooks.ts'
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { WebhookId } from '#shared/ids.ts'
import { createEndpoint, type EndpointDeps, type EndpointMerchant, ownerOf } from './endpoints.ts'
import type { PostOutcome } from './post-webhook.ts'

/** No HTTP client of any release of the relay connects to it. */
export const INSPECTOR_URL = 'inspector:'

/** The response to each delivery from now on. */
export interface InspectorAnswer {
  /** HTTP status, 200 to 599. */
  status: number
  /** Delay of the response in milliseconds. Longer than the limit of an attempt: it times out. */
  delayMs: number
}

const AT_ONCE: InspectorAnswer = { status: 200, delayMs: 0 }

export function answerOf({ answer }: Pick<WebhookEndpointsTable, 'answer'>): InspectorAnswer {
  return answer === null ? AT_ONCE : (JSON.parse(answer) as InspectorAnswer)
}

/** The account's inspector at the merchant. Null: never opened, or deleted. */
export async function inspectorOf(
  { endpoints }: Pick<EndpointDeps, 'endpoints'>,
  merchant: EndpointMerchant,
): Promise<WebhookEndpointsTable | null> {
  return (await endpoints.list(ownerOf(merchant))).find(({ kind }) => kind === 'inspector') ?? null
}

/**
 * Creates the inspector.
 * @returns its secret too, since no other program has it, and it can be used to test a receiver
 * @throws ServiceError webhook.limit_reached (409) if it exists
 */
export async function createInspector(
  tx: Tx,
  deps: EndpointDeps,
  merchant: EndpointMerchant,
): Promise<{ webhookId: WebhookId; secret: string }> {
  const wanted = { url: INSPECTOR_URL, events: ['*' as const], kind: 'inspector' as const }
  const { answer } = await createEndpoint(tx, deps, { merchant, ...wanted })
  return { webhookId: answer.webhookId, secret: answer.secret }
}

/** @throws ServiceError webhook.not_found (404), also for an endpoint with a URL */
export async function setInspectorAnswer(
  tx: Tx,
  deps: Pick<EndpointDeps, 'endpoints'>,
  { merchant, answer }: { merchant: EndpointMerchant; answer: InspectorAnswer },
): Promise<Effect<InspectorAnswer & { webhookId: WebhookId }>> {
  const inspector = await inspectorOf(deps, merchant)
  if (inspector === null) throw new ServiceError('webhook.not_found')
  await deps.endpoints.change(tx, inspector.id, { answer: JSON.stringify(answer) })
  return { answer: { webhookId: inspector.id, ...answer } }
}

/** Never rejects; failures are classified like those of a real receiver. @param stopped ends the wait with the error `stopped` */
export async function answeredByInspector(
  { clock }: { clock: Clock },
  { answer: { status, delayMs }, timeoutMs }: { answer: InspectorAnswer; timeoutMs: number },
  stopped: AbortSignal,
): Promise<PostOutcome> {
  const waitMs = Math.min(delayMs, timeoutMs)
  if (waitMs > 0) await clock.sleep(waitMs, stopped)
  const nothing = { status: null, response: null, retryAfterMs: null, durationMs: waitMs }
  if (stopped.aborted) return { ...nothing, error: 'stopped' }
  if (delayMs >= timeoutMs) return { ...nothing, error: 'timeout' }
  const error = status < 300 ? null : status < 400 ? 'redirect' : 'http_status'
  return { ...nothing, status, error, response: `The inspector answered ${status}.` }
}
