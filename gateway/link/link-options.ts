// What a link needs from its box: stores, clock, and handlers for what the cloud sends besides jobs.
import type { OrderIntake } from '#gateway/orders/accept-order.ts'
import type { IdentityStore } from '#gateway/storage/identity-store.ts'
import type { ReportStore } from '#gateway/storage/report-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { RelayTime } from '#shared/relay-time.ts'
import type { Signal } from '#shared/signal.ts'
import type { ConfigMessage, ConfigResult } from '#shared/wire/gateway-config.ts'
import type { Pairing, PrinterReport, ToldJob } from '#shared/wire/gateway-link.ts'
import type { GatewayRouting } from '#shared/wire/gateway-routing.ts'
import type { GatewayStanding } from '#shared/wire/gateway-standing.ts'
import type { HandBack, Recall } from '#shared/wire/hand-back.ts'
import type { KitchenFacts } from './kitchen-sender.ts'

export interface LinkStatus {
  /** Whether anything waits for a printer or is being printed. Costs the same however much waits, unlike `snapshot`. */
  isPrinting(): boolean
  snapshot(): GatewayStanding & {
    /** Absent: the stations are sufficient. */
    routing?: GatewayRouting
    printers: PrinterReport[]
    queue: { queued: number; held: number; unreported: number }
  }
  readonly changed: Signal
}

/** The configuration from the cloud. */
export interface ConfigSink {
  /** Of the last one that was applied; 0 before the first. */
  version(): number
  /** On disk and in force when it returns. Never throws: what cannot be done is part of the answer. */
  apply(message: ConfigMessage): Promise<ConfigResult>
}

/** The pairing file, as far as a running link changes it. Each gives the pairing as it now is on disk; null: it could not be written. */
export interface CredentialSink {
  /** Stores the next password in addition to the current one. */
  keepNextToken(token: string): Pairing | null
  /** The relay took the next password. */
  nextTokenWorks(): Pairing | null
}

/** Has something to ask about jobs that wait on a disk that may be an older image. */
export interface DoubtfulDisk {
  /** @param ask sends one question of at most `LINK_LIMITS.askJobs`; null: this relay cannot be asked */
  welcomed(ask: ((jobIds: readonly string[]) => void) | null): void
  /** The answer. @throws SqliteError when the disk refuses the write */
  told(jobs: readonly ToldJob[]): void
}

/** Jobs that a relay has forgotten which was restored from an older copy. */
export interface HandBackSource {
  /** What is asked for, as much as one message holds; null when there is nothing more. */
  piece(recall: Recall): HandBack | null
  /** The relay has stored everything up to this number. */
  stored(upTo: number): void
}

export interface CloudLinkOptions {
  pairing: Pairing
  identity: IdentityStore
  intake: OrderIntake
  reports: ReportStore
  /** The facts of the kitchen's displays; absent: none. */
  kitchen?: KitchenFacts
  status: LinkStatus
  relayTime: RelayTime
  clock: Clock
  random: () => number
  log: Logger
  /** Name and version of this program. */
  app: string
  /** Hash that distinguishes this machine and its database from a copied card in another one. */
  machine?: string
  /** Changed when the disk could not be proven to be the newest. */
  disk?: string
  /** Without it nothing is handed back to a relay that was restored. */
  forgotten?: HandBackSource
  /** Without it nothing is asked. */
  doubt?: DoubtfulDisk
  /** Resident memory of this process, for the status. */
  rssBytes?: () => number
  /** Without it the cloud configures nothing here. */
  config?: ConfigSink
  /** Without it the password never changes. */
  credentials?: CredentialSink
  tuning?: { keepaliveSeconds?: number; welcomeTimeoutMs?: number }
}
