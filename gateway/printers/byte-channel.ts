// The interface below a printer's protocol: bytes out with back-pressure, bytes in, and a classified end. Implemented by TCP 9100 and USB.
import type { Clock, EpochMs } from '#shared/clock.ts'
import type { PrinterReason } from '#shared/print-job.ts'
import type { Signal } from '#shared/signal.ts'

/** `fin`: the peer closed its side in order, which it does only with all of our bytes read. `broken`: reset, unplugged, lost. */
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
  /** Wall clock. */
  readonly connectedAtMs: EpochMs
  /** IP address of the device that it leads to, whatever name was asked for; null: it leads through no network. */
  readonly peer: string | null
  /** Fires after anything happened: bytes came and were taken by `onData`, bytes went, the channel ended. */
  readonly activity: Signal
  /** Null while the peer's side is open. */
  readonly end: ChannelEnd | null
  /** Node's error code, or `FIN`. Empty while open. */
  readonly endCode: string
  /** Our side takes no more bytes. */
  readonly halfClosed: boolean
  readonly destroyed: boolean
  /** The printer may delay its next bytes until our side acknowledges the previous ones, which happens at once only together with bytes of ours. */
  readonly acknowledgesLate: boolean
  /** Bytes that the operating system has not taken yet. */
  readonly unsentBytes: number
  /** Begins to read. Called once, at once after opening. */
  onData(listener: (chunk: Uint8Array) => void): void
  /** Hands bytes over. False: wait for `unsentBytes` to become 0 before more. */
  write(bytes: Uint8Array): boolean
  /** Ends our side after what is buffered, and goes on reading. */
  halfClose(): void
  /** Lets go at once. `reset` drops what the operating system still holds, so that it cannot print later. */
  destroy(reset?: boolean): void
}

/** What an open that failed means for people. Refused, unreachable, unplugged: nothing answers there. */
export function reasonOfOpenFailure({ code }: OpenFailure): PrinterReason {
  if (code === 'ETIMEDOUT') return 'timed-out'
  // Accepted and reset at once, or a device file that another program has open.
  return code === 'EBUSY' || code === 'ECONNRESET' ? 'busy' : 'connecting-to-device'
}
