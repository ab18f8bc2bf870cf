// Cursors of lists: where the page before ended, as opaque text. A list ends with a column that is unique, so no row is told twice or left out.
import { ServiceError } from '#shared/errors.ts'

/** The sort values of the last row that was told: at most a time or number, and an id or name. */
export interface Cursor {
  at: number
  id: string
}

/** Base64url of JSON. It says nothing secret; the query that uses it is narrowed to the caller's own rows. */
export function encodeCursor({ at, id }: Cursor): string {
  return Buffer.from(JSON.stringify([at, id])).toString('base64url')
}

/** @throws ServiceError request.invalid (422), naming `cursor`, for text that is not one of ours */
export function decodeCursor(text: string): Cursor {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (Array.isArray(parts) && parts.length === 2) {
      const [at, id] = parts as unknown[]
      if (typeof at === 'number' && Number.isFinite(at) && typeof id === 'string') return { at, id }
    }
  } catch {
    // Not JSON: refused below like everything else.
  }
  throw new ServiceError('request.invalid', {
    errors: [{ field: 'cursor', message: 'must be the nextCursor of an earlier answer' }],
  })
}

/** A page from rows that were read with `limit + 1`: the extra row only says that there is more. */
export function pageOfRows<R>(
  rows: readonly R[],
  limit: number,
  cursorOf: (row: R) => Cursor,
): { rows: R[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { rows: shown, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(cursorOf(last)) : null }
}
