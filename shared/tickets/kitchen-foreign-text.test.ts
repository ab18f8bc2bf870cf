// No text of an order can imitate what only Ticketrail prints on a kitchen ticket: banners, headings, frames.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detailsMadeOf } from '#test/fixtures/order-details.ts'
import { linesOf, ticket, wordsOf } from '#test/fixtures/ticket-lines.ts'
import { assertProperty } from '#test/harness/property.ts'
import type { KitchenTicketInput as TicketInput } from './kitchen-head.ts'
import { profileById } from './printer-profiles.ts'

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
    details: detailsMadeOf(feigned),
    words: fc.array(feigned, { minLength: 5, maxLength: 5 }),
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
      fc.property(written, ({ name, note, details, words, profileId }) => {
        const [source, verb, group, modifier = '', own = ''] = words
        const items = [{ name, note, modifiers: [{ umsId: 'm', name: modifier, verb, group }], allergens: [own] }]
        const input = ticket(items, { source, ...details }, { voidReason: name })
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
