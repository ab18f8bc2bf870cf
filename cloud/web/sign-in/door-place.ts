// Which page of the door an address opens. Codes stand behind the `#`: they are in no log of a server.

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

/** The page that somebody asked for before they were shown the door. */
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
