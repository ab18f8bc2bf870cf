// Sends what the kitchen has done to the relay until that has acknowledged each fact: when it is due, again after five seconds.
import type { FactId, KitchenStore, OpenFact } from '#gateway/storage/kitchen-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { RelayTime } from '#shared/relay-time.ts'
import { LINK_LIMITS } from '#shared/wire/gateway-link.ts'
import { MOST_SCREENS_TOLD, type ShownOn } from '#shared/wire/gateway-standing.ts'

export type KitchenFacts = Pick<KitchenStore, 'openFacts' | 'shownOn' | 'nextDueMs' | 'acknowledge' | 'factsChanged'>

/** In the form of the message. */
export type ToldFact = OpenFact & { shownOn?: ShownOn }

export interface KitchenSenderDeps {
  facts: KitchenFacts
  relayTime: Pick<RelayTime, 'now'>
  clock: Clock
}

const MOST_IN_A_MESSAGE = 64

export class KitchenSender {
  readonly #deps: KitchenSenderDeps
  readonly #publish: (facts: ToldFact[]) => void
  /** When each fact under way was last sent. */
  readonly #sentAt = new Map<string, number>()
  #withFired = false
  #cancelHearing: Cancel | null = null
  #cancelNext: Cancel = () => {}

  constructor(deps: KitchenSenderDeps, publish: (facts: ToldFact[]) => void) {
    this.#deps = deps
    this.#publish = publish
  }

  /** The relay accepts facts: nothing is under way to it. `withFired`: it supports courses. */
  start(withFired: boolean): void {
    this.#withFired = withFired
    this.#sentAt.clear()
    this.#cancelHearing ??= this.#deps.facts.factsChanged.subscribe(() => this.#send())
    this.#send()
  }

  stop(): void {
    this.#cancelHearing?.()
    this.#cancelHearing = null
    this.#cancelNext()
  }

  /** The relay has stored these. */
  acknowledged(facts: readonly FactId[]): void {
    for (const fact of facts) this.#sentAt.delete(keyOf(fact))
    this.#deps.facts.acknowledge(facts, this.#deps.relayTime.now())
    // What waited behind them.
    this.#send()
  }

  #send(): void {
    const { facts, relayTime, clock } = this.#deps
    this.#cancelNext()
    const now = clock.monotonicMs()
    // Read once: a fact that became due between two reads would be in neither, and would never be sent.
    const nowMs = relayTime.now()
    const due = facts
      .openFacts(nowMs, MOST_IN_A_MESSAGE, this.#withFired)
      .filter((fact) => now - (this.#sentAt.get(keyOf(fact)) ?? Number.NEGATIVE_INFINITY) >= LINK_LIMITS.resultResendMs)
    for (const fact of due) this.#sentAt.set(keyOf(fact), now)
    if (due.length > 0) this.#publish(due.map((fact) => this.#withScreens(fact)))
    const nextDueMs = facts.nextDueMs(nowMs)
    const waits = [
      // Again for an answer that stays away.
      ...(this.#sentAt.size > 0 ? [LINK_LIMITS.resultResendMs] : []),
      // Or when the next fact can no longer be taken back.
      ...(nextDueMs === null ? [] : [nextDueMs - nowMs]),
    ]
    if (waits.length === 0) return
    this.#cancelNext = clock.after(Math.min(...waits), () => this.#send())
  }

  #withScreens(open: OpenFact): ToldFact {
    const shownOn = open.fact === 'fired' ? [] : this.#deps.facts.shownOn(open.orderId, MOST_SCREENS_TOLD)
    return shownOn.length === 0 ? open : { ...open, shownOn }
  }
}

function keyOf({ orderId, fact, course = 0 }: FactId): string {
  return `${fact} ${course} ${orderId}`
}
