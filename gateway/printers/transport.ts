// The interface between the print queue and a printer. These comments are the contract of every transport (TCP 9100, USB).

import type { Confirmation, ConfirmMethod, PrinterReason } from '#shared/print-job.ts'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import type { Place, Stranger } from './identity-guard.ts'

/**
 * The ticket's bytes after initialization, up to and including the cut. The transport adds the initialization before and the confirm query
 * after.
 */
export interface PrintDocument {
  bytes: Uint8Array
  /** Height on paper in millimetres, from which the time for a confirmation is estimated. */
  heightMm: number
  lines: number
  /** Ids for the walk's log line (serviceOrderId, printJobId, gatewayId), set by the queue. */
  trace?: { serviceOrderId?: string | undefined; printJobId?: string | undefined; gatewayId?: string | undefined }
}

/** Whether the printer can take a ticket now. No ticket byte was written in any of these cases. */
export type Readiness =
  | { kind: 'ready' }
  /** Nothing answers at the address: refused, reset, unreachable, timed out. */
  | { kind: 'offline'; reason: PrinterReason; detail: string }
  /** Connected, but silent although it is known to answer, or in use by another client. */
  | { kind: 'busy'; reason: PrinterReason; detail: string }
  /** It reports that it cannot print: paper, cover, error. */
  | { kind: 'blocked'; reason: PrinterReason; detail: string }

/** The end of one attempt. Bytes written and no confirmation is always `uncertain`, never `printed` and never `not-sent`. */
export type SendOutcome =
  | {
      kind: 'printed'
      confirmation: Confirmation
      method: ConfirmMethod
      /**
       * Wall clock of the gateway in epoch milliseconds, as all times here. Earlier than the first byte if the connection was kept open.
       */
      connectedAtMs?: number
      firstByteAtMs: number
      /** All bytes were accepted by the operating system. */
      lastByteAtMs?: number
      printedAtMs: number
    }
  /**
   * No byte of the document was passed to the operating system: a plain retry is safe. `slipUnproved`: the slip that closes an incomplete
   * ticket was sent before it and not proved, so the printer is in doubt as after a ticket without proof.
   */
  | { kind: 'not-sent'; readiness: Exclude<Readiness, { kind: 'ready' }>; slipUnproved?: true }
  /**
   * Some bytes were sent and no answer proves the rest. `answering`: the printer is known to answer, so it may be retried without limit.
   */
  | {
      kind: 'uncertain'
      reason: PrinterReason
      detail: string
      connectedAtMs?: number
      firstByteAtMs: number
      /** Absent: some bytes were never accepted. */
      lastByteAtMs?: number
      bytesWritten: number
      answering: boolean
    }

/** What the transport last saw, in IPP's terms. */
export interface PrinterHealth {
  state: 'online' | 'offline' | 'unknown'
  reasons: readonly PrinterReason[]
  /** For people: what it means and what to do. */
  hint: string
  sinceMs: number
  /** When the printer last answered anything; absent before the first answer. A change is not announced. */
  lastContactMs?: number
}

/** `waiting-ticket`: a ticket waits until the printer can print. `state`: only the printer's state. */
export type PreparePurpose = 'waiting-ticket' | 'state'

export interface PrinterTransport {
  /** Last known health; changes are announced through `onHealth`. */
  readonly health: PrinterHealth
  /** The device at the printer's address instead of it; null or absent: none was seen. */
  readonly stranger?: Stranger | null
  /** Where the printer itself was last recognized; null or absent: not yet, or no check. */
  readonly place?: Place | null
  /**
   * Connects if needed and checks whether the printer can print. Writes no document byte. Never rejects. Used before a retry, and by the
   * idle health poll (`state`, the default).
   */
  prepare(signal: AbortSignal, purpose?: PreparePurpose): Promise<Readiness>
  /**
   * Prints one document: prepares, writes, waits for the proof. One call at a time. Never rejects. Stays pending while the printer is
   * blocked in the middle of a ticket (paper out) with the socket kept open. `signal` stops it: before the first byte it returns
   * `not-sent`; after it, it waits at most 2 s more for the confirmation, then returns `uncertain`.
   * @param attemptId unique per attempt; its hash becomes the four-byte process id of GS ( H
   */
  send(document: PrintDocument, attemptId: string, signal: AbortSignal): Promise<SendOutcome>
  /**
   * Makes the printer discard what it has not printed yet (DLE DC4 8), so that a ticket that moves to another printer cannot be printed by
   * this one later. True only if it confirmed that, or if nothing of ours is left in it: then nothing is sent, because what another till
   * has sent must not be lost. Never rejects; not called while `send` is pending, except after its abort.
   */
  discard(signal: AbortSignal): Promise<boolean>
  /**
   * Called with the new health at each change, and with a capability when the recorded answers have changed; one that can prove never falls
   * to an assumed level.
   */
  onHealth(listener: (health: PrinterHealth) => void): void
  onCapability(listener: (capability: PrinterCapability) => void): void
  /** Closes the connection properly (half-close, wait for the peer, at most 2 s). */
  close(): Promise<void>
}
