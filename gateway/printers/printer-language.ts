// What differs between printer families, as a plain object of functions: ESC/POS and Star each provide one.
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { ConfirmMethod } from '#shared/print-job.ts'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import type { ByteChannel } from './byte-channel.ts'
import type { IdentityGuard } from './identity-guard.ts'
import type { StatusConnection } from './status-connection.ts'
import type { TransportTimeouts } from './timeouts.ts'
import type { PreparePurpose } from './transport.ts'

/** `answered`: its status is in the connection's `condition`. `ended`: the connection ended. `aborted`: by the signal. */
export type Heard = 'answered' | 'silent' | 'ended' | 'aborted'

/** Whether the device that answers is the printer that was set up. */
export type Recognised = 'same' | 'other' | 'silent'

/** `ticket`: a ticket follows at once. */
export type Purpose = 'ticket' | PreparePurpose

/** `C`: a connection in this language. Which printer it is, and what our last ticket left in it, is passed with each call. */
export interface PrinterLanguage<C extends StatusConnection> {
  readonly name: 'escpos' | 'star'
  /** Sent at once on connecting to a printer in which a command may have been cut off. */
  readonly padding: Uint8Array
  /** Closes a ticket that a broken connection may have left half-printed, with a mark and a cut, so that it never merges with the next one. */
  readonly incompleteMark: Uint8Array

  /** The printer's recorded answers. Null: it has never answered anything. */
  capability(): PrinterCapability | null
  onCapability(listener: (capability: PrinterCapability) => void): void

  /** Creates the language connection over an open channel. */
  speak(channel: ByteChannel): C
  /** The last bytes on a connection whose bytes are all confirmed; may be empty. */
  farewell(connection: C): Uint8Array

  readonly recognition: Recognition<C>

  /** Reads the printer's status. `mayStandUncut`: part of a ticket may be in it. A new printer has more time if no ticket waits. */
  ask(connection: C, of: { mayStandUncut: boolean; purpose: Purpose }, signal: AbortSignal): Promise<Heard>
  /** False: the answers on this kept connection would prove nothing, so a new one is opened for the query. */
  mayAskAgain(connection: C): boolean
  /** The next query for an idle printer, on its kept connection if there is one; that connection no longer counts as ready. */
  lookAgain(kept: C | null): Purpose

  /** True if the in-order queries are due on this connection before anything else. */
  isVerifyDue(connection: C, purpose: Purpose): boolean
  /** Determines the in-order answers, or checks that they still come. False: a printer that used to answer does not. */
  verify(connection: C, mayStandUncut: boolean, signal: AbortSignal): Promise<boolean>
  /** True if it used to prove its tickets and must show that it still does: until then its status is ignored. */
  isDoubted(): boolean
  /** The time for the proof has passed on an open connection. */
  proofFailed(connection: C): void

  /** The frame of the document. Called right before it is sent. */
  frame(connection: C, ticket: FramedTicket): DocumentFrame

  /** Writes what may make a stopped printer continue. True: the buffers must be cleared instead. */
  recover(connection: C, mayStandUncut: boolean): boolean
  /** Clears the printer's buffers; true if it confirmed that they are empty. Null: no answer in this language confirms that. */
  readonly clearBuffers: ((connection: C, signal: AbortSignal) => Promise<boolean>) | null
  /** The connection stays open for a printer that only we use: from now on it may report each change itself. */
  stayOpen(connection: C): void
}

/**
 * Checks whether the device that answers is the printer that was set up. All except `isOtherHardware` and `sawStrange` have effects: they
 * query, wait, or count.
 */
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
  /** Counts a contact at which a known printer gave no status. `other`: their number shows that another device is there. */
  countSilence(): Exclude<Recognised, 'same'>
  /** Facts found on this connection contradict the recorded ones. */
  sawStrange(): boolean
  /** Requests maker, model and serial number once, if worthwhile. False: the connection cannot be used any more. */
  askWhoItIs(connection: C, mayStandUncut: boolean, signal: AbortSignal): Promise<boolean>
}

export interface LanguageOptions {
  profile: PrinterProfile
  /** Its recorded answers. Null: it is new, or never answered anything. */
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

/** The bytes around a document, and what will prove it. */
export interface DocumentFrame {
  /** What will prove the document, or make it assumed. */
  method: ConfirmMethod
  /** Before the document: initialisation. */
  head: Uint8Array
  /** After it: the query that is answered in order; empty for the assumed levels. */
  tail: Uint8Array
  /** Called right before that query is sent: a matching answer that came earlier does not count. Absent: the answer itself shows that. */
  asking?: () => void
  /** True if that query is answered. Never for the assumed levels. */
  answered: () => boolean
  /** Number of answers so far, if several are needed: the time restarts for each. Absent: there is one. */
  answers?: () => number
  /** True if the answer counts whatever the printer reports now, because the ticket had ended before that. */
  outlastsTrouble?: () => boolean
  /** Status is pushed at each change. */
  pushesStatus: boolean
  /** `askStatus` is answered, also while the printer is stopped. */
  answersStatus: boolean
  /** It has answered at some time: its silence is an error. */
  isKnownToAnswer: boolean
  /** Makes the printer continue after a recoverable error whose cause is gone; no effect before that. May be empty. */
  goOn: Uint8Array
}
