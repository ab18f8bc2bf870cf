// A client under fault tests: injects one order after another, journals what it was promised, and judges paper and events at the end.
import { systemClock } from '#shared/clock.ts'
import type { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import type { Promised } from './judge-text.ts'
import type { Site, TestOrder } from './site.ts'

export class JournalClient {
  /** Tokens that the relay has promised, in the order of their acceptance. */
  readonly accepted: string[] = []
  /** serviceOrderId by token. */
  readonly ids = new Map<string, string>()
  /** What was ordered and promised, in the order of its acceptance. */
  readonly promised: Promised[] = []
  readonly #site: Site
  readonly #everyMs: number
  #running: Promise<void> | null = null
  #stop = false

  constructor(site: Site, everyMs: number) {
    this.#site = site
    this.#everyMs = everyMs
  }

  /** Injects orders one after another until `stop`; an order without an answer is sent again with the same id. */
  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stop = true
    await this.#running
  }

  /** @param order further wishes, such as `fireAt`; its `note` begins with the token */
  async inject(token = this.#nextToken(), order: Partial<TestOrder> = {}): Promise<void> {
    const { note = token } = order
    const answer = await this.#site.injectSurely({ ...order, orderId: token, note })
    const result = answer.body.order ?? answer.body
    this.accepted.push(token)
    this.ids.set(token, result.serviceOrderId)
    this.promised.push({ ...result, token, note, fireAt: order.fireAt })
  }

  async #run(): Promise<void> {
    while (!this.#stop) {
      await this.inject()
      await systemClock.sleep(this.#everyMs)
    }
  }

  #nextToken(): string {
    return `T-${String(this.accepted.length + 1).padStart(6, '0')}`
  }
}

export interface EventVerdict {
  /** Orders without the event. */
  missing: string[]
  /** Orders that got two different events of one type (a repeated delivery of the same event is allowed). */
  doubled: string[]
  badSignatures: number
}

/** Judges one event type over all promised orders. */
export function judgeEvents(
  receiver: WebhookReceiver,
  type: 'order.accepted' | 'order.printed',
  ids: ReadonlyMap<string, string>,
): EventVerdict {
  const eventsOf = new Map<string, Set<string>>()
  let badSignatures = 0
  for (const received of receiver.received) {
    if (!received.signatureValid) badSignatures++
    if (received.event.type !== type) continue
    const order = received.event.data['order'] as { serviceOrderId: string }
    const events = eventsOf.get(order.serviceOrderId) ?? new Set()
    events.add(received.event.id)
    eventsOf.set(order.serviceOrderId, events)
  }
  const missing: string[] = []
  const doubled: string[] = []
  for (const [token, serviceOrderId] of ids) {
    const count = eventsOf.get(serviceOrderId)?.size ?? 0
    if (count === 0) missing.push(token)
    if (count > 1) doubled.push(token)
  }
  return { missing, doubled, badSignatures }
}
