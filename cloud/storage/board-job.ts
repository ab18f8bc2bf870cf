// An order without paper, for the displays of its kitchen: a job of the link without tickets.
import type { EpochMs } from '#shared/clock.ts'
import { asId, type PrintJobId, type ServiceOrderId } from '#shared/ids.ts'
import { CAP_KITCHEN } from '#shared/wire/gateway-link.ts'
import type { Kitchen } from './print-job-store.ts'
import type { OrdersTable } from './schema.ts'

/** For so long after it is due a kitchen can have use of it; a gateway that was away for longer does not get it any more. */
const BOARD_JOB_LIVES_MS = 12 * 3_600_000

/** Made of the order's own id, so that it is found without a column or an index. Clients never see it. */
export function boardJobId(orderId: ServiceOrderId): PrintJobId {
  return asId(orderId.replace(/^ord_/, 'pj_'))
}

/** Whether a gateway of the location has displays: others do not support a job without paper. */
export function hasDisplays(kitchens: readonly Kitchen[]): boolean {
  return kitchens.some(({ caps }) => caps.includes(CAP_KITCHEN))
}

/** Until when the job counts. */
export function boardJobEndMs({ queued_at, fire_at }: Pick<OrdersTable, 'queued_at' | 'fire_at'>): EpochMs {
  return Math.max(queued_at, fire_at ?? 0) + BOARD_JOB_LIVES_MS
}
