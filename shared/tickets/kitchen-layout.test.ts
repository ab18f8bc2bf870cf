// The layout of the kitchen ticket: its head, its items and its foot. Allergies and foreign text have tests of their own beside this one.
import { describe, expect, it } from 'vitest'
import { ORDERED_MS } from '#test/fixtures/kitchen-orders.ts'
import { has, linesOf, modifiers, textOf, ticket, wordsOf } from '#test/fixtures/ticket-lines.ts'
import { profileById } from './printer-profiles.ts'

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

describe('the foot', () => {
  it('has the number of pieces and the guest side by side, then the order and the job', () => {
    const input = ticket([{ name: 'Soup', qty: 2 }, { name: 'Tea' }], { customer: { name: 'Ana Lopez' } })
    const foot = textOf(input).split('\n').slice(-3)
    expect(foot).toEqual(['items 3  guest: Ana L.', 'order WEB-1042', 'job 8F3A-1  Grill  try 1  18:02:31'])
  })

  it('has no name where the order has no guest', () => {
    expect(textOf(ticket([{ name: 'Soup' }]))).toMatch(/^items 1$/m)
  })
})
