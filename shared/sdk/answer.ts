// Options of a call, and the types of its result.

/** Options of one call, the last argument of every method. */
export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. The relay may have carried out the request already. */
  signal?: AbortSignal
  /**
   * `Idempotency-Key` of a POST, kept by the relay for 24 hours. Without it, each call of a method uses a new random key for all of its
   * attempts. Set it if your program may repeat the call itself, for example after a restart. `orders.inject` needs none: its key is
   * `orderId`.
   */
  idempotencyKey?: string
  /** Time limit for the call with all attempts and pauses, in milliseconds. Default: 60,000. */
  timeoutMs?: number
  /** Additional request headers, such as `traceparent`. */
  headers?: Record<string, string>
}

/** Facts about the response, on every result. They are not enumerable, so `JSON.stringify` and `Object.keys` skip them. */
export interface AnswerFacts {
  /** Identifies the request in the relay's logs (`X-Request-Id`). */
  readonly requestId: string
  /** True if this is the stored response of an earlier request with the same idempotency key: nothing was done a second time. */
  readonly replayed: boolean
}

/** Facts about the response of a call that prints. */
export interface PrintFactsOfAnswer extends AnswerFacts {
  /**
   * True if no printer or display could take it at that moment (503 `printer.offline`). This is not an error: it is stored and prints
   * later. Warn your user, and do not send it again.
   */
  readonly printPending: boolean
}

export type Answer<Body = unknown> = Body & AnswerFacts
export type PrintAnswer<Body> = Body & PrintFactsOfAnswer

/** A response that is not JSON. */
export interface FileAnswer {
  contentType: string
  bytes: Uint8Array
  /** `bytes`, decoded as UTF-8. */
  text: string
}

export interface Page<Entry> {
  data: Entry[]
  /** Pass it as `cursor` to get the next page. Null on the last page; absent if the list has no pages. */
  nextCursor?: string | null
}

/** A lazy list: no request is sent until you read it. `for await` yields every entry and requests further pages as needed. */
export interface List<Entry> extends AsyncIterable<Entry> {
  /** Fetches one page: the first one, or the one at `cursor`. */
  page(): Promise<Answer<Page<Entry>>>
}
