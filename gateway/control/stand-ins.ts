// Which stations a screen shows while it stands in for others, and after that. Pure.
import type { StandIn } from '#gateway/storage/box-settings-store.ts'
import { fold } from '#shared/tickets/route.ts'

type Lent = Pick<StandIn, 'before'> & { lent: readonly string[] }

/** An empty list is expo, which shows everything. */
export function together(own: readonly string[], added: readonly string[]): string[] {
  return own.length === 0 || added.length === 0 ? [] : union(own, added)
}

/**
 * What a screen shows when it stands in no longer for some: what it had before and what it is lent still, with what a person has added
 * since and without what a person has taken away. Where that is nothing, or where a person has changed between everything and stations,
 * it is what the person left it: an empty list would be expo.
 * @param stations as it shows them now
 * @param ended at least one
 * @param going those for which it goes on standing in
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
