// The judge of every fault test: compares what clients were promised with what stands on paper. It never asks our databases.

export interface Verdict {
  /** Promised orders without a complete ticket. */
  lost: string[]
  /** Orders with a second copy that carries no mark. */
  unmarkedDoubles: string[]
  /** Orders whose first copy came before that of an order accepted earlier. */
  outOfOrder: string[]
  copies: number
  marked: number
}

/** The mark that every copy after the first must carry. */
export const DUPLICATE_MARK = 'POSSIBLE DUPLICATE'

/**
 * @param accepted tokens of the promised orders, in the order of their acceptance
 * @param papers text of every complete ticket, in the order of the paper
 * @param tokenOf finds the order's token in a ticket's text
 */
export function judgePaper(
  accepted: readonly string[],
  papers: readonly string[],
  tokenOf: (text: string) => string | null = (text) => /T-\d{6}/.exec(text)?.[0] ?? null,
): Verdict {
  const rank = new Map(accepted.map((token, index) => [token, index]))
  const copies = new Map<string, number>()
  const unmarked = new Set<string>()
  const outOfOrder: string[] = []
  let highest = -1
  let marked = 0
  for (const text of papers) {
    const token = tokenOf(text)
    if (!token) continue
    const isMarked = text.includes(DUPLICATE_MARK)
    if (isMarked) marked++
    const earlier = copies.get(token) ?? 0
    copies.set(token, earlier + 1)
    if (earlier > 0) {
      if (!isMarked) unmarked.add(token)
      continue
    }
    const position = rank.get(token)
    if (position === undefined) continue
    if (position < highest) outOfOrder.push(token)
    highest = Math.max(highest, position)
  }
  return {
    lost: accepted.filter((token) => !copies.has(token)),
    unmarkedDoubles: [...unmarked],
    outOfOrder,
    copies: [...copies.values()].reduce((sum, n) => sum + n, 0),
    marked,
  }
}
