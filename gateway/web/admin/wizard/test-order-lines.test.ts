// What the page says of a test order: green only when all of it is proved, else in words what is not.
import { describe, expect, it } from 'vitest'
import type { PrinterAnswer, TestOrderAnswer } from '#gateway/control/answers.ts'
import { en } from '#gateway/web/admin/messages/en.ts'
import { testOrderVerdict } from './test-order-lines.ts'

const PRINTED = {
  ...{
    ticketId: 'pj_1-1',
    printJobId: 'pj_1',
    orderId: 'TEST-1',
    orderNumber: 'TEST-1',
    printerId: 'grill',
    printer: 'Grill',
  },
  ...{ movedFrom: null, kind: 'test-order', paper: 'kitchen', state: 'printed', reason: null, attempts: 1 },
  ...{ possibleDuplicate: false, unprintable: 0, confirmation: 'confirmed', method: 'gs-paren-h', notBefore: null },
  ...{ receivedAt: '2026-11-21T10:00:00.000Z', settledAt: '2026-11-21T10:00:00.300Z', printedAfterMs: 300 },
}
const SEEN = { displayId: 'd1', name: 'Pass', isAlive: true, isSeen: true }
const DONE: TestOrderAnswer = {
  printJobId: 'pj_1',
  number: 'TEST-1',
  receivedAt: PRINTED.receivedAt,
  tickets: [PRINTED],
  displays: [SEEN],
  readyAt: '2026-11-21T10:01:00.000Z',
  pickedUpAt: null,
}
const grill = (change: object = {}) =>
  ({ printerId: 'grill', state: 'online', reasons: ['none'], hint: '', settings: {}, ...change }) as PrinterAnswer

const verdict = (change: Partial<TestOrderAnswer>, printers: Record<string, PrinterAnswer> = { grill: grill() }) =>
  testOrderVerdict({ ...DONE, ...change }, printers, en, (ms) => `${ms} ms`)
const waiting = { ...PRINTED, state: 'queued', confirmation: null, method: null, settledAt: null, printedAfterMs: null }

describe('a test order on the page', () => {
  it('is green when it is printed, shown and ready, and says by what proof and how fast', () => {
    const { isGreen, lines } = verdict({})
    expect(isGreen).toBe(true)
    expect(lines.map(({ name, words }) => [name, words])).toEqual([
      ['Grill', 'Printed, confirmed · the printer sent its number back · after 300 ms'],
      ['Pass', 'Shown on the screen'],
      ['Ready on a screen', 'Tapped'],
    ])
  })

  it('needs no screen where there is none', () => {
    expect(verdict({ displays: [], readyAt: null })).toMatchObject({ isGreen: true, lines: [{ name: 'Grill' }] })
  })

  it.each([
    ['waits for a cook', { readyAt: null }, 'Tap Ready on the order'],
    ['is not drawn yet', { displays: [{ ...SEEN, isSeen: false }] }, 'Not shown yet'],
    ['meets a screen that is off', { displays: [{ ...SEEN, isAlive: false, isSeen: false }] }, 'The screen is off'],
    ['failed', { tickets: [{ ...waiting, state: 'failed', reason: 'damaged' }] }, 'Failed'],
    ['is on its way', { tickets: [waiting] }, 'Waits for the printer'],
    ['has no printer', { tickets: [{ ...waiting, printerId: '', printer: '' }] }, 'No printer is set up yet'],
  ])('is not green while it %s', (_, change, words) => {
    const { isGreen, lines } = verdict(change)
    expect(isGreen).toBe(false)
    expect(lines.map((line) => line.words).join('\n')).toContain(words)
  })

  it('says what is wrong with the printer, and what to do', () => {
    const printers = { grill: grill({ state: 'offline', reasons: ['media-empty'], hint: 'Put in paper.' }) }
    const [line] = verdict({ tickets: [waiting] }, printers).lines
    expect(line).toMatchObject({ tone: 'bad', words: expect.stringContaining('Not printing') })
    expect(line?.hint).not.toBe('')
  })
})
