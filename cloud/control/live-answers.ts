// The values of the dashboard's live feed, by topic and key. Types only: the page reads them.
import type { GatewayId, LocationId, ServiceOrderId, WebhookId } from '#shared/ids.ts'
import type { OrderStatus, PrintState } from '#shared/order.ts'
import type { PrinterReason, PrinterState } from '#shared/print-job.ts'
import type { ActiveCallAnswer } from '#shared/wire/active-calls.ts'

/** The topics that the person's role may see; the others are absent. */
export interface LiveAnswers {
  /** The newest 50, by serviceOrderId. */
  orders: Readonly<Record<ServiceOrderId, LiveOrder>>
  /** Of the merchant's locations, by gatewayId. */
  gateways: Readonly<Record<GatewayId, LiveGateway>>
  /** By `gatewayId/printerId`. */
  printers: Readonly<Record<string, LivePrinter>>
  /** Of each webhook endpoint, by webhookId. */
  deliveries: Readonly<Record<WebhookId, LiveEndpoint>>
  /** Calls that go on, by callId. Of hidden customers without numbers and words. */
  calls: Readonly<Record<string, LiveCall>>
  /** Under `relay`. */
  status: Readonly<Record<'relay', LiveStatus>>
}

export type LiveTopic = keyof LiveAnswers

export interface LiveOrder {
  serviceOrderId: ServiceOrderId
  /** The client's. */
  orderId: string
  /** The number as people use it: it is on the ticket. */
  number: string
  status: OrderStatus
  printState: PrintState
  source: string
  totalCents: number
  /** Pieces of all its items together. */
  pieces: number
  queuedAt: string
  fireAt: string | null
  estimatedReadyAt: string
  readyAt: string | null
}

export interface LiveGateway {
  gatewayId: GatewayId
  name: string
  locationId: LocationId
  locationName: string
  presence: 'online' | 'offline' | 'unknown'
  /** While it is not online. */
  lastSeenAt: string | null
  simulated: boolean
}

export interface LivePrinter {
  gatewayId: GatewayId
  printerId: string
  name: string
  /** `unknown` behind a gateway that is not online. */
  state: PrinterState
  reasons: PrinterReason[]
  /** Id of the printer by which its tickets come out now. */
  standIn: string | null
}

export interface LiveEndpoint {
  webhookId: WebhookId
  status: 'enabled' | 'disabled'
  failingSince: string | null
  /** Deliveries that are tried again, and that failed for good; 51: more than 50. */
  retrying: number
  failed: number
}

/** How long it lasts is counted by the page: a value that changes by itself would be sent every second. */
export type LiveCall = Omit<ActiveCallAnswer, 'durationSeconds'>

export interface LiveStatus {
  /** False: the relay takes no orders now. */
  takesOrders: boolean
  version: string
}
