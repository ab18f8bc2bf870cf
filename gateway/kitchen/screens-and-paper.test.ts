// Silent screens, and screens without a reaction: what the box prints because of them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { previewOf } from '#shared/escpos/preview.ts'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { GRILL } from '#test/doubles/gateway-core.ts'
import { KitchenRoom } from '#test/doubles/kitchen-room.ts'

let room: KitchenRoom

beforeEach(async () => {
  room = new KitchenRoom()
  await room.kitchen.start()
})

afterEach(() => room.stop())

describe('a silent screen', () => {
  const slips = () =>
    room.core
      .transport('grill')
      .sent.map(({ text }) => text)
      .filter((text) => text.includes('SCREEN OFFLINE'))

  beforeEach(async () => {
    await room.core.queue.start()
    room.claim()
    room.kitchen.displays.update(room.display.displayId, { backupPrinterId: 'grill' })
    room.here([])
  })

  it('has on paper what the allergy of each dish is', async () => {
    const line = { umsId: 'u', qty: 1, station: 'grill', modifiers: [] }
    const items = [
      { ...line, name: 'Burger', allergens: ['nuts'] },
      { ...line, name: 'Steak', note: 'no eggs, allergy' },
    ]
    await room.arrive('pj_1', { order: { items } })
    await room.core.pass(20_000)
    const said = slips()[0]?.match(/(Burger|Steak|!! ALLERGY [a-z, ]+)/g)
    expect(said).toEqual(['Burger', '!! ALLERGY nuts', 'Steak', '!! ALLERGY no eggs, allergy'])
  })

  it('has what it did not draw printed once, marked, after 15 seconds', async () => {
    await room.arrive('pj_1')
    await room.core.pass(14_000)
    expect(slips()).toHaveLength(0)
    await room.core.pass(3_000)
    expect(slips()).toHaveLength(1)
    expect(slips()[0]).toContain('POSSIBLE DUPLICATE')
    await room.core.pass(60_000)
    expect(slips()).toHaveLength(1)
  })

  it.each(['runner', 'pick-up'] as const)(
    'is not replaced by a screen of kind %s, which no cook looks at',
    async (kind) => {
      const { displays, presence } = room.kitchen
      const other = { name: 'Other', kind, stations: [], language: 'en', backupPrinterId: null }
      const added = displays.add(other, room.core.clock.now())
      const displayId = added.ok ? added.display.displayId : ''
      await room.arrive('pj_1')
      for (let seconds = 0; seconds < 20; seconds += 5) {
        presence.heard(displayId, true)
        presence.drawn(displayId, ['ord_1'])
        await room.core.pass(5_000)
      }
      expect(slips()).toHaveLength(1)
      expect((await room.kitchen.standingOf('ord_1'))?.displays.map(({ name }) => name)).toEqual(['Expo'])
    },
  )

  it('that has drawn the order has nothing printed, also not after a restart of the box', async () => {
    await room.arrive('pj_1')
    room.here(['ord_1'])
    room.core.db.flush()
    await room.core.pass(30_000)
    expect(slips()).toHaveLength(0)
    await room.restart()
    await room.core.pass(30_000)
    expect(slips()).toHaveLength(0)
  })

  it('whose backup printer was removed prints nothing late at the next printer of that name', async () => {
    await room.arrive('pj_1')
    await room.core.pass(1_000)
    expect(room.core.queue.removePrinter('grill').ok).toBe(true)
    expect(room.display.backupPrinterId).toBeNull()
    await room.core.pass(30_000)
    room.core.queue.addPrinter({ ...GRILL, profileId: 'generic-80', settings: DEFAULT_PRINTER_SETTINGS })
    await room.core.pass(30_000)
    expect(slips()).toHaveLength(0)
    room.kitchen.displays.update(room.display.displayId, { backupPrinterId: 'grill' })
    await room.core.pass(3_000)
    expect(slips()).toHaveLength(1)
  })

  it('prints nothing while no backup printer is set', async () => {
    room.kitchen.displays.update(room.display.displayId, { backupPrinterId: null })
    await room.arrive('pj_1')
    await room.core.pass(60_000)
    expect(slips()).toHaveLength(0)
  })
})

describe('a screen without an open page', () => {
  const sent = () => room.core.transport('grill').sent
  const calls = () => sent().filter(({ text }) => text.includes('LOOK AT SCREEN Expo'))
  /** Time passes, and the page reports every five seconds. */
  const pass = async (seconds: number) => {
    for (let left = seconds; left > 0; left -= 5) {
      room.here([])
      await room.core.pass(5_000)
    }
  }

  beforeEach(async () => {
    await room.core.queue.start()
    room.claim()
    room.kitchen.displays.update(room.display.displayId, { backupPrinterId: 'grill', buzzAfterS: 30 })
  })

  it('has the buzzer call once for all that wait there, also after a restart of the box', async () => {
    await room.arrive('pj_1')
    await room.arrive('pj_2', { order: { serviceOrderId: 'ord_2' } })
    room.here(['ord_1', 'ord_2'])
    await pass(25)
    expect(calls()).toHaveLength(0)
    await pass(10)
    expect(calls()).toHaveLength(1)
    expect(calls()[0]?.text).toContain('Order O-pj_1')
    expect(calls()[0]?.text).toContain('Order O-pj_2')
    // In the printer's bytes: five sounds.
    expect(previewOf(Buffer.from(calls()[0]?.text ?? '', 'latin1')).beeps).toBe(5)
    await room.restart()
    await pass(60)
    expect(calls()).toHaveLength(1)
  })

  it('does not print for orders that somebody acknowledged or has started', async () => {
    await room.arrive('pj_1')
    await room.arrive('pj_2', { order: { serviceOrderId: 'ord_2' } })
    room.here(['ord_1', 'ord_2'], ['ord_1'])
    room.send(room.act('strike', 'ord_2', { line: 0 }))
    await pass(120)
    expect(calls()).toHaveLength(0)
  })

  it('does not print for orders that somebody acknowledged, also when nothing else was written since', async () => {
    await room.arrive('pj_1', { doc: { kind: 'board', order: room.core.order() } })
    room.here(['ord_1'], ['ord_1'])
    await pass(120)
    expect(calls()).toHaveLength(0)
  })

  it('is given its time with an order that the internet held up for hours', async () => {
    await room.core.pass(7_300_000)
    await room.arrive('pj_1', { order: { queuedAtMs: room.core.clock.now() - 7_200_000 } })
    room.here(['ord_1'])
    await pass(25)
    expect(calls()).toHaveLength(0)
    await pass(10)
    expect(calls()).toHaveLength(1)
  })

  it('has nothing noted as called for while its printer is not there', async () => {
    room.core.queue.removePrinter('grill')
    await room.arrive('pj_1')
    await pass(60)
    const { displayId } = room.display
    expect(room.kitchen.facts.seen('ord_1')).not.toContainEqual(
      expect.objectContaining({ displayId, buzzedAtMs: expect.any(Number) }),
    )
  })

  it('has it silent until that is set', async () => {
    room.kitchen.displays.update(room.display.displayId, { buzzAfterS: null })
    await room.arrive('pj_1')
    await pass(120)
    expect(calls()).toHaveLength(0)
  })
})
