// Alerts for the account's webhooks: one event when an alert begins and one when it ends, at endpoints that name these types.
import { type AlertReceiver, alertReceivers } from '#cloud/storage/alert-receivers.ts'
import type { Tx } from '#cloud/storage/database.ts'
import { recordEvent } from '#cloud/webhooks/record-event.ts'
import { type Clock, type EpochMs, isoOrNull, toIso } from '#shared/clock.ts'
import type { AccountId, AlertId, MerchantKey, WebhookId } from '#shared/ids.ts'
import type { AlertResource } from '#shared/wire/alert-event.ts'
import { ALERT_DEFAULTS } from './alert-defaults.ts'
import type { AlertFact } from './alert-kinds.ts'
import { alertText } from './texts/alert-text.ts'

export interface ToldAlert {
  id: AlertId
  fact: AlertFact
  accountId: AccountId | null
  /** Null: it is about the account as a whole. */
  merchantKey: MerchantKey | null
  subject: string
  sinceMs: EpochMs
  begunMs: EpochMs
  /** Null: it begins. */
  endedMs: EpochMs | null
}

/** Programs read the values; the sentences are for display. */
const LANGUAGE = 'en'

/**
 * In the unit that writes the alert. The switch and the mute of its rule are about mail: here the name of the type is the switch, so that
 * each end has its beginning.
 * @returns the endpoints that have a delivery to be sent: call `DeliveryStore.announce` after the commit
 */
export async function recordAlertEvents(tx: Tx, deps: { clock: Clock }, told: ToldAlert): Promise<WebhookId[]> {
  const { id, fact, accountId, merchantKey, subject, begunMs, endedMs } = told
  // Operators have no endpoints.
  if (accountId === null || fact.kind === 'outbox-old') return []
  const type = endedMs === null ? 'alert.started' : 'alert.ended'
  const receivers = await alertReceivers(tx, { accountId, merchantKey, subject, type })
  const alert: AlertResource = { ...shown(told, fact), kind: fact.kind }
  const announced: WebhookId[] = []
  for (const { at, only } of byMerchant(merchantKey === null ? onceEach(receivers) : receivers)) {
    const { endpointIds } = await recordEvent(tx, deps, {
      ...{ type, accountId, ...at, only },
      // With the merchant: an alert about the account may be sent at several.
      ...{ subjectId: `${at.merchantKey}/${id}`, sequence: endedMs === null ? 1 : 2 },
      ...{ atMs: endedMs ?? begunMs, data: { alert } },
    })
    announced.push(...endpointIds)
  }
  return announced
}

function shown({ id, subject, sinceMs, begunMs, endedMs }: ToldAlert, fact: AlertFact): Omit<AlertResource, 'kind'> {
  return {
    alertId: id,
    severity: ALERT_DEFAULTS[fact.kind].severity,
    ...alertText(fact, LANGUAGE),
    ...idsOf(fact.kind, subject),
    values: { ...fact.values },
    since: toIso(sinceMs),
    startedAt: toIso(begunMs),
    endedAt: isoOrNull(endedMs),
  }
}

type Ids = Pick<AlertResource, 'gatewayId' | 'printerId' | 'locationId' | 'webhookId'>

const NONE: Ids = { gatewayId: null, printerId: null, locationId: null, webhookId: null }

/** The ids in the subject of each kind, by their names. */
function idsOf(kind: AlertFact['kind'], subject: string): Ids {
  switch (kind) {
    case 'box-silent':
    case 'clock-off':
      return { ...NONE, gatewayId: subject }
    case 'printer-away': {
      const [gatewayId = '', ...printer] = subject.split(' ')
      return { ...NONE, gatewayId, printerId: printer.join(' ') }
    }
    case 'ticket-late':
    case 'ticket-uncertain':
      return { ...NONE, locationId: subject }
    case 'endpoint-failing':
    case 'endpoint-failing-long':
    case 'endpoint-disabled':
      return { ...NONE, webhookId: subject }
    default:
      return NONE
  }
}

/** A receiver for many restaurants gets an account's alert once, from the oldest of its endpoints. */
function onceEach(receivers: readonly AlertReceiver[]): AlertReceiver[] {
  const first = new Map<string, AlertReceiver>()
  for (const one of receivers) if (!first.has(one.receiver)) first.set(one.receiver, one)
  return [...first.values()]
}

type AtMerchant = Pick<AlertReceiver, 'merchantKey' | 'merchantId' | 'environment'>

/** An event is of one merchant. */
function byMerchant(receivers: readonly AlertReceiver[]): { at: AtMerchant; only: ReadonlySet<WebhookId> }[] {
  const groups = Map.groupBy(receivers, ({ merchantKey }) => merchantKey)
  return [...groups.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return []
    const { merchantKey, merchantId, environment } = first
    return [{ at: { merchantKey, merchantId, environment }, only: new Set([first, ...more].map(({ id }) => id)) }]
  })
}
