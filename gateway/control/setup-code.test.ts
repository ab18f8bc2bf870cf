// Codes for the first user: one on paper and one on the terminal both let that user in, and guessing ends all of them.
import { describe, expect, it } from 'vitest'
import type { StoredSetupCode } from '#gateway/storage/box-settings-store.ts'
import { SetupCode } from './setup-code.ts'

function codes(stored: StoredSetupCode | null = null) {
  const store = {
    setupCode: () => stored,
    setSetupCode: (code: StoredSetupCode | null) => {
      // As the file gives it back.
      stored = code && JSON.parse(JSON.stringify(code))
    },
  }
  return { setupCode: new SetupCode(store), stored: () => stored }
}

describe('set-up codes', () => {
  it('stay good when another one is made: the last five', () => {
    const { setupCode } = codes()
    const made = Array.from({ length: 6 }, () => setupCode.make())
    expect(made.map((code) => setupCode.check(code))).toEqual(['wrong', ...Array(5).fill('right')])
  })

  it('end together when the first user is made', () => {
    const { setupCode, stored } = codes()
    const made = [setupCode.make(), setupCode.make()]
    setupCode.used()
    expect(made.map((code) => setupCode.check(code))).toEqual(['void', 'void'])
    expect(stored()).toBeNull()
  })

  it('end together after ten wrong ones, and a new one does not bring them back', () => {
    const { setupCode } = codes()
    const before = setupCode.make()
    const answers = Array.from({ length: 10 }, () => setupCode.check('WRNG-WRNG'))
    expect(answers).toEqual([...Array(9).fill('wrong'), 'void'])
    expect(setupCode.check(before)).toBe('void')
    const after = setupCode.make()
    expect([before, after].map((code) => setupCode.check(code))).toEqual(['wrong', 'right'])
  })

  it('of an older version still count', () => {
    const { setupCode, stored } = codes()
    const code = setupCode.make()
    const { earlier: _, ...older } = stored() ?? { hash: '', wrong: 0 }
    const again = codes(older).setupCode
    expect(again.check(code)).toBe('right')
    again.make()
    expect(again.check(code)).toBe('right')
  })

  it('keep no code in the file', () => {
    const { setupCode, stored } = codes()
    const code = setupCode.make()
    expect(JSON.stringify(stored())).not.toContain(code.replace('-', ''))
  })
})
