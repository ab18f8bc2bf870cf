// A USB printer's device file (/dev/usb/lp0, Linux usblp) as a byte channel: it comes and goes with the cable, and has no FIN.
//
// usblp takes a write and sends it in the background; the next write is refused (EAGAIN) until the printer has taken that one, and close
// drops what is still on its way. So one accepted NUL after everything shows that the printer has all of our bytes: it replaces
// the FIN of TCP. An idle printer ignores NUL. (Its status lines, LPGETSTATUS, need an ioctl, which Node cannot do.)
import { constants, promises, readdirSync } from 'node:fs'
import type { Cancel, Clock, EpochMs } from '#shared/clock.ts'
import { codeOf } from '#shared/code-of.ts'
import { Signal } from '#shared/signal.ts'
import type { ByteChannel, ChannelEnd, OpenChannel, OpenFailure, OpenOptions } from './byte-channel.ts'

const BUSY_POLL_MS = 10
const IDLE_POLL_MS = 100
/** After being silent for this long, it is read less often. */
const BUSY_FOR_MS = 3_000
const RETRY_WRITE_MS = 5
/** Some devices report nothing when the cable is unplugged; their file does. */
const CHECK_FILE_MS = 500
/** One transfer of usblp. */
const TRANSFER_BYTES = 8_192
const END_MARK = Buffer.alloc(1)

/** True for the address of a printer at a device file of this machine. */
export function isDevice(host: string): boolean {
  return host.startsWith('/')
}

/** The USB printers at this machine's own cables, such as `/dev/usb/lp0`. @param folder for tests only */
export function usbDeviceFiles(folder = '/dev/usb'): string[] {
  try {
    const names = readdirSync(folder).filter((name) => /^lp\d{1,3}$/.test(name))
    return names.sort().map((name) => `/dev/usb/${name}`)
  } catch {
    // The folder exists only while a printer is connected.
    return []
  }
}

/** Opens channels to this device file. */
export function usbChannelTo(path: string): OpenChannel {
  return (options) => openUsbChannel(path, options)
}

/**
 * Never rejects. Failures: `ENOENT` no such device now, `EBUSY` another program has it, `EACCES` no right, `ENOTTY` not a device.
 * usblp serves one at a time, and our own last channel may still be closing: a busy one is tried until the time is over.
 */
export async function openUsbChannel(path: string, options: OpenOptions): Promise<ByteChannel | OpenFailure> {
  const { clock, signal, timeoutMs } = options
  const deadline = clock.monotonicMs() + timeoutMs
  for (;;) {
    if (signal.aborted) return { failed: true, code: 'ABORT_ERR' }
    const opened = await openOnce(path, clock)
    if (!('failed' in opened) && signal.aborted) opened.destroy()
    else if (!('failed' in opened) || opened.code !== 'EBUSY' || clock.monotonicMs() >= deadline) return opened
    else await clock.sleep(BUSY_POLL_MS, signal)
  }
}

async function openOnce(path: string, clock: Clock): Promise<UsbChannel | OpenFailure> {
  const flags = constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOCTTY
  let handle: promises.FileHandle | null = null
  try {
    handle = await promises.open(path, flags)
    if ((await handle.stat()).isCharacterDevice()) return new UsbChannel(path, handle, clock)
    // A plain file would accept tickets forever.
    await handle.close()
    return { failed: true, code: 'ENOTTY' }
  } catch (error) {
    await handle?.close().catch(() => {})
    return { failed: true, code: codeOf(error) || 'UNKNOWN' }
  }
}

class UsbChannel implements ByteChannel {
  readonly activity = new Signal()
  readonly connectedAtMs: EpochMs
  readonly peer = null
  end: ChannelEnd | null = null
  endCode = ''
  halfClosed = false
  destroyed = false
  readonly acknowledgesLate = false
  readonly #path: string
  readonly #handle: promises.FileHandle
  readonly #clock: Clock
  readonly #buffer = Buffer.alloc(TRANSFER_BYTES)
  #listener: ((chunk: Uint8Array) => void) | null = null
  #queue: Uint8Array[] = []
  #unsentBytes = 0
  #writing = false
  #busyUntilMs = 0
  #checkFileAtMs: number
  #cancelRead: Cancel = () => {}
  #cancelWrite: Cancel = () => {}

  constructor(path: string, handle: promises.FileHandle, clock: Clock) {
    this.#path = path
    this.#handle = handle
    this.#clock = clock
    this.connectedAtMs = clock.now()
    this.#checkFileAtMs = clock.monotonicMs() + CHECK_FILE_MS
  }

  get unsentBytes(): number {
    return this.#unsentBytes
  }

  onData(listener: (chunk: Uint8Array) => void): void {
    this.#listener = listener
    this.#readSoon()
  }

  write(bytes: Uint8Array): boolean {
    if (bytes.length === 0 || this.halfClosed || this.destroyed || this.end !== null) return true
    this.#queue.push(bytes)
    this.#unsentBytes += bytes.length
    void this.#drain()
    return this.#unsentBytes === 0
  }

  halfClose(): void {
    if (this.halfClosed || this.destroyed) return
    this.halfClosed = true
    this.#queue.push(END_MARK)
    void this.#drain()
  }

  /** What usblp has not sent yet is dropped in any case. */
  destroy(): void {
    if (this.destroyed) return
    this.destroyed = true
    this.#queue = []
    this.#cancelRead()
    this.#cancelWrite()
    // Waits for the read or write in progress.
    this.#handle.close().catch(() => {})
    this.#finish('broken', 'CLOSED')
  }

  /** One write at a time, until the device accepts no more. */
  async #drain(): Promise<void> {
    if (this.#writing) return
    this.#writing = true
    try {
      for (let next = this.#queue[0]; next && !this.destroyed && this.end === null; next = this.#queue[0]) {
        const part = next.subarray(0, TRANSFER_BYTES)
        const { bytesWritten } = await this.#handle.write(part, 0, part.length, null)
        this.#taken(next, bytesWritten)
      }
    } catch (error) {
      if (isNotNow(error)) this.#writeSoon()
      else this.#broken(error)
    } finally {
      this.#writing = false
    }
  }

  #taken(from: Uint8Array, bytes: number): void {
    if (this.destroyed) return
    this.#busy()
    const rest = from.subarray(bytes)
    if (rest.length > 0) this.#queue[0] = rest
    else this.#queue.shift()
    if (from === END_MARK) this.#finish('fin', 'FIN')
    else {
      this.#unsentBytes -= bytes
      this.activity.notify()
    }
  }

  #writeSoon(): void {
    if (this.destroyed) return
    this.#cancelWrite = this.#clock.after(RETRY_WRITE_MS, () => void this.#drain())
  }

  #readSoon(): void {
    if (this.destroyed || this.end === 'broken') return
    const delayMs = this.#clock.monotonicMs() < this.#busyUntilMs ? BUSY_POLL_MS : IDLE_POLL_MS
    this.#cancelRead = this.#clock.after(delayMs, () => void this.#read())
  }

  /** Reads until there is no more data. usblp returns EAGAIN then, and some devices 0 bytes, which is not the end. */
  async #read(): Promise<void> {
    try {
      for (;;) {
        const { bytesRead } = await this.#handle.read(this.#buffer, 0, this.#buffer.length, null)
        if (bytesRead === 0 || this.destroyed) break
        this.#busy()
        this.#listener?.(Uint8Array.from(this.#buffer.subarray(0, bytesRead)))
        this.activity.notify()
      }
    } catch (error) {
      if (!isNotNow(error)) return this.#broken(error)
    }
    if (await this.#isGone()) return this.#broken(null)
    this.#readSoon()
  }

  async #isGone(): Promise<boolean> {
    const now = this.#clock.monotonicMs()
    if (now < this.#checkFileAtMs) return false
    this.#checkFileAtMs = now + CHECK_FILE_MS
    return promises.stat(this.#path).then(
      () => false,
      () => true,
    )
  }

  #busy(): void {
    this.#busyUntilMs = this.#clock.monotonicMs() + BUSY_FOR_MS
  }

  #broken(error: unknown): void {
    if (this.destroyed) return
    this.#finish('broken', error === null ? 'ENODEV' : codeOf(error) || 'UNKNOWN')
  }

  #finish(end: ChannelEnd, code: string): void {
    if (this.end === null) {
      this.end = end
      this.endCode = code
    }
    this.activity.notify()
  }
}

function isNotNow(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'EAGAIN' || code === 'EWOULDBLOCK' || code === 'EINTR'
}
