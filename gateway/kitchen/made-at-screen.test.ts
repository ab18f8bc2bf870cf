// An order that cooks made from their screen while its printer was off: its paper prints later, and is marked.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KitchenRoom } from '#test/doubles/kitchen-room.ts'
import { OFFLINE } from '#test/doubles/scripted-transport.ts'

let room: KitchenRoom

beforeEach(async () => {
  room = new KitchenRoom()
  await room.kitchen.start()
  await room.core.queue.start()
  room.core.transport('grill').down = OFFLINE
  await room.core.pass(1_000)
})
afterEach(() => room.stop())

const line = (station: string, name = station) => ({ umsId: name, name, qty: 1, modifiers: [], station })
const papers = () => room.core.transport('grill').sent.map(({ text }) => text)
const arrive = (items = [line('grill'), line('fry')]) => room.arrive('pj_1', { order: { items } })
const isBack = async () => {
  room.core.transport('grill').down = null
  await room.core.pass(20_000)
}
const proof = async () => (await room.core.result('pj_1')).tickets[0]?.possibleDuplicate

describe('the ticket of an order', () => {
  it('that is ready is printed as already made, and its proof as a possible second one', async () => {
    await arrive()
    room.send(room.act('ready'))
    await isBack()
    expect(papers()).toHaveLength(1)
    expect(papers()[0]).toMatch(/POSSIBLE DUPLICATE[\s\S]*MADE AT THE SCREEN[\s\S]*CHECK SCREEN/)
    expect(papers()[0]).not.toMatch(/PARTLY|CHECK RAIL/)
    expect(await proof()).toBe(true)
  })

  it('that was picked up is printed so as well, also after a power cut', async () => {
    await arrive()
    room.send(room.act('pick-up'))
    await room.powerCut()
    await room.core.queue.start()
    await isBack()
    expect(papers()[0]).toContain('MADE AT THE SCREEN')
    expect(await proof()).toBe(true)
  })

  it('of which one station is ready, or one line struck off, is partly made', async () => {
    await arrive()
    room.send(room.act('ready', 'ord_1', { stations: ['fry'] }))
    await room.arrive('pj_2', { order: { serviceOrderId: 'ord_2', items: [line('grill', 'a'), line('grill', 'b')] } })
    room.send(room.act('strike', 'ord_2', { line: 1 }))
    await isBack()
    for (const paper of papers()) expect(paper).toMatch(/POSSIBLE DUPLICATE[\s\S]*PARTLY MADE AT THE SCREEN/)
    expect(papers()).toHaveLength(2)
  })

  it('that was started is printed so', async () => {
    await arrive()
    room.send(room.act('start'))
    await isBack()
    expect(papers()[0]).toMatch(/POSSIBLE DUPLICATE[\s\S]*STARTED AT THE SCREEN/)
  })

  it('that was not touched, or that was recalled, has no mark', async () => {
    await arrive()
    room.here(['ord_1'], ['ord_1'])
    await room.arrive('pj_2', { order: { serviceOrderId: 'ord_2' } })
    room.send(room.act('ready', 'ord_2'))
    room.send(room.act('recall', 'ord_2'))
    await isBack()
    expect(papers()).toHaveLength(2)
    for (const paper of papers()) expect(paper).not.toMatch(/DUPLICATE|SCREEN/)
    expect(await proof()).toBe(false)
  })

  it('that was called off meanwhile does not print, as one of which nothing is on paper', async () => {
    await arrive()
    room.send(room.act('ready'))
    expect(room.core.intake.cancel('pj_1')).toBe('cancelled')
    expect((await room.core.result('pj_1')).state).toBe('cancelled')
    await isBack()
    expect(papers()).toEqual([])
  })

  it('that is on the slip of a screen that does not answer is marked on its own paper', async () => {
    await arrive()
    const { displayId } = room.display
    room.kitchen.facts.putSeen('ord_1', { displayId, paperAtMs: room.core.clock.now() })
    await isBack()
    expect(papers()[0]).toMatch(/POSSIBLE DUPLICATE[\s\S]*CHECK RAIL/)
    expect(papers()[0]).not.toContain('SCREEN')
  })
})

describe('the ticket of a course that was fired', () => {
  const items = [
    { ...line('grill', 'soup'), course: 1 },
    { ...line('grill', 'steak'), course: 2 },
  ]
  it('is not made because the course before it was', async () => {
    await arrive(items)
    room.send(room.act('ready'))
    await room.core.pass(1_000)
    room.send(room.act('fire', 'ord_1', { course: 2 }))
    await isBack()
    const [first, second] = papers()
    expect(first).toMatch(/POSSIBLE DUPLICATE[\s\S]*MADE AT THE SCREEN/)
    expect(second).toContain('steak')
    expect(second).not.toMatch(/DUPLICATE|SCREEN/)
  })

  it('is printed as made once that is ready, too', async () => {
    await arrive(items)
    room.send(room.act('fire', 'ord_1', { course: 2 }))
    await room.core.pass(1_000)
    room.send(room.act('ready'))
    await isBack()
    expect(papers()).toHaveLength(2)
    for (const paper of papers()) expect(paper).toContain('MADE AT THE SCREEN')
  })
})
