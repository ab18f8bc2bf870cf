// Hands a document to the kitchen of a location at once, as a job of its own.
import type { Tx } from '#cloud/storage/database.ts'
import { AT_ONCE, type DispatchStore } from '#cloud/storage/dispatch-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { EpochMs } from '#shared/clock.ts'
import type { LocationId, PrintJobId, ServiceOrderId } from '#shared/ids.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'

/**
 * In the caller's unit.
 * @returns what wakes the gateway's session after the commit
 * @throws ServiceError request.too_large (413)
 */
export async function dispatchNow(
  tx: Tx,
  { dispatches }: { dispatches: DispatchStore },
  job: {
    id: PrintJobId
    merchant: MerchantRecord
    orderId: ServiceOrderId | null
    locationId: LocationId
    doc: JobDoc
    nowMs: EpochMs
  },
): Promise<() => void> {
  const { id, merchant, orderId, locationId, doc, nowMs } = job
  await dispatches.insert(tx, {
    id,
    orderId,
    locationId,
    doc,
    availableAtMs: AT_ONCE,
    notBeforeMs: null,
    expiresAtMs: null,
    createdAtMs: nowMs,
    owner: { accountId: merchant.accountId, merchantKey: merchant.key },
  })
  return () => dispatches.changed.notify(locationId)
}
