// Which recovery command a stopped printer gets, and how often.
import { describe, expect, it } from 'vitest'
import type { PrinterCondition } from './printer-status.ts'
import { Recovery } from './recovery.ts'

function stoppedBy(...reasons: PrinterCondition['reasons']): PrinterCondition {
  return { blocked: true, reasons, paperKnown: true }
}

const JAM = stoppedBy('cutter-error')

describe('recovery between tickets', () => {
  it('continues if nothing of ours is broken', () => {
    const recovery = new Recovery(10)
    expect(recovery.next(JAM, 0, { mayStandUncut: false, clearsBuffer: true })).toBe('go-on')
  })

  it('drops the rest of a broken ticket, with both commands alternately', () => {
    const recovery = new Recovery(10)
    const steps = [0, 10, 20, 30].map((now) => recovery.next(JAM, now, { mayStandUncut: true, clearsBuffer: true }))
    expect(steps).toEqual(['clear', 'discard', 'clear', 'discard'])
  })

  it('never uses DLE DC4 8 if the profile does not have it', () => {
    const recovery = new Recovery(10)
    for (const now of [0, 10, 20])
      expect(recovery.next(JAM, now, { mayStandUncut: true, clearsBuffer: false })).toBe('clear')
  })

  it('waits between two steps', () => {
    const recovery = new Recovery(10)
    recovery.next(JAM, 0, { mayStandUncut: false, clearsBuffer: false })
    expect(recovery.next(JAM, 9, { mayStandUncut: false, clearsBuffer: false })).toBe('none')
  })

  it.each([
    ['the cover is open', stoppedBy('cutter-error', 'cover-open')],
    ['paper is out', stoppedBy('media-empty')],
    ['the fault is for good', stoppedBy('cutter-error', 'unrecoverable-error')],
  ])('does nothing while %s', (_, condition) => {
    expect(new Recovery(10).next(condition, 0, { mayStandUncut: true, clearsBuffer: true })).toBe('none')
  })
})
