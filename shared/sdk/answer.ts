// What the methods of the client take beside their fields, and what they return around an answer of the relay.

/** Of one call. */
export interface CallOptions {
  /** Gives the call up: it throws the reason of the signal. What was sent may have been done all the same. */
  signal?: AbortSignal
  /**
   * Of a POST other than `orders.inject`: the name of what you intend, kept for 24 hours. Without one, each call of a method gets its own, so
   * its tries count once. Give one where you call the method again yourself, such as after a restart.
   */
  idempotencyKey?: string
  /** The whole call with its pauses, in milliseconds; 60,000 without it. */
  timeoutMs?: number
  /** Further headers, such as `traceparent`. */
  headers?: Record<string, string>
}

/** What every answer carries beside its fields. `JSON.stringify` and `Object.keys` leave it out. */
export interface AnswerFacts {
  /** Names the call in the logs of the relay. */
  readonly requestId: string
  /** Whether it is the stored answer of an earlier call or try: nothing was done twice. */
  readonly replayed: boolean
}

/** What an answer carries where something is to be printed. */
export interface PrintFactsOfAnswer extends AnswerFacts {
  /**
   * Whether nothing in the kitchen could take it at that moment (503 `printer.offline`). It is stored and prints later: not an error. Warn your
   * user, and do not send it again.
   */
  readonly printPending: boolean
}

export type Answer<Body = unknown> = Body & AnswerFacts
export type PrintAnswer<Body> = Body & PrintFactsOfAnswer

/** An answer that is not JSON. */
export interface FileAnswer {
  contentType: string
  bytes: Uint8Array
  /** The bytes read as UTF-8. */
  text: string
}

export interface Page<Entry> {
  data: Entry[]
  /** Sent as `cursor` it gives the next page; null on the last one. Lists that come whole have none. */
  nextCursor?: string | null
}

/** Nothing is asked before it is read. `for await` reads entry by entry, and asks for the next page when one is used up. */
export interface List<Entry> extends AsyncIterable<Entry> {
  /** One page: the first, or the one of `cursor`. */
  page(): Promise<Answer<Page<Entry>>>
}
