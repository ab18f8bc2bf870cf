// Lists (entry by entry, or one page at a time) and the endless list of a merchant's events.

import { systemTimers } from '#shared/clock.ts'
import type { Answer, CallOptions, List, Page } from './answer.ts'
import type { TicketrailEvent } from './api.ts'
import { type ConnectionOptions, sleep } from './call.ts'
import { TicketrailError } from './error.ts'
import { isWorthRetrying } from './retry.ts'

export function listOf<Entry>(pageAt: (cursor?: string) => Promise<Answer<Page<Entry>>>): List<Entry> {
  return {
    page: () => pageAt(),
    async *[Symbol.asyncIterator]() {
      let cursor: string | null | undefined
      do {
        const page = await pageAt(cursor as string | undefined)
        yield* page.data
        cursor = page.nextCursor
      } while (cursor)
    },
  }
}

/** Which events to follow, and from which position. */
export interface FollowQuery {
  /** Default: the merchant of the client. */
  merchantId?: string
  /**
   * Where to begin: the last `nextCursor` that you stored, the id of an event, `start` (the oldest stored event) or `now`. Default:
   * `start`.
   */
  after?: string
  type?: TicketrailEvent['type']
  /** A serviceOrderId, a umsId or an alertId. */
  subjectId?: string
  /** Pause after a page that was not full, in milliseconds. Default: 5,000. Each request is metered. */
  pauseMs?: number
}

/** Events in commit order, and the cursor behind them. */
export interface EventPage {
  data: TicketrailEvent[]
  /** Pass it as `after` at the next start. Store it in the same transaction as what you do with `data`. */
  nextCursor: string
  /** True from the first page after a cursor that is unknown or no longer valid: these may be events that you have. Skip their ids. */
  restarted?: boolean
}

const LIMIT = 100

/**
 * Yields pages of events, each event once, until the loop is left or the signal aborts. Server errors and lost connections are retried
 * without end. If the cursor is unknown or no longer valid (410: it is older than 30 days, or the relay was restored from a backup), it
 * starts again from the oldest stored event and marks the next pages with `restarted`: skip the ids that you have.
 * @throws TicketrailError for errors that a retry cannot fix, such as an invalid key
 */
export async function* followEvents(
  pageOf: (query: object, options: CallOptions) => Promise<Page<TicketrailEvent>>,
  { clock = systemTimers, signal }: Pick<ConnectionOptions, 'clock'> & CallOptions,
  { pauseMs = 5_000, after = 'start', ...filters }: FollowQuery,
): AsyncGenerator<EventPage, never> {
  let restarted = false
  for (let place = after; ; ) {
    let isFull = false
    try {
      const page = (await pageOf({ ...filters, after: place, limit: LIMIT }, { signal } as CallOptions)) as EventPage
      yield restarted ? { ...page, restarted } : page
      place = page.nextCursor
      isFull = page.data.length === LIMIT
    } catch (error) {
      if (!(error instanceof TicketrailError)) throw error
      if (error.code === 'event.place_gone') {
        place = 'start'
        restarted = true
      } else if (!isWorthRetrying(error)) throw error
    }
    if (!isFull) await sleep(clock, pauseMs, signal)
  }
}
