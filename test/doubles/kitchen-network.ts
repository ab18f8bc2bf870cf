// Pages of kitchen displays joined to a real kitchen by a network in memory that delays, loses, repeats and cuts. Tests give it its chances.
import type { Kitchen } from '#gateway/kitchen/kitchen.ts'
import type { Cancel } from '#shared/clock.ts'
import type { FeedSource } from '#shared/ui/live-client.ts'
import { type ActResult, type KitchenAct, kitchenActs, kitchenPresence } from '#shared/wire/kitchen.ts'
import type { ManualClock } from './manual-clock.ts'

export interface NetworkChances {
  /** From 0 up to 1. */
  random: () => number
  /** 0: nothing is lost, repeated or cut. */
  loss: number
  slowestMs: number
}

export interface KitchenNetworkDeps {
  kitchen: Kitchen
  clock: ManualClock
  chances: NetworkChances
  /** Sees each message of acts, before and after the kitchen takes it. */
  watch?: { before(acts: readonly KitchenAct[]): void; after(acts: readonly KitchenAct[], results: ActResult[]): void }
}

type Listen = (event: { data?: unknown; lastEventId?: string }) => void
type Answer = { status: number; body: unknown }

export class KitchenNetwork {
  readonly #deps: KitchenNetworkDeps
  readonly chances: NetworkChances

  constructor(deps: KitchenNetworkDeps) {
    this.#deps = deps
    this.chances = { ...deps.chances }
  }

  /** What the page of a display takes from its browser: a `KitchenEdge`, with what it kept and sounded. */
  edge(displayId: string) {
    const kept = new Map<string, string>()
    const noises: string[] = []
    let ids = 0
    return {
      kept,
      noises,
      post: (path: string, body: unknown) => this.#post(displayId, path, JSON.parse(JSON.stringify(body))),
      openFeed: () => this.#openFeed(displayId),
      random: () => this.chances.random(),
      randomId: () => `${displayId.replace(/\W/g, '').slice(-12)}${String(++ids).padStart(6, '0')}`,
      remember: (key: string, value: string) => void kept.set(key, value),
      remembered: (key: string) => kept.get(key) ?? null,
      apply: () => undefined,
      reload: () => undefined,
      sounds: { isOn: true, unlock: async () => undefined, play: (noise: string) => void noises.push(noise) },
    }
  }

  #isLost(): boolean {
    return this.chances.random() < this.chances.loss
  }

  /** Whole, as a box's clock is: the store takes no parts of a millisecond. */
  #delayMs(): number {
    return Math.floor(this.chances.random() * this.chances.slowestMs)
  }

  /** A request that is lost, or whose answer is, looks the same to the page; one that is repeated comes late, behind others. */
  async #post(displayId: string, path: string, body: unknown): Promise<Answer> {
    const { clock } = this.#deps
    await clock.sleep(this.#delayMs())
    if (this.#isLost()) return { status: 0, body: null }
    const answer = await this.#serve(displayId, path, body)
    if (this.#isLost()) clock.after(5 * this.#delayMs(), () => void this.#serve(displayId, path, body))
    await clock.sleep(this.#delayMs())
    return this.#isLost() ? { status: 0, body: null } : answer
  }

  async #serve(displayId: string, path: string, body: unknown): Promise<Answer> {
    const { kitchen, watch } = this.#deps
    const display = kitchen.displays.find(displayId)
    if (!display) return { status: 401, body: null }
    await kitchen.board.catchUp()
    if (path.endsWith('/here')) {
      kitchen.present(display, kitchenPresence.parse(body))
      return { status: 200, body: { nowMs: kitchen.nowMs() } }
    }
    const { acts } = kitchenActs.parse(body)
    watch?.before(acts)
    const results = kitchen.act(display, acts)
    watch?.after(acts, results)
    return { status: 200, body: { results } }
  }

  /** Its events come late, and in their order: it is one connection. */
  #openFeed(displayId: string): FeedSource {
    const { kitchen, clock } = this.#deps
    const listeners = new Map<string, Listen>()
    let isOpen = true
    let lastAtMs = 0
    const stops: Cancel[] = []
    const close = (): void => {
      isOpen = false
      for (const stop of stops.splice(0)) stop()
    }
    const deliver = (name: string, data: unknown): void => {
      const text = JSON.stringify(data)
      lastAtMs = Math.max(lastAtMs, clock.monotonicMs() + this.#delayMs())
      const isCut = this.chances.random() < this.chances.loss / 4
      stops.push(
        clock.after(lastAtMs - clock.monotonicMs(), () => {
          if (!isOpen) return
          if (isCut) close()
          listeners.get(isCut ? 'error' : name)?.({ data: text })
        }),
      )
    }
    const greet = async (): Promise<void> => {
      await clock.sleep(this.#delayMs())
      await kitchen.board.catchUp()
      const display = kitchen.displays.find(displayId)
      if (!isOpen || !display) return
      deliver('hello', kitchen.hello(display))
      stops.push(
        kitchen.board.watch((patch) => deliver('patch', patch)),
        clock.every(5_000, () => deliver('beat', { rev: kitchen.board.rev, nowMs: kitchen.nowMs() })),
      )
    }
    void greet()
    return { addEventListener: (name, listen) => void listeners.set(name, listen), close }
  }
}
