// A label of any height shows its number, its dish and its allergies.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PaperInterpreter } from '#shared/escpos/paper.ts'
import type { KitchenLine, KitchenOrder } from '#shared/order.ts'
import { AT_THE_GRILL, webOrder } from '#test/fixtures/kitchen-orders.ts'
import { assertProperty } from '#test/harness/property.ts'
import { type LabelTicketInput, labelTicketLines } from './label-ticket.ts'
import type { TicketLine } from './line-layout.ts'
import { profileById } from './printer-profiles.ts'
import { paperOptionsFor } from './profile-paper.ts'
import { renderDocument } from './render-ticket.ts'
import type { TicketPaper } from './ticket-paper.ts'

const ALLERGENS = [
  ...['celery', 'crustaceans', 'eggs', 'fish', 'gluten', 'lupin', 'milk'],
  ...['molluscs', 'mustard', 'nuts', 'peanuts', 'sesame', 'soya', 'sulphites'],
]
const TEA: KitchenLine = { umsId: 'a', name: 'Tee', qty: 2, modifiers: [], station: 'bar' }
const HEIGHTS = ['epson-label-25', 'epson-label', 'epson-label-60']

type Said = Partial<Omit<LabelTicketInput, 'order' | 'item'>> & {
  item?: Partial<KitchenLine>
  order?: Partial<KitchenOrder>
  profileId?: string
}

function inputOf({ item, order, profileId: _, ...input }: Said): LabelTicketInput {
  const line = { ...TEA, ...item }
  return { ...AT_THE_GRILL, piece: { n: 1, of: 2 }, ...input, order: webOrder([line], order), item: line }
}

/** As laid out for 25 mm. */
async function linesOf(said: Said): Promise<readonly TicketLine[]> {
  let lines: readonly TicketLine[] = []
  const kept = (paper: TicketPaper) => {
    lines = labelTicketLines(inputOf(said), paper)
    return [...lines]
  }
  await renderDocument(kept, profileById('epson-label-25'), { raster: null })
  return lines
}

async function rowsOf(said: Said): Promise<string[]> {
  const profile = profileById(said.profileId ?? 'epson-label-25')
  const { bytes } = await renderDocument((paper) => labelTicketLines(inputOf(said), paper), profile, { raster: null })
  const paper = new PaperInterpreter(paperOptionsFor(profile))
  paper.push(bytes)
  return paper.current
    .text()
    .split('\n')
    .map((row) => row.trim())
    .filter((row) => row !== '')
}

describe('a label of 25 mm', () => {
  it('has the name of the dish below a short list of allergens', async () => {
    const rows = await rowsOf({ order: { allergens: ['nuts'] } })
    expect(rows.slice(1)).toEqual(['!! ALLERGY !!', 'nuts', 'Tee...'])
    expect(rows[0]).toMatch(/^#.* 1\/2$/)
  })

  it('never cuts the end of an allergy to make room for dots', async () => {
    const rows = await rowsOf({
      order: { allergens: ['peanuts', 'tree nuts', 'milk', 'soy', 'egg'] },
      item: { allergens: ['gluten'], modifiers: [{ umsId: 'm', name: 'Extra lemon' }] },
    })
    const words = rows.join(' ')
    for (const said of ['Tee', 'ALLERGY', 'peanuts', 'tree nuts', 'milk', 'soy', 'egg', 'gluten'])
      expect(words).toContain(said)
    expect(words).toMatch(/\.\.\.$/)
  })

  it('says nothing of allergies where there are none, however little room there is', async () => {
    const marks = { isTest: true, isReprint: true, possibleDuplicate: true }
    expect((await rowsOf({ marks, copy: { n: 2, of: 3 } })).join(' ')).not.toContain('ALLERGY')
  })

  it('keeps the name large if its allergies fit one line with the word', async () => {
    const lines = await linesOf({ order: { allergens: ['peanuts', 'milk'] }, item: { allergens: ['gluten'] } })
    const tall = lines.filter(({ runs }) => runs.some(({ heightScale }) => heightScale === 2))
    expect(tall.map(({ runs }) => runs.at(-1)?.text)).toEqual([expect.stringContaining('#'), 'Tee'])
  })

  it('shows how many allergens have no room', async () => {
    const words = (await rowsOf({ order: { allergens: [...ALLERGENS, 'a long word of a client about it'] } })).join(' ')
    expect(words).toMatch(/#.*Tee !! ALLERGY: celery, crustaceans,.* \+\d more: ask!/)
  })

  it('shows that a note about an allergy continues', async () => {
    const note = `no shellfish, deathly ill, ${'and well done on both sides, please, '.repeat(12)}`.slice(0, 480)
    const words = (await rowsOf({ item: { note } })).join(' ')
    expect(words).toMatch(/Tee !! ALLERGY: no shellfish, deathly ill.*\.\.\. more: ask!/)
  })
})

describe('a label of any height', () => {
  const words = fc.array(fc.constantFrom('Cheeseburger', 'with', 'bacon', 'Tee', 'é', 'Donaudampfschifffahrt'), {
    minLength: 1,
    maxLength: 12,
  })
  const said = fc.record({
    profileId: fc.constantFrom(...HEIGHTS),
    ofOrder: fc.subarray(ALLERGENS),
    ofLine: fc.subarray(ALLERGENS),
    name: words.map((list) => list.join(' ').slice(0, 120)),
    guest: fc.constantFrom('', 'Ana Lopez', 'Maximiliane-Wilhelmine Sophie'),
    isTest: fc.boolean(),
    isReprint: fc.boolean(),
    possibleDuplicate: fc.boolean(),
    copy: fc.constantFrom({ n: 1, of: 1 }, { n: 2, of: 3 }),
    note: fc.constantFrom(
      undefined,
      'hot',
      'guest is allergic to kiwi and to everything that grows on trees in the south',
    ),
    modifiers: fc.integer({ min: 0, max: 4 }),
  })

  it.each(HEIGHTS)('shows each of 0 to 14 allergens, or how many are left out: %s', async (profileId) => {
    for (let count = 0; count <= ALLERGENS.length; count++) {
      const allergens = ALLERGENS.slice(0, count)
      const paper = (await rowsOf({ profileId, order: { allergens } })).join(' ')
      expect(paper).toContain('Tee')
      expect(paper.includes('ALLERGY')).toBe(count > 0)
      const missing = allergens.filter((allergen) => !paper.includes(allergen)).length
      if (missing > 0) expect(paper).toContain(`+${missing} more: ask!`)
      else expect(paper).not.toContain('ask!')
    }
  })

  it('has its number, the beginning of its name, the word ALLERGY, and each allergen or a count of the missing ones', async () => {
    await assertProperty(
      fc.asyncProperty(said, async (facts) => {
        const { profileId, ofOrder, ofLine, name, guest, isTest, isReprint, possibleDuplicate, copy, note } = facts
        const modifiers = Array.from({ length: facts.modifiers }, (_, n) => ({ umsId: `m${n}`, name: `Extra ${n}` }))
        const rows = await rowsOf({
          ...{ profileId, copy, marks: { isTest, isReprint, possibleDuplicate } },
          order: { allergens: ofOrder, ...(guest === '' ? {} : { customer: { name: guest } }) },
          item: { name, allergens: ofLine, modifiers, ...(note === undefined ? {} : { note }) },
        })
        const paper = rows.join(' ')
        expect(paper).toMatch(/#\d+/)
        expect(paper).toContain(name.split(' ')[0]?.slice(0, 20))
        const isWarned = ofOrder.length > 0 || ofLine.length > 0 || note?.includes('allergic') === true
        if (isWarned) expect(paper).toContain('ALLERGY')
        const missing = [...ofOrder, ...ofLine].filter((allergen) => !paper.includes(allergen))
        if (missing.length > 0) expect(paper).toMatch(/(?:more|ALLERGY): ask!/)
      }),
      { numRuns: 400 },
    )
  })
})
