// Which stations a screen shows while it stands in for others, and after that. Pure.
import type { StandIn } from '#gateway/storage/box-settings-store.ts'
import { fold } from '#shared/tickets/route.ts'

type Lent = Pick<StandIn, 'before'> & { lent: readonly string[] }

/** An empty list is expo, which shows everything. */
export function together(own: readonly string[], added: readonly string[]): string[] {
  return own.length === 0 || added.length === 0 ? [] : union(own, added)
}

/**
 * What a screen shows when it stands in no longer for some: what it had before, what it is lent still, and what a person has given it since.
 * @param stations as it shows them now
 * @param ended at least one
 * @param going those for which it goes on standing in
 */
export function givenBack(
  stations: readonly string[],
  { ended, going }: { ended: readonly Lent[]; going: readonly Lent[] },
): string[] {
  const before = ended[0]?.before ?? stations
  if (before.length === 0 || going.some(({ lent }) => lent.length === 0)) return []
  const still = union(
    before,
    going.flatMap(({ lent }) => lent),
  )
  const known = new Set([...still, ...ended.flatMap(({ lent }) => lent)].map(fold))
  return [...still, ...stations.filter((station) => !known.has(fold(station)))]
}

function union(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set<string>()
  return [...some, ...others].filter((station) => !known.has(fold(station)) && known.add(fold(station)))
}
