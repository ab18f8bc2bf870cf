// What runners' and guests' screens may do over their routes: actions, heartbeats.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ActKind } from '#shared/wire/kitchen.ts'
import type { DisplayKind } from '#shared/wire/kitchen-screens.ts'
import { BoxServer, type PageBrowser } from '#test/doubles/box-server.ts'

let box: BoxServer
beforeEach(async () => {
  box = new BoxServer()
  await box.start()
  box.core.accept('pj_1', { order: { serviceOrderId: 'ord_1' } })
})
afterEach(() => box.stop())

function screen(kind: DisplayKind): { browser: PageBrowser; displayId: string } {
  const browser = box.display(kind)
  const displayId = box.kitchen.displays.all().find(({ name }) => name === kind)?.displayId ?? ''
  box.kitchen.displays.update(displayId, { kind })
  return { browser, displayId }
}

const acts = (...kinds: ActKind[]) => ({
  acts: kinds.map((kind, n) => ({ id: `tap-0000-${kind}-${n}`, kind, orderId: 'ord_1', stations: null, atMs: 0 })),
})
const outcomesOf = (answer: { body: { results: { outcome: string; reason?: string }[] } }) =>
  answer.body.results.map(({ outcome, reason }) => [outcome, reason])
const NOT_HERE = ['refused', 'not-this-screen']
const stateOf = () => box.kitchen.board.find('ord_1')

describe('an act', () => {
  it('at the board of the guests is refused, whatever it is', async () => {
    const { browser } = screen('pick-up')
    const answer = await browser.post('/kitchen/api/acts', acts('start', 'ready', 'pick-up', 'recall', 'strike'))
    expect(answer.status).toBe(200)
    expect(outcomesOf(answer)).toEqual(Array.from({ length: 5 }, () => NOT_HERE))
    expect(stateOf()).toMatchObject({ readyAtMs: null, pickedUpAtMs: null })
  })

  it('of a runner is to bring out and to take that back; among others each has its own answer', async () => {
    const { browser } = screen('runner')
    const done = ['done', undefined]
    const never = await browser.post('/kitchen/api/acts', acts('pick-up', 'recall'))
    expect(outcomesOf(never)).toEqual([NOT_HERE, NOT_HERE])
    await box.display('expo').post('/kitchen/api/acts', acts('start', 'ready'))
    const answer = await browser.post('/kitchen/api/acts', acts('ready', 'pick-up', 'void-seen', 'recall'))
    expect(outcomesOf(answer)).toEqual([NOT_HERE, done, NOT_HERE, done])
    expect(stateOf()).toMatchObject({ pickedUpAtMs: null })
  })
})

it.each(['runner', 'pick-up'] as const)(
  'a screen of kind %s is alive and has drawn its board, but has shown no order to a cook',
  async (kind) => {
    const { browser, displayId } = screen(kind)
    const here = { rendered: ['ord_1'], noticed: ['ord_1'], onShift: false, boardAtMs: 1_000 }
    expect((await browser.post('/kitchen/api/here', here)).status).toBe(200)
    const { presence } = box.kitchen
    expect(presence.isAlive(displayId)).toBe(true)
    expect(presence.boardAtMs(displayId)).toBe(1_000)
    expect([presence.hasDrawn(displayId, 'ord_1'), presence.hasNoticed(displayId, 'ord_1')]).toEqual([false, false])
  },
)
