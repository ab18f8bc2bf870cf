// A kitchen display without a browser: the page's model at a clock that a test moves, and a box that says what the test says.

import { nextStep } from '#gateway/web/kitchen/board-view.ts'
import { KitchenModel } from '#gateway/web/kitchen/kitchen-model.ts'
import type { BoardOrder, KitchenAct, KitchenHello } from '#shared/wire/kitchen.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { boardOfOrder } from '#test/fixtures/two-station-orders.ts'

type Listen = (event: { data?: unknown }) => void

/** For a screen of the grill alone. */
export const GRILL = { stations: ['grill'] }
/** From the oldest to the newest. */
export const [A, B, C] = ['a', 'b', 'c'].map((id, index) => boardOfOrder(id, { dueAtMs: index })) as [
  BoardOrder,
  BoardOrder,
  BoardOrder,
]
/** All of its stations are ready. */
export const done = (order: BoardOrder, rev = 2): BoardOrder => ({
  ...order,
  rev,
  stations: order.stations.map((station) => ({ ...station, readyAtMs: 5 })),
})

export class DisplayPage {
  readonly clock = new ManualClock()
  model!: KitchenModel
  /** Acts that reached the box from the page that is open. */
  sent: KitchenAct[] = []
  noises: string[] = []
  /** How the box answers; each is done until a test says otherwise. */
  results: (acts: KitchenAct[]) => object[] = (acts) => acts.map(({ id }) => ({ id, outcome: 'done' }))
  /** What the browser keeps from one page to the next. */
  readonly kept = new Map<string, string>()
  #feed = new Map<string, Listen>()

  constructor() {
    this.open()
  }

  /** Again: a reload. */
  open(): void {
    this.sent = []
    this.noises = []
    this.#feed = new Map()
    let ids = 0
    this.model = new KitchenModel(this.clock, {
      post: async (path, body) => {
        const { acts = [] } = body as { acts?: KitchenAct[] }
        if (path.endsWith('/acts')) this.sent.push(...acts)
        return { status: 200, body: { results: this.results(acts) } }
      },
      openFeed: () => ({
        addEventListener: (name, listen) => void this.#feed.set(name, listen),
        close: () => undefined,
      }),
      random: () => 0.5,
      randomId: () => `id${String(++ids).padStart(8, '0')}`,
      remember: (key, value) => void this.kept.set(key, value),
      remembered: (key) => this.kept.get(key) ?? null,
      apply: () => undefined,
      reload: () => undefined,
      sounds: { isOn: true, unlock: async () => undefined, play: (noise) => void this.noises.push(noise) },
    })
    this.model.start(null)
  }

  tell(name: string, data: object): void {
    this.#feed.get(name)?.({ data: JSON.stringify({ rev: 1, nowMs: this.clock.now(), ...data }) })
  }

  greet(orders: BoardOrder[], over: Partial<KitchenHello> & { stations?: string[] } = {}): void {
    const { stations = [], ...rest } = over
    const display = { displayId: 'd1', name: 'Screen', stations, language: 'en' }
    const site = { app: 'test', timeZone: 'UTC', restaurant: 'Bistro' }
    this.tell('hello', { ...site, display, served: ['grill', 'fry'], adopter: 'd1', orders, printers: [], ...rest })
    this.model.drawn([orders.map(({ orderId }) => orderId)])
  }

  patch(orders: BoardOrder[], gone: string[] = [], more: object = {}): void {
    this.tell('patch', { orders, gone, ...more })
  }

  /** As the view does: on the order as it is drawn. */
  tapNext(orderId: string): void {
    const order = this.model.snapshot().shown.find((one) => one.order.orderId === orderId)?.order
    const step = order && nextStep(order, this.model.snapshot().viewer)
    if (order && step) this.model.tap(step.kind, order, step.stations)
  }

  /** Until what was sent is answered. */
  settle(): Promise<void> {
    return this.clock.advance(0)
  }

  /** `ready a`, by kind and order. */
  acts(): string[] {
    return this.sent.map(({ kind, orderId }) => `${kind} ${orderId}`)
  }
}
