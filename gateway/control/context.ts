// What the operations work with. The composition root fills it in.
import type { BoxFacts, HealthFacts } from '#gateway/care/health-facts.ts'
import type { PrinterDiscovery } from '#gateway/discovery/discovery.ts'
import type { Identity } from '#gateway/printers/identify-printer.ts'
import type { PrintQueue } from '#gateway/queue/print-queue.ts'
import type { ReceiptLogo } from '#gateway/queue/receipt-logo.ts'
import type { DisplayStore } from '#gateway/storage/display-store.ts'
import type { HistoryStore } from '#gateway/storage/history-store.ts'
import type { LogoFile } from '#gateway/storage/logo-file.ts'
import type { OrderKitchenRows } from '#gateway/storage/order-kitchen-rows.ts'
import type { OrderStore } from '#gateway/storage/order-store.ts'
import type { PrintTimes } from '#gateway/storage/print-times.ts'
import type { PrinterStore } from '#gateway/storage/printer-store.ts'
import type { RoutingStore } from '#gateway/storage/routing-store.ts'
import type { StationLines } from '#gateway/storage/station-lines.ts'
import type { TicketContentStore } from '#gateway/storage/ticket-content-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { WaitingAge } from '#gateway/storage/waiting-age.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { FontPack } from '#shared/raster/font-library.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import type { TextRaster } from '#shared/tickets/text-raster.ts'
import type { LinkTrouble, PairOutcome } from '#shared/wire/gateway-claim.ts'
import type { BoardOrder, FireOutcome } from '#shared/wire/kitchen.ts'
import type { DisplayStanding } from './answers.ts'
import type { BoxAccess } from './box-access.ts'
import type { CloudPrinters } from './cloud-printers.ts'
import type { HttpsAnswer } from './https-answer.ts'
import type { KitchenReport } from './kitchen-report.ts'
import type { LogRing } from './log-ring.ts'
import type { PrinterAddressPolicy } from './printer-address-policy.ts'
import type { TestLine } from './test-order-proofs.ts'

export interface ControlContext extends BoxAccess {
  /** One durable transaction, which is rolled back when the work throws. */
  atomically: <T>(work: () => T) => T
  queue: PrintQueue
  printers: PrinterStore
  history: HistoryStore
  orders: OrderStore
  orderKitchen: OrderKitchenRows
  report: Pick<KitchenReport, 'report'>
  contents: TicketContentStore
  routing: RoutingStore
  /** Which stations the orders of the last days name. */
  stationLines: Pick<StationLines, 'seen'>
  logo: LogoFile
  receiptLogo: Pick<ReceiptLogo, 'bitmap'>
  discovery: PrinterDiscovery
  /** Identifies a device at an address, or at a device file. Never rejects. `isAllowed`: also at an address that printers may not have. */
  identify: (address: { host: string; port: number; isAllowed?: boolean }) => Promise<Identity>
  /** The allowed addresses of printers. */
  addresses: Pick<PrinterAddressPolicy, 'check' | 'allow' | 'notesOf'>
  raster: TextRaster | null
  fontPacks: () => Promise<FontPack[]>
  logs: LogRing
  /** By which each station's lines come into the kitchen now: gateway/station-facts.ts. */
  ways: () => HealthFacts['ways']
  /** How the machine is, and what happened to it. */
  boxFacts: () => BoxFacts
  waiting: Pick<WaitingAge, 'oldestByPrinter'>
  printTimes: PrintTimes
  /** Where a phone in this network finds the page; the likeliest first. */
  pageUrls: () => string[]
  /** Where a kitchen display finds its page. */
  displayUrls: () => string[]
  https: () => HttpsAnswer
  /** Resolves when https answers, or when it is known that it does not. */
  httpsSettled: () => Promise<void>
  /** Program and machine, for support. */
  machine: () => Record<string, unknown>
  /** The gateway's own status. */
  about: () => About
  /** The restaurant as it is paired now. */
  site: SiteFacts
  pairing: PairingActs
  displays: DisplayStore
  /** Which screens are connected: gateway/kitchen/presence.ts. */
  screens: {
    isAlive(displayId: string): boolean
    isOnShift(displayId: string): boolean
    heardAgoMs(displayId: string): number | null
    boardAtMs(displayId: string): number | null
    /** No report for longer than allowed. */
    isSilent(displayId: string): boolean
    /** It counts as silent although it answers: it has no live feed, or draws nothing of what it is sent. */
    isStuck(displayId: string): boolean
  }
  /** gateway/kitchen/kitchen.ts. */
  kitchen: {
    /** The state of an order at the screens; null: it is not on the board. */
    standingOf(orderId: string): Promise<OrderStanding | null>
    /** What is on the board. */
    orders(): Promise<readonly BoardOrder[]>
    /** When this returns it is on disk. */
    fire(orderId: string, course: number): FireOutcome
    /** Open orders that are on no connected screen. */
    unseen(): Promise<{
      orders: readonly unknown[]
      byDisplay: ReadonlyMap<string, { unseen: number; printed: number; onExpo: number }>
    }>
    /** Name, zone or late minutes of the box have changed: its screens get them. */
    boxWasChanged(): void
    /** Prints them there, each once. @returns how many */
    printBoard(printerId: string): Promise<number>
  }
  /** Makes an order to try everything with, and gives the id of its job: gateway/orders/test-order.ts. */
  testOrders: { place(lines: readonly TestLine[]): string }
  cloudPrinters: Pick<CloudPrinters, 'nameOf' | 'notesOf' | 'result'>
  /** Relay time, of which tickets' instants are. */
  time: TimeSource
  clock: Clock
  log: Logger
}

/** Pairing and leaving, while everything runs: gateway/link/pairing-desk.ts. */
export interface PairingActs {
  pair(code: string, relayUrl?: string): Promise<PairOutcome>
  unpair(): Promise<boolean>
}

export interface OrderStanding {
  displays: DisplayStanding[]
  readyAtMs: number | null
  pickedUpAtMs: number | null
}

export interface About {
  app: string
  gatewayId: string
  merchantName: string
  ready: boolean
  link: { state: string; detail: string; sinceMs: number; trouble?: LinkTrouble | null; brokerUrl?: string }
  unreported: number
}
