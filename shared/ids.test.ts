// Ids: shape, order by time, and no repeats.
import { describe, expect, it } from 'vitest'
import { isId, newId } from './ids.ts'

describe('newId', () => {
  it('makes a prefix and 26 base32 characters', () => {
    const id = newId('ord', 1_795_000_000_000)
    expect(id).toMatch(/^ord_[0-9a-hjkmnp-tv-z]{26}$/)
    expect(isId('ord', id)).toBe(true)
    expect(isId('pj', id)).toBe(false)
    expect(isId('ord', `${id}x`)).toBe(false)
  })

  it('sorts by creation time', () => {
    const ids = [5, 1_000, 1_795_000_000_000, 1_795_000_000_001].map((ms) => newId('evt', ms))
    expect([...ids].sort()).toEqual(ids)
  })

  it('does not repeat within one millisecond', () => {
    expect(new Set(Array.from({ length: 5_000 }, () => newId('dlv', 7))).size).toBe(5_000)
  })

  it('encodes the bits of a known time', () => {
    expect(newId('key', 0).slice(4, 13)).toBe('000000000')
    expect(newId('key', 2 ** 48 - 1).slice(4, 13)).toBe('7zzzzzzzz')
  })
})
