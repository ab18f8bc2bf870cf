// A request as text: as a line for a terminal, and as one that is sent once more. Pure.
import type { RequestAnswer } from '#cloud/control/request-list.ts'
import { readObject } from '#cloud/web/parts/json-object.ts'
import { curlOf } from '#cloud/web/parts/webhooks/curl.ts'

type Kept = Pick<RequestAnswer, 'method' | 'path' | 'body' | 'environment'>

/** @param origin of the relay */
export function requestCurl({ method, path, body }: Kept, origin: string): string {
  const headers = {
    authorization: 'Bearer $TICKETRAIL_API_KEY',
    ...(body === null ? {} : { 'content-type': 'application/json' }),
  }
  return curlOf({ method, url: `${origin}${path}`, headers, body })
}

/**
 * What is offered to be sent once more: at a test restaurant, and as an order of its own, because the id of the first one is taken and what
 * was replaced in it makes it another order.
 * @param merchantId of the sandbox; null: the request's own stays
 */
export function againOf(
  { path, body, environment }: Kept,
  { merchantId, mark }: { merchantId: string | null; mark: string },
): { path: string; body: string } {
  const moves = environment === 'live' && merchantId !== null
  const url = new URL(path, 'http://relay.invalid')
  if (moves && url.searchParams.has('merchantId')) url.searchParams.set('merchantId', merchantId)
  const parsed = body === null ? null : objectIn(body)
  if (parsed === null) return { path: url.pathname + url.search, body: body ?? '' }
  const again: Record<string, unknown> = { ...parsed }
  if (moves && 'merchantId' in again) again['merchantId'] = merchantId
  if (typeof again['orderId'] === 'string') again['orderId'] = `${again['orderId'].slice(0, 100)}-${mark}`
  return { path: url.pathname + url.search, body: JSON.stringify(again, null, 2) }
}

/** Null: it is no object, or only the beginning of one. */
export function objectIn(text: string): Record<string, unknown> | null {
  const read = readObject(text)
  return 'object' in read ? read.object : null
}

/** The text of `ERROR_HELP` in pieces: text in backticks is code. */
export function helpPieces(todo: string): { text: string; isCode: boolean }[] {
  return todo
    .replaceAll('**', '')
    .split('`')
    .map((text, at) => ({ text, isCode: at % 2 === 1 }))
    .filter(({ text }) => text !== '')
}
