// Which stations a screen shows while it has taken over for others, and after that. Pure.
import type { StandIn } from '#gateway/storage/box-settings-store.ts'
import { fold } from '#shared/tickets/route.ts'

type Lent = Pick<StandIn, 'before'> & { lent: readonly string[] }

/** An empty list is expo, which shows everything. */
export function together(own: readonly string[], added: readonly string[]): string[] {
  return own.length === 0 || added.length === 0 ? [] : union(own, added)
}

/**
 * What a screen shows when it no longer replaces some: its stations before, and those still taken over, with what a person has added
 * since and without what a person has removed. If that is nothing, or if a person has changed between expo and stations,
 * it stays as the person left it: an empty list would be expo.
 * @param stations as it shows them now
 * @param ended at least one
 * @param going those that it still replaces
 */
export function givenBack(
  stations: readonly string[],
  { ended, going }: { ended: readonly Lent[]; going: readonly Lent[] },
): string[] {
  const before = ended[0]?.before ?? stations
  const still = going.map(({ lent }) => lent).reduce<readonly string[]>(together, before)
  const given = ended.map(({ lent }) => lent).reduce<readonly string[]>(together, still)
  if ((stations.length === 0) !== (given.length === 0)) return [...stations]
  if (still.length === 0 || given.length === 0) return [...still]
  const added = without(stations, given)
  const left = union(without(still, without(given, stations)), added)
  return left.length === 0 ? [...stations] : left
}

function without(some: readonly string[], others: readonly string[]): string[] {
  const gone = new Set(others.map(fold))
  return some.filter((station) => !gone.has(fold(station)))
}

function union(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set<string>()
  return [...some, ...others].filter((station) => !known.has(fold(station)) && known.add(fold(station)))
}
