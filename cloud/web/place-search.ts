// Account, restaurant and environment as the search part of an address. Pure.
import type { Environment } from './api.ts'

/** In the address of every page. */
export interface PlaceSearch {
  account?: string
  merchant?: string
  environment?: Environment
}

/** The account, restaurant and environment in an address. */
export function placeSearch(search: Record<string, unknown>): PlaceSearch {
  const { account, merchant, environment } = search
  return {
    ...(typeof account === 'string' ? { account } : {}),
    ...(typeof merchant === 'string' ? { merchant } : {}),
    ...(environment === 'live' || environment === 'sandbox' ? { environment } : {}),
  }
}

/** Another account or environment has other restaurants: the one that was chosen there before is looked up again. */
export function changedPlace(now: PlaceSearch, to: PlaceSearch): Record<string, string | undefined> {
  const isElsewhere =
    (to.account ?? now.account) !== now.account || (to.environment ?? now.environment) !== now.environment
  return {
    ...now,
    ...(isElsewhere ? { merchant: undefined } : {}),
    ...(to.account !== undefined && to.account !== now.account ? { environment: undefined } : {}),
    ...to,
  }
}
