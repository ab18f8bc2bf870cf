// An address that the relay is to call, as somebody gives it to an operation: refused by the rule that it breaks, for pages in other languages.
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import { ControlRefusal, type Said } from './control-refusal.ts'

/**
 * Looks the host up: call it before the unit.
 * @param said the case for the command line, where it has one
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
