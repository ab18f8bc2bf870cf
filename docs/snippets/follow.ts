// Follows the events of a merchant at Ticketrail: each once, none left out. Copy it into your program: it needs nothing but fetch.
import { setTimeout as sleep } from 'node:timers/promises'

export interface Source {
  /** `https://...` without a path. */
  relay: string
  apiKey: string
  merchantId: string
  /** How long to wait after a page that was not full, and after an answer that was none. */
  pauseMs?: number
}

export interface Page {
  data: { id: string; type: string; data: Record<string, unknown> }[]
  /** Store it in the transaction that stores `data`: it is where to go on after a restart. */
  nextCursor: string
}

const LIMIT = 100

/**
 * Page after page, for ever. Skip events you already have: when the place is gone (you were away for 30 days, or the relay was restored
 * from a backup) this begins again with the oldest event that is kept.
 * @param after `start`, `now`, the id of an event, or the `nextCursor` that you stored last
 * @throws Error for a call that is wrong: sending it again would not help
 */
export async function* followEvents(source: Source, after = 'start'): AsyncGenerator<Page> {
  const { pauseMs = 5_000 } = source
  for (let place = after; ; ) {
    const page = await nextPage(source, place)
    if (page === 'gone') place = 'start'
    else if (page !== 'later') {
      yield page
      place = page.nextCursor
    }
    const isFull = typeof page === 'object' && page.data.length === LIMIT
    if (!isFull && page !== 'gone') await sleep(pauseMs)
  }
}

async function nextPage({ relay, apiKey, merchantId }: Source, after: string): Promise<Page | 'gone' | 'later'> {
  const query = new URLSearchParams({ merchantId, after, limit: String(LIMIT) })
  let answer: Response
  try {
    answer = await fetch(`${relay}/v1/events?${query}`, { headers: { authorization: `Bearer ${apiKey}` } })
    if (answer.ok) return (await answer.json()) as Page
  } catch {
    return 'later'
  }
  if (answer.status === 410) return 'gone'
  if (answer.status === 429 || answer.status >= 500) return 'later'
  throw new Error(`${answer.status} ${await answer.text()}`)
}
