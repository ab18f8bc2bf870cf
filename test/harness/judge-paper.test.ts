// The judge itself must find what it is there to find.
import { describe, expect, it } from 'vitest'
import { judgePaper } from './judge-paper.ts'

const accepted = ['T-000001', 'T-000002', 'T-000003']

describe('judgePaper', () => {
  it('finds nothing when each order is on paper once and in order', () => {
    expect(judgePaper(accepted, accepted)).toEqual({
      lost: [],
      unmarkedDoubles: [],
      outOfOrder: [],
      copies: 3,
      marked: 0,
    })
  })

  it('finds a lost order', () => {
    expect(judgePaper(accepted, ['T-000001', 'T-000003']).lost).toEqual(['T-000002'])
  })

  it('finds a second copy without a mark and lets a marked one pass', () => {
    const verdict = judgePaper(accepted, [
      'T-000001',
      'T-000001',
      'T-000002',
      'POSSIBLE DUPLICATE T-000002',
      'T-000003',
    ])
    expect(verdict.unmarkedDoubles).toEqual(['T-000001'])
    expect(verdict.marked).toBe(1)
  })

  it('finds an order that was printed before an earlier one, but not its late reprint', () => {
    expect(judgePaper(accepted, ['T-000002', 'T-000001', 'T-000003']).outOfOrder).toEqual(['T-000001'])
    expect(
      judgePaper(accepted, ['T-000001', 'T-000002', 'POSSIBLE DUPLICATE T-000001', 'T-000003']).outOfOrder,
    ).toEqual([])
  })
})
