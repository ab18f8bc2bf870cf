// What a text may mean: a thing with this id, a page, a restaurant, an account, orders that hold it.
import { useNavigate, useRouter } from '@tanstack/react-router'
import type { FoundAnswer } from '#cloud/control/order-list.ts'
import { NAV_PAGES } from '#cloud/web/nav.ts'
import { useRead } from '#cloud/web/operations.ts'
import { useMayRead, usePlace } from '#cloud/web/place.tsx'
import { pagesNamed, type SearchTarget, targetOfId, targetOfThing } from '#cloud/web/search-targets.ts'
import { useSpeech } from '#cloud/web/speech.tsx'
import { useSettled } from '#shared/ui/use-settled.ts'

export interface Found {
  key: string
  name: string
  kind: string
  go: () => void
}

/** Shorter texts name no order. */
const SHORTEST = 3
const IN_ORDERS = /^[\p{L}\p{N} #+().-]{1,60}$/u

/** The best first. */
export function useFound(text: string): Found[] {
  const { t } = useSpeech()
  const navigate = useNavigate()
  const { routesByPath } = useRouter()
  const may = useMayRead()
  const place = usePlace()
  const wanted = text.trim()
  const thing = useThing(wanted)
  const hasRoute = (to: string) => Object.hasOwn(routesByPath, to)
  const lead =
    ({ to, search = {} }: SearchTarget) =>
    () =>
      void navigate({ to, search: (before: object) => ({ ...before, ...search }) })
  const target = thing === null ? targetOfId(wanted, hasRoute) : targetOfThing(thing)
  const kinds = t.search.kinds
  const seen = NAV_PAGES.filter((page) => hasRoute(page.to) && may(page.right))
  return [
    ...(target ? [{ key: 'id', name: t.search.toId(wanted), kind: kinds.id, go: lead(target) }] : []),
    ...pagesNamed(wanted, seen, ({ key }) => t.nav.pages[key]).map((page) => ({
      key: page.key,
      name: t.nav.pages[page.key],
      kind: kinds.page,
      go: lead({ to: page.to }),
    })),
    ...place.merchants
      .filter(({ merchantId, name }) => wanted !== '' && isIn(`${name} ${merchantId}`, wanted))
      .map(({ merchantId, name }) => ({
        key: merchantId,
        name,
        kind: kinds.restaurant,
        go: () => place.go({ merchant: merchantId }),
      })),
    ...place.accounts
      .filter(({ accountId, name }) => accountId !== place.account?.accountId && isIn(name, wanted))
      .map(({ accountId, name }) => ({
        key: accountId,
        name,
        kind: t.place.account,
        go: () => place.go({ account: accountId }),
      })),
    ...(target === null && may('serve') && IN_ORDERS.test(wanted)
      ? [
          {
            key: 'orders',
            name: t.search.toOrders(wanted),
            kind: t.nav.pages.orders,
            go: lead({ to: '/orders', search: { text: wanted } }),
          },
        ]
      : []),
  ]
}

/** What the relay finds by exactly this id: its own, or the client's. */
function useThing(wanted: string): FoundAnswer | null {
  const { merchantId } = usePlace()
  const may = useMayRead()
  const text = useSettled(wanted)
  const isAsked = merchantId !== null && may('serve') && text.length >= SHORTEST && !/\s/.test(text)
  const found = useRead('orders.find', { merchantId: merchantId ?? '', text }, { enabled: isAsked })
  return isAsked && text === wanted ? (found.data ?? null) : null
}

const isIn = (name: string, text: string): boolean => name.toLocaleLowerCase().includes(text.toLocaleLowerCase())
