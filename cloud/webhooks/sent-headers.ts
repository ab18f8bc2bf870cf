// The headers of an attempt that was made: what the network carried, made once more; what an inspector received, as it was written down.
import type { DeliveryRow } from '#cloud/storage/delivery-log.ts'
import type { DeliveryAttemptsTable, WebhookEndpointsTable } from '#cloud/storage/schema-webhooks.ts'
import type { SecretBox } from './secret-box.ts'
import { type SigningSecrets, signedHeaders } from './signature.ts'

/** Which secrets sign at this time; the one before only while a rotation overlaps. @throws when the box does not open them */
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
 * @param body what was signed
 * @returns null: the secret that signed it has been replaced, and its signature cannot be made again
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
