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

/** `answered`: its status stands in the connection's `condition`. `ended`: the connection did. `aborted`: by the signal. */
export type Heard = 'answered' | 'silent' | 'ended' | 'aborted'

/** Whether the device that answers is the printer that was set up. */
export type Recognised = 'same' | 'other' | 'silent'

/** `ticket`: a ticket follows at once. */
export type Purpose = 'ticket' | PreparePurpose

/** `C`: a connection on which this language is spoken. Which printer it is, and what our last ticket left in it, is told with each call. */
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
  /** Last words on a connection whose bytes are all confirmed; may be empty. */
  farewell(connection: C): Uint8Array

  readonly recognition: Recognition<C>

  /** Asks how the printer is. `mayStandUncut`: part of a ticket may stand in it. A new printer has longer where no ticket waits. */
  ask(connection: C, of: { mayStandUncut: boolean; purpose: Purpose }, signal: AbortSignal): Promise<Heard>
  /** False: what this kept connection says now would prove nothing, so a fresh one is opened to ask. */
  mayAskAgain(connection: C): boolean
  /** What an idle printer is asked next, on the connection that was kept to it, if any; that one is no longer taken for ready. */
  lookAgain(kept: C | null): Purpose

  /** The in-order questions are due on this connection before anything else. */
  isVerifyDue(connection: C, purpose: Purpose): boolean
  /** Learns what the printer answers in order, or sees that it still does. False: one that used to answer does not. */
  verify(connection: C, mayStandUncut: boolean, signal: AbortSignal): Promise<boolean>
  /** It used to prove its tickets and has to show that it still does: until then its status says nothing. */
  isDoubted(): boolean
  /** The time for the proof has passed on a connection that stands. */
  proofFailed(connection: C): void

  /** How the document goes out. Called right before it does. */
  frame(connection: C, ticket: FramedTicket): DocumentFrame

  /** Writes what may get a stopped printer going. True: the buffers are to be cleared instead. */
  recover(connection: C, mayStandUncut: boolean): boolean
  /** Empties the printer's buffers; true when it answered that they are empty. Null: no answer tells that in this language. */
  readonly clearBuffers: ((connection: C, signal: AbortSignal) => Promise<boolean>) | null
  /** The connection stays open for a printer of ours alone: from now on it may tell each change by itself. */
  stayOpen(connection: C): void
}

/** Whether the device that answers is the printer that was set up. All but `isOtherHardware` and `sawStrange` are acts: they ask, wait, or count. */
export interface Recognition<C extends StatusConnection> {
  /** Its hardware address says that another device stands there: nothing is written to it before it is greeted. */
  isOtherHardware(): boolean
  /**
   * On a fresh connection, before anything else: looks at the hardware address. `other`: that says that it is another device, which was
   * asked what it is, unless it was not long ago. `same`: nothing says so yet; the question for its name may be under way.
   */
  greet(connection: C, mayStandUncut: boolean, signal: AbortSignal): Promise<Exclude<Recognised, 'silent'>>
  /** Hears who answers, after its status. `silent`: it hangs, or cannot be told yet. */
  recognise(
    connection: C,
    state: { isStopped: boolean; mayStandUncut: boolean },
    signal: AbortSignal,
  ): Promise<Recognised>
  /** Counts a contact at which a known printer gave no status. `other`: so many of them say that another device stands there. */
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
  /** Watches that no other device stands at the address. Absent: nobody does. */
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
  /** Called right before that question is written: what looks like its answer and came sooner is none. Absent: that shows in the answer itself. */
  asking?: () => void
  /** That question is answered. Never true for the assumed levels. */
  answered: () => boolean
  /** Of several that are needed, so many have come: for each the time begins anew. Absent: there is one. */
  answers?: () => number
  /** The answer holds whatever the printer says of itself now: the ticket had ended before that. */
  outlastsTrouble?: () => boolean
  /** Status comes by itself at each change. */
  pushesStatus: boolean
  /** `askStatus` is answered, also while the printer is stopped. */
  answersStatus: boolean
  /** It has answered something, some day: its silence is a fault. */
  isKnownToAnswer: boolean
  /** Gets the printer going after a recoverable error whose cause is gone; harmless before that. May be empty. */
  goOn: Uint8Array
}
