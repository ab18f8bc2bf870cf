// Work that is overtaken by newer work of the same kind: of each gateway the first is done at once, then the newest at most once a while.
import type { Cancel, Clock } from '#shared/clock.ts'
import type { GatewayId } from '#shared/ids.ts'

/** What is done. It must not reject. */
export type PacedWork = () => Promise<void>

/** A gateway whose last work is recent or in progress. */
interface Rest {
  newest: PacedWork | null
  isBusy: boolean
  cancelTimer: Cancel | null
}

export class NewestPaced {
  readonly #clock: Pick<Clock, 'after'>
  readonly #everyMs: number
  readonly #rests = new Map<GatewayId, Rest>()

  /** @param everyMs between the beginnings of two works of one gateway; longer when one takes longer */
  constructor(clock: Pick<Clock, 'after'>, everyMs: number) {
    this.#clock = clock
    this.#everyMs = everyMs
  }

  /** True while new work of this gateway would have to wait. */
  isResting(gatewayId: GatewayId): boolean {
    return this.#rests.has(gatewayId)
  }

  /** Does it now, or when its turn comes, unless newer work has taken its place by then. The newest is always done. */
  take(gatewayId: GatewayId, work: PacedWork): void {
    const rest = this.#rests.get(gatewayId)
    if (rest) rest.newest = work
    else this.#begin(gatewayId, work)
  }

  /** Does now what waits, of one gateway or of all: it is the last. */
  flush(gatewayId?: GatewayId): void {
    for (const id of gatewayId === undefined ? [...this.#rests.keys()] : [gatewayId]) {
      const rest = this.#rests.get(id)
      if (!rest) continue
      this.#rests.delete(id)
      rest.cancelTimer?.()
      void rest.newest?.()
    }
  }

  #begin(gatewayId: GatewayId, work: PacedWork): void {
    const rest: Rest = { newest: null, isBusy: true, cancelTimer: null }
    this.#rests.set(gatewayId, rest)
    rest.cancelTimer = this.#clock.after(this.#everyMs, () => {
      rest.cancelTimer = null
      this.#goOn(gatewayId, rest)
    })
    void work().finally(() => {
      rest.isBusy = false
      this.#goOn(gatewayId, rest)
    })
  }

  #goOn(gatewayId: GatewayId, rest: Rest): void {
    if (rest.isBusy || rest.cancelTimer !== null || this.#rests.get(gatewayId) !== rest) return
    this.#rests.delete(gatewayId)
    if (rest.newest) this.#begin(gatewayId, rest.newest)
  }
}
