// The gateway's own time zone for paper: if a person has set one, it overrides the zone in the order. Pure.
import type { ClaimedTicket } from '#gateway/storage/ticket-rows.ts'
import type { SiteFacts } from '#shared/site-facts.ts'

type Content = NonNullable<ClaimedTicket['content']>

/** Pages, displays and paper must show the same time. */
export function inOwnZone(
  { doc, part }: Content,
  { ownTimeZone: timeZone = '' }: Pick<SiteFacts, 'ownTimeZone'>,
): Content {
  if (timeZone === '') return { doc, part }
  if ('order' in doc) return { doc: { ...doc, order: { ...doc.order, timeZone } }, part }
  if ('print' in doc) return { doc: { ...doc, print: { ...doc.print, timeZone } }, part }
  return { doc: { ...doc, timeZone }, part }
}
