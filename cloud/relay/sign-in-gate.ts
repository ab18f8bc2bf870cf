// Admission to the broker's sign-in: failed attempts count by address, successful ones never do, and no address takes all places of waiting connections.
import { KeyedBuckets } from '#cloud/limits/keyed-buckets.ts'
import { ALONE, type Fleet } from '#cloud/limits/leased-buckets.ts'
import { type Rates, shareOf } from '#cloud/limits/token-bucket.ts'
import type { Client } from '#cloud/limits/trusted-proxies.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'

export interface SignInLimits {
  /** Wrong passwords, refused CONNECTs and connections that never send CONNECT, of one address; each of several relays counts its part. */
  failed: Rates
  /**
   * Successful sign-ins of one gateway: one that connects and disconnects again and again must not keep the relay busy. Not of one address.
   */
  ofGateway: Rates
  /** Connections of one address that are not signed in yet. Sixty gateways of one restaurant or chain come at once. */
  waitingOfAddress: number
  /** Of all addresses together. */
  waiting: number
  /** All connections, gateways included. */
  most: number
  /** A refusal for coming too often is sent this late: a client that retries at once would make the relay open connections without end. */
  refusedAfterMs: number
}

export const SIGN_IN_LIMITS: SignInLimits = {
  failed: { steadyPerMinute: 20, burstPerMinute: 40 },
  ofGateway: { steadyPerMinute: 120, burstPerMinute: 240 },
  waitingOfAddress: 256,
  waiting: 8_192,
  most: 25_000,
  refusedAfterMs: 5_000,
}

/** Gateways that are remembered with the address where they came in last. */
const MOST_KNOWN = 25_000

export interface SignInGateOptions {
  clock: Clock
  limits?: Partial<SignInLimits>
  /** This relay among those on one database; absent: it is alone. */
  fleet?: Fleet
  log: Pick<Logger, 'info' | 'warn' | 'error'>
}

/** One connection on its way in. */
export interface Arrival {
  /** It has sent CONNECT as this gateway. False: its address is blocked, so nothing is read from the database for it. */
  saysConnect(gatewayId: string): boolean
  /** It will be refused for coming too often. Resolves when the refusal may be sent: later, or at once if it closes. A new connection gets its place first. */
  refuseLate(): Promise<void>
  /** True: its address is blocked, and no gateway is known to come from there, so no CONNECT would be accepted. */
  readonly isHopeless: boolean
  /** The gateway whose password was correct; null before. */
  readonly signedInAs: string | null
  /** The CONNECT was refused for its contents, or its password is wrong. */
  failed(): void
  /** Its password is right. False: this gateway comes too often, and is not let in now. */
  signedIn(): boolean
  /** It is closed, however that came. */
  closed(): void
}

interface Waiting {
  client: Client
  end: () => void
  gatewayId: string | null
  isCounted: boolean
  /** Ends the delay of its refusal. */
  gone: AbortController
}

/** Of one address: all that are not signed in, and those of them for which nothing is being checked, oldest first. */
interface WaitingHere {
  count: number
  unasked: Set<Waiting>
}

export class SignInGate {
  readonly #limits: SignInLimits
  readonly #fleet: Fleet
  readonly #clock: Pick<Clock, 'sleep'>
  readonly #failures: KeyedBuckets
  readonly #gateways: KeyedBuckets
  readonly #lines: SampledLog
  /** Not signed in: those that have sent nothing yet or are refused late, oldest first, and those whose password is being checked. */
  readonly #unasked = new Set<Waiting>()
  readonly #asking = new Set<Waiting>()
  readonly #waitingOf = new Map<string, WaitingHere>()
  /** `address gatewayId` of those that came in, the newest last. */
  readonly #known = new Set<string>()
  /** How many of them each address has. */
  readonly #knownOf = new Map<string, number>()
  #open = 0

  constructor({ clock, limits, fleet = ALONE, log }: SignInGateOptions) {
    this.#limits = { ...SIGN_IN_LIMITS, ...limits }
    this.#fleet = fleet
    this.#clock = clock
    this.#failures = new KeyedBuckets({ clock, rates: this.#limits.failed })
    this.#gateways = new KeyedBuckets({ clock, rates: this.#limits.ofGateway, most: MOST_KNOWN })
    this.#lines = new SampledLog(log, clock, 1)
  }

  /**
   * A connection has come.
   * @param end closes it: another one needs its place
   * @returns null: it gets no place and must be closed
   */
  arrive(client: Client, end: () => void): Arrival | null {
    const { most, waiting, waitingOfAddress } = this.#limits
    const { countedAs } = client
    if (this.#open >= most) return null
    const here = countedAs === null ? undefined : this.#waitingOf.get(countedAs)
    // Also of a blocked address: only the CONNECT distinguishes a known gateway from others behind the same router.
    if (here && here.count >= waitingOfAddress && !this.#endOldest(here.unasked)) return null
    if (this.#unasked.size + this.#asking.size >= waiting && !this.#endOldest(this.#unasked)) return null
    const arrived: Waiting = { client, end, gatewayId: null, isCounted: false, gone: new AbortController() }
    this.#open++
    this.#unasked.add(arrived)
    this.#count(arrived)
    let isOpen = true
    let signedInAs: string | null = null
    return {
      isHopeless: countedAs !== null && this.#isHeldOff(countedAs) && !this.#knownOf.has(countedAs),
      get signedInAs() {
        return signedInAs
      },
      saysConnect: (gatewayId) => this.#saysConnect(arrived, gatewayId),
      refuseLate: () => this.#refuseLate(arrived),
      failed: () => this.#failed(arrived),
      signedIn: () => {
        const isIn = this.#signedIn(arrived)
        if (isIn) signedInAs = arrived.gatewayId
        return isIn
      },
      closed: () => {
        if (!isOpen) return
        isOpen = false
        this.#open--
        // It never sent CONNECT.
        if (this.#unasked.has(arrived) && arrived.gatewayId === null) this.#failed(arrived)
        this.#leave(arrived)
        arrived.gone.abort()
      },
    }
  }

  #saysConnect(arrived: Waiting, gatewayId: string): boolean {
    // Already ended for another one's sake.
    if (!this.#unasked.delete(arrived)) return false
    this.#asking.add(arrived)
    arrived.gatewayId = gatewayId
    const { countedAs } = arrived.client
    if (countedAs !== null) this.#waitingOf.get(countedAs)?.unasked.delete(arrived)
    // An attacker behind the same router must not lock out a gateway that signed in from there before.
    if (countedAs === null || !this.#isHeldOff(countedAs) || this.#known.has(`${countedAs} ${gatewayId}`)) return true
    this.#say(countedAs)
    return false
  }

  async #refuseLate(arrived: Waiting): Promise<void> {
    // It was refused, and did not leave in silence.
    arrived.isCounted = true
    if (this.#asking.delete(arrived)) {
      this.#unasked.add(arrived)
      const { countedAs } = arrived.client
      if (countedAs !== null) this.#waitingOf.get(countedAs)?.unasked.add(arrived)
    }
    await this.#clock.sleep(this.#limits.refusedAfterMs, arrived.gone.signal)
  }

  #signedIn(arrived: Waiting): boolean {
    const gatewayId = arrived.gatewayId ?? ''
    if (!this.#gateways.take(gatewayId).ok) {
      this.#lines.warn('gateways', { gatewayId }, 'a gateway signs in again and again: it must wait')
      return false
    }
    this.#leave(arrived)
    const { countedAs } = arrived.client
    if (countedAs !== null) this.#remember(countedAs, gatewayId)
    return true
  }

  #remember(countedAs: string, gatewayId: string): void {
    const pair = `${countedAs} ${gatewayId}`
    if (!this.#known.delete(pair)) this.#knownOf.set(countedAs, (this.#knownOf.get(countedAs) ?? 0) + 1)
    this.#known.add(pair)
    const [oldest] = this.#known.size > MOST_KNOWN ? this.#known : []
    if (oldest === undefined) return
    this.#known.delete(oldest)
    const [address = ''] = oldest.split(' ')
    const left = (this.#knownOf.get(address) ?? 0) - 1
    if (left > 0) this.#knownOf.set(address, left)
    else this.#knownOf.delete(address)
  }

  #failed(arrived: Waiting): void {
    const { countedAs } = arrived.client
    if (arrived.isCounted || countedAs === null) return
    arrived.isCounted = true
    if (!this.#failures.take(countedAs, this.#failedRates()).ok) this.#say(countedAs)
  }

  /** @returns whether it freed a place. A correct gateway sends CONNECT with its first bytes, so it is hardly ever the oldest silent one. */
  #endOldest(unasked: ReadonlySet<Waiting>): boolean {
    const [oldest] = unasked
    if (oldest === undefined) return false
    this.#leave(oldest)
    oldest.end()
    return true
  }

  #isHeldOff(countedAs: string): boolean {
    return !this.#failures.look(countedAs, this.#failedRates()).ok
  }

  #failedRates(): Rates {
    return shareOf(this.#limits.failed, this.#fleet.relays)
  }

  #count(arrived: Waiting): void {
    const { countedAs } = arrived.client
    if (countedAs === null) return
    const here = this.#waitingOf.get(countedAs) ?? { count: 0, unasked: new Set() }
    here.count++
    here.unasked.add(arrived)
    this.#waitingOf.set(countedAs, here)
  }

  #leave(arrived: Waiting): void {
    if (!this.#unasked.delete(arrived) && !this.#asking.delete(arrived)) return
    const { countedAs } = arrived.client
    const here = countedAs === null ? undefined : this.#waitingOf.get(countedAs)
    if (countedAs === null || !here) return
    here.count--
    here.unasked.delete(arrived)
    if (here.count === 0) this.#waitingOf.delete(countedAs)
  }

  #say(network: string): void {
    this.#lines.warn('sign-ins', { network }, 'an address is held off: too many failed sign-ins of gateways')
  }
}
