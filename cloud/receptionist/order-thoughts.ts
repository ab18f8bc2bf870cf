// Asks the part that takes orders, and keeps what it is still thinking about: the caller hears "one moment" and comes back for the reply.

import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { timeLimit } from '#shared/time-limit.ts'
import { THINKING_MS } from './call-machine.ts'
import type { OrderReply, OrderTaker, OrderTurn } from './order-taker.ts'

/** A hook is to be answered in 300 ms, with its reads and its commit. */
const PATIENCE_MS = 150
/** Beyond its own time the taker is told to give up. */
const LIMIT_MS = THINKING_MS + 1_000
/** Replies that nobody came back for are forgotten, the oldest first. */
const MOST = 1_000

interface Thought {
  words: string
  reply: Promise<OrderReply | null>
}

export class OrderThoughts {
  readonly #deps: { taker: OrderTaker; clock: Clock; log: Logger }
  /** By call. */
  readonly #thoughts = new Map<string, Thought>()

  constructor(deps: { taker: OrderTaker; clock: Clock; log: Logger }) {
    this.#deps = deps
  }

  /**
   * Asks, or waits for what was asked before with the same words.
   * @returns undefined: it takes longer; null: it failed
   */
  async reply(turn: OrderTurn): Promise<OrderReply | null | undefined> {
    const { callId, words } = turn
    const running = this.#thoughts.get(callId)
    const thought = running?.words === words ? running : { words, reply: this.#ask(turn) }
    this.#thoughts.delete(callId)
    this.#thoughts.set(callId, thought)
    const [oldest] = this.#thoughts.size > MOST ? this.#thoughts.keys() : []
    if (oldest !== undefined) this.#thoughts.delete(oldest)
    let isOver = (): void => undefined
    const late = new Promise<undefined>((resolve) => {
      isOver = this.#deps.clock.after(PATIENCE_MS, () => resolve(undefined))
    })
    try {
      return await Promise.race([thought.reply, late])
    } finally {
      isOver()
    }
  }

  /** The reply is in the state of the call, or nobody waits for it. */
  forget(callId: string): void {
    this.#thoughts.delete(callId)
  }

  async #ask(turn: OrderTurn): Promise<OrderReply | null> {
    const { taker, clock, log } = this.#deps
    const limit = timeLimit(clock, LIMIT_MS)
    try {
      return await taker.turn(turn, limit.signal)
    } catch (err) {
      log.warn({ err, callId: turn.callId }, 'an order by voice could not be understood')
      return null
    } finally {
      limit.end()
    }
  }
}
