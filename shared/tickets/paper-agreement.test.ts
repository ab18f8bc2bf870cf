// Printed paper agrees with the layout: the text of any order's ticket appears on any printer, within its width, with the cut last.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePageCharacters, NO_CHARACTER } from '#shared/escpos/code-page-characters.ts'
import { PaperInterpreter } from '#shared/escpos/paper.ts'
import type { PaperRun, PaperTicket, TextLine } from '#shared/escpos/paper-ticket.ts'
import { isBlack } from '#shared/escpos/picture.ts'
import { previewOf } from '#shared/escpos/preview.ts'
import { type KitchenOrder, kitchenOrder } from '#shared/order.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { assertProperty } from '#test/harness/property.ts'
import { type Bitmap, rowBytes } from './bitmap.ts'
import { CodePages } from './code-page.ts'
import { kitchenTicketLines } from './kitchen-ticket.ts'
import { lineHeight, lineWidth, type TicketLine } from './line-layout.ts'
import { PROFILES } from './printer-profiles.ts'
import { paperOptionsFor } from './profile-paper.ts'
import { type JobTicketInput, renderJobTicket } from './render-job.ts'
import type { RasterRequest, TextRaster } from './text-raster.ts'

/** Star raster printers print drawn lines only, so there is no text to compare. */
const WITH_TEXT = PROFILES.filter(({ language }) => language !== 'star-raster')
const RUNS = 150

function inputOf(order: KitchenOrder): JobTicketInput {
  return {
    doc: { kind: 'order', order },
    part: { printerId: 'p1', station: 'grill', items: order.items.map((_, i) => i), alsoAt: [], paper: 'kitchen' },
    kind: 'order',
    printerName: 'Grill',
    marks: { possibleDuplicate: false, lateSinceMs: null },
    ticketLabel: '8F3A-1',
    attempt: 1,
    nowMs: 1_700_000_060_000,
  } as JobTicketInput
}

const word = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('Burger', 'jalapeño', 'crème', 'soup', 'Großes', 'of', 'the', 'house', 'x2'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('Пирог', 'Μουσακάς', 'żurek', 'Donaudampfschifffahrtsgesellschaft', '½', '€5', '…'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 }) },
)
const words = (most: number) => fc.array(word, { minLength: 1, maxLength: most }).map((list) => list.join(' '))
const allergy = fc.constantFrom(
  'NUT ALLERGY',
  'alergia a los frutos secos',
  'gluten free',
  'coeliac',
  'Erdnussallergie!',
)
const item = fc.record({
  umsId: fc.constant('u'),
  name: words(8),
  qty: fc.integer({ min: 1, max: 120 }),
  note: fc.option(
    fc.oneof(
      words(8),
      fc.tuple(words(3), allergy).map((two) => two.join(' ')),
    ),
    { nil: undefined },
  ),
  modifiers: fc.array(fc.record({ umsId: fc.constant('m'), name: fc.oneof(words(4), allergy) }), { maxLength: 3 }),
})
const orders = fc
  .record({
    orderId: fc.stringMatching(/^[A-Z0-9-]{1,20}$/),
    source: words(2),
    readyByMs: fc.option(fc.constant(1_700_001_000_000)),
    customer: fc.record({ name: words(3), phone: fc.constant('+1 555 0101') }, { requiredKeys: [] }),
    items: fc.array(item, { minLength: 1, maxLength: 5 }),
  })
  .map((facts) =>
    kitchenOrder.parse({
      ...facts,
      serviceOrderId: 'ord_1',
      merchantId: 'M-1',
      locationId: 'loc_1',
      queuedAtMs: 1_700_000_000_000,
      timeZone: 'Europe/Madrid',
    }),
  )
const profiles = fc.constantFrom(...WITH_TEXT)

interface Printed {
  paper: PaperTicket
  bytes: Uint8Array
  text: string | undefined
}

async function printed(
  order: KitchenOrder,
  profile: PrinterProfile,
  raster: TextRaster | null = null,
): Promise<Printed> {
  const { bytes, text } = await renderJobTicket(inputOf(order), profile, raster)
  // The transport begins every document with these bytes.
  const head = profile.cancelKanji ? '\x1b@\x1c.' : '\x1b@'
  const interpreter = new PaperInterpreter({ ...paperOptionsFor(profile), kanjiAtStart: profile.cancelKanji })
  interpreter.push(Buffer.from(head, 'latin1'))
  interpreter.push(bytes)
  expect(interpreter.pendingBytes).toBe(0)
  expect(interpreter.tickets.length).toBe(profile.cut === 'none' || profile.cut === 'label' ? 0 : 1)
  return { paper: interpreter.tickets[0] ?? interpreter.current, bytes, text }
}

/** Draws a black bar for each line, as wide and high as its text would be, and counts the dots. */
class BarRaster implements TextRaster {
  blackDots = 0

  async missing(): Promise<ReadonlyMap<string, string>> {
    return new Map()
  }

  async draw(requests: readonly RasterRequest[]): Promise<readonly Bitmap[]> {
    return requests.map(({ line, cell, dots }) => {
      const widthDots = Math.min(dots, Math.max(8, lineWidth(line) * cell.widthDots))
      const heightDots = cell.heightDots * lineHeight(line)
      this.blackDots += widthDots * heightDots
      const rows = new Uint8Array(rowBytes({ widthDots }) * heightDots).fill(0xff)
      const spare = rowBytes({ widthDots }) * 8 - widthDots
      for (let end = rowBytes({ widthDots }) - 1; end < rows.length; end += rowBytes({ widthDots }))
        rows[end] = (0xff << spare) & 0xff
      return { widthDots, heightDots, rows }
    })
  }
}

function blackDotsOf({ lines }: PaperTicket): number {
  const pictures = lines.flatMap((line) => {
    if (line.kind === 'graphic') return line.drawing.kind === 'picture' ? [line.drawing.picture] : []
    return line.kind === 'text' ? line.pictures.map(({ picture }) => picture) : []
  })
  let count = 0
  for (const picture of pictures) {
    for (let y = 0; y < picture.heightDots; y++) {
      for (let x = 0; x < picture.widthDots; x++) if (isBlack(picture, x, y)) count++
    }
  }
  return count
}

function textLines({ lines }: PaperTicket): TextLine[] {
  return lines.filter((line) => line.kind === 'text')
}

/** The layout of the same ticket, before it is encoded. */
function planned(order: KitchenOrder, profile: PrinterProfile): readonly TicketLine[] {
  const pages = new CodePages(profile)
  const { doc: _doc, part: _part, ...facts } = inputOf(order)
  const paper = {
    columns: profile.columns,
    printable: (text: string) => pages.printable(text, { drawn: false }),
    draws: () => false,
  }
  return kitchenTicketLines({ ...facts, kind: 'order', order, items: order.items, station: 'grill', alsoAt: [] }, paper)
}

const isPicture = (line: string): boolean => line.trim().startsWith('[raster')

function letters(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}

/** Daruma and Bematech have neither white on black nor red. */
function isLoud(run: PaperRun, { dialect }: PrinterProfile): boolean {
  const large = run.bold || run.heightScale > 1
  return run.text.trim() !== '' && (run.inverse || run.red || (dialect.startsWith('eb-') && large))
}

describe('any order on any printer', () => {
  it('stays within the paper: no line wraps, and nothing is printed beyond the last column or dot', async () => {
    await assertProperty(
      fc.asyncProperty(orders, profiles, async (order, profile) => {
        const { paper } = await printed(order, profile)
        for (const line of textLines(paper)) {
          expect(line.wrapped).toBe(false)
          expect(line.columns).toBeLessThanOrEqual(profile.columns)
          for (const run of line.runs) {
            const end = run.xDots + Array.from(run.text).length * run.advanceDots
            expect(end).toBeLessThanOrEqual(profile.dots)
          }
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('has the words of drawn lines in its text, and every other line as printed', async () => {
    await assertProperty(
      fc.asyncProperty(orders, profiles, async (order, profile) => {
        const { paper, text } = await printed(order, profile, new BarRaster())
        const read = paper.text().split('\n')
        const pages = new CodePages(profile)
        const told = text?.split('\n') ?? read
        expect(told.filter((line) => pages.has(line))).toEqual(read.filter((line) => !isPicture(line)))
        expect(told.some((line) => !pages.has(line))).toBe(read.some(isPicture))
      }),
      { numRuns: RUNS },
    )
  })

  it('prints exactly the words of the layout, on labels too', async () => {
    await assertProperty(
      fc.asyncProperty(orders, profiles, async (order, profile) => {
        const { paper } = await printed(order, profile)
        const plan = planned(order, profile).map((line) => letters(line.runs.map((run) => run.text).join('')))
        const lines = textLines(paper).map((line) => letters(line.runs.map((run) => run.text).join('')))
        expect(lines.filter((text) => text !== '')).toEqual(plan.filter((text) => text !== ''))
      }),
      { numRuns: RUNS },
    )
  })

  it('shows every allergy emphasized: white on black, in red, or large where the printer has neither', async () => {
    const withAllergy = orders.map((order) => ({
      ...order,
      items: order.items.map((each, i) => ({ ...each, note: `NUT ALLERGY (${i})`, modifiers: [] })),
    }))
    await assertProperty(
      fc.asyncProperty(withAllergy, profiles, async (order, profile) => {
        const { paper } = await printed(order, profile)
        const loud = textLines(paper).filter((line) => line.runs.some((run) => isLoud(run, profile)))
        const said = loud.map((line) => line.runs.map((run) => run.text).join('')).join(' ')
        // One for each item, however its line was broken.
        const shown = letters(said).replaceAll(/[ >]/g, '')
        order.items.forEach((_, i) => {
          expect(shown).toContain(`NUTALLERGY(${i})`)
        })
      }),
      { numRuns: RUNS },
    )
  })

  it('prints accents after two-byte characters as accents', async () => {
    for (const profile of PROFILES.filter(({ kanji }) => kanji !== null)) {
      const items = ['寿司', 'Crème brûlée'].map((name) => ({ umsId: 'u', name, qty: 1 }))
      const facts = { serviceOrderId: 'o', orderId: '1', merchantId: 'M', locationId: 'l', source: 'X', queuedAtMs: 0 }
      const { paper } = await printed(kitchenOrder.parse({ ...facts, timeZone: 'UTC', items }), profile)
      expect(paper.text()).toContain('寿司\n 1   Crème brûlée')
    }
  })

  it('prints allergies in red where the printer has it, also in scripts that are drawn', async () => {
    for (const profile of PROFILES.filter(({ color }) => color === 'red')) {
      const items = [{ umsId: 'u', name: 'Soup', qty: 1, note: 'Αλλεργία στα καρύδια: שקדים' }]
      const facts = { serviceOrderId: 'o', orderId: '1', merchantId: 'M', locationId: 'l', source: 'X', queuedAtMs: 0 }
      const order = kitchenOrder.parse({ ...facts, timeZone: 'UTC', items })
      const { paper } = await printed(order, profile, new BarRaster())
      const drawn = paper.lines.filter((line) => line.kind === 'graphic')
      expect(drawn.length, profile.id).toBeGreaterThan(0)
      expect(
        drawn.every((line) => line.red),
        profile.id,
      ).toBe(true)
    }
  })

  it('prints every dot of drawn lines, within the paper', async () => {
    const foreign = orders.map((order) => ({
      ...order,
      items: order.items.map((each) => ({ ...each, name: `${each.name} شاورما`, note: 'חריף 🎂' })),
    }))
    const drawing = PROFILES.filter(({ image, media }) => image !== 'none' && media.kind === 'roll')
    await assertProperty(
      fc.asyncProperty(foreign, fc.constantFrom(...drawing), async (order, profile) => {
        const raster = new BarRaster()
        const { paper } = await printed(order, profile, raster)
        expect(raster.blackDots).toBeGreaterThan(0)
        expect(blackDotsOf(paper)).toBe(raster.blackDots)
        for (const line of paper.lines) {
          if (line.kind === 'graphic') expect(line.xDots + line.widthDots).toBeLessThanOrEqual(profile.dots)
        }
        expect(paper.ignored).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  it('prints every character of every code page as itself', () => {
    for (const profile of WITH_TEXT) {
      const star = profile.language !== 'escpos'
      for (const { page, encoding } of profile.codePages) {
        const all = codePageCharacters(encoding).filter((character) => character > '~' && character !== NO_CHARACTER)
        const pages = new CodePages({ id: profile.id, codePages: [{ page, encoding }], kanji: null })
        const paper = new PaperInterpreter({ ...paperOptionsFor(profile), columns: 256, dots: 256 * 12 })
        paper.push(Buffer.from(star ? [0x1b, 0x1d, 0x74, page] : [0x1b, 0x74, page]))
        for (const segment of pages.encode(all.join(''), page)) paper.push(segment.bytes)
        paper.push(Uint8Array.of(0x0a))
        expect(paper.current.text(), `${profile.id} ${encoding}`).toBe(all.join('').trimEnd())
        expect(all.length, encoding).toBeGreaterThan(90)
      }
    }
  })

  it('ends with its cut, opens no drawer, and contains only commands that the interpreter supports', async () => {
    await assertProperty(
      fc.asyncProperty(orders, profiles, async (order, profile) => {
        const { paper, bytes } = await printed(order, profile)
        const { operations, drawerPulses } = previewOf(bytes, paperOptionsFor(profile))
        expect(paper.ignored).toEqual([])
        expect(drawerPulses).toBe(0)
        const isCut = ({ detail }: { detail: string }): boolean => / cut\b/.test(detail)
        if (profile.cut === 'none' || profile.cut === 'label') return
        expect(operations.at(-1)?.detail).toMatch(/ cut\b/)
        expect(operations.filter(isCut)).toHaveLength(1)
      }),
      { numRuns: RUNS },
    )
  })
})
