// The layout of the kitchen ticket: order, allergies, quantities, removals; and no foreign text can imitate our own lines.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TextLine } from '#shared/escpos/paper-ticket.ts'
import type { KitchenLine } from '#shared/order.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { AT_THE_GRILL, ORDERED_MS, readyPaper, webOrder } from '#test/fixtures/kitchen-orders.ts'
import { assertProperty } from '#test/harness/property.ts'
import type { KitchenTicketInput as TicketInput } from './kitchen-head.ts'
import { kitchenTicketLines } from './kitchen-ticket.ts'
import { profileById } from './printer-profiles.ts'
import { renderTransliterated } from './render-ticket.ts'

type Line = Partial<KitchenLine> & { name: string }

const line = (fields: Line): KitchenLine => ({ umsId: 'ums_1', qty: 1, modifiers: [], station: null, ...fields })
const modifiers = (...names: string[]) => names.map((name) => ({ umsId: 'm', name }))

/** The ticket of a whole order, or of one station's lines with the rest at another printer. */
function ticket(lines: readonly Line[], order: object = {}, fields: Partial<TicketInput> = {}): TicketInput {
  const items = lines.map(line)
  const own = fields.station === undefined ? items : items.filter(({ station }) => station === fields.station)
  return {
    kind: 'order',
    items: own,
    station: null,
    alsoAt: [],
    ...AT_THE_GRILL,
    ...fields,
    order: webOrder(items, order),
  }
}

function linesOf(input: TicketInput, profile: PrinterProfile = profileById('epson-thermal-203')): TextLine[] {
  const paper = readyPaper(profile)
  paper.push(renderTransliterated((size) => kitchenTicketLines(input, size), profile).bytes)
  return (paper.tickets[0] ?? paper.current).lines.filter((each) => each.kind === 'text')
}
const wordsOf = ({ runs }: TextLine): string => runs.map(({ text }) => text).join('')
const textOf = (input: TicketInput, profileId = 'epson-thermal-203'): string =>
  linesOf(input, profileById(profileId))
    .map((each) => wordsOf(each).trimEnd())
    .join('\n')
const has = (input: TicketInput, text: string): TextLine | undefined =>
  linesOf(input).find((each) => wordsOf(each).includes(text))

describe('the head', () => {
  it.each([
    ['dine-in', 'DINE-IN'],
    ['takeaway', 'TO GO'],
    ['delivery', 'DELIVERY'],
    ['drive-through', 'DRIVE-THRU'],
    ['catering', 'CATERING'],
    ['curbside', 'CURBSIDE'],
  ])('says the type %s as %s, large, and the app small', (orderType, word) => {
    const input = ticket([{ name: 'Soup' }], { orderType, source: 'KIOSK' })
    expect(has(input, word)?.runs[0]).toMatchObject({ widthScale: 2, heightScale: 2, bold: true })
    expect(textOf(input)).toMatch(new RegExp(`^ *#42   ${word}$`, 'm'))
    expect(has(input, 'via KIOSK')?.runs[0]).toMatchObject({ widthScale: 1, heightScale: 1 })
  })

  it('has the table next to the number, or below it on narrow paper', () => {
    const input = ticket([{ name: 'Soup' }], { orderType: 'dine-in', table: '12', guests: 4, server: 'Maria' })
    expect(textOf(input)).toContain('#42   DINE-IN   TABLE 12')
    expect(textOf(input, 'generic-58')).toMatch(/#42 {3}DINE-IN\n *TABLE 12\n/)
    expect(textOf(input)).toContain('guests 4   server Maria')
  })

  it('prints a long table name completely, on a second line below the first', () => {
    const input = ticket([{ name: 'Soup' }], { orderType: 'dine-in', table: 'Terrasse hinten links, Tisch 47' })
    expect(textOf(input)).toMatch(/^ *TABLE Terrasse hinten links, Tisch 47$/m)
    expect(textOf(input, 'generic-58')).toContain('\nTABLE Terrasse hinten links,\n      Tisch 47\n')
    const forged = ticket([{ name: 'Soup' }], { source: `${'x'.repeat(40)} CANCELLED ORDER` })
    expect(textOf(forged, 'generic-58')).toMatch(/^via x+\n +x+ CANCELLED ORDER$/m)
  })

  it('prints an order type of a newer relay as it is, and the app in large letters without type and table', () => {
    expect(textOf(ticket([{ name: 'Soup' }], { orderType: 'Room service' }))).toMatch(/#42 {3}Room service$/m)
    expect(textOf(ticket([{ name: 'Soup' }]))).toMatch(/^ *#42 {3}PICKUP$/m)
  })

  it('prints the note of the order in a frame', () => {
    const text = textOf(ticket([{ name: 'Soup' }], { note: 'Birthday at 8\ncandles' }), 'generic-58')
    expect(text).toContain(
      [
        '+- ORDER NOTE -----------------+',
        '| Birthday at 8                |',
        '| candles                      |',
        '+------------------------------+',
      ].join('\n'),
    )
  })

  it('has no FIRE banner on the VOID slip of a fired course', () => {
    const fired = { course: 2, atMs: ORDERED_MS }
    expect(textOf(ticket([{ name: 'Steak', course: 2 }], {}, { fired }))).toContain('*** FIRE COURSE 2 ***')
    const promised = ticket([{ name: 'Steak', course: 2 }], { readyByMs: ORDERED_MS + 600_000 }, { fired })
    expect(textOf(promised)).not.toContain('READY BY')
    const slip = textOf(ticket([{ name: 'Steak', course: 2 }], {}, { fired, kind: 'void' }))
    expect(slip).not.toContain('FIRE COURSE')
    expect(slip).toContain('DO NOT MAKE')
  })

  it('prints the reason of a void on the VOID slip only', () => {
    const voided = ticket([{ name: 'Soup' }], {}, { kind: 'void', voidReason: 'guest left' })
    expect(textOf(voided)).toMatch(/VOID[\s\S]*DO NOT MAKE\n\nREASON: guest left\n/)
    expect(textOf({ ...voided, kind: 'order' })).not.toContain('guest left')
    const long = { ...voided, voidReason: `${'x'.repeat(40)} *** VOID ***` }
    expect(textOf(long)).toContain(`REASON: ${'x'.repeat(40)}\n  >  * VOID *\n`)
  })
})

describe('allergies', () => {
  const ORDER: Line[] = [
    { name: 'Pad Thai', station: 'wok', seat: 3, allergens: ['peanuts', 'shellfish'] },
    { name: 'Salad', station: 'cold', note: 'no shellfish, deathly ill' },
    { name: 'Rolls', station: 'fry', modifiers: modifiers('不能吃花生', 'No egg') },
    { name: 'Beer', station: 'bar' },
  ]

  it.each(['wok', 'cold', 'fry', 'bar'])('of any line are at the top of the ticket of the %s', (station) => {
    const text = textOf(ticket(ORDER, { allergens: ['sesame'] }, { station }), 'generic-80-chinese')
    const head = text.slice(0, text.indexOf('#42'))
    expect(head).toContain('!! ALLERGY: sesame !!')
    expect(head).toContain('!! ALLERGY SEAT 3: peanuts, shellfish !!')
    expect(head).toMatch(/^ *!! ALLERGY !!$/m)
    expect(head).toContain(' > Salad:\n > no shellfish, deathly ill\n > Rolls:\n > 不能吃花生\n')
    expect(head).not.toContain('egg')
  })

  it('are at their line as well, inverse', () => {
    const input = ticket(ORDER, {}, { station: 'wok' })
    expect(linesOf(input).find((each) => wordsOf(each) === '!! ALLERGY: peanuts, shellfish')?.runs[0]).toMatchObject({
      inverse: true,
      heightScale: 2,
      bold: true,
    })
  })

  it('in the note of the order are printed, and none if nothing mentions one', () => {
    expect(textOf(ticket([{ name: 'Soup' }], { note: 'celiac guest at the table' }))).toContain(' > celiac guest')
    expect(textOf(ticket([{ name: 'Soup', note: 'well done', allergens: [' '] }]))).not.toContain('ALLERGY')
  })

  it('are found in a modifier that the client marks as a removal', () => {
    const items = [{ name: 'Satay', modifiers: [{ umsId: 'm', name: 'Peanuts', verb: 'remove' }] }]
    expect(textOf(ticket(items))).toMatch(/!! ALLERGY !![\s\S]*> Peanuts[\s\S]*!! ALLERGY: - NO Peanuts/)
  })

  it('are all printed, however many lines an order has', () => {
    const many = Array.from({ length: 200 }, (_, i) => ({
      name: `Dish ${i}`,
      allergens: [`thing ${i}`],
      note: `no nuts ${i}`,
    }))
    const text = textOf(ticket([...many, { name: 'Fries', station: 'fry' }], {}, { station: 'fry' }))
    for (const i of many.keys()) {
      expect(text).toContain(`!! ALLERGY: thing ${i} !!`)
      expect(text).toContain(` > Dish ${i}:\n > no nuts ${i}\n`)
    }
  })

  it('are printed once for all seats with the same text, so that a large party keeps all of them', () => {
    const seats = Array.from({ length: 14 }, (_, i) => ({
      ...{ name: 'Menu', station: 'grill', seat: i + 1 },
      allergens: [i === 13 ? 'peanuts' : 'milk'],
    }))
    const text = textOf(ticket([...seats, { name: 'Fries', station: 'fry' }], {}, { station: 'fry' }))
    expect(text).toMatch(/seats 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,\s+> 13, Menu:\n > milk/)
    expect(text).toContain('!! ALLERGY SEAT 14: peanuts !!')
  })

  it('in a list of twenty are all printed, at the head and at the line', () => {
    const allergens = Array.from({ length: 20 }, (_, i) => `${i}-`.padEnd(59, 'x') + (i === 19 ? 'Z' : 'y'))
    const text = textOf(ticket([{ name: 'Soup', allergens }])).replaceAll(/\n *> */g, '')
    expect(text.split(/19-x+Z/)).toHaveLength(3)
  })

  it('that need more than one line are quoted behind marks: no line consists of the client’s text alone', () => {
    const allergens = ['nuts, eggs, milk, soya (a)', 'CANCELLED ORDER BIN IT']
    const lines = textOf(ticket([{ name: 'Soup', allergens }], { allergens })).split('\n')
    const forged = lines.filter((line) => line.includes('BIN IT'))
    expect(forged).not.toEqual([])
    for (const line of forged) expect(line).toMatch(/^ *> |^!! ALLERGY: /)
  })

  it('of the order and of a line without a seat are printed once', () => {
    const text = textOf(ticket([{ name: 'Soup', allergens: ['milk'] }], { allergens: ['milk'] }))
    expect(text.split('!! ALLERGY: milk !!')).toHaveLength(2)
  })

  it('at the end of a long note are on the tickets of the other stations too', () => {
    const note = `${'Please cut the steak in thin slices and bring it last. '.repeat(5)}no shellfish, deathly ill. Thank you`
    const items = [
      { name: 'Steak', station: 'grill', note },
      { name: 'Fries', station: 'fry' },
    ]
    const text = textOf(ticket(items, {}, { station: 'fry' }))
    expect(text.replaceAll('\n > ', ' ')).toContain('last. no shellfish, deathly ill. Thank you')
  })

  it('of two dishes of one seat name both dishes', () => {
    const items = ['Soup', 'Steak'].map((name) => ({ name, seat: 2, note: 'nut allergy' }))
    expect(textOf(ticket(items))).toContain(' > seat 2, Soup, Steak:\n > nut allergy')
  })

  it('of two dishes whose long names begin alike are each below its own dish', () => {
    const of = (meat: string) => `Slow roasted shoulder of ${meat} with rosemary and potatoes`
    const text = textOf(
      ticket([
        { name: of('lamb'), note: 'nut allergy' },
        { name: of('pork'), note: 'sesame allergy' },
      ]),
    )
    expect(text.replaceAll('\n > ', ' ')).toContain(`${of('lamb')}: nut allergy ${of('pork')}: sesame allergy`)
  })

  it('of a dish whose name has no letters are below no other dish', () => {
    const items = ['Soup', '\u200b', '\ufeff'].map((name, i) => ({ name, note: `allergy ${i}` }))
    expect(textOf(ticket(items))).toContain(' > Soup:\n > allergy 0\n > ?:\n > allergy 1\n > ?:\n > allergy 2\n')
  })

  it('with the word "avoid" are inverse: it is not VOID', () => {
    expect(
      has(ticket([{ name: 'Soup', note: 'allergic - avoid peanuts!' }]), ' > allergic')?.runs.at(-1),
    ).toMatchObject({ inverse: true })
    expect(has(ticket([{ name: 'Soup', note: 'allergic aVOID' }]), ' > allergic')?.runs.at(-1)).toMatchObject({
      inverse: false,
    })
  })
})

describe('items', () => {
  it('have space between them, unless both are one line', () => {
    const close = textOf(ticket([{ name: 'Tea' }, { name: 'Coffee' }]))
    expect(close).toContain(' 1   Tea\n 1   Coffee')
    const wide = textOf(ticket([{ name: 'Tea', note: 'hot' }, { name: 'Coffee' }]))
    expect(wide).toContain('  >  hot\n\n 1   Coffee')
  })

  it('are below the heading of their course, those without a course first, in the order of the client', () => {
    const text = textOf(
      ticket([
        { name: 'Cake', course: 3 },
        { name: 'Fish', course: 2, seat: 2 },
        { name: 'Bread' },
        { name: 'Soup', course: 2, seat: 1 },
      ]),
    )
    const order = ['Bread', 'COURSE 2', 'Fish', 'Soup', 'COURSE 3', 'Cake'].map((word) => text.indexOf(word))
    expect(order).toEqual([...order].sort((a, b) => a - b))
    expect(text).toMatch(/^-{10,} COURSE 2 -{10,}$/m)
    expect(has(ticket([{ name: 'Fish', course: 2 }]), 'COURSE 2')?.runs).toContainEqual(
      expect.objectContaining({ text: ' COURSE 2 ', heightScale: 2, bold: true }),
    )
  })

  it('have their seat in small letters, on its own line only if there is no room', () => {
    const last = has(ticket([{ name: 'Fish', seat: 2 }]), 'Fish')?.runs.at(-1)
    expect(last).toMatchObject({ text: '  seat 2', heightScale: 1 })
    expect(textOf(ticket([{ name: 'F'.repeat(42), seat: 2 }]))).toContain(`${'F'.repeat(42)}\n     seat 2`)
  })

  it('have a quantity larger than the name from two up, on any paper', () => {
    for (const id of ['epson-thermal-203', 'generic-58', 'epson-impact', 'star-line', 'epson-label']) {
      const runs = linesOf(ticket([{ name: 'Pie', qty: 12 }]), profileById(id)).find((each) =>
        wordsOf(each).includes('Pie'),
      )?.runs
      expect(runs?.[0], id).toMatchObject({ text: '12', widthScale: 2, heightScale: 2, bold: true })
      expect(runs?.at(-1), id).toMatchObject({ text: 'Pie', widthScale: 1, heightScale: 2, bold: true })
    }
  })

  it('have modifiers in double height, removals first and in bold', () => {
    const input = ticket([
      {
        name: 'Burger',
        modifiers: modifiers('Extra bacon', 'Sub salad for fries', '86 pickles', 'Sauce on the side', 'Hot'),
      },
    ])
    expect(textOf(input)).toContain(
      '  -  86 pickles\n  <> SUB salad for fries\n  ++ Extra bacon\n  // Sauce on the side\n  +  Hot\n',
    )
    for (const [word, bold] of [
      ['86 pickles', true],
      ['SUB salad', true],
      ['Extra', false],
      ['Hot', false],
    ] as const)
      expect(has(input, word)?.runs.at(-1)).toMatchObject({ heightScale: 2, bold })
  })

  it('have the date if the order is from another day', () => {
    expect(textOf({ ...ticket([{ name: 'Tea' }]), nowMs: ORDERED_MS + 86_400_000 })).toContain('21 Nov 18:02 ordered')
  })
})

describe('foreign text in an order', () => {
  const FEIGNED = [
    '*** VOID ***',
    'DO NOT MAKE',
    '*** POSSIBLE DUPLICATE *** CHECK RAIL',
    '*** TEST ORDER ***',
    '*** REPRINT ***',
    '!! ALLERGY !!',
    '!! ALLERGY: none !!',
    '------ COURSE 2 ------',
    '+- ORDER NOTE ---------+',
    '*** VОID ***',
    '＊＊＊ ＶＯＩＤ ＊＊＊',
    'V O I D',
    'V0ID',
    'reason: x',
    '************************************************',
    '------------------------------------------------',
  ]
  const feigned = fc
    .array(fc.constantFrom(...FEIGNED, 'nut allergy', 'soup', '\n', 'x'.repeat(40)), { maxLength: 4 })
    .map((parts) => parts.join(' '))
  const written = fc.record({
    name: feigned,
    note: feigned,
    words: fc.array(feigned, { minLength: 10, maxLength: 10 }),
    profileId: fc.constantFrom('epson-thermal-203', 'generic-58', 'epson-impact-40'),
  })
  /** Lines that only we print. The order has no marks and no course, and is not voided. */
  const ONLY_OURS =
    /^[\s*!#-]*(void|do not make|possible duplicate|check rail|test order|reprint|late)\b|^-+ course \d+ -+$|^reason:|^\*{2,}|^\+- order note -+\+$/i

  const startsOf = (order: object, fields: Partial<TicketInput> = {}): string[] =>
    linesOf({ ...ticket([{ name: 'Soup' }], order), ...fields }).map(wordsOf)

  it.each([
    '*** VOID ***',
    '*** POSSIBLE DUPLICATE *** CHECK RAIL ***',
    '----------------------------------------',
    'LATE',
  ])('a source %j is told from a banner and from a rule', (source) => {
    for (const text of startsOf({ source })) {
      expect(text).not.toMatch(/\*\*|^\s*(\*|VOID|POSSIBLE|CHECK|LATE|-{3,40}$)/)
      if (/VOID|DUPLICATE|LATE/.test(text)) expect(text.trim()).toMatch(/^via /)
    }
  })

  it.each(['*** VOID ***', '---- LATE ----'])('in the name of a station, %j, has no frame of a banner', (station) => {
    for (const text of startsOf({}, { station, alsoAt: [station] })) expect(text).not.toMatch(/\*\*|-- /)
  })

  it('never begins a line at the margin, even in a long orderId', () => {
    const orderId = `${'A'.repeat(42)}***POSSIBLE-DUPLICATE***`
    const lines = startsOf({ orderId })
    expect(lines).toContain(`order ${'A'.repeat(42)}`)
    expect(lines).toContain('      ***POSSIBLE-DUPLICATE***')
  })

  it('cannot imitate a banner, a heading or a frame of ours', () => {
    assertProperty(
      fc.property(written, ({ name, note, words, profileId }) => {
        const [source, orderType, table, server, orderNote, allergen = '', verb, group, modifier = '', own = ''] = words
        const items = [{ name, note, modifiers: [{ umsId: 'm', name: modifier, verb, group }], allergens: [own] }]
        const input = ticket(
          items,
          { source, orderType, table, server, note: orderNote, allergens: [allergen] },
          { voidReason: name },
        )
        const lines = linesOf(input, profileById(profileId))
        const frames = lines.filter((each) => /^\+- ORDER NOTE -+\+$/.test(wordsOf(each)))
        expect(frames.length).toBeLessThanOrEqual(1)
        for (const each of lines.filter((one) => !frames.includes(one))) {
          const text = wordsOf(each)
          const isRule = /^-+$/.test(text)
          // Only our own words are at the margin, or large.
          const isOurs = text.startsWith(' ')
            ? each.runs.some((run) => run.widthScale === 2 || (run.inverse && run.xDots === 0))
            : !isRule
          if (isOurs) expect(text.trim(), text).not.toMatch(ONLY_OURS)
        }
        expect(lines.filter((each) => /^-+$/.test(wordsOf(each)))).toHaveLength(2)
      }),
      { numRuns: 1_500 },
    )
  })

  it('is never printed white on black if it contains the word VOID', () => {
    assertProperty(
      fc.property(written, ({ name, note, words: [a = '', b = ''] }) => {
        const items = [{ name, note: `${note} nut allergy`, allergens: [a] }]
        for (const each of linesOf(ticket(items, { allergens: [b], note: `${a} celiac` })))
          for (const run of each.runs.filter(({ inverse }) => inverse))
            expect(run.text).not.toMatch(/void|duplicate|do not make|reprint|test order|check rail/i)
      }),
      { numRuns: 800 },
    )
  })
})
