// What the relay keeps of an outside point of sale, and what it reads in its answers.
import type { Tx } from '#cloud/storage/database.ts'
import type { MerchantStore } from '#cloud/storage/merchant-store.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { newSigningSecret } from '#cloud/webhooks/signature.ts'
import type { ChosenBy } from '#cloud/webhooks/target-guard.ts'
import type { MerchantKey } from '#shared/ids.ts'
import { posAnswer } from '#shared/wire/pos-message.ts'

interface PosConfig {
  url: string
  /** Sealed by SecretBox. */
  secretEnc: string
  /** Who chose the address. Absent: it was saved before people at the dashboard could. */
  chosenBy?: ChosenBy
}

/** `merchants.pos_config`; null when there is none. */
export function posConfig(text: string | null): PosConfig | null {
  return text === null ? null : (JSON.parse(text) as PosConfig)
}

/** The posOrderId of an answer; null when it names none: then the order has none, and is taken all the same. */
export function posOrderIdIn(body: string | null): string | null {
  try {
    const parsed = posAnswer.safeParse(JSON.parse(body ?? ''))
    return parsed.success ? parsed.data.posOrderId : null
  } catch {
    return null
  }
}

/**
 * Connects an external point of sale; orders from now on go there. Calling it again changes address and secret.
 * @param url checked before by TargetGuard.refusal, with the guard of the person who chose it
 * @returns the signing secret, which is not shown again
 */
export async function connectPos(
  tx: Tx,
  { merchants, secretBox }: { merchants: MerchantStore; secretBox: SecretBox },
  {
    merchantKey,
    url,
    chosenBy,
    secret = newSigningSecret(),
  }: { merchantKey: MerchantKey; url: string; chosenBy: ChosenBy; secret?: string },
): Promise<{ secret: string }> {
  const stored: PosConfig = { url, secretEnc: secretBox.seal(secret), chosenBy }
  await merchants.change(tx, merchantKey, { pos: 'http', pos_config: JSON.stringify(stored) })
  return { secret }
}
