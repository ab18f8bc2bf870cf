// The codes of test tickets: right once, wrong five times, too old.
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { TestCodes } from './test-codes.ts'

const other = (code: string, by: number): string => String((Number(code) + by) % 10_000).padStart(4, '0')

describe('the code on a test ticket', () => {
  it('is four digits, valid once, and only for its own printer', () => {
    const codes = new TestCodes(new ManualClock())
    const code = codes.make('grill')
    expect(code).toMatch(/^\d{4}$/)
    expect(codes.type('fry', code)).toBe('print-again')
    expect(codes.type('grill', code)).toBe('right')
    expect(codes.type('grill', code)).toBe('print-again')
  })

  it('names its printer when it was read at another one, and no two printers share a code', () => {
    const codes = new TestCodes(new ManualClock())
    const all = Array.from({ length: 200 }, (_, index) => codes.make(`p${index}`))
    expect(new Set(all).size).toBe(all.length)
    expect(codes.type('p0', all[1] ?? '')).toBe('wrong')
    expect(codes.ownerOf(all[1] ?? '')).toBe('p1')
    expect(
      codes.ownerOf(
        ['0000', ...Array.from({ length: 200 }, (_, n) => String(n + 1).padStart(4, '0'))].find(
          (one) => !all.includes(one),
        ) ?? '',
      ),
    ).toBeNull()
  })

  it('counts no more after five wrong tries', () => {
    const codes = new TestCodes(new ManualClock())
    const code = codes.make('grill')
    const answers = [1, 2, 3, 4, 5].map((by) => codes.type('grill', other(code, by)))
    expect(answers).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'print-again'])
    expect(codes.type('grill', code)).toBe('print-again')
  })

  it('counts no more after half an hour, nor when a newer ticket was printed', async () => {
    const clock = new ManualClock()
    const codes = new TestCodes(clock)
    const old = codes.make('grill')
    const fresh = codes.make('grill')
    if (old !== fresh) expect(codes.type('grill', old)).toBe('wrong')
    await clock.advance(30 * 60_000 + 1)
    expect(codes.type('grill', fresh)).toBe('print-again')
  })
})
