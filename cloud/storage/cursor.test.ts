// Cursors: a page ends where the next begins, and foreign text is refused, not guessed at.
import { describe, expect, it } from 'vitest'
import { ServiceError } from '#shared/errors.ts'
import { merchantsQuery } from '#shared/wire/api/account.ts'
import { decodeCursor, encodeCursor, pageOfRows } from './cursor.ts'

describe('cursors', () => {
  it('come back as they were made, and pass the schema of a list', () => {
    const cursor = { at: 1_796_000_000_123, id: 'ord_01jd0000000000000000000000' }
    const text = encodeCursor(cursor)
    expect(decodeCursor(text)).toEqual(cursor)
    expect(merchantsQuery.parse({ cursor: text })).toEqual({ cursor: text, limit: 25 })
  })

  it.each(['', 'x', 'bm9wZQ', encodeCursor({ at: 1, id: 'a' }).slice(0, -3), Buffer.from('[1]').toString('base64url')])(
    'that are not ours are refused: %s',
    (text) => {
      expect(() => decodeCursor(text)).toThrow(ServiceError)
    },
  )

  it('stand on every page but the last', () => {
    const cursorOf = (at: number) => ({ at, id: 'a' })
    expect(pageOfRows([3, 2, 1], 2, cursorOf)).toEqual({ rows: [3, 2], nextCursor: encodeCursor({ at: 2, id: 'a' }) })
    expect(pageOfRows([2, 1], 2, cursorOf)).toEqual({ rows: [2, 1], nextCursor: null })
    expect(pageOfRows([], 2, cursorOf)).toEqual({ rows: [], nextCursor: null })
  })
})
