// Ids: shape, order by time, and no repeats.
import { describe, expect, it } from 'vitest'
import { derivedId, isId, newId, timeOfId } from './ids.ts'

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

describe('derivedId', () => {
  const NOW = 1_795_000_000_000

  it('is an id like any other, and the same for the same text and time only', () => {
    const id = derivedId('evt', NOW, 'order.printed of ord_1')
    expect(isId('evt', id)).toBe(true)
    expect(derivedId('evt', NOW, 'order.printed of ord_1')).toBe(id)
    expect(derivedId('evt', NOW, 'order.printed of ord_2')).not.toBe(id)
    expect(derivedId('evt', NOW + 1, 'order.printed of ord_1')).not.toBe(id)
  })

  it('stays unchanged: receivers know events by it', () => {
    expect(derivedId('evt', NOW, 'order.printed of ord_1')).toBe('evt_01m7q5cqg0f6k599d2tyn128qm')
  })

  it('sorts beside ids that were made at the same time', () => {
    const around = [newId('evt', NOW - 1), derivedId('evt', NOW, 'a'), newId('evt', NOW + 1)]
    expect([...around].sort()).toEqual(around)
  })
})

describe('timeOfId', () => {
  it.each([0, 1, 31, 32, 1_795_000_000_123, 2 ** 48 - 1])('gives back the time of making: %i', (ms) => {
    expect(timeOfId(newId('ord', ms))).toBe(ms)
    expect(timeOfId(derivedId('evt', ms, 'a'))).toBe(ms)
  })
})
