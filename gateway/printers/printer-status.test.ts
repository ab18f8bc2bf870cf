// The texts for each state of a printer.
import { describe, expect, it } from 'vitest'
import { hintWhileAway } from '#shared/away-hint.ts'
import { printerReason } from '#shared/print-job.ts'
import { conditionOfAsb, conditionOfRealTime, hintFor } from './printer-status.ts'

describe('the texts for people', () => {
  it.each(printerReason.options.filter((reason) => reason !== 'none'))(
    '%s: what it means, and what becomes of the tickets',
    (reason) => {
      expect(hintFor(reason).split('. ').length).toBeGreaterThanOrEqual(2)
      expect(hintFor(reason)).toMatch(/ticket|it is printed again/i)
    },
  )

  it('have instructions if somebody can do something', () => {
    for (const reason of printerReason.options) {
      if (reason === 'none' || reason === 'shutdown') continue
      expect(hintFor(reason), reason).toMatch(/Check|Close|Load|Have|Open|Wait|Switch|switch|Look/)
    }
  })
})

describe('status bytes', () => {
  it('without errors are without errors, requested or pushed', () => {
    const fine = { blocked: false, reasons: [], paperKnown: true }
    expect(conditionOfAsb([0x10, 0, 0, 0])).toEqual(fine)
    expect(conditionOfRealTime(new Map([1, 2, 3, 4].map((n) => [n, 0x12])))).toEqual(fine)
  })

  it.each([
    ['cover open', [0x38, 0, 0, 0], [0x1a, 0x16, 0x12, 0x12], ['cover-open']],
    ['paper out', [0x18, 0, 0x0c, 0], [0x1a, 0x32, 0x12, 0x72], ['media-empty']],
    ['paper nearly out', [0x10, 0, 0x03, 0], [0x12, 0x12, 0x12, 0x1e], ['media-low']],
    ['cutter', [0x18, 0x08, 0, 0], [0x3a, 0x52, 0x1a, 0x12], ['cutter-error']],
    ['a fault for good', [0x18, 0x20, 0, 0], [0x1a, 0x52, 0x32, 0x12], ['unrecoverable-error']],
    ['a hot head', [0x18, 0x40, 0, 0], [0x1a, 0x52, 0x52, 0x12], ['recoverable-error']],
    ['offline without a cause', [0x18, 0, 0, 0], [0x1a, 0x12, 0x12, 0x12], ['offline']],
  ] as const)('%s is the same, asked or pushed', (_, asb, realTime, reasons) => {
    expect(conditionOfAsb([...asb]).reasons).toEqual(reasons)
    expect(conditionOfRealTime(new Map(realTime.map((byte, i) => [i + 1, byte]))).reasons).toEqual(reasons)
  })
})

describe('the text for a printer whose backup has its tickets', () => {
  it.each(['timed-out', 'connecting-to-device', 'busy', 'not-responding', 'media-empty', 'offline'] as const)(
    'does not say that they wait: %s',
    (reason) => {
      const said = hintWhileAway(hintFor(reason), '$& Fry')
      expect(said).not.toMatch(/wait|follow/)
      expect(said).toMatch(/\$& Fry prints (its tickets|the others)/)
    },
  )
})
