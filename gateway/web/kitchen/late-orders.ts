// The open orders that are late now, for the count in the bar and for the pages that have some.
import { useMemo, useSyncExternalStore } from 'react'
import type { DrawnPages } from './board-model.ts'
import { ageLevel, ageMs } from './board-view.ts'
import type { KitchenModel, Snapshot } from './kitchen-model.ts'

/** Checks the clock each second. Returns another set only if another order is late. */
export function useLate(model: KitchenModel, { views, viewer, thresholds }: Snapshot): ReadonlySet<string> {
  const ids = useSyncExternalStore(model.subscribeTick, () => {
    const nowMs = model.nowMs()
    const isLate = (order: (typeof views.open)[number]): boolean =>
      order.voidedAtMs === null && ageLevel(order, { ageMs: ageMs(order, viewer, nowMs), nowMs }, thresholds) === 'late'
    return views.open
      .filter(isLate)
      .map(({ orderId }) => orderId)
      .join(' ')
  })
  return useMemo(() => new Set(ids === '' ? [] : ids.split(' ')), [ids])
}

/** The first late order after the current page, otherwise the first of all. Null: none is late elsewhere. */
export function nextLate(late: ReadonlySet<string>, pages: DrawnPages, page: number): string | null {
  const here = new Set(pages[page])
  const elsewhere = [...pages.slice(page + 1), ...pages.slice(0, page)].flat()
  return elsewhere.find((id) => late.has(id) && !here.has(id)) ?? null
}
