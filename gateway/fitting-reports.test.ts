// A status that a relay could not read is never sent: what is too much of a printer is cut, and named.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PrinterReport, printerReport, STATUS_LIMITS } from '#shared/wire/gateway-link.ts'
import { assertProperty } from '#test/harness/property.ts'
import { fittingReports } from './fitting-reports.ts'

const report = (change: Partial<PrinterReport> = {}): PrinterReport => ({
  ...{
    printerId: 'prn_1',
    name: 'Grill',
    stations: ['grill'],
    isDefault: true,
    state: 'online',
    reasons: [],
    queued: 0,
  },
  ...change,
})

describe('the printers of a status', () => {
  it('are reported unchanged where they fit', () => {
    const all = [report(), report({ stations: Array.from({ length: STATUS_LIMITS.stations }, (_, n) => `s${n}`) })]
    expect(fittingReports(all)).toEqual({ printers: all, cut: [] })
  })

  it('lose the stations beyond the limit, and report that', () => {
    const many = Array.from({ length: 80 }, (_, n) => `station ${n}`)
    const { printers, cut } = fittingReports([report({ stations: many }), report({ name: 'Fry' })])
    expect(printers.map(({ stations }) => stations.length)).toEqual([64, 1])
    expect(cut).toEqual(['Grill: 80 stations, or a name too long'])
  })

  it('can be read by a relay, whatever is stored on disk', () => {
    const text = fc.string({ unit: 'binary', maxLength: 90 })
    const any = fc.record({
      name: text,
      stations: fc.array(text, { maxLength: 90 }),
      printerId: text,
      queued: fc.integer({ min: -1, max: 9 }),
    })
    assertProperty(
      fc.property(fc.array(any, { maxLength: 70 }), (changes) => {
        const { printers, cut } = fittingReports(changes.map((change) => report(change)))
        expect(printers.length).toBeLessThanOrEqual(STATUS_LIMITS.printers)
        for (const one of printers) expect(printerReport.safeParse(one).success).toBe(true)
        const isWhole = changes.every((change) => printerReport.safeParse(report(change)).success)
        expect(cut.length === 0).toBe(isWhole && changes.length <= STATUS_LIMITS.printers)
      }),
    )
  })
})
