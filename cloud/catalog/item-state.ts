// What an item is on `direct` and on its channels, and how a call, a stock or the time changes that. Pure.
import type { ChannelLink } from '#cloud/storage/channel-store.ts'
import type { CatalogItemsTable } from '#cloud/storage/schema-catalog.ts'
import { DIRECT_CHANNEL } from '#shared/wire/api/catalog.ts'

/** Silenced since when, until when (null: until a restore) and why; all null while live. Times in epoch ms. */
export interface Mark {
  silencedAt: number | null
  until: number | null
  cause: 'call' | 'out_of_stock' | null
  reason: string | null
}

/** Where an item is sold: `direct` or a channel that it is mapped to. */
export interface Place extends Mark {
  channelId: string
  /** Null for `direct`. */
  link: ChannelLink | null
}

export interface ItemState {
  row: CatalogItemsTable
  /** `direct` first, then the channels in the order of their ids. */
  places: readonly Place[]
}

/** A state and the places that differ from the one before, by channelId. */
export interface Changed {
  state: ItemState
  channels: string[]
}

const LIVE: Mark = { silencedAt: null, until: null, cause: null, reason: null }

export function itemState(row: CatalogItemsTable, links: readonly ChannelLink[]): ItemState {
  const direct: Place = {
    channelId: DIRECT_CHANNEL,
    link: null,
    silencedAt: row.direct_silenced_at,
    until: row.direct_silenced_until,
    cause: row.direct_cause,
    reason: row.direct_reason,
  }
  const places = links.map((link) => ({
    channelId: link.channel_id,
    link,
    silencedAt: link.silenced_at,
    until: link.silenced_until,
    cause: link.cause,
    reason: link.reason,
  }))
  return { row, places: [direct, ...places] }
}

/** By a call: replaces everything that was set for these places before. A place that already is silenced keeps its time. */
export function silencedByCall(
  state: ItemState,
  isMeant: (place: Place) => boolean,
  mark: { atMs: number; until: number | null; reason: string | null },
): Changed {
  return withPlaces(state, isMeant, (place) => ({
    silencedAt: place.silencedAt ?? mark.atMs,
    until: mark.until,
    cause: 'call',
    reason: mark.reason,
  }))
}

/** Out of stock: what a call has silenced stays the call's. */
export function silencedByStock(state: ItemState, atMs: number): Changed {
  return withPlaces(
    state,
    (place) => place.silencedAt === null,
    () => ({ silencedAt: atMs, until: null, cause: 'out_of_stock', reason: null }),
  )
}

export function restored(state: ItemState, isMeant: (place: Place) => boolean): Changed {
  return withPlaces(state, isMeant, () => LIVE)
}

/** Places whose time has come although the stock is 0: from now on the stock silences them. Nothing changes for anybody else. */
export function handedToStock(state: ItemState, isMeant: (place: Place) => boolean): Changed {
  return withPlaces(state, isMeant, ({ silencedAt }) => ({
    silencedAt,
    until: null,
    cause: 'out_of_stock',
    reason: null,
  }))
}

/** Since when the item cannot be ordered directly: silenced on `direct`, or on every connected channel that it is mapped to. Null while it can. */
export function silencedAt(state: ItemState): number | null {
  const [direct, ...channels] = state.places
  if (direct !== undefined && direct.silencedAt !== null) return direct.silencedAt
  const connected = channels.filter(({ link }) => link?.channel_status === 'connected')
  let last: number | null = null
  for (const place of connected) {
    if (place.silencedAt === null) return null
    last = Math.max(last ?? 0, place.silencedAt)
  }
  return last
}

function withPlaces(state: ItemState, isMeant: (place: Place) => boolean, markOf: (place: Place) => Mark): Changed {
  const channels: string[] = []
  const places = state.places.map((place) => {
    if (!isMeant(place)) return place
    const mark = markOf(place)
    if (isSame(place, mark)) return place
    channels.push(place.channelId)
    // The platform's last state is outdated.
    return { ...place, ...mark, link: place.link && { ...place.link, sync_state: 'pending' as const } }
  })
  return { state: { ...state, places }, channels }
}

function isSame(a: Mark, b: Mark): boolean {
  return a.silencedAt === b.silencedAt && a.until === b.until && a.cause === b.cause && a.reason === b.reason
}
