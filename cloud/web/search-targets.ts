// Where an id leads: each kind of thing has a page. Pure.
import type { AuditLine } from '#cloud/control/audit-list.ts'
import type { FoundAnswer } from '#cloud/control/order-list.ts'
import type { NavPage } from './nav.ts'

export interface SearchTarget {
  to: string
  search?: Readonly<Record<string, string>>
}

/** By the prefix of the id; `$id` in an address is the id. */
const BY_PREFIX: Readonly<Record<string, SearchTarget>> = {
  ord: { to: '/orders/$id' },
  pj: { to: '/orders', search: { text: '$id' } },
  evt: { to: '/events/$id' },
  dlv: { to: '/deliveries/$id' },
  we: { to: '/webhooks/$id' },
  key: { to: '/keys' },
  gw: { to: '/kitchens' },
  req: { to: '/requests/$id' },
  call: { to: '/receptionist/calls/$id' },
  vm: { to: '/receptionist' },
  apt: { to: '/receptionist' },
  num: { to: '/receptionist/setup' },
  kn: { to: '/receptionist/knowledge' },
  acc: { to: '/operator', search: { text: '$id' } },
}

/** @returns null when the text is no id that has a page @param hasRoute whether the page exists */
export function targetOfId(text: string, hasRoute: (to: string) => boolean): SearchTarget | null {
  const id = text.trim()
  const [, prefix = ''] = /^([a-z]{2,4})_[0-9a-z]{26}$/.exec(id) ?? []
  const target = Object.hasOwn(BY_PREFIX, prefix) ? BY_PREFIX[prefix] : undefined
  if (target === undefined || !hasRoute(target.to)) return null
  const search = Object.entries(target.search ?? {}).map(([key, value]) => [key, value.replace('$id', id)] as const)
  return { to: target.to.replace('$id', id), search: Object.fromEntries(search) }
}

/** Of a line of the audit log; those of a restaurant are in its place, others wherever one is. */
const OF_SUBJECTS: Readonly<Record<string, { to: string; isOfMerchant: boolean }>> = {
  ord: { to: '/orders/$id', isOfMerchant: true },
  evt: { to: '/events/$id', isOfMerchant: true },
  dlv: { to: '/deliveries/$id', isOfMerchant: true },
  we: { to: '/webhooks/$id', isOfMerchant: true },
  gw: { to: '/kitchens', isOfMerchant: true },
  loc: { to: '/kitchens', isOfMerchant: true },
  M: { to: '/settings', isOfMerchant: true },
  key: { to: '/keys', isOfMerchant: false },
  usr: { to: '/people', isOfMerchant: false },
  inv: { to: '/usage/$id', isOfMerchant: false },
}

/** @returns null where it is gone or has no page */
export function subjectTarget({
  subject,
  subjectName,
  about,
  merchantId,
  environment,
}: Pick<AuditLine, 'subject' | 'subjectName' | 'about' | 'merchantId' | 'environment'>): SearchTarget | null {
  // A print job is shown with its order.
  const id = about?.kind === 'job' ? (about.order?.serviceOrderId ?? '') : subject
  const [prefix = ''] = id.split(/[_-]/, 1)
  const target = Object.hasOwn(OF_SUBJECTS, prefix) ? OF_SUBJECTS[prefix] : undefined
  const isGone = subjectName === null && merchantId === null
  if (target === undefined || isGone || (target.isOfMerchant && merchantId === null)) return null
  const search = {
    ...(merchantId !== null && { merchant: merchantId }),
    ...(environment !== null && { environment }),
    ...(prefix === 'gw' && { q: subjectName ?? '' }),
  }
  return { to: target.to.replace('$id', id), search }
}

const BY_KIND: Readonly<Record<FoundAnswer['kind'], string>> = {
  order: '/orders/',
  job: '/orders/',
  event: '/events/',
  delivery: '/deliveries/',
}

/** The page of a thing that the relay found, at its own restaurant. An order may have been found by its client's id. A print job is shown with its order; a job without an order has no page. */
export function targetOfThing({ kind, id, merchantId, serviceOrderId }: FoundAnswer): SearchTarget | null {
  const shown = kind === 'job' || kind === 'order' ? serviceOrderId : id
  return shown === null ? null : { to: `${BY_KIND[kind]}${shown}`, search: { merchant: merchantId } }
}

/** Pages whose name contains the text. @param nameOf the name in the reader's language */
export function pagesNamed(text: string, pages: readonly NavPage[], nameOf: (page: NavPage) => string): NavPage[] {
  const wanted = text.trim().toLocaleLowerCase()
  return pages.filter((page) => nameOf(page).toLocaleLowerCase().includes(wanted))
}
