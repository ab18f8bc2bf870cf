// Paper in the time zone of the box: one that a person has set overrides the zone in the order. Pure.
import type { ClaimedTicket } from '#gateway/storage/ticket-rows.ts'
import type { SiteFacts } from '#shared/site-facts.ts'

type Content = NonNullable<ClaimedTicket['content']>

/** The page, the screens and the paper must show the same hour. */
export function inOwnZone(
  { doc, part }: Content,
  { ownTimeZone: timeZone = '' }: Pick<SiteFacts, 'ownTimeZone'>,
): Content {
  if (timeZone === '') return { doc, part }
  if ('order' in doc) return { doc: { ...doc, order: { ...doc.order, timeZone } }, part }
  if ('print' in doc) return { doc: { ...doc, print: { ...doc.print, timeZone } }, part }
  return { doc: { ...doc, timeZone }, part }
}
