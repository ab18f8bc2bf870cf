// Rounds of faults, chosen at random by a seed: now and then two at once, and those that take long go on beside the others.
import { FAULTS, type Fault } from './faults.ts'
import type { FireSite } from './fire-site.ts'

const TWO_AT_ONCE = 0.25
/** An order that was begun after a fault must be taken: until then it is not over. */
const TAKEN_WITHIN_MS = 60_000

export class FireRounds {
  /** How often each fault was played. */
  readonly played = new Map<string, number>()
  readonly #site: FireSite
  readonly #random: () => number
  readonly #say: (line: string) => void
  readonly #busy = new Set<string>()
  readonly #underWay = new Set<Promise<void>>()

  /** @param random in [0, 1) @param say is told what is played */
  constructor(site: FireSite, random: () => number, say: (line: string) => void) {
    this.#site = site
    this.#random = random
    this.#say = say
  }

  /** One or two faults, until they are over and an order is taken again. */
  async play(): Promise<void> {
    const faults = [this.#begin()]
    if (this.#random() < TWO_AT_ONCE) faults.push(this.#begin())
    await Promise.all(faults)
    await this.#taken()
  }

  /** Resolves when the faults that take long are over, too, and all clocks are right. */
  async end(): Promise<void> {
    await Promise.all(this.#underWay)
    for (const relay of this.#site.relays) relay.setClock(0)
    await this.#taken()
  }

  /** Resolves when the next may come. */
  async #begin(): Promise<void> {
    const chosen = this.#choose()
    if (chosen === null) return
    const { fault, relay } = chosen
    const hit = fault.hits(relay, this.#site)
    for (const subject of hit) this.#busy.add(subject)
    this.played.set(fault.name, (this.played.get(fault.name) ?? 0) + 1)
    this.#say(`${fault.name} (relay ${relay})`)
    const played = fault.play(this.#site, { relay, random: this.#random }).finally(() => {
      for (const subject of hit) this.#busy.delete(subject)
      this.#underWay.delete(played)
    })
    this.#underWay.add(played)
    if (fault.isLong !== true) await played
  }

  #choose(): { fault: Fault; relay: number } | null {
    const relay = Math.floor(this.#random() * this.#site.relays.length)
    const possible = FAULTS.filter(({ isPossible }) => isPossible?.(this.#site) !== false)
    const free = possible.filter(({ hits }) => hits(relay, this.#site).every((subject) => !this.#busy.has(subject)))
    let at = this.#random() * free.reduce((sum, { weight }) => sum + weight, 0)
    for (const fault of free) {
      at -= fault.weight
      if (at < 0) return { fault, relay }
    }
    return null
  }

  async #taken(): Promise<void> {
    const { client } = this.#site
    const beganMs = performance.now()
    const from = client.orders.length
    await client.accepted.next(({ number }) => number >= from, AbortSignal.timeout(TAKEN_WITHIN_MS))
    this.#say(`an order is taken after ${Math.round(performance.now() - beganMs)} ms`)
  }
}
