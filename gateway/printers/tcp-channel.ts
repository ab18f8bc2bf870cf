// A printer's TCP port as a byte channel.
import { type LookupAddress, lookup } from 'node:dns'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import type { Clock, EpochMs } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import type { ByteChannel, ChannelEnd, OpenChannel, OpenFailure, OpenOptions } from './byte-channel.ts'
import { resetSocket } from './reset-socket.ts'

export interface TcpAddress {
  host: string
  port: number
}

/** Returns whether a connection to this IP address may be made. */
export type AllowsIp = (ip: string) => boolean

/** The name, or whatever was entered, resolves to no allowed IP address. */
export const ADDRESS_NOT_ALLOWED = 'EADDRNOTALLOWED'

/** Opens channels to this address. `allows` is called each time, for the current result of the name resolution. */
export function tcpChannelTo(address: TcpAddress, allows: AllowsIp = () => true): OpenChannel {
  return (options) => openTcpChannel(address, options, allows)
}

/** Never rejects. Half-open sockets are allowed: the peer's FIN must not end our side in the middle of a ticket. */
export function openTcpChannel(
  address: TcpAddress,
  options: OpenOptions,
  allows: AllowsIp = () => true,
): Promise<ByteChannel | OpenFailure> {
  const { timeoutMs, clock, signal } = options
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ failed: true, code: 'ABORT_ERR' })
    // Names are resolved below; an IP address is not.
    if (isIP(address.host) !== 0 && !allows(address.host)) return resolve({ failed: true, code: ADDRESS_NOT_ALLOWED })
    const socket = connect({
      ...address,
      lookup: lookupOf(allows),
      allowHalfOpen: true,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 10_000,
    })
    const fail = (code: string): void => {
      settle()
      socket.on('error', () => {})
      socket.destroy()
      resolve({ failed: true, code })
    }
    const onAbort = (): void => fail('ABORT_ERR')
    const onError = (error: NodeJS.ErrnoException): void => fail(error.code ?? 'UNKNOWN')
    const cancel = clock.after(timeoutMs, () => fail('ETIMEDOUT'))
    const settle = (): void => {
      cancel()
      signal.removeEventListener('abort', onAbort)
      socket.off('error', onError)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once('error', onError)
    socket.once('connect', () => {
      settle()
      resolve(new TcpChannel(socket, clock))
    })
  })
}

/** The address of a printer must not alternate between the two: the kernel's table has hardware addresses for IPv4 only. */
export function ipv4First(found: readonly LookupAddress[]): readonly LookupAddress[] {
  const ipv4 = found.filter(({ family }) => family === 4)
  return ipv4.length > 0 ? ipv4 : found
}

/** IP addresses to which this host resolves; empty: none now. Never rejects. */
export function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return Promise.resolve([host])
  return new Promise((resolve) => {
    lookup(host, { all: true }, (error, found) => {
      resolve(error ? [] : ipv4First(found).map(({ address }) => address))
    })
  })
}

function lookupOf(allows: AllowsIp): LookupFunction {
  return (name, options, done) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error, [])
      const wanted = ipv4First(found).filter(({ address }) => allows(address))
      const [first] = wanted
      if (first === undefined)
        done(Object.assign(new Error(`${name} leads to no address that is allowed`), { code: ADDRESS_NOT_ALLOWED }), [])
      else if (options.all) done(null, wanted)
      else done(null, first.address, first.family)
    })
  }
}

class TcpChannel implements ByteChannel {
  readonly activity = new Signal()
  readonly connectedAtMs: EpochMs
  readonly peer: string | null
  end: ChannelEnd | null = null
  endCode = ''
  halfClosed = false
  /** Our kernel delays an acknowledgement without data by up to 40 ms, and Node cannot set TCP_QUICKACK. */
  readonly acknowledgesLate = true
  readonly #socket: Socket
  /** A reset was requested; at the moment of a half-close it happens one turn of the loop later. */
  #resetting = false

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket
    this.connectedAtMs = clock.now()
    this.peer = socket.remoteAddress ?? null
    socket.on('drain', () => this.activity.notify())
    socket.on('end', () => this.#onEnd('fin', 'FIN'))
    socket.on('error', (error: NodeJS.ErrnoException) => this.#onEnd('broken', error.code ?? 'UNKNOWN'))
    socket.on('close', () => this.#onEnd('broken', 'CLOSED'))
  }

  get destroyed(): boolean {
    return this.#resetting || this.#socket.destroyed
  }

  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  onData(listener: (chunk: Uint8Array) => void): void {
    this.#socket.on('data', (chunk) => {
      listener(chunk)
      this.activity.notify()
    })
  }

  write(bytes: Uint8Array): boolean {
    if (bytes.length === 0) return true
    return this.#socket.write(bytes, () => this.activity.notify())
  }

  halfClose(): void {
    if (this.halfClosed || this.destroyed) return
    this.halfClosed = true
    this.#socket.end()
  }

  destroy(reset = false): void {
    // Closing now would replace the reset, and what the operating system holds would still be sent.
    if (this.destroyed) return
    if (!reset || this.end === 'fin') {
      this.#socket.destroy()
      return
    }
    this.#resetting = true
    resetSocket(this.#socket)
  }

  #onEnd(end: ChannelEnd, code: string): void {
    // A clean FIN stays clean when the socket then closes; a later reset does not count.
    if (this.end === null) {
      this.end = end
      this.endCode = code
    }
    this.activity.notify()
  }
}
