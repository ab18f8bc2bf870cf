// Which display shows the lines of stations without a display: exactly one, so that nothing is shown twice and nothing nowhere.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KitchenPatch } from '#shared/wire/kitchen.ts'
import { KITCHEN_TIMES } from '#shared/wire/kitchen-acts.ts'
import { KitchenRoom } from '#test/doubles/kitchen-room.ts'
import { assertProperty } from '#test/harness/property.ts'
import { kitchenScreens, ownLines } from './adoption.ts'

const display = (displayId: string, stations: string[], more: { backupPrinterId?: string; kind?: string } = {}) => ({
  displayId,
  stations,
  backupPrinterId: null,
  ...more,
})
type Display = ReturnType<typeof display>
const adopterOf = (all: Display[], live: string[]) =>
  kitchenScreens(all, ({ displayId }) => live.includes(displayId)).adopter

const GRILL = display('grill', ['Grill'])
const FRY = display('fry', ['Fry'])
const EXPO = display('expo', [])

describe('the display that adopts what no display serves', () => {
  it.each<[string, Display[], string[], string | null]>([
    ['is expo while it is on', [GRILL, EXPO], ['grill', 'expo'], 'expo'],
    ['is the first that is on when expo is silent', [FRY, GRILL, EXPO], ['grill'], 'grill'],
    ['is the first that is on where there is no expo', [GRILL, FRY], ['fry', 'grill'], 'grill'],
    ['is expo when all are silent', [GRILL, EXPO], [], 'expo'],
    [
      'is one with a backup printer when all are silent',
      [EXPO, display('dry', ['Dry'], { backupPrinterId: 'p' })],
      [],
      'dry',
    ],
    ['is no runner and no board of the guests', [display('run', [], { kind: 'runner' }), GRILL], ['run'], 'grill'],
    ['is nobody where there is no display', [], [], null],
  ])('%s', (_, all, live, adopter) => {
    expect(adopterOf(all, live)).toBe(adopter)
  })

  it('leaves no line without a display that shows it, and no station display shows another one’s line', () => {
    const stations = fc.subarray(['grill', 'fry', 'cold'])
    const displays = fc.array(fc.record({ stations, isLive: fc.boolean() }), { minLength: 1, maxLength: 6 })
    assertProperty(
      fc.property(displays, fc.constantFrom('grill', 'fry', 'cold', 'bar', ''), (drawn, station) => {
        const all = drawn.map(({ stations }, index) => display(`d${index}`, stations))
        const live = drawn.flatMap(({ isLive }, index) => (isLive ? [`d${index}`] : []))
        const screens = kitchenScreens(all, ({ displayId }) => live.includes(displayId))
        const order = { lines: [{ station }] } as unknown as Parameters<typeof ownLines>[2]
        const showing = all.filter((one) => ownLines(one, screens, order).length > 0)
        expect(showing.length).toBeGreaterThan(0)
        if (screens.served.includes(station)) return
        expect(showing.map(({ displayId }) => displayId)).toContain(screens.adopter)
        expect(showing.every(({ displayId, stations }) => stations.length === 0 || displayId === screens.adopter)).toBe(
          true,
        )
        // Where one is on, it is seen.
        if (live.length > 0) expect(live).toContain(screens.adopter)
      }),
    )
  })
})

describe('the box', () => {
  let room: KitchenRoom
  let patches: KitchenPatch[]
  const grill = () => {
    const added = room.kitchen.displays.add(
      { name: 'Grill', stations: ['grill'], language: 'en', backupPrinterId: null },
      0,
    )
    if (!added.ok) throw new Error(added.reason)
    return added.display
  }
  const here = (displayId: string) => {
    const { presence } = room.kitchen
    presence.heard(displayId, true)
    if (!presence.isFed(displayId)) presence.attach(displayId)
  }

  beforeEach(async () => {
    room = new KitchenRoom()
    await room.kitchen.start()
    patches = []
    room.kitchen.board.watch((patch) => patches.push(patch))
  })
  afterEach(() => room.stop())

  it('is sent to every page when another display adopts, and to a page that connects, with the adopting display', async () => {
    const other = grill()
    here(room.display.displayId)
    here(other.displayId)
    expect(room.kitchen.hello(other).adopter).toBe(room.display.displayId)
    for (let leftMs = KITCHEN_TIMES.silentAfterMs + 2_000; leftMs > 0; leftMs -= 1_000) {
      here(other.displayId)
      await room.core.clock.advance(1_000)
    }
    expect(patches.map(({ adopter }) => adopter)).toEqual([other.displayId])
    expect(room.kitchen.hello(room.display).adopter).toBe(other.displayId)
    here(room.display.displayId)
    await room.core.clock.advance(1_000)
    expect(patches.map(({ adopter }) => adopter)).toEqual([other.displayId, room.display.displayId])
  })

  it('changes nothing else of an order: only the adopting display has to show it', async () => {
    const other = grill()
    await room.arrive('pj_1', {
      order: { items: [{ umsId: 'u', name: 'Tea', qty: 1, modifiers: [], station: 'bar' }] },
    })
    const shows = async () => (await room.kitchen.standingOf('ord_1'))?.displays.map(({ displayId }) => displayId)
    expect(await shows()).toEqual([room.display.displayId])
    room.kitchen.displays.update(room.display.displayId, { stations: ['fry'] })
    here(other.displayId)
    expect(await shows()).toEqual([other.displayId])
  })
})
