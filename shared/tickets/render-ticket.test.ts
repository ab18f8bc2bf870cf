// The kitchen ticket on paper. No text can make a printer do anything else.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PaperInterpreter } from '#shared/escpos/paper.ts'
import type { PaperTicket, TextLine } from '#shared/escpos/paper-ticket.ts'
import type { KitchenLine } from '#shared/order.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { AT_THE_GRILL, ORDERED_MS, readyPaper, webOrder } from '#test/fixtures/kitchen-orders.ts'
import { ANY_CHARACTER } from '#test/harness/any-character.ts'
import { assertProperty } from '#test/harness/property.ts'
import type { KitchenTicketInput as TicketInput } from './kitchen-head.ts'
import { kitchenTicketLines } from './kitchen-ticket.ts'
import { PROFILES, profileById } from './printer-profiles.ts'
import { renderTransliterated } from './render-ticket.ts'

const renderTicket = (input: TicketInput, profile: PrinterProfile) =>
  renderTransliterated((paper) => kitchenTicketLines(input, paper), profile)

/** ESC/POS on a roll. hostile-tickets.test.ts covers the other languages and labels. */
const ROLLS = PROFILES.filter(({ language, media }) => language === 'escpos' && media.kind === 'roll')

function line(fields: Partial<KitchenLine> & { name: string }): KitchenLine {
  return { umsId: 'ums_1', qty: 1, modifiers: [], station: null, ...fields }
}

function ticket(
  fields: Partial<Omit<TicketInput, 'order'>> & { order?: Partial<TicketInput['order']> } = {},
): TicketInput {
  const items = fields.items ?? [line({ name: 'Cheeseburger', qty: 2 })]
  const order = webOrder(items, fields.order)
  return {
    kind: 'order',
    items,
    station: 'GRILL',
    alsoAt: [],
    ...AT_THE_GRILL,
    ticketLabel: '8F3A-2',
    ...fields,
    order,
  }
}

/** Prints as the transport does: initialized first, with the page numbers of this family. */
function paperOf(input: TicketInput, profile: PrinterProfile): { paper: PaperInterpreter; ticket: PaperTicket } {
  const paper = readyPaper(profile)
  paper.push(renderTicket(input, profile).bytes)
  return { paper, ticket: paper.tickets[0] ?? paper.current }
}

function textOf(input: TicketInput, profileId = 'epson-thermal-203'): string {
  return paperOf(input, profileById(profileId)).ticket.text()
}

function textLines(input: TicketInput, profileId = 'epson-thermal-203'): TextLine[] {
  return paperOf(input, profileById(profileId)).ticket.lines.filter((each) => each.kind === 'text')
}

function find(lines: readonly TextLine[], text: string): TextLine | undefined {
  return lines.find((each) =>
    each.runs
      .map((run) => run.text)
      .join('')
      .includes(text),
  )
}

const FULL = ticket({
  items: [
    line({
      name: 'Cheeseburger doble con jalapeño, aguacate y salsa de la casa',
      qty: 2,
      note: 'cut in half',
      modifiers: [
        { umsId: 'm1', name: 'Extra bacon' },
        { umsId: 'm2', name: 'No onion' },
      ],
    }),
    line({ name: 'Crème brûlée', qty: 12, note: 'NUT ALLERGY!' }),
  ],
  alsoAt: ['FRY'],
  order: { readyByMs: ORDERED_MS + 18 * 60_000, customer: { name: 'Ana María López', phone: '+1 555 0101' } },
})

describe('a kitchen ticket', () => {
  it('lays the kitchen ticket out on 48 columns', () => {
    expect(textOf(FULL, 'epson-thermal-203')).toBe(
      [
        '',
        '          !! ALLERGY !!',
        ' > Crème brûlée:',
        ' > NUT ALLERGY!',
        '',
        '            #42   PICKUP',
        'GRILL    ALSO AT: FRY',
        '18:02 ordered   READY BY 18:20',
        '-'.repeat(48),
        '2   Cheeseburger doble con jalapeño, aguacate y',
        '     salsa de la casa',
        '  -  NO onion',
        '  ++ Extra bacon',
        '  >  cut in half',
        '',
        '12 Crème brûlée',
        '!! ALLERGY: NUT ALLERGY!',
        '-'.repeat(48),
        'items 14  guest: Ana L.',
        'order WEB-1042',
        'job 8F3A-2  Grill  try 1  18:02:31',
      ].join('\n'),
    )
  })

  it('lays the same ticket out on 42 and on 32 columns', () => {
    expect(textOf(FULL, 'epson-thermal-180')).toContain(
      '2   Cheeseburger doble con jalapeño,\n     aguacate y salsa de la casa\n  -  NO onion\n',
    )
    expect(textOf(FULL, 'generic-58')).toContain(
      '2   Cheeseburger doble con\n     jalapeño, aguacate y salsa\n     de la casa\n',
    )
  })

  it('prints the important parts large, bold, underlined or inverse', () => {
    const lines = textLines(FULL)
    const style = (text: string) => find(lines, text)?.runs.find((run) => run.text.includes(text))
    expect(style('#42')).toMatchObject({ widthScale: 2, heightScale: 2, bold: true })
    expect(style('12')).toMatchObject({ widthScale: 2, heightScale: 2, bold: true })
    expect(style('Cheeseburger')).toMatchObject({ widthScale: 1, heightScale: 2, bold: true })
    expect(style('NO onion')).toMatchObject({ bold: true, heightScale: 2 })
    expect(style('Extra bacon')).toMatchObject({ bold: false, heightScale: 2 })
    expect(style('cut in half')).toMatchObject({ underline: true, inverse: false, heightScale: 2 })
    expect(style('READY BY')).toMatchObject({ bold: true })
    const single = textLines(ticket({ items: [line({ name: 'Pie' })] }))
    expect(find(single, '1   Pie')?.runs[0]).toMatchObject({
      text: ' 1   ',
      widthScale: 1,
      heightScale: 2,
      bold: false,
    })
    expect(style('!! ALLERGY !!')).toMatchObject({ inverse: true, heightScale: 2 })
    expect(style('NUT ALLERGY!')).toMatchObject({ inverse: true, bold: true })
  })

  it('uses red on a printer with two colours', () => {
    const lines = textLines(FULL, 'epson-impact')
    expect(find(lines, '!! ALLERGY !!')?.runs[0]).toMatchObject({ red: true, inverse: false, heightScale: 2 })
    expect(find(lines, '12 Crème')?.runs[0]).toMatchObject({ red: false, bold: true, heightScale: 2 })
  })

  it('prints accents and the euro sign in windows-1252 and in 858', () => {
    const input = ticket({ items: [line({ name: 'Jalapeño à la crème brûlée Größe ½ €5 “smart”' })] })
    const only = (page: number, encoding: string): PrinterProfile => ({
      ...profileById('generic-80'),
      codePages: [{ page, encoding }],
    })
    const text = (profile: PrinterProfile) =>
      paperOf(input, profile)
        .ticket.text()
        .replace(/\n {5}/g, ' ')
    expect(text(only(16, 'windows1252'))).toContain(' 1   Jalapeño à la crème brûlée Größe ½ €5 “smart”')
    expect(text(only(19, 'cp858'))).toContain(' 1   Jalapeño à la crème brûlée Größe ½ €5 "smart"')
  })

  it('begins with its code page and selects it again on each line with accents', () => {
    const { bytes } = renderTicket(
      ticket({ items: [line({ name: 'Café' }), line({ name: 'Łódź' })] }),
      profileById('epson-thermal-203'),
    )
    const text = Buffer.from(bytes).toString('latin1')
    expect(text.startsWith('\x1bt\x10')).toBe(true)
    expect(text).toContain('\x1d!\x01 1   \x1bE\x01\x1bt\x10Caf\xe9')
    expect(text).toContain('\x1d!\x01 1   \x1bE\x01\x1bt\x12\x9d\xa2d\xab')
    expect(text.endsWith('\x1dVB\x00')).toBe(true)
    for (const foreign of ['\x1b@', '\x1c.', '\x1da']) expect(text).not.toContain(foreign)
  })

  it('has exactly the recorded bytes', () => {
    const input = ticket({ items: [line({ name: 'Café', qty: 1, note: 'hot' })], station: null })
    const { bytes } = renderTicket(input, profileById('epson-thermal-203'))
    expect(Buffer.from(bytes).toString('latin1')).toBe(
      '\x1bt\x10\n' +
        '\x1ba\x01\x1d!\x11\x1bE\x01#42   PICKUP\x1d!\x00\x1bE\x00\n' +
        '\x1ba\x0018:02 ordered\n' +
        `${'-'.repeat(48)}\n` +
        '\x1d!\x01 1   \x1bE\x01\x1bt\x10Caf\xe9\x1d!\x00\x1bE\x00\n' +
        '\x1d!\x01  >  \x1b-\x01hot\x1d!\x00\x1b-\x00\n' +
        `${'-'.repeat(48)}\n` +
        'items 1\norder WEB-1042\njob 8F3A-2  Grill  try 1  18:02:31\n' +
        '\x1dVB\x00',
    )
  })

  it('estimates the paper that it uses', () => {
    const short = renderTicket(ticket(), profileById('generic-80'))
    const long = renderTicket(
      ticket({ items: Array.from({ length: 20 }, () => line({ name: 'Pie' })) }),
      profileById('generic-80'),
    )
    expect(long.lines - short.lines).toBe(19 * 2)
    expect(long.heightMm - short.heightMm).toBeGreaterThan(19 * 6)
    expect(long.heightMm - short.heightMm).toBeLessThan(19 * 8)
  })
})

describe('banners', () => {
  const marked = (marks: Partial<TicketInput['marks']>, order: Partial<TicketInput['order']> = {}) =>
    ticket({ marks: { possibleDuplicate: false, lateSinceMs: null, ...marks }, order })

  it('are at the top, inverse, as wide as the paper', () => {
    const lines = textLines(marked({ possibleDuplicate: true }), 'generic-80')
    const banner = find(lines.slice(0, 2), '*** POSSIBLE DUPLICATE ***')
    expect(banner).toMatchObject({ columns: 48 })
    expect(banner?.runs[0]).toMatchObject({ inverse: true, heightScale: 2, bold: true })
    expect(find(lines.slice(0, 3), 'CHECK RAIL')?.runs[0]).toMatchObject({ inverse: true, widthScale: 2 })
  })

  it('include VOID', () => {
    expect(textOf(ticket({ kind: 'void' }))).toMatch(/^\n *\*\*\* VOID \*\*\*\n *DO NOT MAKE\n/)
  })

  it('include LATE with the time of the order, in the zone of the merchant', () => {
    const lateSinceMs = ORDERED_MS + 600_000
    expect(textOf(marked({ lateSinceMs }))).toContain('*** LATE: ordered 18:02 ***')
    expect(textOf(marked({ lateSinceMs }, { timeZone: 'America/New_York' }))).toContain('*** LATE: ordered 12:02 ***')
    expect(textOf(marked({ lateSinceMs }, { fireAtMs: ORDERED_MS + 3_600_000 }))).toContain('*** LATE: due 19:02 ***')
  })

  it('are absent from an ordinary ticket', () => {
    expect(textOf(ticket())).not.toMatch(/\*\*\*/)
  })

  it('are each on their own line', () => {
    const text = textOf(ticket({ kind: 'void', marks: { possibleDuplicate: true, lateSinceMs: 1 } }), 'generic-58')
    expect(text.match(/\*\*\* .* \*\*\*/g)).toEqual([
      '*** VOID ***',
      '*** POSSIBLE DUPLICATE ***',
      '*** LATE: ordered 18:02 ***',
    ])
  })
})

describe('readable text', () => {
  it('has the counter of the till, or the end of a long order id', () => {
    expect(textOf(ticket({ order: { posOrderId: null } }))).toContain('#WEB-1042   PICKUP')
    const text = textOf(ticket({ order: { posOrderId: null, orderId: '0c5f2f9e-7a43-4a5e-9d0b-1f2e3d4c5b6a' } }))
    expect(text).toContain('#4c5b6a   PICKUP')
    expect(text).toContain('order 0c5f2f9e-7a43-4a5e-9d0b-1f2e3d4c5b6a')
  })

  it('has the date if it is not today, and UTC if the zone is unknown', () => {
    expect(textOf(ticket({ nowMs: ORDERED_MS + 86_400_000 }))).toContain('21 Nov 18:02 ordered')
    expect(textOf(ticket({ order: { timeZone: 'Mars/Base' } }))).toContain('17:02 UTC ordered')
  })

  it('never has the phone number or the full name of the guest', () => {
    const text = textOf(FULL)
    expect(text).not.toMatch(/555|López/)
  })

  it('uses the id of an item whose name is not printable at all', () => {
    expect(textOf(ticket({ items: [line({ name: '\x1b\x00\u200b', umsId: 'ums_9' })] }))).toContain(' 1   ums_9')
  })

  it('cannot be faked by a note: each of its lines has the mark of a note', () => {
    const note = 'ok\n*** VOID ***\r 7  Free steak\u2028--------\u0085items 0'
    const text = textOf(ticket({ items: [line({ name: 'Soup', note })] }))
    expect(text).toContain('  >  ok\n  >  *** VOID ***\n  >  7 Free steak\n  >  --------\n  >  items 0\n')
    expect(text.match(/^ *\*\*\* VOID/m)).toBeNull()
  })
})

describe('any text', () => {
  const hostile = fc.oneof(
    fc.string({ unit: ANY_CHARACTER, maxLength: 80 }),
    fc
      .array(
        fc.constantFrom(
          '\x1b@',
          '\x1bp\x00\x19\xfa',
          '\x1dV\x00',
          '\x10\x14\x01\x00\x01',
          '\x1b=',
          '\x1c&',
          '\x1dv0',
          '\n',
          '\r',
          '\x00',
          '\u2028',
          '\u202e',
          'é',
          '€',
          '寿司',
          '🥜',
          'allergy',
          'Пирог',
          'word ',
          '(k',
          '\xff',
        ),
        { maxLength: 20 },
      )
      .map((parts) => parts.join('')),
  )
  const quantity = fc.integer({ min: 1, max: 999 })
  const anyLine = fc.record({
    umsId: hostile,
    name: hostile,
    qty: quantity,
    note: hostile,
    modifiers: fc.array(fc.record({ umsId: hostile, name: hostile, verb: hostile, group: hostile }), { maxLength: 3 }),
    seat: fc.constantFrom(undefined, 7),
    course: fc.constantFrom(undefined, 2),
    allergens: fc.array(hostile, { maxLength: 2 }),
    station: fc.constant(null),
  })
  const anyTicket = fc.record({
    items: fc.array(anyLine, { minLength: 1, maxLength: 3 }),
    texts: fc.array(hostile, { minLength: 15, maxLength: 15 }),
    kind: fc.constantFrom('order' as const, 'void' as const),
    marks: fc.constantFrom(
      { possibleDuplicate: true, lateSinceMs: 1 },
      { possibleDuplicate: false, lateSinceMs: null },
    ),
    profile: fc.constantFrom(...ROLLS),
  })

  it('opens no drawer, cuts once at the end, and stays within the columns', () => {
    assertProperty(
      fc.property(anyTicket, ({ items, texts, kind, marks, profile }) => {
        const [orderId = '', source = '', posOrderId = '', name = '', timeZone = ''] = texts
        const input = ticket({
          kind,
          items,
          marks,
          order: {
            ...{ orderId, source, posOrderId, timeZone, customer: { name } },
            ...{
              orderType: texts[9],
              table: texts[10],
              server: texts[11],
              note: texts[12],
              allergens: [texts[13] ?? ''],
            },
          },
          voidReason: texts[14] ?? '',
          station: texts[5] ?? '',
          alsoAt: [texts[6] ?? ''],
          printerName: texts[7] ?? '',
          ticketLabel: texts[8] ?? '',
        })
        const { paper, ticket: printed } = paperOf(input, profile)
        const cuts = profile.cut === 'none' ? 0 : 1
        expect(paper.tickets).toHaveLength(cuts)
        if (cuts === 1) expect(paper.current.lines).toEqual([])
        expect(paper.pendingBytes).toBe(0)
        expect(printed).toMatchObject({ drawerPulses: 0, beeps: 0 })
        expect(printed.ignored.filter((command) => command !== 'GS 0xf9')).toEqual([])
        expect(printed.lines.filter((each) => each.kind === 'text' && each.wrapped)).toEqual([])
        expect(printed.text()).not.toContain('\ufffd')
      }),
      { numRuns: 3_000 },
    )
  })

  it('keeps a quantity and its item together', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'ñ', 'W', '-'), minLength: 1, maxLength: 60 })
    const names = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
    assertProperty(
      fc.property(names, quantity, fc.constantFrom(...ROLLS), (name, qty, profile) => {
        const lines = paperOf(ticket({ items: [line({ name, qty })] }), profile)
          .ticket.text()
          .split('\n')
        const first = lines.find((each) => each.trimStart().startsWith(`${qty} `)) ?? ''
        const beside = first.trim().slice(String(qty).length).trim()
        expect(beside).not.toBe('')
        expect(name.startsWith(beside)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
