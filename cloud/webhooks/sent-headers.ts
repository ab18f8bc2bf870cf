// The headers of a past attempt: computed again for requests over the network, stored for an inspector.
import type { DeliveryRow } from '#cloud/storage/delivery-log.ts'
import type { DeliveryAttemptsTable, WebhookEndpointsTable } from '#cloud/storage/schema-webhooks.ts'
import type { SecretBox } from './secret-box.ts'
import { type SigningSecrets, signedHeaders } from './signature.ts'

/** The secrets that sign at this time; the previous one only during a rotation. @throws if the box does not open them */
export function secretsAt(
  { secret_enc: current, old_secret_enc: previous, old_secret_until: untilMs }: WebhookEndpointsTable,
  secretBox: SecretBox,
  nowMs: number,
): SigningSecrets {
  const overlaps = previous !== null && untilMs !== null && nowMs < untilMs
  return { current: secretBox.open(current), previous: overlaps ? secretBox.open(previous) : null }
}

/**
 * Headers of an attempt over the network without `traceparent`, which a traced relay adds.
 * @param body the signed bytes
 * @returns null if the secret was replaced, so that its signature cannot be computed again
 */
export function sentHeaders(
  attempt: Pick<DeliveryAttemptsTable, 'at' | 'number' | 'sent'>,
  delivery: Pick<DeliveryRow, 'id' | 'event_id' | 'type'>,
  { endpoint, secretBox, body }: { endpoint: WebhookEndpointsTable; secretBox: SecretBox; body: string },
): Record<string, string> | null {
  if (attempt.sent !== null) return JSON.parse(attempt.sent) as Record<string, string>
  if (attempt.at < (endpoint.secret_since ?? endpoint.created_at)) return null
  return signedHeaders({
    ...{ body, attempt: attempt.number, nowMs: attempt.at },
    secrets: secretsAt(endpoint, secretBox, attempt.at),
    eventId: delivery.event_id,
    eventType: delivery.type,
    deliveryId: delivery.id,
  })
}
