// A routing rule as texts of the form; the rule that is sent; and changes to the order of rules. Pure.
import type { RoutingRule } from '#shared/tickets/routing-rules.ts'

export const RULE_SUBJECTS = ['any', 'station', 'category', 'item', 'receipt', 'label'] as const
export type RuleSubject = (typeof RULE_SUBJECTS)[number]
/** Those of shared/order.ts, which the page does not load for this. */
export const RULE_ORDER_TYPES = [
  ...(['dine-in', 'takeaway', 'delivery', 'drive-through', 'catering', 'curbside'] as const),
] satisfies RoutingRule['when']['orderType'][]
export const RULE_SPLITS = ['printer', 'consolidated', 'per-item'] as const

export interface RuleDraft {
  name: string
  subject: RuleSubject
  /** The station, category or item. */
  of: string
  /** A second station or category in the rule's condition: kept unchanged. */
  beside: RoutingRule['when']
  /** Empty: any. */
  orderType: string
  source: string
  /** Digits; empty: any. */
  course: string
  location: string
  isOnly: boolean
  printerIds: readonly string[]
  paper: RoutingRule['print']['paper']
  /** A digit; empty: as the printer is set. */
  copies: string
  split: (typeof RULE_SPLITS)[number]
  label: string
}

export const EMPTY_RULE: RuleDraft = {
  ...{ name: '', subject: 'station', of: '', beside: {}, orderType: '', source: '', course: '', location: '' },
  ...{ isOnly: false, printerIds: [], paper: 'kitchen', copies: '', split: 'printer', label: '' },
}

const FIELD_OF = { station: 'station', category: 'category', item: 'umsId' } as const

export function ruleDraftOf({ name, when, print, stop }: RoutingRule): RuleDraft {
  const { paper, orderType, source, course, locationId, ...named } = when
  const subject = subjectOf(when)
  const field = subject in FIELD_OF ? FIELD_OF[subject as keyof typeof FIELD_OF] : null
  const { [field ?? 'station']: of, ...others } = named
  return {
    ...{ name, subject, of: field === null ? '' : (of ?? ''), beside: field === null ? named : others },
    ...{
      orderType: orderType ?? '',
      source: source ?? '',
      course: course?.toString() ?? '',
      location: locationId ?? '',
    },
    ...{ isOnly: stop, printerIds: print.printerIds, paper: print.paper, copies: print.copies?.toString() ?? '' },
    ...{ split: print.split ?? 'printer', label: print.station ?? '' },
  }
}

function subjectOf({ paper, station, category, umsId }: RoutingRule['when']): RuleSubject {
  if (paper === 'receipt' || paper === 'label') return paper
  if (station !== undefined) return 'station'
  if (category !== undefined) return 'category'
  return umsId === undefined ? 'any' : 'item'
}

export function isClientRule({ subject }: RuleDraft): boolean {
  return subject === 'receipt' || subject === 'label'
}

/** As the box takes it. A rule for what others send asks for nothing that only orders have. */
export function ruleOf(draft: RuleDraft, fallbackName: string): RoutingRule {
  const { subject, of, beside, source, course, location, isOnly, printerIds, paper, copies, split, label } = draft
  const name = draft.name.trim() === '' ? fallbackName.slice(0, 64).trim() : draft.name.trim()
  const print = {
    printerIds: [...printerIds],
    ...(copies !== '' && { copies: Number(copies) }),
    ...(split !== 'printer' && { split }),
    ...(label.trim() !== '' && { station: label.trim() }),
  }
  const where = location.trim() === '' ? {} : { locationId: location.trim() }
  if (subject === 'receipt' || subject === 'label') {
    const { station } = beside
    const when = { paper: subject, ...(station !== undefined && { station }), ...where }
    return { name, when, print: { ...print, paper: subject }, stop: isOnly }
  }
  const field = subject === 'any' ? null : FIELD_OF[subject]
  const orderType = RULE_ORDER_TYPES.find((type) => type === draft.orderType)
  const when = {
    ...beside,
    ...(field !== null && of.trim() !== '' && { [field]: of.trim() }),
    ...(orderType !== undefined && { orderType }),
    ...(source.trim() !== '' && { source: source.trim() }),
    ...(course !== '' && { course: Number(course) }),
    ...where,
  }
  return { name, when, print: { ...print, paper }, stop: isOnly }
}

/** @param by -1: asked one earlier; 1: one later */
export function movedBy<T>(list: readonly T[], index: number, by: -1 | 1): T[] {
  const to = index + by
  const [one, other] = [list[index], list[to]]
  if (one === undefined || other === undefined) return [...list]
  return list.map((item, at) => (at === index ? other : at === to ? one : item))
}
