// What the workbench shows: the thing whose page is open, or the restaurant as a whole. Pure.
import type { NavPage } from '#cloud/web/nav.ts'

export type ThingKind = 'order' | 'endpoint' | 'delivery' | 'event' | 'request'

export type Subject = { kind: ThingKind; id: string } | { kind: 'page'; page: NavPage['key'] | null }

/** Pages of one thing: the first part of their address. */
const THINGS: Readonly<Record<string, ThingKind>> = {
  orders: 'order',
  webhooks: 'endpoint',
  deliveries: 'delivery',
  events: 'event',
  requests: 'request',
}

/** @param pathname below the dashboard, such as `/orders/ord_01...` */
export function subjectOf(pathname: string, pages: readonly NavPage[]): Subject {
  const [first = '', id] = pathname.split('/').filter((part) => part !== '')
  const kind = Object.hasOwn(THINGS, first) ? THINGS[first] : undefined
  if (kind !== undefined && id !== undefined && /^[a-z]+_[0-9a-z]+$/.test(id)) return { kind, id }
  const page = pages.find(({ to }) => to === pathname) ?? pages.find(({ to }) => to === `/${first}`)
  return { kind: 'page', page: page?.key ?? null }
}
