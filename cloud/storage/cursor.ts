// Cursors of lists: the end of the previous page, as opaque text that is valid only for the same list, filters and owner.
// A list is sorted last by a unique column, so no row is returned twice or left out.
import { hash } from 'node:crypto'
import { ServiceError } from '#shared/errors.ts'

/** The sort values of the last returned row: at most a time or number, and an id or name. */
export interface Cursor {
  at: number
  id: string
}

export interface ListScope {
  /** Which list, in which order: no two lists have one name. */
  list:
    | 'orders'
    | 'skus'
    | 'the menu'
    | 'merchants'
    | 'deliveries'
    | 'deliveries of all endpoints'
    | 'deliveries of a subject'
    | 'requests'
    | 'requests by the API'
    | 'grants'
    | 'requests for a grant'
    | 'accounts'
    | 'accounts that wait'
    | 'people'
    | 'orders at the dashboard'
    | 'paper of the sandbox'
    | 'calls'
    | 'events, newest first'
    | 'events, in commit order'
  /** The owner: the acting account, then merchant, endpoint or environment. */
  of: readonly string[]
  /** What narrows it; what is undefined does not. How many rows a page has does not belong here. */
  filters: Readonly<Record<string, string | number | undefined>>
  /** The field of the query that has the cursor, and how a caller starts again. */
  field?: { name: string; beginAnew: string }
}

/** Digits of the checksum: one wrong cursor in 2^48 would pass, and would only begin the caller's own list elsewhere. */
const CHECK_LENGTH = 8
const CURSOR_FIELD = { name: 'cursor', beginAnew: 'leave it out' }

/**
 * The cursors of one list. They contain nothing secret, and anybody may make one: the query that uses it is limited to the caller's
 * own rows. The checksum is against mistakes, so it needs no key.
 */
export class ListCursors {
  readonly #check: string
  readonly #field: { name: string; beginAnew: string }

  constructor({ list, of, filters, field = CURSOR_FIELD }: ListScope) {
    const narrowing = Object.entries(filters).filter(([, value]) => value !== undefined)
    narrowing.sort(([a], [b]) => (a < b ? -1 : 1))
    this.#check = hash('sha256', JSON.stringify([list, of, narrowing]), 'base64url').slice(0, CHECK_LENGTH)
    this.#field = field
  }

  /** Base64url of JSON. */
  encode({ at, id }: Cursor): string {
    return Buffer.from(JSON.stringify([this.#check, at, id])).toString('base64url')
  }

  /**
   * @returns null when there is none: the first page
   * @throws ServiceError request.invalid (422), naming the field, for text that is not a cursor of this very list
   */
  decode(text: string | undefined): Cursor | null {
    if (text === undefined) return null
    const parts = partsOf(text)
    const { beginAnew } = this.#field
    if (parts?.length === 2 && typeof parts[0] === 'number')
      throw this.#refused(`is from before an update of the relay: ${beginAnew} and begin anew`)
    const [check, at, id] = parts?.length === 3 ? parts : []
    // Anybody can make one, and PostgreSQL takes no number that is larger than any time or place.
    if (typeof check !== 'string' || typeof at !== 'number' || !Number.isSafeInteger(at) || typeof id !== 'string')
      throw this.#refused('must be the nextCursor of an earlier answer of this list')
    if (check === this.#check) return { at, id }
    throw this.#refused(
      'belongs to another list, order, merchant or account, or to other filters: send it with the path and filters of the ' +
        `call that answered it, or ${beginAnew} and begin anew`,
    )
  }

  /** A page from rows that were read with `limit + 1`: the extra row only shows that there are more. */
  page<R>(rows: readonly R[], limit: number, cursorOf: (row: R) => Cursor): { rows: R[]; nextCursor: string | null } {
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    const nextCursor = rows.length > limit && last !== undefined ? this.encode(cursorOf(last)) : null
    return { rows: shown, nextCursor }
  }

  #refused(message: string): ServiceError {
    return new ServiceError('request.invalid', { errors: [{ field: this.#field.name, message }] })
  }
}

function partsOf(text: string): unknown[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return Array.isArray(parts) ? parts : null
  } catch {
    // Not JSON, so not one of ours.
    return null
  }
}
