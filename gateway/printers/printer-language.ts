// What one family of printers does differently from another, as a plain object of functions: ESC/POS and Star each make one.
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { ConfirmMethod } from '#shared/print-job.ts'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import type { ByteChannel } from './byte-channel.ts'
import type { IdentityGuard } from './identity-guard.ts'
import type { StatusConnection } from './status-connection.ts'
import type { TransportTimeouts } from './timeouts.ts'
import type { PreparePurpose } from './transport.ts'

/** `answered`: its status is in the connection's `condition`. `ended`: the connection did. `aborted`: by the signal. */
export type Heard = 'answered' | 'silent' | 'ended' | 'aborted'

/** Whether the device that answers is the printer that was set up. */
export type Recognised = 'same' | 'other' | 'silent'

/** `ticket`: a ticket follows at once. */
export type Purpose = 'ticket' | PreparePurpose

/** `C`: a connection in this language. Which printer it is, and what our last ticket left in it, is passed with each call. */
export interface PrinterLanguage<C extends StatusConnection> {
  readonly name: 'escpos' | 'star'
  /** Fed at once on connecting to a printer in which a command may have been cut off. */
  readonly padding: Uint8Array
  /** Closes a ticket that a broken connection may have left half-printed, with a mark and a cut, so that it never merges with the next one. */
  readonly incompleteMark: Uint8Array

  /** What the printer is known to answer; null: it has never answered anything. */
  capability(): PrinterCapability | null
  onCapability(listener: (capability: PrinterCapability) => void): void

  /** The language over an open channel. */
  speak(channel: ByteChannel): C
  /** The last bytes on a connection whose bytes are all confirmed; may be empty. */
  farewell(connection: C): Uint8Array

  readonly recognition: Recognition<C>

  /** Reads the printer's status. `mayStandUncut`: part of a ticket may be in it. A new printer has longer when no ticket waits. */
  ask(connection: C, of: { mayStandUncut: boolean; purpose: Purpose }, signal: AbortSignal): Promise<Heard>
  /** False: the answers on this kept connection would prove nothing, so a new one is opened for the query. */
  mayAskAgain(connection: C): boolean
  /** What an idle printer is asked next, on the connection that was kept to it, if any; that one is no longer taken for ready. */
  lookAgain(kept: C | null): Purpose

  /** The in-order questions are due on this connection before anything else. */
  isVerifyDue(connection: C, purpose: Purpose): boolean
  /** Learns what the printer answers in order, or sees that it still does. False: one that used to answer does not. */
  verify(connection: C, mayStandUncut: boolean, signal: AbortSignal): Promise<boolean>
  /** It used to prove its tickets and must show that it still does: until then its status is ignored. */
  isDoubted(): boolean
  /** The time for the proof has passed on an open connection. */
  proofFailed(connection: C): void

  /** How the document goes out. Called right before it does. */
  frame(connection: C, ticket: FramedTicket): DocumentFrame

  /** Writes what may get a stopped printer going. True: the buffers are to be cleared instead. */
  recover(connection: C, mayStandUncut: boolean): boolean
  /** Empties the printer's buffers; true when it confirmed that they are empty. Null: no answer in this language confirms that. */
  readonly clearBuffers: ((connection: C, signal: AbortSignal) => Promise<boolean>) | null
  /** The connection stays open for a printer that only we use: from now on it may report each change by itself. */
  stayOpen(connection: C): void
}

/** Whether the device that answers is the printer that was set up. All but `isOtherHardware` and `sawStrange` have effects: they query, wait, or count. */
export interface Recognition<C extends StatusConnection> {
  /** Its hardware address is another device's: nothing is sent to it before `greet`. */
  isOtherHardware(): boolean
  /**
   * On a new connection, before anything else: checks the hardware address. `other`: it is another device, which was
   * identified, unless it was not long ago. `same`: no difference yet; the query for its name may be in progress.
   */
  greet(connection: C, mayStandUncut: boolean, signal: AbortSignal): Promise<Exclude<Recognised, 'silent'>>
  /** Identifies the device, after its status. `silent`: it hangs, or cannot be identified yet. */
  recognise(
    connection: C,
    state: { isStopped: boolean; mayStandUncut: boolean },
    signal: AbortSignal,
  ): Promise<Recognised>
  /** Counts a contact at which a known printer gave no status. `other`: so many of them show that another device is there. */
  countSilence(): Exclude<Recognised, 'same'>
  /** What was learnt on this connection is not what the printer can do. */
  sawStrange(): boolean
  /** Asks once for maker, model and serial number, where that is worth it. False: the connection is of no more use. */
  askWhoItIs(connection: C, mayStandUncut: boolean, signal: AbortSignal): Promise<boolean>
}

export interface LanguageOptions {
  profile: PrinterProfile
  /** What this printer was seen to answer before; null when it is new, or never answered anything. */
  capability: PrinterCapability | null
  clock: Clock
  random: () => number
  log: Logger
  timeouts: TransportTimeouts
  /** Checks that no other device is at the address. Absent: no check. */
  identity?: IdentityGuard
}

export interface FramedTicket {
  attemptId: string
  /** Length of the document itself, and of what was put before it. */
  documentBytes: number
}

/** What goes around a document, and what will prove it. */
export interface DocumentFrame {
  /** What will prove the document, or make it assumed. */
  method: ConfirmMethod
  /** Before the document: initialisation. */
  head: Uint8Array
  /** After it: the question that is answered in order; empty for the assumed levels. */
  tail: Uint8Array
  /** Called right before that query is sent: a matching answer that came sooner is none. Absent: the answer itself shows that. */
  asking?: () => void
  /** That question is answered. Never true for the assumed levels. */
  answered: () => boolean
  /** The number of answers so far, if several are needed: for each the time starts again. Absent: there is one. */
  answers?: () => number
  /** The answer counts whatever the printer reports now: the ticket had ended before that. */
  outlastsTrouble?: () => boolean
  /** Status comes by itself at each change. */
  pushesStatus: boolean
  /** `askStatus` is answered, also while the printer is stopped. */
  answersStatus: boolean
  /** It has answered something, some day: its silence is a fault. */
  isKnownToAnswer: boolean
  /** Makes the printer continue after a recoverable error whose cause is gone; harmless before that. May be empty. */
  goOn: Uint8Array
}
