// Every kind of ticket on paper, at every width in use.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KitchenLine } from '#shared/order.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { AT_THE_GRILL, ORDERED_MS, readyPaper, webOrder } from '#test/fixtures/kitchen-orders.ts'
import { detailsMadeOf } from '#test/fixtures/order-details.ts'
import { assertProperty } from '#test/harness/property.ts'
import type { StoredDoc } from './local-doc.ts'
import { profileById } from './printer-profiles.ts'
import { type JobTicketInput, renderJobTicket } from './render-job.ts'
import type { TicketPart } from './route.ts'

const WIDTHS = [32, 33, 40, 42, 48]

const burger = {
  umsId: 'burger',
  name: 'Cheeseburger doble con jalapeño',
  qty: 3,
  priceCents: 1250,
  note: 'cut in half',
  modifiers: [
    { umsId: 'm1', name: 'Extra bacon' },
    { umsId: 'm2', name: 'No onion' },
  ],
}
const brulee = { umsId: 'brulee', name: 'Crème brûlée', qty: 1, priceCents: 795, note: 'NUT ALLERGY!' }

const orderOf = (items: readonly Partial<KitchenLine>[] = [burger, brulee], change: object = {}) =>
  webOrder(items, {
    customer: { name: 'Ana María López' },
    receipt: { merchantName: 'Café Señorita', currency: 'USD', totalCents: 4545, tipCents: 455 },
    ...change,
  })

const part = (change: Partial<TicketPart> = {}): TicketPart => ({
  printerId: 'p',
  station: null,
  items: [0, 1],
  alsoAt: [],
  ...change,
})
const at = (columns: number): PrinterProfile => ({ ...profileById('epson-thermal-203'), columns, dots: columns * 12 })

async function linesOf(
  doc: StoredDoc,
  change: Partial<JobTicketInput> = {},
  profile: PrinterProfile = profileById('epson-thermal-203'),
) {
  const paper = readyPaper(profile)
  const input: JobTicketInput = { doc, part: part(), kind: doc.kind, ...AT_THE_GRILL, ...change }
  paper.push((await renderJobTicket(input, profile, null)).bytes)
  return (paper.tickets[0] ?? paper.current).lines.filter((line) => line.kind === 'text')
}
const textOf = async (...args: Parameters<typeof linesOf>): Promise<string> =>
  (await linesOf(...args))
    .map((line) =>
      line.runs
        .map((run) => run.text)
        .join('')
        .trimEnd(),
    )
    .join('\n')

const order = (change: object = {}): StoredDoc => ({ kind: 'order', order: orderOf(undefined, change) })
const receipt = part({ paper: 'receipt' })
const label = (change: Partial<TicketPart> = {}) => part({ paper: 'label', items: [0], ...change })

describe('a kitchen ticket', () => {
  it('marks an add-on, a backup, a copy and a piece', async () => {
    const words = await textOf(order({ addOnTo: '41' }), {
      part: part({ station: 'grill', items: [0], piece: { n: 2, of: 5 }, copy: { n: 2, of: 3 }, alsoAt: ['FRY'] }),
      marks: { possibleDuplicate: true, lateSinceMs: null, backupFrom: 'Grill left' },
    })
    expect(words).toMatch(
      /POSSIBLE DUPLICATE[\s\S]*CHECK RAIL[\s\S]*BACKUP FROM Grill left[\s\S]*ADD-ON TO #41[\s\S]*COPY 2\/3[\s\S]*#42[\s\S]*grill {4}TICKET 2\/5 {4}ALSO AT: FRY/,
    )
    expect(await textOf(order(), { part: part({ copy: { n: 1, of: 3 } }) })).not.toContain('COPY')
  })

  it('is marked REPRINT once if a person requested it again', async () => {
    const marks = { possibleDuplicate: false, lateSinceMs: null, isReprint: true }
    expect((await textOf(order(), { marks })).match(/REPRINT/g)).toHaveLength(1)
    expect((await textOf(order(), { kind: 'reprint' })).match(/REPRINT/g)).toHaveLength(1)
  })

  it('marks an allergy in text that the printer cannot print', async () => {
    const items = [{ ...brulee, note: '对花生过敏', modifiers: [{ umsId: 'm', name: 'ナッツアレルギー' }] }]
    for (const columns of WIDTHS) {
      const doc: StoredDoc = { kind: 'order', order: orderOf(items) }
      const words = await textOf(doc, { part: part({ items: [0] }) }, at(columns))
      expect(words.match(/!! ALLERGY !!/g)).toHaveLength(1)
      expect(words.match(/^!! ALLERGY: /gm)).toHaveLength(2)
      expect(await textOf(doc, { part: label() }, at(columns))).toContain('!! ALLERGY !!')
    }
  })

  it('never has an amount', async () => {
    expect(await textOf(order())).not.toMatch(/12\.50|7\.95|45\.45/)
  })

  it('gets no second banner from the name of a printer or of an order', async () => {
    const marks = { possibleDuplicate: false, lateSinceMs: null, backupFrom: 'x\n*** VOID ***' }
    for (const line of (await textOf(order({ addOnTo: '***VOID***' }), { marks })).split('\n'))
      if (line.includes('VOID')) expect(line.trim()).toMatch(/^(BACKUP FROM|add-on to )/)
  })
})

describe('the receipt of an order', () => {
  it('has the guest, the time, the items and the total', async () => {
    expect(await textOf(order(), { part: receipt })).toBe(
      [
        'Café Señorita',
        '21 Nov 2026 18:02',
        'Order #42',
        '-'.repeat(48),
        ' 3  Cheeseburger doble con jalapeño        37.50',
        '      3 x 12.50',
        '      Extra bacon',
        '      No onion',
        ' 1  Crème brûlée                            7.95',
        '-'.repeat(48),
        'Subtotal                                   45.45',
        'Tip                                         4.55',
        'TOTAL USD                                  50.00',
        '',
        'order WEB-1042',
      ].join('\n'),
    )
  })

  it('has no marks of the kitchen except those of a duplicate', async () => {
    const marks = { possibleDuplicate: true, lateSinceMs: ORDERED_MS, backupFrom: 'Front' }
    const words = await textOf(order({ addOnTo: '41' }), { part: receipt, marks })
    expect(words).toContain('POSSIBLE DUPLICATE')
    expect(words).not.toMatch(/LATE|BACKUP|ADD-ON|ALLERGY|cut in half|try/)
  })

  it('begins with the logo', async () => {
    const logo = { widthDots: 16, heightDots: 8, rows: new Uint8Array(16).fill(0xff) }
    const bytes = async (with_: Partial<JobTicketInput>) => {
      const input = {
        doc: order(),
        part: receipt,
        kind: 'order' as const,
        printerName: 'Front',
        ticketLabel: 'x',
        attempt: 1,
      }
      const marks = { possibleDuplicate: false, lateSinceMs: null }
      const rendered = await renderJobTicket(
        { ...input, marks, nowMs: ORDERED_MS, ...with_ },
        profileById('epson-thermal-203'),
        null,
      )
      return Buffer.from(rendered.bytes).toString('latin1')
    }
    expect(await bytes({ logo })).toContain('\x1dv0\x00\x02\x00\x08\x00')
    expect(await bytes({})).not.toContain('\x1dv0')
  })

  it('is never printed as a VOID slip', async () => {
    for (const called of [receipt, label()])
      expect(await textOf(order(), { part: called, kind: 'void' })).toMatch(/VOID[\s\S]*DO NOT MAKE/)
  })

  it('keeps every amount on one line, right-aligned', async () => {
    const amount = fc.integer({ min: 0, max: 9_999_999 })
    const line = fc.record({
      umsId: fc.constant('u'),
      name: fc.string({ unit: fc.constantFrom('a', 'W', ' ', 'é'), minLength: 1, maxLength: 120 }),
      qty: fc.integer({ min: 1, max: 999 }),
      priceCents: amount,
    })
    await assertProperty(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...WIDTHS),
        async (items, columns) => {
          const doc: StoredDoc = { kind: 'order', order: orderOf(items) }
          const words = await textOf(doc, { part: receipt }, at(columns))
          for (const { qty, priceCents } of items) {
            const sum = ((qty * priceCents) / 100).toFixed(2)
            expect(words.split('\n').some((row) => row.endsWith(` ${sum}`) && row.length === columns)).toBe(true)
          }
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('the label of a piece', () => {
  it('has the guest, the number of the piece, and what is left out', async () => {
    expect(await textOf(order(), { part: label({ piece: { n: 1, of: 3 } }) }, at(32))).toBe(
      [
        '#42  Ana L.                  1/3',
        'Cheeseburger doble con jalapeño',
        '- NO onion',
        '++ Extra bacon',
        '> cut in half',
        '18:02 PICKUP',
      ].join('\n'),
    )
  })

  it('has an allergy before the name, inverse', async () => {
    const lines = await linesOf(order(), { part: label({ items: [1] }) }, at(32))
    const texts = lines.map((line) =>
      line.runs
        .map((run) => run.text)
        .join('')
        .trim(),
    )
    expect(texts.slice(1, 4)).toEqual(['!! ALLERGY !!', 'NUT ALLERGY!', 'Crème brûlée'])
    expect(lines[2]?.runs[0]).toMatchObject({ inverse: true, bold: true })
  })

  it('has the name of the dish on 25 mm, even with a long list of allergens', async () => {
    const allergens = [
      'celery',
      'crustaceans',
      'eggs',
      'fish',
      'gluten',
      'lupin',
      'milk',
      'molluscs',
      'mustard',
      'nuts',
      'peanuts',
    ]
    const doc: StoredDoc = { kind: 'order', order: { ...orderOf([burger]), allergens } }
    const words = await textOf(doc, { part: label() }, profileById('epson-label-25'))
    expect(words).toMatch(/#42[\s\S]*Cheeseburger[\s\S]*ALLERGY[\s\S]*celery/)
  })

  it('has every allergy of its order and its line in full', async () => {
    const long = (end: string) => `${'well done and cut in half, please, '.repeat(12)}${end}`
    const item = {
      ...burger,
      note: long('deathly allergic to sesame').slice(-480),
      allergens: [...Array.from({ length: 19 }, (_, i) => `${i}-`.padEnd(50, 'x')), 'lupin'],
      modifiers: [{ umsId: 'm', name: `No sauce, since she really is very much allergic to PEANUTS` }],
    }
    const doc: StoredDoc = {
      kind: 'order',
      order: { ...orderOf([item]), allergens: ['celery'], note: 'guest has a severe NUT ALLERGY' },
    }
    const words = (await textOf(doc, { part: label() }, at(40))).replaceAll(/\s+/g, ' ')
    for (const said of ['celery', 'severe NUT ALLERGY', 'lupin', 'allergic to PEANUTS', 'allergic to sesame'])
      expect(words).toContain(said)
  })

  it('is printed once for all pieces if there are too many', async () => {
    expect(await textOf(order(), { part: label() }, at(40))).toContain('3 x Cheeseburger')
  })

  it('has guest and dish on 25 mm with any marks', async () => {
    const marks = { possibleDuplicate: true, lateSinceMs: null, isReprint: true }
    const words = await textOf(order(), { part: label(), marks }, profileById('epson-label-25'))
    expect(words).toMatch(/REPRINT[\s\S]*POSSIBLE DUPLICATE[\s\S]*#42[\s\S]*Cheeseburger/)
  })

  it('fits a die-cut label: the rest is cut with an ellipsis, allergies stay', async () => {
    const modifiers = Array.from({ length: 20 }, (_, n) => ({ umsId: `m${n}`, name: `Extra topping ${n}` }))
    const doc: StoredDoc = { kind: 'order', order: orderOf([{ ...burger, modifiers, note: 'Peanut allergy' }]) }
    for (const heightMm of [20, 30, 50, 80]) {
      const profile: PrinterProfile = { ...at(42), media: { kind: 'label', heightMm } }
      const lines = await linesOf(doc, { part: label() }, profile)
      const mm = lines.reduce((sum, line) => sum + (line.runs.some((run) => run.heightScale === 2) ? 6.8 : 4.24), 0)
      expect(mm).toBeLessThanOrEqual(heightMm)
      const texts = lines.map((line) =>
        line.runs
          .map((run) => run.text)
          .join('')
          .trim(),
      )
      expect(texts.at(-1)).toMatch(/\.\.\.$/)
      expect(texts.join(' ')).toMatch(/!! ALLERGY( !!|:) Peanut allergy/)
    }
  })
})

describe('documents of the gateway', () => {
  const test: StoredDoc = {
    kind: 'test',
    queuedAtMs: ORDERED_MS,
    timeZone: 'Europe/Madrid',
    code: '4711',
    facts: ['Epson TM-m30III', 'confirmed by GS ( H'],
  }
  const slip: StoredDoc = {
    kind: 'slip',
    queuedAtMs: ORDERED_MS,
    timeZone: 'Europe/Madrid',
    title: 'Grill was off 18:02-18:40',
    lines: ['#41 to Fry', '#42 to Fry'],
    footer: 'Nothing to do.',
  }

  it('a test ticket has a large code, a ruler as wide as the paper, accents and a box', async () => {
    for (const columns of WIDTHS) {
      const lines = await linesOf(test, {}, at(columns))
      const texts = lines.map((line) => line.runs.map((run) => run.text).join(''))
      const code = lines.find((line) => line.runs.some((run) => run.text.includes('4711')))
      expect(code?.runs[0]).toMatchObject({ widthScale: 2, heightScale: 2 })
      expect(texts.some((text) => text.startsWith('....:....1') && text.length === columns)).toBe(true)
    }
    const words = await textOf(test)
    expect(words).toMatch(/áéíóúñ[\s\S]*€ 12\.50[\s\S]*┌──────┬──────┐[\s\S]*TM-m30III[\s\S]*Grill 18:02:31/)
  })

  it('a slip has its reason, its start time, and what to do', async () => {
    expect(await textOf(slip)).toMatch(
      /Grill was off 18:02-18:40[\s\S]*18:02[\s\S]*#41 to Fry\n#42 to Fry[\s\S]*Nothing to do\./,
    )
  })

  it('both are marked if they may be duplicates', async () => {
    const marks = { possibleDuplicate: true, lateSinceMs: null }
    for (const doc of [test, slip]) expect(await textOf(doc, { marks })).toContain('POSSIBLE DUPLICATE')
  })
})

describe('at every width', () => {
  const wild = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: fc.constantFrom('W', ' ', 'ß', '寿', '🌶️', '\x1b@', '\n', '€', 'nut allergy '), maxLength: 40 }),
  )
  const line = fc.record({
    umsId: fc.constant('u'),
    name: wild,
    qty: fc.integer({ min: 1, max: 999 }),
    note: wild,
    priceCents: fc.integer({ min: 0, max: 9_999_999 }),
    modifiers: fc.array(fc.record({ umsId: fc.constant('m'), name: wild, group: wild }), { maxLength: 3 }),
    allergens: fc.array(wild, { maxLength: 2 }),
    seat: fc.constantFrom(undefined, 12),
  })
  const docs = fc.record({
    items: fc.array(line, { minLength: 2, maxLength: 3 }),
    details: detailsMadeOf(wild),
    words: fc.array(wild, { minLength: 6, maxLength: 6 }),
  })

  it('no line of any kind of ticket is wider than the paper', async () => {
    await assertProperty(
      fc.asyncProperty(
        docs,
        fc.constantFrom(...WIDTHS),
        fc.boolean(),
        async ({ items, details, words }, columns, possibleDuplicate) => {
          const [name = '', merchantName = '', source = '', backupFrom = '', addOnTo = '', station = ''] = words
          const made = orderOf(items, {
            ...details,
            note: words.join('\n'),
            customer: { name },
            source,
            addOnTo,
            receipt: { merchantName, currency: 'USD', totalCents: 999_999_999, tipCents: 1 },
          })
          const marks = { possibleDuplicate, lateSinceMs: ORDERED_MS, backupFrom }
          const common = { queuedAtMs: ORDERED_MS, timeZone: 'UTC' }
          const tickets: [StoredDoc, Partial<JobTicketInput>][] = [
            [
              { kind: 'order', order: made },
              { marks, part: part({ station, piece: { n: 1, of: 9 }, copy: { n: 2, of: 2 }, alsoAt: words }) },
            ],
            [
              { kind: 'order', order: made },
              { marks, part: receipt },
            ],
            [
              { kind: 'order', order: made },
              { marks, part: label({ piece: { n: 1, of: 99 } }) },
            ],
            [{ kind: 'slip', ...common, title: name, lines: words, footer: source }, { marks }],
            [{ kind: 'test', ...common, code: '0000', facts: words }, { marks }],
          ]
          for (const [doc, change] of tickets) {
            const lines = await linesOf(doc, change, at(columns))
            expect(lines.filter((each) => each.wrapped)).toEqual([])
          }
        },
      ),
      { numRuns: 150 },
    )
  })
})
