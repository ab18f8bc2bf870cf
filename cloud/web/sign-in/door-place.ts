// Which sign-in page an address opens. Codes are behind the `#`, so that no server logs them.

export type DoorView = 'sign-in' | 'sign-up' | 'reset'
export type DoorPlace = { view: DoorView } | { view: 'invite' | 'welcome'; code: string }

const BASE = '/dashboard'

/** @returns null for an address of the pages themselves */
export function doorPlace({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): DoorPlace | null {
  const path = pathname.slice(BASE.length).replace(/^\/|\/$/g, '')
  if (path === '' && hash.startsWith('#welcome=')) return { view: 'welcome', code: hash.slice('#welcome='.length) }
  if (path === 'invite') return { view: 'invite', code: hash.slice(1) }
  if (path === 'sign-in' || path === 'sign-up' || path === 'reset') return { view: path }
  return null
}

/** The page that was requested before the sign-in page was shown. */
let asked: string | null = null

/** Shows another page of the door. The address of a page is kept for when they have signed in. */
export function showDoor(view: DoorView): void {
  if (doorPlace(location) === null) asked = location.pathname + location.search + location.hash
  history.replaceState(null, '', view === 'sign-in' && asked !== null ? asked : `${BASE}/${view}`)
}

/** The address without what is used up: of the page that was asked for, or of the first one. */
export function leaveDoor(): void {
  if (doorPlace(location) !== null) history.replaceState(null, '', asked ?? `${BASE}/`)
  asked = null
}
