// The queue of taps to the gateway: stored in the browser until the gateway has them, sent in order, each with its own id.
import type { Cancel, Clock } from '#shared/clock.ts'
import type { ActResult, KitchenAct } from '#shared/wire/kitchen.ts'
import { storedList } from './stored-list.ts'

export interface TapQueueOptions {
  send: (acts: readonly KitchenAct[]) => Promise<{ status: number; results: readonly ActResult[] }>
  load: () => string | null
  save: (text: string) => void
  clock: Clock
  changed: () => void
  refused: (act: KitchenAct, reason: ActResult['reason']) => void
  signedOut: () => void
}

const MOST_IN_A_MESSAGE = 50
/** The gateway's limit for a message leaves room for many lines of large orders. */
const MOST_CHARACTERS = 50_000
const AGAIN_AFTER_MS = 1_500
/** An accepted tap is shown until the board has it, at most this long. */
const CONFIRMED_SHOWN_MS = 2_000

export class TapQueue {
  readonly #options: TapQueueOptions
  #waiting: KitchenAct[]
  #confirmed: KitchenAct[] = []
  #isSending = false
  /** 1 while searching for a tap that the gateway cannot read. */
  #mostAtOnce = MOST_IN_A_MESSAGE
  #cancelAgain: Cancel = () => undefined

  constructor(options: TapQueueOptions) {
    this.#options = options
    this.#waiting = storedList(options.load(), isAct)
  }

  /** Not accepted by the gateway yet. */
  get waiting(): readonly KitchenAct[] {
    return this.#waiting
  }

  /** Everything that is not on the board yet. */
  get shown(): readonly KitchenAct[] {
    return [...this.#confirmed, ...this.#waiting]
  }

  add(act: KitchenAct): void {
    this.#keep([...this.#waiting, act])
    this.flush()
  }

  /** The board now has the state of these orders. */
  told(orderIds: readonly string[]): void {
    const told = new Set(orderIds)
    this.#confirmed = this.#confirmed.filter(({ orderId }) => !told.has(orderId))
  }

  flush(): void {
    this.#cancelAgain()
    if (this.#isSending || this.#waiting.length === 0) return
    this.#isSending = true
    const batch = shortened(this.#waiting.slice(0, this.#mostAtOnce))
    void this.#options.send(batch).then(({ status, results }) => {
      this.#isSending = false
      if (status === 200) this.#taken(batch, results)
      else if (status === 401) return this.#options.signedOut()
      // The gateway will never accept what it cannot read: sending one tap at a time shows which.
      else if (status === 400) this.#unread(batch)
      else this.#cancelAgain = this.#options.clock.after(AGAIN_AFTER_MS, () => this.flush())
      if (status === 200 || status === 400) this.flush()
    })
  }

  #taken(batch: readonly KitchenAct[], results: readonly ActResult[]): void {
    const ids = new Set(batch.map(({ id }) => id))
    const done = new Set(results.filter(({ outcome }) => outcome !== 'refused').map(({ id }) => id))
    this.#confirmed = [...this.#confirmed, ...batch.filter(({ id }) => done.has(id))]
    this.#options.clock.after(CONFIRMED_SHOWN_MS, () => {
      this.#confirmed = this.#confirmed.filter(({ id }) => !ids.has(id))
      this.#options.changed()
    })
    for (const act of batch) {
      const result = results.find(({ id }) => id === act.id)
      if (result?.outcome === 'refused') this.#options.refused(act, result.reason)
    }
    this.#keep(this.#waiting.filter(({ id }) => !ids.has(id)))
  }

  #unread(batch: readonly KitchenAct[]): void {
    this.#mostAtOnce = batch.length > 1 ? 1 : MOST_IN_A_MESSAGE
    const [act] = batch
    if (!act || batch.length > 1) return
    if (act.seenRev !== undefined) {
      // For a gateway of an earlier version: only the fields that its own page sends.
      const { seenRev: _, lines: __, screen: ___, ...plain } = act
      this.#keep(this.#waiting.map((waiting) => (waiting === act ? plain : waiting)))
      return
    }
    this.#options.refused(act, undefined)
    this.#keep(this.#waiting.filter((waiting) => waiting !== act))
  }

  #keep(waiting: KitchenAct[]): void {
    this.#waiting = waiting
    this.#options.save(JSON.stringify(waiting))
    this.#options.changed()
  }
}

/** As many of the first taps as fit one message; at least one. */
function shortened(acts: readonly KitchenAct[]): readonly KitchenAct[] {
  let left = MOST_CHARACTERS
  const count = acts.findIndex((act) => {
    left -= JSON.stringify(act).length
    return left < 0
  })
  return count < 0 ? acts : acts.slice(0, Math.max(1, count))
}

function isAct(value: unknown): value is KitchenAct {
  const { id, orderId } = (value ?? {}) as Partial<KitchenAct>
  return typeof id === 'string' && typeof orderId === 'string'
}
