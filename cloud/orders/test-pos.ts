// A message to an external point of sale that is about no order: shows whether it can be reached and has the right secret.
import { type PostError, WebhookPoster } from '#cloud/webhooks/post-webhook.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { signedHeaders } from '#cloud/webhooks/signature.ts'
import type { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import type { Clock } from '#shared/clock.ts'
import { asId, newId } from '#shared/ids.ts'
import type { PosTestBody } from '#shared/wire/pos-message.ts'
import { posConfig } from './pos-config.ts'

export interface PosTest {
  /** Null: it has taken it. */
  error: PostError | null
  /** Null when no answer came. */
  status: number | null
  /** Beginning of its answer: text from outside. */
  response: string | null
  ms: number
}

/**
 * @param deps `guard`: that of the caller; where that of the person who chose the address is stricter, it applies @param merchant `config`:
 * `merchants.pos_config` @returns null when it has no outside point of sale
 */
export async function testPos(
  { guard, secretBox, clock }: { guard: TargetGuard; secretBox: SecretBox; clock: Clock },
  merchant: { publicId: string; environment: 'sandbox' | 'live'; config: string | null },
): Promise<PosTest | null> {
  const config = posConfig(merchant.config)
  if (config === null) return null
  const id = newId('pos', clock.now())
  const body = JSON.stringify({ id, type: 'test', merchantId: merchant.publicId } satisfies PosTestBody)
  const headers = signedHeaders({
    body,
    secrets: { current: secretBox.open(config.secretEnc), previous: null },
    eventId: asId(id),
    eventType: 'pos.test',
    deliveryId: asId(id),
    attempt: 1,
    nowMs: clock.now(),
  })
  const poster = new WebhookPoster({ guard, clock, timeoutMs: 10_000 })
  try {
    const { environment } = merchant
    const { url, chosenBy = 'operator' } = config
    const outcome = await poster.post({ url, environment, chosenBy, headers, body }, new AbortController().signal)
    return { error: outcome.error, status: outcome.status, response: outcome.response, ms: outcome.durationMs }
  } finally {
    await poster.close()
  }
}
