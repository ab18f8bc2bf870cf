// A list that does not shift under the hand.
import { describe, expect, it } from 'vitest'
import { freshRows, heldFrom, withHead, withMore } from './held-rows.ts'

interface Row {
  id: string
  state: string
}

const keyOf = ({ id }: Row) => id
const rows = (ids: string, state = 'new'): Row[] => [...ids].map((id) => ({ id, state }))
const shown = ({ rows }: { rows: readonly Row[] }) => rows.map(keyOf).join('')

describe('a list', () => {
  it('keeps new rows behind its chip, and shows them when that is pressed', () => {
    const held = withHead(heldFrom({ rows: rows('cba'), next: null }), { rows: rows('edcba'), next: null }, keyOf)
    expect(shown(held)).toBe('cba')
    expect(freshRows(held, keyOf).map(keyOf)).toEqual(['e', 'd'])
    expect(shown(heldFrom(held.head))).toBe('edcba')
  })

  it('updates the rows that it shows in place', () => {
    const held = withHead(
      heldFrom({ rows: rows('cba'), next: null }),
      { rows: [...rows('c'), ...rows('b', 'done'), ...rows('a')], next: null },
      keyOf,
    )
    expect(held.rows.map(({ id, state }) => `${id} ${state}`)).toEqual(['c new', 'b done', 'a new'])
  })

  it('removes a row that is gone, and keeps one that newer ones pushed off the first page', () => {
    const first = heldFrom({ rows: rows('dcba'), next: 'older' })
    expect(shown(withHead(first, { rows: rows('dba9'), next: 'older' }, keyOf))).toBe('dba')
    expect(shown(withHead(first, { rows: rows('edcb'), next: 'older' }, keyOf))).toBe('dcba')
    expect(shown(withHead(first, { rows: rows('dba'), next: null }, keyOf))).toBe('dba')
  })

  it('keeps further pages when the first one changes', () => {
    const two = withMore(heldFrom({ rows: rows('dc'), next: 'older' }), { rows: rows('cba'), next: null }, keyOf)
    expect([shown(two), two.next]).toEqual(['dcba', null])
    const later = withHead(two, { rows: rows('ed'), next: 'older' }, keyOf)
    expect([shown(later), freshRows(later, keyOf).length]).toEqual(['dcba', 1])
  })

  it('keeps an unchanged row as the same object, in any place of the answer', () => {
    const held = heldFrom({ rows: rows('ba'), next: null })
    const answer = { rows: [...rows('c'), ...rows('b', 'ready'), ...rows('a')], next: null }
    const [b, a] = withHead(held, answer, keyOf).rows
    expect(b).toEqual({ id: 'b', state: 'ready' })
    expect(a).toBe(held.rows[1])
  })

  it('that was empty shows the first row at once', () => {
    expect(shown(withHead(heldFrom({ rows: [], next: null }), { rows: rows('a'), next: null }, keyOf))).toBe('a')
  })

  it('whose every row is gone shows the current rows', () => {
    expect(shown(withHead(heldFrom({ rows: rows('a'), next: null }), { rows: rows('b'), next: null }, keyOf))).toBe('b')
  })
})
