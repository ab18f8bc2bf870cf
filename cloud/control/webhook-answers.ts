// Endpoints and deliveries as the dashboard shows them: how an endpoint does, and what went out.
import type { DeliveryRow } from '#cloud/storage/delivery-log.ts'
import { SICK_AFTER_MS } from '#cloud/storage/delivery-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { DeliveryAttemptsTable, WebhookEndpointsTable } from '#cloud/storage/schema-webhooks.ts'
import { type SignatureStep, signatureSteps } from '#cloud/webhooks/check-signature.ts'
import { listenersOf, shownEndpoint } from '#cloud/webhooks/endpoints.ts'
import { answerOf } from '#cloud/webhooks/inspector.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { secretsAt } from '#cloud/webhooks/sent-headers.ts'
import { isoOrNull, toIso } from '#shared/clock.ts'
import type { ControlContext } from './context.ts'
import type { EndpointAnswer, EndpointFailure, ReceivedAnswer, SignatureStepAnswer } from './webhook-list.ts'

const DAY_MS = 86_400_000

export async function endpointAnswer(
  context: ControlContext,
  row: WebhookEndpointsTable,
  merchant: MerchantRecord,
): Promise<EndpointAnswer> {
  const { endpointFigures, clock } = context
  const nowMs = clock.now()
  const [day, nextRetryMs, refused] = await Promise.all([
    endpointFigures.countsSince(row.id, nowMs - DAY_MS),
    endpointFigures.nextRetryMs(row.id),
    endpointFigures.lastRefused(row.id),
  ])
  const listener = (await listenersOf(context, [row])).get(row.id)
  const tried = day.delivered + day.failed + day.retrying
  const { old_secret_until: untilMs, failing_since: failingMs } = row
  return {
    ...shownEndpoint(row, merchant, listener),
    oldSecretEndsAt: untilMs !== null && untilMs > nowMs ? toIso(untilMs) : null,
    failures: row.failures,
    disablesAt: row.status === 'enabled' && failingMs !== null ? toIso(failingMs + SICK_AFTER_MS) : null,
    day,
    successShare: tried === 0 ? null : day.delivered / tried,
    lastFailure: refused === null ? null : await failureOf(context, refused),
    nextRetryAt: isoOrNull(nextRetryMs),
    answer: row.kind === 'inspector' ? answerOf(row) : null,
  }
}

async function failureOf({ deliveryLog }: ControlContext, row: DeliveryRow): Promise<EndpointFailure | null> {
  const attempt = (await deliveryLog.attempts(row.id)).at(-1)
  const { id: deliveryId, type, last_error, last_status, created_at } = row
  // Attempts are kept for a shorter time than events.
  const at = toIso(attempt?.at ?? created_at)
  const error = attempt?.error ?? last_error ?? 'connection'
  return { deliveryId, type, at, status: attempt?.status ?? last_status, error, response: attempt?.response ?? null }
}

/** What arrived at the inspector, and the check that a receiver with its present secret makes. */
export function receivedAnswer(
  attempt: DeliveryAttemptsTable,
  delivery: DeliveryRow & { payload: string },
  { endpoint, secretBox }: { endpoint: WebhookEndpointsTable; secretBox: SecretBox },
): ReceivedAnswer {
  const headers = JSON.parse(attempt.sent ?? '{}') as Record<string, string>
  const { payload: body, state } = delivery
  const steps = signatureSteps({ headers, body }, secretsAt(endpoint, secretBox, attempt.at), attempt.at)
  return {
    ...{ deliveryId: delivery.id, eventId: delivery.event_id, number: attempt.number, at: toIso(attempt.at) },
    ...{ type: delivery.type, headers, body, state },
    answered: { status: attempt.status, error: attempt.error, ms: attempt.ms },
    nextAttemptAt: state === 'retrying' ? toIso(delivery.next_at) : null,
    steps: steps.map(stepAnswer),
  }
}

function stepAnswer({ step, ok, ...values }: SignatureStep): SignatureStepAnswer {
  const shown = Object.entries(values).map(([name, value]) => ({ name, value: valueText(value) }))
  return { step, ok, values: shown }
}

function valueText(value: unknown): string {
  return Array.isArray(value) ? value.join(' ') : String(value ?? '')
}
