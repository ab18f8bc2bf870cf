// The interface below a printer's protocol: bytes out with back-pressure, bytes in, and a classified end. Implemented by TCP 9100 and USB.
import type { Clock, EpochMs } from '#shared/clock.ts'
import type { PrinterReason } from '#shared/print-job.ts'
import type { Signal } from '#shared/signal.ts'

/** `fin`: the peer closed its side normally, which it does only after reading all of our bytes. `broken`: reset, unplugged, lost. */
export type ChannelEnd = 'fin' | 'broken'

export interface OpenFailure {
  failed: true
  /** Node's error code, `ETIMEDOUT` after our own timeout, `ABORT_ERR` after the signal. */
  code: string
}

export interface OpenOptions {
  timeoutMs: number
  clock: Clock
  signal: AbortSignal
}

/** Opens a channel to one printer. Never rejects. */
export type OpenChannel = (options: OpenOptions) => Promise<ByteChannel | OpenFailure>

/** One connection. Contains no protocol and no policy. */
export interface ByteChannel {
  /** Wall clock time. */
  readonly connectedAtMs: EpochMs
  /** IP address of the connected device. Null: not a network connection. */
  readonly peer: string | null
  /** Fires after anything happened: bytes arrived and were processed by `onData`, bytes were sent, the channel ended. */
  readonly activity: Signal
  /** Null while the peer's side is open. */
  readonly end: ChannelEnd | null
  /** Node's error code, or `FIN`. Empty while open. */
  readonly endCode: string
  /** Our side is closed for writing. */
  readonly halfClosed: boolean
  readonly destroyed: boolean
  /** The printer may delay its next bytes until our side acknowledges the previous ones, which happens at once only together with bytes of ours. */
  readonly acknowledgesLate: boolean
  /** Bytes that the operating system has not accepted yet. */
  readonly unsentBytes: number
  /** Starts reading. Call it once, directly after opening. */
  onData(listener: (chunk: Uint8Array) => void): void
  /** Writes bytes. False: wait until `unsentBytes` is 0 before writing more. */
  write(bytes: Uint8Array): boolean
  /** Closes our side after what is buffered, and continues reading. */
  halfClose(): void
  /** Closes at once. `reset` drops what the operating system still holds, so that it cannot print later. */
  destroy(reset?: boolean): void
}

/** The reason of a failed open, for people. Refused, unreachable, unplugged: nothing answers there. */
export function reasonOfOpenFailure({ code }: OpenFailure): PrinterReason {
  if (code === 'ETIMEDOUT') return 'timed-out'
  // Accepted and reset at once, or a device file that another program has open.
  return code === 'EBUSY' || code === 'ECONNRESET' ? 'busy' : 'connecting-to-device'
}
