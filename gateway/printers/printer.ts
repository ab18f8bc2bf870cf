// One printer in its transport: its channel, its language, its state, and what our last ticket left in it.
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import type { ConnectionSlot } from './connection-slot.ts'
import type { HealthTracker } from './health-tracker.ts'
import type { IdleWatch } from './idle-watch.ts'
import type { PrinterLanguage } from './printer-language.ts'
import type { StatusConnection } from './status-connection.ts'
import type { TransportTimeouts } from './timeouts.ts'

export interface Printer<C extends StatusConnection> {
  readonly profile: PrinterProfile
  readonly language: PrinterLanguage<C>
  readonly slot: ConnectionSlot<C>
  readonly health: HealthTracker
  readonly watch: IdleWatch
  readonly timeouts: TransportTimeouts
  /** No other program uses it: its connection stays open. */
  readonly exclusive: boolean
  readonly clock: Clock
  readonly log: Logger
  /** Part of a ticket may be on the paper without its cut: the next one begins with the mark for that. */
  mayStandUncut: boolean
  /** Number of slips with that mark since it last printed a ticket completely. */
  slips: number
  /** Tickets in a row that it accepted completely and then dropped the connection instead of proving them. */
  dropped: number
  /** A command may have been cut off, and the printer has not answered since. */
  mayWaitForParameters: boolean
}
