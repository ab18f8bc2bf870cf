// The judge of the text must find every flipped letter, and nothing on a ticket that is right.
import { describe, expect, it } from 'vitest'
import { judgeTexts, type Promised, TicketText } from './judge-text.ts'

const calm: Promised = {
  token: 'T-000001',
  note: 'T-000001 olive basil',
  posOrderId: '2026-11-24-1',
  queuedAt: '2026-11-24T14:52:17.342Z',
  estimatedReadyAt: '2026-11-24T15:04:17.342Z',
  printJobId: 'pj_01m870p5hyec6af0t0047yhb1j',
}
const other: Promised = {
  token: 'T-000002',
  note: 'T-000002 thyme lemon',
  posOrderId: '2026-11-24-12',
  queuedAt: '2026-11-24T14:59:59.000Z',
  estimatedReadyAt: '2026-11-24T15:11:59.000Z',
  printJobId: 'pj_01m870p5hyec6af0t0047yzzzz',
}
const paperOf = ({ token, note }: Promised, { number, queued, ready, job }: Record<string, string>) =>
  [
    '',
    `         #${number}   test-kiosk`,
    'grill',
    `${queued} ordered   READY BY ${ready}`,
    '------------------------------------------------',
    '2   Smash Burger',
    `  >  ${note}`,
    '------------------------------------------------',
    'items 2',
    `order ${token}`,
    `job ${job}-1  kitchen  try 1  09:52:17`,
  ].join('\n')
const calmPaper = paperOf(calm, { number: '1', queued: '09:52', ready: '10:04', job: 'HB1J' })
const right = paperOf(other, { number: '12', queued: '09:59', ready: '10:11', job: 'ZZZZ' })
const text = new TicketText(calm, calmPaper, 'America/New_York')
const judge = (...papers: string[]) => judgeTexts(text, [calm, other], papers)

describe('judgeTexts', () => {
  it('finds nothing on a ticket that matches its order, marked or not, tried again or not', () => {
    const marked = `\n   *** POSSIBLE DUPLICATE ***\n     CHECK RAIL\n   LATE: sent 10:00\n${right.replace('try 1', 'try 3')}`
    expect(judge(calmPaper, right, marked)).toEqual([])
  })

  it('finds every single flipped bit in a letter or a digit', () => {
    const timeOfPrinting = right.lastIndexOf('-1  kitchen')
    const missed: string[] = []
    for (let at = 0; at < timeOfPrinting; at++) {
      if (/\s/.test(right.charAt(at))) continue
      for (let bit = 0; bit < 7; bit++) {
        const wrong = String.fromCharCode(right.charCodeAt(at) ^ (1 << bit))
        const flipped = right.slice(0, at) + wrong + right.slice(at + 1)
        if (judge(flipped).length !== 1) missed.push(flipped)
      }
    }
    expect(missed).toEqual([])
  })

  it('reads the moment of an order for later', () => {
    const held = { ...other, fireAt: '2026-11-24T15:03:00.000Z' }
    const paper = right.replace('ordered   READY', 'ordered   FIRE 10:03   READY')
    expect(judgeTexts(text, [held], [paper])).toEqual([])
    expect(judgeTexts(text, [held], [right])).toHaveLength(1)
    expect(judgeTexts(text, [held], [paper.replace('10:03', '10:04')])).toHaveLength(1)
  })

  it('reads moments of another day than that of printing, and finds a flipped letter of the day', () => {
    const late = { ...other, queuedAt: '2026-11-25T04:55:00.000Z', estimatedReadyAt: '2026-11-25T05:07:00.000Z' }
    const before = right.replace('09:59', '23:55').replace('10:11', '25 Nov 00:07')
    const after = right.replace('09:59', '24 Nov 23:55').replace('10:11', '00:07')
    expect(judgeTexts(text, [late], [before, after, before.replace('\n', '\nLATE: sent 24 Nov 23:56\n')])).toEqual([])
    const wrong = [before.replace('25 Nov', '24 Nov'), after.replace('Nov', 'Now'), before.replace('00:07', '00:06')]
    for (const paper of wrong) expect(judgeTexts(text, [late], [paper])).toHaveLength(1)
    const calmLate = new TicketText(late, before, 'America/New_York')
    expect([...judgeTexts(calmLate, [late], [after]), ...judgeTexts(calmLate, [other], [right])]).toEqual([])
  })

  it('reports what is wrong', () => {
    expect(judge(right.replace('thyme', 'thymd'))).toEqual([
      { token: 'T-000002', wanted: ['> T-000002 thyme lemon'], found: ['> T-000002 thymd lemon'] },
    ])
  })

  it('finds a line too many, a line too few, and the text of another order', () => {
    expect(judge(right.replace('items 2', 'items 2\nno salt'))).toHaveLength(1)
    expect(judge(right.replace('items 2\n', ''))).toHaveLength(1)
    expect(judge(right.replace('thyme lemon', 'olive basil'))).toHaveLength(1)
  })

  it('finds a ticket without an order', () => {
    expect(judge(right.replaceAll('T-000002', 'T-000009'))).toMatchObject([{ token: '' }])
  })

  it('learns nothing from a ticket that lacks what was ordered', () => {
    expect(() => new TicketText(calm, calmPaper.replace('basil', 'basin'), 'America/New_York')).toThrow('basil')
  })
})
