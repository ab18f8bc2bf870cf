// Checks an address that the relay will call: a refusal has the rule that it breaks, for pages in other languages.
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import { ControlRefusal, type Said } from './control-refusal.ts'

/**
 * Resolves the host: call it before the transaction.
 * @param said the sentence for the command line, if it has one
 * @throws ControlRefusal invalid, at the field `url`
 */
export async function refuseTarget(
  { guard }: { guard: TargetGuard },
  { url, merchant, said }: { url: string; merchant: Pick<MerchantRecord, 'environment'>; said?: Said },
): Promise<void> {
  const fault = await guard.fault(url, merchant.environment)
  if (fault === null) return
  const { key, message } = fault
  const errors = [{ field: 'url', message, rule: { key: `url-${key}` as const, limit: null } }]
  throw new ControlRefusal('invalid', message, { errors, ...(said && { said }) })
}
