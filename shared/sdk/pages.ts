// Lists: entry by entry over all pages, or page by page; and the events of a merchant, followed for ever.

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
        const page = await pageAt(cursor ?? undefined)
        yield* page.data
        cursor = page.nextCursor
      } while (cursor)
    },
  }
}

/** Which events are followed, and from where. */
export interface FollowQuery {
  /** Without it, the client's. */
  merchantId?: string
  /**
   * Your place: the `nextCursor` that you stored last, the id of an event that you have, `start` (the oldest event that is kept) or `now`.
   * Without it, `start`.
   */
  after?: string
  type?: TicketrailEvent['type']
  /** A serviceOrderId, a umsId or an alertId. */
  subjectId?: string
  /** Milliseconds to wait after a page that was not full; 5,000 without it. Each call is metered. */
  pauseMs?: number
}

/** Events in the order in which they happened, and the place after them. */
export interface EventPage {
  data: TicketrailEvent[]
  /** Store it with what you make of `data`, in one transaction: `after` of the next start. */
  nextCursor: string
}

const LIMIT = 100

/**
 * Page after page, each event once, until the loop is left or the signal aborts. Faults and lost connections are waited out. When the place
 * is gone (410: you were away for 30 days, or the relay was restored from a backup) it begins again with the oldest event that is kept: skip
 * the ids that you have.
 */
export async function* followEvents(
  pageOf: (query: object, options: CallOptions) => Promise<Page<TicketrailEvent>>,
  { clock, signal }: Required<Pick<ConnectionOptions, 'clock'>> & CallOptions,
  { pauseMs = 5_000, after = 'start', ...filters }: FollowQuery,
): AsyncGenerator<EventPage, never> {
  for (let place = after; ; ) {
    let page: EventPage | null = null
    try {
      page = (await pageOf({ ...filters, after: place, limit: LIMIT }, { signal } as CallOptions)) as EventPage
    } catch (error) {
      if (!(error instanceof TicketrailError)) throw error
      if (error.code === 'event.place_gone') place = 'start'
      else if (!isWorthRetrying(error)) throw error
    }
    if (page !== null) {
      yield page
      place = page.nextCursor
    }
    if (page?.data.length !== LIMIT) await sleep(clock, pauseMs, signal)
  }
}
