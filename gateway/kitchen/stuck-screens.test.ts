// Screens that answer and show nothing new: no order is accepted because of them, their backup prints, and another screen takes over.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KitchenRoom } from '#test/doubles/kitchen-room.ts'

let room: KitchenRoom
let stopWatching: () => void
let detach: () => void

beforeEach(async () => {
  room = new KitchenRoom()
  await room.kitchen.start()
  room.claim()
  // As the live feed does it: changes of the board are sent to the page.
  stopWatching = room.kitchen.board.watch(() => undefined)
  detach = room.kitchen.presence.attach(room.display.displayId)
})
afterEach(async () => {
  stopWatching()
  await room.stop()
})

/** The page reports every five seconds. */
const pass = async (seconds: number, drawn: string[] = []) => {
  for (let left = seconds; left > 0; left -= 5) {
    const { displayId } = room.display
    room.kitchen.presence.heard(displayId, true)
    room.kitchen.presence.drawn(displayId, drawn)
    await room.core.pass(5_000)
  }
}
const is = () => {
  const { presence } = room.kitchen
  const { displayId } = room.display
  return presence.isAlive(displayId) ? 'alive' : presence.isStuck(displayId) ? 'stuck' : 'silent'
}

describe('a screen that answers', () => {
  it('is alive while nothing arrives, and while it draws what arrives', async () => {
    await pass(60)
    expect(is()).toBe('alive')
    await room.arrive('pj_1')
    await pass(60, ['ord_1'])
    expect(is()).toBe('alive')
  })

  it('is not when it has drawn nothing of what it was sent 15 seconds ago, and is again when it has', async () => {
    await pass(5)
    await room.arrive('pj_1')
    await pass(10)
    expect(is()).toBe('alive')
    await pass(10)
    expect(is()).toBe('stuck')
    await pass(5, ['ord_1'])
    expect(is()).toBe('alive')
  })

  it('is when one order cannot be drawn and a later one is', async () => {
    await room.arrive('pj_1')
    await room.core.pass(1_000)
    await room.arrive('pj_2', { order: { serviceOrderId: 'ord_2' } })
    await pass(60, ['ord_2'])
    expect(is()).toBe('alive')
  })

  it('is when what it has not drawn is for later, was made elsewhere, or waits for its course', async () => {
    const line = { umsId: 'u', name: 'n', qty: 1, modifiers: [], station: 'grill' }
    const { displays } = room.kitchen
    displays.update(room.display.displayId, { stations: ['bar'] })
    displays.add({ name: 'Grill', stations: ['grill'], language: 'en', backupPrinterId: null }, room.core.clock.now())
    const bar = { ...line, station: 'bar' }
    await room.arrive('pj_1', {
      order: {
        items: [
          { ...line, course: 1 },
          { ...bar, course: 2 },
        ],
      },
    })
    await room.arrive('pj_2', {
      order: { serviceOrderId: 'ord_2', items: [bar] },
      notBefore: room.core.clock.now() + 3_600_000,
    })
    await room.arrive('pj_3', { order: { serviceOrderId: 'ord_3', items: [bar, line] } })
    room.send(room.act('ready', 'ord_3', { stations: ['bar'] }))
    await pass(60)
    expect(is()).toBe('alive')
    room.send(room.act('fire', 'ord_1', { course: 2 }))
    await pass(25)
    expect(is()).toBe('stuck')
  })

  it('is not without a live feed for 15 seconds, nor if it never had one', async () => {
    await pass(30)
    detach()
    await pass(10)
    expect(is()).toBe('alive')
    await pass(10)
    expect(is()).toBe('stuck')
    detach = room.kitchen.presence.attach(room.display.displayId)
    expect(is()).toBe('alive')
  })

  it('and shows nothing has its orders printed in its place, as a silent one', async () => {
    room.kitchen.displays.update(room.display.displayId, { backupPrinterId: 'grill' })
    await room.core.queue.start()
    await room.arrive('pj_1')
    await pass(30)
    const slips = room.core.transport('grill').sent.filter(({ text }) => text.includes('SCREEN OFFLINE'))
    expect(slips).toHaveLength(1)
  })
})

it('a screen that does not answer any more is silent, not stuck', async () => {
  await pass(5)
  await room.core.pass(20_000)
  expect(is()).toBe('silent')
})
