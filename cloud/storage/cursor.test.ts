// Cursors: a page ends where the next begins, and what is not of this very list is refused, not guessed at.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '#shared/errors.ts'
import { merchantsQuery } from '#shared/wire/api/account.ts'
import { assertProperty } from '#test/harness/property.ts'
import { ListCursors, type ListScope } from './cursor.ts'

const scope: ListScope = { list: 'orders', of: ['acc_1', 'mer_1'], filters: { status: 'printed', fromMs: undefined } }
const cursors = new ListCursors(scope)
const CURSOR = { at: 1_796_000_000_123, id: 'ord_01jd0000000000000000000000' }

function refusal(of: ListCursors, text: string) {
  try {
    of.decode(text)
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, ...error.errors?.[0] }
  }
  throw new Error('it was taken')
}

describe('cursors', () => {
  it('return as they were made, and pass the schema of a list', () => {
    const text = cursors.encode(CURSOR)
    expect(cursors.decode(text)).toEqual(CURSOR)
    expect(merchantsQuery.parse({ cursor: text })).toEqual({ cursor: text, limit: 25 })
    expect(cursors.decode(undefined)).toBeNull()
  })

  it('pass the schema also with the longest names, whatever their script', async () => {
    const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }).filter((name) => name.length <= 64)
    await assertProperty(
      fc.property(fc.oneof(names, fc.constant('饭'.repeat(64))), (id) => {
        const text = cursors.encode({ at: 0, id })
        expect(merchantsQuery.parse({ cursor: text }).cursor).toBe(text)
        expect(cursors.decode(text)).toEqual({ at: 0, id })
      }),
    )
  })

  it.each(['', 'x', 'bm9wZQ', cursors.encode(CURSOR).slice(0, -3), Buffer.from('[1]').toString('base64url')])(
    'that are not ours are refused: %s',
    (text) => {
      expect(refusal(cursors, text)).toEqual({
        code: 'request.invalid',
        field: 'cursor',
        message: 'must be the nextCursor of an earlier answer of this list',
      })
    },
  )

  it.each([1e308, 2 ** 63, -(2 ** 70), 0.5])(
    'that somebody made up with %d are refused, not asked of the database',
    (at) => {
      const [check] = JSON.parse(Buffer.from(cursors.encode(CURSOR), 'base64url').toString()) as [string]
      const forged = Buffer.from(JSON.stringify([check, at, CURSOR.id])).toString('base64url')
      expect(refusal(cursors, forged)).toMatchObject({ code: 'request.invalid', field: 'cursor' })
    },
  )

  it('of before the update that bound them are refused with a word of what to do', () => {
    const old = Buffer.from(JSON.stringify([CURSOR.at, CURSOR.id])).toString('base64url')
    expect(refusal(cursors, old)).toMatchObject({
      field: 'cursor',
      message: 'is from before an update of the relay: leave it out and begin anew',
    })
  })

  const others: Record<string, Partial<ListScope>> = {
    list: { list: 'skus' },
    account: { of: ['acc_2', 'mer_1'] },
    merchant: { of: ['acc_1', 'mer_2'] },
    filter: { filters: { status: 'ready' } },
    'number of filters': { filters: {} },
    'filter beside it': { filters: { status: 'printed', source: 'kiosk' } },
    'field of the same value': { filters: { source: 'printed' } },
  }
  it.each(Object.entries(others))('of another %s are refused with a word of what to do', (_, other) => {
    const text = new ListCursors({ ...scope, ...other }).encode(CURSOR)
    const told = refusal(cursors, text)
    expect(told.field).toBe('cursor')
    expect(told.message).toMatch(/belongs to another list.*leave it out and begin anew/)
  })

  it('do not mind the order in which filters are named, nor those that are not given', () => {
    const same = new ListCursors({ ...scope, filters: { toMs: undefined, status: 'printed' } })
    expect(same.decode(cursors.encode(CURSOR))).toEqual(CURSOR)
    const filters = { a: 'x', b: 'y' }
    const turned = { b: 'y', a: 'x' }
    const text = new ListCursors({ ...scope, filters }).encode(CURSOR)
    expect(new ListCursors({ ...scope, filters: turned }).decode(text)).toEqual(CURSOR)
  })

  it('name the field of the cursor, and how to start over', () => {
    const field = { name: 'after', beginAnew: 'send after=start' }
    const stream = new ListCursors({ ...scope, list: 'events, in commit order', field })
    expect(refusal(stream, cursors.encode(CURSOR))).toMatchObject({
      field: 'after',
      message: expect.stringContaining('send after=start and begin anew'),
    })
  })

  it('are on every page but the last', () => {
    const cursorOf = (at: number) => ({ at, id: 'a' })
    expect(cursors.page([3, 2, 1], 2, cursorOf)).toEqual({
      rows: [3, 2],
      nextCursor: cursors.encode({ at: 2, id: 'a' }),
    })
    expect(cursors.page([2, 1], 2, cursorOf)).toEqual({ rows: [2, 1], nextCursor: null })
    expect(cursors.page([], 2, cursorOf)).toEqual({ rows: [], nextCursor: null })
  })
})
