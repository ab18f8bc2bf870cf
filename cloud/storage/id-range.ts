// Ids of one kind made in a span of time: bounds for lists that are sorted by id, because ids sort by creation.
import { asId, firstId, type Id, type IdPrefix } from '#shared/ids.ts'

export interface IdRange<P extends IdPrefix> {
  /** Inclusive. */
  from: Id<P>
  /** Exclusive. */
  below: Id<P>
}

/**
 * @param times epoch ms, from inclusive and to exclusive; absent is open
 * @param after the last id of the page before, if there was one
 */
export function idRange<P extends IdPrefix>(
  prefix: P,
  times: { fromMs?: number | undefined; toMs?: number | undefined },
  after?: string,
): IdRange<P> {
  // No id is larger than `~`.
  const end = times.toMs === undefined ? asId<P>(`${prefix}_~`) : firstId(prefix, times.toMs)
  const reached = after === undefined ? end : asId<P>(after)
  const [below = end] = [reached, end].sort()
  return { from: firstId(prefix, times.fromMs ?? 0), below }
}
