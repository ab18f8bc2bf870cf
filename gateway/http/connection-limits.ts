// What one address may hold of the server: so many connections at once, and so long for a request. A device of a guest must not take the page from the kitchen.
import type { Server } from 'node:net'
import type { Clock } from '#shared/clock.ts'
import { ConnectionPlaces, type Share } from '#shared/connection-places.ts'
import { networkOf } from '#shared/network-of.ts'
import { isThisMachine } from '#shared/this-machine.ts'

export interface ConnectionLimits {
  /** From all addresses together. */
  most: number
  /** For all addresses without a session together; the rest is for addresses with one. */
  mostOfStrangers: number
  /** From one address; displays behind another router share one. Strangers of one /64 of IPv6 count as one address. */
  mostPerAddress: number
  /** For all addresses of one /64 with a session; a kitchen's own network is one. */
  mostPerNetwork: number
  /** Until the headers are here, or the handshake of https is over. */
  headersMs: number
  /** Until the whole request is here. */
  requestMs: number
  /** Without a byte in either direction. */
  idleMs: number
  /** New connections by https from one address: each costs the box ten times what a request costs, and printing waits for it. */
  handshakesASecond: number
  /** From all addresses together. */
  allHandshakesASecond: number
  /** From all strangers' addresses together. */
  handshakesOfStrangersASecond: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  most: 512,
  mostOfStrangers: 384,
  mostPerAddress: 64,
  mostPerNetwork: 256,
  headersMs: 10_000,
  requestMs: 15_000,
  idleMs: 20_000,
  handshakesASecond: 20,
  allHandshakesASecond: 100,
  handshakesOfStrangersASecond: 75,
}

/** Addresses that are no strangers; a kitchen has a few dozen. */
const MOST_KNOWN = 256
/** Longer than a kitchen is closed for the night. */
const KNOWN_MS = 24 * 3_600_000

/** How often Node checks for slow requests, as a part of their shortest limit. Its own default is 30 s. */
const LOOKS = 5

export function lookEveryMs({ headersMs }: ConnectionLimits): number {
  return Math.ceil(headersMs / LOOKS)
}

/**
 * Counts connections of http and https together. When the share of a new connection is used up, the connection of that share that was idle for
 * longest is closed; the new one is refused only if each of them waits for an answer. One device may have any number of addresses, so addresses
 * without a session never get everything. The device of an address is not known here: only whether there was a session from it.
 */
export class ConnectionCaps {
  readonly #limits: ConnectionLimits
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #places: ConnectionPlaces
  #second = -1
  #allHandshakes = 0
  #handshakesOfStrangers = 0
  readonly #handshakes = new Map<string, number>()
  /** By address, when the last request with a session came from there; the newest last. */
  readonly #known = new Map<string, number>()

  constructor(limits: ConnectionLimits, clock: Pick<Clock, 'monotonicMs'>) {
    this.#limits = limits
    this.#clock = clock
    this.#places = new ConnectionPlaces({ most: limits.most, sharesOf: (address) => this.#sharesOf(address) })
  }

  /** As `watch`; those that come too fast are dropped before anything is computed for them. */
  watchHttps(server: Server): void {
    this.watch(server)
    server.on('connection', (socket) => {
      const address = socket.remoteAddress ?? ''
      if (!socket.destroyed && !isThisMachine(address) && this.#isTooFast(address)) socket.destroy()
    })
  }

  watch(server: Server): void {
    this.#places.watch(server)
  }

  /** A request with a session or a display's token came from this address. Kept in memory, for a day, for the last 256. */
  signedInFrom(address: string | undefined): void {
    if (address === undefined || isThisMachine(address)) return
    this.#known.delete(address)
    this.#known.set(address, this.#clock.monotonicMs())
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest)
  }

  #isStranger(address: string): boolean {
    if (isThisMachine(address)) return false
    const atMs = this.#known.get(address)
    return atMs === undefined || this.#clock.monotonicMs() - atMs >= KNOWN_MS
  }

  #isTooFast(address: string): boolean {
    const { handshakesASecond, allHandshakesASecond, handshakesOfStrangersASecond } = this.#limits
    const second = Math.floor(this.#clock.monotonicMs() / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#allHandshakes = 0
      this.#handshakesOfStrangers = 0
      this.#handshakes.clear()
    }
    const isStranger = this.#isStranger(address)
    const name = isStranger ? networkOf(address) : address
    const count = (this.#handshakes.get(name) ?? 0) + 1
    // What is dropped, here and below, does not count against the others.
    if (count > handshakesASecond) return true
    this.#handshakes.set(name, count)
    if (this.#allHandshakes >= allHandshakesASecond) return true
    if (isStranger) {
      if (this.#handshakesOfStrangers >= handshakesOfStrangersASecond) return true
      this.#handshakesOfStrangers++
    }
    this.#allHandshakes++
    return false
  }

  #sharesOf(address: string): Share[] {
    const { mostOfStrangers, mostPerAddress, mostPerNetwork } = this.#limits
    if (isThisMachine(address)) return []
    const network = networkOf(address)
    return this.#isStranger(address)
      ? [
          { name: `strangers ${network}`, most: mostPerAddress },
          { name: 'strangers', most: mostOfStrangers },
        ]
      : [
          { name: address, most: mostPerAddress },
          { name: network, most: mostPerNetwork },
        ]
  }
}
