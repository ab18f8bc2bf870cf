// A routing rule as a sentence in the language of the page. Pure.
import type { Messages } from '#gateway/web/admin/messages/en.ts'
import type { RoutingRule } from '#shared/tickets/routing-rules.ts'
import { lookup } from './words.ts'

/** @param nameOf a printer's name by its id */
export function ruleSentence(rule: RoutingRule, t: Messages, nameOf: (printerId: string) => string): string {
  const { when, print, stop } = rule
  const client = when.paper === 'receipt' || when.paper === 'label' ? when.paper : undefined
  return t.rules.sentence({
    station: isolated(when.station),
    category: isolated(when.category),
    item: isolated(when.umsId),
    client,
    orderType: when.orderType && lookup(t.rules.orderTypes, when.orderType),
    source: isolated(when.source),
    course: when.course,
    location: isolated(when.locationId),
    to: print.printerIds.map((id) => isolated(nameOf(id)) ?? '').join(t.common.comma),
    paper: print.paper,
    isOnly: stop,
    copies: print.copies,
    split: print.split,
    label: isolated(print.station),
  })
}

/** A name from outside changes neither order nor direction of the words around it. */
function isolated(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `\u2068${name}\u2069`
}
