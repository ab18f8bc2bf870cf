// A client of several relays: it orders at a steady rate, and sends each order again, as it is, until it is answered with success.
import { Signal } from '#shared/signal.ts'
import type { Provisioned } from '#test/harness/simulated-fleet.ts'

/** An order of the client: `serviceOrderId` when any answer said so. */
export interface FireOrder {
  /** From 0. */
  number: number
  orderId: string
  locationId: string
  serviceOrderId: string | null
}

/** A client gives up sooner than a frozen relay wakes up: the same order is then at two relays. */
const ANSWER_WITHIN_MS = 3_000
const TRY_AGAIN_MS = 100
const TRY_AGAIN_AT_MOST_MS = 1_600
/** With so many unanswered it begins no new ones: more calls would not make slow relays faster. */
const MOST_UNDER_WAY = 100

export class FireClient {
  readonly orders: FireOrder[] = []
  /** An order was answered with success. */
  readonly accepted = new Signal<FireOrder>()
  /** Orders that were refused for good: none should be. */
  readonly refused: string[] = []
  /** How often each status came, or no answer: `TimeoutError`, or another of the network. */
  readonly answers = new Map<number | string, number>()
  readonly #of: Provisioned
  readonly #url: () => string
  readonly #underWay = new Set<Promise<void>>()
  #isOrdering = false

  constructor(of: Provisioned, url: () => string) {
    this.#of = of
    this.#url = url
  }

  /** Orders at this rate or slower, as they are answered, at all locations in turn, until `stop`. */
  orderAtRate(perSecond: number): void {
    this.#isOrdering = true
    const beganMs = performance.now()
    let sent = 0
    const next = (): void => {
      if (!this.#isOrdering) return
      for (const due = ((performance.now() - beganMs) * perSecond) / 1_000; sent < due; sent++)
        if (this.#underWay.size < MOST_UNDER_WAY) this.order()
      setTimeout(next, 1_000 / perSecond)
    }
    next()
  }

  /** Resolves when every order that was begun has been answered. */
  async stop(): Promise<void> {
    this.#isOrdering = false
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  halt(): void {
    this.#isOrdering = false
  }

  /** One order more. @param at number of the location, from 0; the next in turn unless given */
  order(at = this.orders.length): FireOrder {
    const { members } = this.#of
    const locationId = members[at % members.length]?.locationId ?? ''
    const number = this.orders.length
    const order: FireOrder = { number, orderId: `fire-${number}`, locationId, serviceOrderId: null }
    this.orders.push(order)
    const sent = this.#send(order).finally(() => this.#underWay.delete(sent))
    this.#underWay.add(sent)
    return order
  }

  /** @returns body of the answer, with status @throws TypeError, TimeoutError of the network */
  async call(path: string, body: object): Promise<{ status: number; said: Record<string, unknown> }> {
    const answer = await fetch(`${this.#url()}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#of.apiKey}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: JSON.stringify({ merchantId: this.#of.merchantId, ...body }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    return { status: answer.status, said: (await answer.json()) as Record<string, unknown> }
  }

  async #send(order: FireOrder): Promise<void> {
    const { orderId, locationId } = order
    const items = [{ umsId: this.#of.umsId, qty: 1, price: 1 }]
    const body = { orderId, source: 'fire', total: 1, locationId, items }
    for (let waitMs = TRY_AGAIN_MS; ; waitMs = Math.min(2 * waitMs, TRY_AGAIN_AT_MOST_MS)) {
      // What comes from the network is tried again.
      const answer = await this.call('/v1/order/inject', body).catch((error: Error) => ({
        status: error.name,
        said: {} as Record<string, unknown>,
      }))
      const { status, said } = answer
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1)
      if (typeof said['serviceOrderId'] === 'string') {
        order.serviceOrderId = said['serviceOrderId']
        this.accepted.notify(order)
        return
      }
      if (typeof status === 'number' && status !== 429 && status < 500) {
        this.refused.push(`${orderId}: ${status} ${JSON.stringify(said)}`)
        return
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}
