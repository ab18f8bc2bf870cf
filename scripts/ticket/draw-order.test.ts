// An order to tickets: what the command prints and draws comes from the bytes that a printer would get.
import { describe, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { readPng } from '#shared/raster/png.ts'
import { ResvgRaster } from '#shared/raster/resvg-raster.ts'
import { webOrder } from '#test/fixtures/kitchen-orders.ts'
import { type DrawOptions, drawOrder } from './draw-order.ts'
import { parseTicketOptions } from './options.ts'
import { PaperPictures } from './paper-picture.ts'
import { TicketError } from './ticket-error.ts'

const ORDER = webOrder([
  { umsId: 'u1', name: 'Burger', qty: 2, station: 'grill' },
  { umsId: 'u2', name: 'Salad', qty: 1, station: 'cold' },
])

function options(...args: string[]): DrawOptions {
  const parsed = parseTicketOptions(['order.json', ...args])
  if (parsed === null) throw new Error('help was asked for')
  return { ...parsed, nowMs: parsed.nowMs ?? ORDER.queuedAtMs }
}
const textOf = async (...args: string[]) => (await drawOrder(ORDER, options(...args), null)).text

describe('drawOrder', () => {
  it('puts all lines on one ticket', async () => {
    const text = await textOf()
    expect(text).toContain('Burger')
    expect(text).toContain('Salad')
    expect(text).not.toContain('cut')
  })

  it('reports how many characters no font has', async () => {
    const raster = new ResvgRaster({ clock: systemClock })
    const items = ORDER.items.map((item) => ({ ...item, name: `${item.name} \u0378` }))
    const { text, warnings } = await drawOrder({ ...ORDER, items }, options(), raster)
    await raster.stop()
    expect(text).toContain('[U+0378]')
    expect(warnings).toEqual([expect.stringContaining('2 characters could not be printed')])
  })

  it('draws the lines of one station, or a ticket for each', async () => {
    const grill = await textOf('--station', 'GRILL')
    expect(grill).toContain('Burger')
    expect(grill).not.toContain('Salad')
    expect(grill).toContain('ALSO AT: cold')
    expect((await textOf('--split')).split('- - - - cut - - - -')).toHaveLength(2)
    await expect(textOf('--station', 'bar')).rejects.toThrow('There are: grill, cold.')
  })

  it('draws what prints at once, and a later course when it is fired', async () => {
    const items = ORDER.items.map((item, index) => ({ ...item, course: index + 1 }))
    const draw = async (...args: string[]) => (await drawOrder({ ...ORDER, items }, options(...args), null)).text
    expect(await draw()).toMatch(/Burger[\s\S]*HOLD COURSE 2: 1 Salad/)
    expect(await draw('--fire', '2')).toMatch(/FIRE COURSE 2[\s\S]*Salad/)
    expect(await draw('--fire', '2')).not.toContain('Burger')
    await expect(draw('--fire', '1')).rejects.toThrow('no later course 1')
  })

  it('prints a label for each piece, and the requested marks', async () => {
    const labels = await drawOrder(ORDER, options('--paper', 'label', '--profile', 'epson-label'), null)
    expect(labels.text.match(/Burger/g)).toHaveLength(2)
    expect(await textOf('--mark', 'void', '--mark', 'test')).toMatch(/TEST ORDER[\s\S]*VOID/)
  })

  it('draws the paper dot by dot, black on white', async () => {
    const { svg, tickets } = await drawOrder(ORDER, options('--profile', 'generic-58'), null)
    const picture = await readPng(await new PaperPictures().png(svg))
    expect(picture.width).toBe(384 + 48)
    expect(picture.height).toBeGreaterThan(tickets[0]?.lines.length ?? 0)
    const black = picture.black.filter((dot) => dot === 255).length / picture.black.length
    expect(black).toBeGreaterThan(0.02)
    expect(black).toBeLessThan(0.3)
  })
})

describe('parseTicketOptions', () => {
  it.each([
    [[], 'Give the file with the order.'],
    [['a', 'b'], 'Give one file, not 2'],
    [['a', '--profile', 'x'], '--profile has no "x". There are: epson-thermal-203'],
    [['a', '--mark', 'x'], '--mark has no "x". There are: void, reprint'],
    [['a', '--now', 'noon'], '--now needs a time'],
    [['a', '--fire', 'two'], '--fire needs the number of a course'],
    [['a', '--station', 'x', '--split'], 'not both'],
    [['a', '--colour'], "Unknown option '--colour'"],
  ])('says what is wrong with %j', (args, message) => {
    expect(() => parseTicketOptions(args)).toThrow(TicketError)
    expect(() => parseTicketOptions(args)).toThrow(message)
  })

  it('prints the help', () => {
    expect(parseTicketOptions(['--help'])).toBeNull()
  })
})
