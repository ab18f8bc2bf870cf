// Paper in the time zone of the box: where a person has set one, it wins over the zone that stands in the order. Pure.
import type { ClaimedTicket } from '#gateway/storage/ticket-rows.ts'
import type { SiteFacts } from '#shared/site-facts.ts'

type Content = NonNullable<ClaimedTicket['content']>

/** What the page and the screens show and what stands on paper must be the same hour. */
export function inOwnZone(
  { doc, part }: Content,
  { ownTimeZone: timeZone = '' }: Pick<SiteFacts, 'ownTimeZone'>,
): Content {
  if (timeZone === '') return { doc, part }
  if ('order' in doc) return { doc: { ...doc, order: { ...doc.order, timeZone } }, part }
  if ('print' in doc) return { doc: { ...doc, print: { ...doc.print, timeZone } }, part }
  return { doc: { ...doc, timeZone }, part }
}
