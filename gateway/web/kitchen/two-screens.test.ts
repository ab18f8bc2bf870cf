// Two displays on one board: real models, the real kitchen, and a network that delays, loses and repeats. No action affects another order, or more of one, than was shown at the tap.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BoardOrder, KitchenAct } from '#shared/wire/kitchen.ts'
import { heldCourses } from '#shared/wire/kitchen-acts.ts'
import { KitchenNetwork } from '#test/doubles/kitchen-network.ts'
import { KitchenRoom } from '#test/doubles/kitchen-room.ts'
import { assertProperty } from '#test/harness/property.ts'
import { isChangeUnseen, nextStep } from './board-view.ts'
import { KitchenModel } from './kitchen-model.ts'

interface Step {
  what: 'enter' | 'digit' | 'arrow' | 'finger' | 'strike' | 'fire' | 'undo' | 'down' | 'up' | 'order' | 'void' | 'pass'
  who: 0 | 1
  n: number
  ms: number
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom<Step['what']>(
    ...(['enter', 'enter', 'enter', 'digit', 'arrow', 'finger', 'finger', 'strike', 'fire'] as const),
    ...(['undo', 'down', 'up', 'order', 'order', 'void', 'pass'] as const),
  ),
  who: fc.constantFrom<0 | 1>(0, 1),
  n: fc.nat(9),
  ms: fc.oneof(fc.nat(80), fc.nat(900), fc.nat(9_000)),
})

/** Random numbers from a seed. */
function chancesOf(seed: number): () => number {
  let state = seed | 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 8) / 2 ** 24
  }
}

class TwoScreens {
  readonly room = new KitchenRoom()
  readonly network: KitchenNetwork
  readonly models: KitchenModel[] = []
  /** Must not be swallowed by the simulated network. */
  readonly #faults: unknown[] = []
  #orders = 0
  #truth = new Map<string, BoardOrder>()

  constructor(seed: number) {
    const { kitchen, core } = this.room
    this.network = new KitchenNetwork({
      kitchen,
      clock: core.clock,
      chances: { random: chancesOf(seed), loss: 0.15, slowestMs: 1_500 },
      watch: {
        before: (acts) => this.#remember(acts),
        after: (acts, results) => {
          try {
            this.#judge(acts, results)
          } catch (error) {
            this.#faults.push(error)
          }
        },
      },
    })
  }

  async begin(): Promise<void> {
    const { kitchen, core, display } = this.room
    await kitchen.start()
    const grill = { name: 'Grill', stations: ['grill'], language: 'en', backupPrinterId: null }
    const added = kitchen.displays.add(grill, 0)
    if (!added.ok) throw new Error(added.reason)
    for (const { displayId } of [display, added.display]) {
      const edge = this.network.edge(displayId)
      const model = new KitchenModel(core.clock, edge)
      this.models.push(model)
      model.start(null)
    }
    await core.clock.advance(3_000)
  }

  async take({ what, who, n, ms }: Step): Promise<void> {
    const model = this.models[who]
    if (!model) return
    if (what === 'order') this.#arrive(n)
    else if (what === 'void') this.#void(n)
    else this.#byHand(model, what, n)
    await this.room.core.clock.advance(ms)
  }

  /** Once the network works and nobody taps, both displays show the state of the gateway. */
  async rest(): Promise<void> {
    this.network.chances.loss = 0
    for (const model of this.models) {
      model.touchEnded()
      model.answer(false)
    }
    await this.room.core.clock.advance(40_000)
    if (this.#faults.length > 0) throw this.#faults[0]
    const known = this.room.kitchen.board.orders()
    for (const model of this.models) {
      const { waitingTaps, shown, views } = model.snapshot()
      expect(waitingTaps).toBe(0)
      expect(shown.map(({ order, isHole }) => [order.orderId, isHole])).toEqual(
        views.open.map(({ orderId }) => [orderId, false]),
      )
      for (const order of [...views.open, ...views.done])
        expect(order).toEqual(known.find(({ orderId }) => orderId === order.orderId))
    }
  }

  #byHand(model: KitchenModel, what: Step['what'], n: number): void {
    const before = model.snapshot()
    const tickets = before.shown.filter(({ isHole }) => !isHole).map(({ order }) => order)
    const inSight = tickets.find(({ orderId }) => orderId === before.selected)
    const order = tickets[n % Math.max(1, tickets.length)]
    const expected = what === 'finger' || what === 'strike' ? order : inSight
    const asked = before.asking && tickets.find(({ orderId }) => orderId === before.asking?.orderId)
    const sent = this.#sentDuring(() => {
      if (what === 'digit') model.press(String(n))
      else if (what === 'arrow') model.press(n % 2 ? 'ArrowRight' : 'ArrowLeft')
      else if (what === 'enter' && asked) model.answer(n % 2 === 0)
      else if (what === 'enter') model.press('Enter')
      else if (what === 'fire') fireNext(model, inSight)
      else if (what === 'undo') model.undo()
      else if (what === 'down') model.touchBegan({ x: n, y: 0 })
      else if (what === 'up') model.touchEnded()
      else if (what === 'finger' && order) tapMain(model, order)
      else if (what === 'strike' && order) model.strike(order, n % order.lines.length)
      model.drawn(inPages(model))
    })
    for (const act of sent) {
      if (what === 'enter' && asked) expect(act.orderId).toBe(before.asking?.orderId)
      else if (what === 'undo') expect(act.orderId).toBe(before.undo?.orderId)
      else {
        expect(act.orderId).toBe(expected?.orderId)
        expect(act.seenRev).toBe(expected?.rev)
      }
    }
    if (what === 'digit' || what === 'arrow' || what === 'down' || what === 'up') expect(sent).toEqual([])
  }

  /** Actions that are new in the queues of the pages. */
  #sentDuring(work: () => void): KitchenAct[] {
    const all = () => this.models.flatMap((model) => [...model.waitingActs])
    const known = new Set(all().map(({ id }) => id))
    work()
    return all().filter(({ id }) => !known.has(id))
  }

  #remember(acts: readonly KitchenAct[]): void {
    for (const { orderId } of acts) {
      const order = this.room.kitchen.board.find(orderId)
      if (order) this.#truth.set(orderId, order)
    }
  }

  /** Checks that what an action made ready was shown to the person who tapped it. */
  #judge(acts: readonly KitchenAct[], results: readonly { id: string; outcome: string }[]): void {
    for (const orderId of new Set(acts.map((act) => act.orderId))) {
      const done = acts.filter(
        ({ id, orderId: other }) => other === orderId && results.some((one) => one.id === id && one.outcome === 'done'),
      )
      const before = this.#truth.get(orderId)
      const after = this.room.kitchen.board.find(orderId)
      if (!before || !after || done.length === 0) continue
      const isVoided = before.voidedAtMs !== null
      for (const { kind } of done) if (isVoided) expect(['void-seen', 'void-unseen']).toContain(kind)
      const bumps = done.filter(({ kind }) => kind === 'ready' || kind === 'pick-up')
      if (bumps.every(({ kind }) => kind === 'pick-up') && bumps.length > 0) expect(before.readyAtMs).not.toBeNull()
      const seen = new Set(bumps.flatMap(({ lines = [] }) => lines))
      const isMade = (order: BoardOrder, place: number): boolean =>
        order.stations.some(({ key, readyAtMs }) => key === order.lines[place]?.station && readyAtMs !== null)
      for (const place of after.lines.keys())
        if (!isMade(before, place) && isMade(after, place) && !done.some(({ kind }) => kind === 'fire'))
          expect(isHeld(after, place) || seen.has(place)).toBe(true)
    }
  }

  #arrive(n: number): void {
    const { core } = this.room
    const serviceOrderId = `ord_${++this.#orders}`
    const item = (station: string, course: number | null) => ({
      ...{ umsId: 'u', name: station, qty: 1, modifiers: [], station },
      ...(course !== null && { course }),
    })
    const items = [item('grill', null), item(n % 3 ? 'fry' : 'bar', null)]
    if (n > 2) items.push(item('grill', 2), item('fry', 3))
    core.accept(`pj_${this.#orders}`, { order: { serviceOrderId, items } })
  }

  #void(n: number): void {
    if (this.#orders > 0) this.room.core.intake.cancel(`pj_${1 + (n % this.#orders)}`, true)
  }
}

function isHeld({ lines, courses }: BoardOrder, place: number): boolean {
  const course = lines[place]?.course ?? null
  return courses.some((later) => later.course === course && later.firedAtMs === null)
}

function tapMain(model: KitchenModel, order: BoardOrder): void {
  const { viewer } = model.snapshot()
  if (order.voidedAtMs !== null) model.tap('void-seen', order)
  else if (isChangeUnseen(order, viewer)) model.tap('change-seen', order)
  else {
    const next = nextStep(order, viewer)
    if (next) model.tap(next.kind, order, next.stations)
  }
}

function fireNext(model: KitchenModel, order: BoardOrder | undefined): void {
  const [next] = order && order.voidedAtMs === null ? heldCourses(order) : []
  if (order && next) model.fire(order, next.course)
}

/** Three tickets a page. */
function inPages(model: KitchenModel): string[][] {
  const ids = model.snapshot().shown.map(({ order }) => order.orderId)
  return Array.from({ length: Math.ceil(ids.length / 3) }, (_, page) => ids.slice(3 * page, 3 * page + 3))
}

describe('two displays on one board, over a bad network,', () => {
  it('act only on what they showed at the tap, and show the same in the end', async () => {
    await assertProperty(
      fc.asyncProperty(fc.integer(), fc.array(step, { minLength: 20, maxLength: 60 }), async (seed, steps) => {
        const screens = new TwoScreens(seed)
        try {
          await screens.begin()
          for (const one of steps) await screens.take(one)
          await screens.rest()
        } finally {
          await screens.room.stop()
        }
      }),
    )
  })
})
