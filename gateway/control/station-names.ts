// Names of stations that look alike: a typing error makes a station that nothing serves. Pure.
import { fold } from '#shared/tickets/route.ts'

/** Shorter names are unlike each other by one letter too easily: bar and car. */
const SHORTEST_FOR_A_SLIP = 4
/** From this length two slips are still a slip. */
const LONG = 8

/** @returns true when one may be meant by the other: a letter too many, too few, wrong or in the wrong place, or another way to write it */
export function isNearMiss(one: string, other: string): boolean {
  const [a, b] = [plain(one), plain(other)]
  if (fold(one) === fold(other) || a === '' || b === '') return false
  if (a === b) return true
  // Grill 1 and Grill 2 are two stations.
  if (withoutDigits(a) === withoutDigits(b)) return false
  if (a === `${b}s` || b === `${a}s`) return true
  const shortest = Math.min(a.length, b.length)
  if (shortest < SHORTEST_FOR_A_SLIP) return false
  return slips(a, b) <= (shortest < LONG ? 1 : 2)
}

/** Without accents, spaces and signs. */
function plain(name: string): string {
  return fold(name)
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function withoutDigits(name: string): string {
  return name.replaceAll(/\p{N}/gu, '')
}

/** How many letters must be put in, taken out, changed or swapped with their neighbour. */
function slips(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const at = (cells: readonly number[], index: number): number => cells[index] ?? 0
      const isSame = a[i - 1] === b[j - 1]
      const cost = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (isSame ? 0 : 1))
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(isSwap ? Math.min(cost, at(before, j - 2) + 1) : cost)
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
