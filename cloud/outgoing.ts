// What tells others than gateways of orders and items by itself: webhook endpoints, points of sale and platforms. All of it runs, or none.
import type { Service } from '#shared/service.ts'
import { webhookAllowance } from './billing/webhook-allowance.ts'
import { MenuServices, type MenuServicesDeps } from './catalog/menu-services.ts'
import { RestoreDue } from './catalog/restore-due.ts'
import type { CloudConfig } from './config.ts'
import { PosWorker, type PosWorkerDeps } from './orders/pos-worker.ts'
import type { AccountStore } from './storage/account-store.ts'
import { DeliveryWorker, type DeliveryWorkerDeps } from './webhooks/delivery-worker.ts'
import type { TargetGuard } from './webhooks/target-guard.ts'

type OutgoingDeps = Omit<DeliveryWorkerDeps & PosWorkerDeps & MenuServicesDeps, 'allowance' | 'retrySeconds'> & {
  accounts: AccountStore
  /** Of channels and points of sale. */
  operatorsGuard: TargetGuard
}

/**
 * With CLOUD_OUTGOING=off whatever is to be told stays in the database as it is: nothing reads it, so nothing of it can fail or be given up.
 * Items that were silenced until a time come back all the same, because orders are refused by that.
 */
export function outgoingServices(
  deps: OutgoingDeps,
  config: Pick<CloudConfig, 'CLOUD_OUTGOING' | 'CLOUD_WEBHOOK_RETRY_SECONDS'>,
): Service[] {
  if (config.CLOUD_OUTGOING === 'off') {
    deps.log.warn(
      'CLOUD_OUTGOING is off: no webhook endpoint, point of sale or platform is told anything; what waits stays',
    )
    return [new RestoreDue(deps)]
  }
  const retrySeconds = config.CLOUD_WEBHOOK_RETRY_SECONDS
  const ofOperators = { ...deps, guard: deps.operatorsGuard, retrySeconds }
  return [
    new DeliveryWorker({
      ...deps,
      retrySeconds,
      allowance: (accountId, environment) => webhookAllowance(deps, accountId, environment),
    }),
    new PosWorker(ofOperators),
    new MenuServices(ofOperators),
  ]
}
