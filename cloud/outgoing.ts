// The services that send to others than gateways: webhook endpoints, points of sale and platforms, mail and text messages. Either all of them run, or none.
import type { Service } from '#shared/service.ts'
import { planOf } from './billing/plans.ts'
import { ChannelWorker, type ChannelWorkerDeps } from './catalog/channel-worker.ts'
import { HttpConnector } from './catalog/http-connector.ts'
import { SimulatedConnector } from './catalog/simulated-connector.ts'
import type { CloudConfig } from './config.ts'
import { mailOf } from './config-parts.ts'
import { MailWorker, type MailWorkerDeps } from './notices/mail-worker.ts'
import { PosWorker, type PosWorkerDeps } from './orders/pos-worker.ts'
import type { Replica } from './replica/replica.ts'
import type { AccountStore } from './storage/account-store.ts'
import type { ChannelOutbox } from './storage/channel-outbox.ts'
import { hooksOf } from './telephony/hook-address.ts'
import type { Telephones } from './telephony/telephones.ts'
import { TextWorker, type TextWorkerDeps } from './texts/text-worker.ts'
import { DeliveryWorker, type DeliveryWorkerDeps } from './webhooks/delivery-worker.ts'
import type { TargetGuard } from './webhooks/target-guard.ts'

type OutgoingDeps = Omit<
  DeliveryWorkerDeps & PosWorkerDeps & ChannelWorkerDeps & MailWorkerDeps & TextWorkerDeps,
  'allowance' | 'isOurs' | 'retrySeconds' | 'outbox' | 'connectors' | 'mail' | 'telephony' | 'hooks'
> & {
  channelOutbox: ChannelOutbox
  replica: Pick<Replica, 'owns'>
  accounts: AccountStore
  /** Of channels and points of sale. */
  operatorsGuard: TargetGuard
  telephony: Telephones
  receptionistUrl: () => string
}

/**
 * With CLOUD_OUTGOING=off everything that is due stays in the database unchanged: nothing reads it, so nothing can fail or be given up.
 */
export function outgoingServices(
  deps: OutgoingDeps,
  config: Pick<CloudConfig, 'CLOUD_OUTGOING' | 'CLOUD_WEBHOOK_RETRY_SECONDS' | 'CLOUD_MAIL_URL' | 'CLOUD_MAIL_FROM'>,
): Service[] {
  if (config.CLOUD_OUTGOING === 'off') {
    deps.log.warn(
      'CLOUD_OUTGOING is off: no webhook endpoint, point of sale or platform is told anything, and neither mail nor text messages are sent; what waits stays',
    )
    return []
  }
  const retrySeconds = config.CLOUD_WEBHOOK_RETRY_SECONDS
  const ofOperators = { ...deps, guard: deps.operatorsGuard, retrySeconds }
  return [
    new DeliveryWorker({
      ...deps,
      retrySeconds,
      // Asked at each claim, so a change of plan counts at once. An account that is gone gets nothing.
      allowance: async (accountId, environment) => {
        const account = await deps.accounts.planColumns(accountId)
        return account === null ? 0 : planOf(account, environment).webhookEventsPerHour
      },
      isOurs: (endpointId) => deps.replica.owns(endpointId),
    }),
    new PosWorker(ofOperators),
    new ChannelWorker({
      ...ofOperators,
      outbox: deps.channelOutbox,
      connectors: { http: new HttpConnector(ofOperators), simulated: new SimulatedConnector() },
    }),
    new MailWorker({ ...deps, mail: mailOf(config, deps) }),
    new TextWorker({
      ...deps,
      telephony: deps.telephony.live,
      hooks: (numberId) => hooksOf(deps.receptionistUrl(), numberId),
    }),
  ]
}
