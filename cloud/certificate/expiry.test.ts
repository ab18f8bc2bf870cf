// When the end of a certificate is worth a line in the log.
import { describe, expect, it } from 'vitest'
import { daysLeft, expiryStage } from './served-certificate.ts'

const DAY = 86_400_000
const END = Date.UTC(2027, 0, 31)

describe('the end of a certificate', () => {
  it.each([
    ['22 days before', 22, null],
    ['21 days before', 21, 'in-21-days'],
    ['8 days before', 8, 'in-21-days'],
    ['7 days before', 7, 'in-7-days'],
    ['2 days before', 2, 'in-7-days'],
    ['1 day before', 1, 'in-1-days'],
    ['a minute before', 1 / 1_440, 'in-1-days'],
    ['in its last moment', 0, 'ended-0-days-ago'],
    ['a day and a bit after', -1.01, 'ended-1-days-ago'],
    ['two days after', -2, 'ended-2-days-ago'],
  ])('is said %s', (_, daysBefore, stage) => {
    expect(expiryStage(END, END - daysBefore * DAY)).toBe(stage)
  })

  it('is given in whole days that are left', () => {
    expect([2.9, 0.5, 0, -3].map((days) => daysLeft(END, END - days * DAY))).toEqual([2, 0, 0, 0])
  })
})
