// Whole tickets with drawn text on every printer family: for any text only our own commands, and nothing beyond the paper.
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { previewOf } from '#shared/escpos/preview.ts'
import type { Logger } from '#shared/log.ts'
import { kitchenOrder } from '#shared/order.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import { paperOptionsFor } from '#shared/tickets/profile-paper.ts'
import { renderJobTicket } from '#shared/tickets/render-job.ts'
import { ANY_CHARACTER } from '#test/harness/any-character.ts'
import { assertProperty } from '#test/harness/property.ts'
import { ResvgRaster } from './resvg-raster.ts'

/** Falling back to the nearest letters would hide a failed drawing. */
const failures: unknown[] = []
const log = { error: (facts: unknown) => failures.push(facts) } as unknown as Logger
const raster = new ResvgRaster({ clock: systemClock, log })
afterAll(() => raster.stop())

const NOW_MS = Date.UTC(2026, 10, 21, 17, 2, 0)

function ticketOf(texts: { name: string; note: string; modifier: string }, profile: PrinterProfile) {
  const { name, note, modifier } = texts
  const items = [{ umsId: 'u', name, qty: 2, modifiers: [{ umsId: 'm', name: modifier }], note, station: null }]
  const order = kitchenOrder.parse({
    ...{ serviceOrderId: 'ord_1', orderId: 'WEB-1', merchantId: 'M-1', locationId: 'loc_1', source: 'PICKUP' },
    ...{ queuedAtMs: NOW_MS, timeZone: 'Asia/Jerusalem', items },
  })
  return renderJobTicket(
    {
      doc: { kind: 'order', order },
      part: { printerId: 'p', station: null, items: [0], alsoAt: [] },
      kind: 'order',
      printerName: 'Grill',
      marks: { possibleDuplicate: true, lateSinceMs: null },
      ticketLabel: '8F3A-1',
      attempt: 1,
      nowMs: NOW_MS,
    },
    profile,
    raster,
  )
}

describe('a guest’s allergy', () => {
  it.each([
    ['Korean', '땅콩 알레르기가 있어요, 절대 넣지 마세요'],
    ['Hindi', 'मूंगफली से एलर्जी है, कृपया न डालें'],
    ['Bengali', 'বাদামে অ্যালার্জি আছে'],
    ['Tamil', 'வேர்க்கடலை ஒவ்வாமை உள்ளது'],
    ['Telugu', 'వేరుశెనగ అలెర్జీ ఉంది'],
    ['Punjabi', 'ਮੂੰਗਫਲੀ ਤੋਂ ਐਲਰਜੀ ਹੈ'],
    ['Khmer', 'អាឡែស៊ីសណ្តែកដី'],
    ['Lao', 'ແພ້ຖົ່ວດິນ'],
    ['Burmese', 'မြေပဲနှင့် ဓာတ်မတည့်'],
    ['Georgian', 'ალერგია მიწისთხილზე'],
    ['Armenian', 'ալերգիա գետնանուշից'],
    ['Amharic', 'የለውዝ አለርጂ'],
    ['Sinhala', 'රටකජු අසාත්මිකතාව'],
    ['Japanese', '落花生アレルギーがあります'],
    ['Traditional Chinese', '對花生過敏'],
  ])('in %s is on the paper of every printer that draws it, and nothing of it is counted as lost', async (_, note) => {
    // The others have Chinese characters of their own.
    for (const profile of PROFILES.filter(({ image, kanji }) => image !== 'none' && kanji === null)) {
      const { bytes, unprintable } = await ticketOf({ name: 'Soup', note, modifier: note }, profile)
      expect(unprintable, profile.id).toBe(0)
      expect(previewOf(bytes, paperOptionsFor(profile)).text, profile.id).toContain('[raster')
    }
    expect(failures).toEqual([])
  })

  it('is printed as code points if no font has its letters, and these are counted', async () => {
    const profile = PROFILES.find(({ id }) => id === 'epson-thermal-203')
    if (profile === undefined) throw new Error('no such profile')
    const { bytes, unprintable } = await ticketOf({ name: 'Soup', note: 'no \u{11d0c}\ue000', modifier: 'x' }, profile)
    expect(unprintable).toBe(2)
    expect(previewOf(bytes, paperOptionsFor(profile)).text).toContain('no [U+11D0C][U+E000]')
  })
})

const foreign = fc.array(
  fc.oneof(
    fc.constantFrom(
      'شاورما',
      'שניצל',
      'ต้มยำ',
      '宫保鸡丁',
      'カレー',
      '🥜',
      '👩🏽‍🍳',
      '한국',
      'हिन्दी',
      '﷽',
      '</svg>',
      '&#0;',
      '\x1bp0',
      '\x10\x14',
    ),
    fc.string({ unit: ANY_CHARACTER, maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  ),
  { minLength: 1, maxLength: 10 },
)
const text = foreign.map((parts) => parts.join(' '))

describe('a ticket with drawn text', () => {
  it('has only our own commands, cuts once and stays within the paper, for any text, on every family', async () => {
    await assertProperty(
      fc.asyncProperty(
        fc.record({ name: text.map((value) => `寿${value}`), note: text, modifier: text }),
        fc.constantFrom(...PROFILES),
        async (texts, profile) => {
          const { bytes } = await ticketOf(texts, profile)
          const { drawerPulses, warnings, tickets } = previewOf(bytes, paperOptionsFor(profile))
          expect(drawerPulses).toBe(0)
          expect(warnings).toEqual([])
          expect(tickets).toHaveLength(1)
          expect(failures).toEqual([])
        },
      ),
      { numRuns: 80 },
    )
  })

  it('is the same every time', async () => {
    const [profile] = PROFILES
    if (profile === undefined) throw new Error('There is no profile')
    const texts = { name: 'شاورما 寿司', note: 'ללא בצל', modifier: '🥜' }
    expect((await ticketOf(texts, profile)).bytes).toEqual((await ticketOf(texts, profile)).bytes)
  })
})
