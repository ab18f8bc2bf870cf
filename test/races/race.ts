// Races: two things are begun at once through two relays on one database, many times over; what must not happen is counted.
import { expect } from 'vitest'
import { ServiceError } from '#shared/errors.ts'
import { drillSeed, seededRandom } from '#test/harness/random.ts'

const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 200)
/** A busy machine plays fewer rounds, and says so. */
const AT_MOST_MS = Number(process.env['RACE_SECONDS'] ?? 60) * 1_000
/** The first to begin is ahead of the last by up to so many turns of the event loop. */
const MOST_TURNS = 4

const random = seededRandom(drillSeed())

/** Plays the rounds. @param round gives in words what was wrong in it; an empty list is a good round */
export async function race(round: (number: number) => Promise<string[]>): Promise<void> {
  const endsAtMs = performance.now() + AT_MOST_MS
  const wrong: string[] = []
  let bad = 0
  let played = 0
  for (; played < ROUNDS && performance.now() < endsAtMs; played++) {
    const found = await round(played)
    if (found.length > 0) bad++
    wrong.push(...found)
  }
  const { currentTestName = '' } = expect.getState()
  if (played < ROUNDS || bad > 0 || process.env['RACE_TOLD'] === '1')
    console.info(`  ${bad} of ${played} rounds (${ROUNDS} wanted) went wrong: ${currentTestName}`)
  expect(counted(wrong)).toEqual({})
}

/** How often each was said, without the ids in it. */
function counted(wrong: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const words of wrong) counts[words] = (counts[words] ?? 0) + 1
  return counts
}

type Settled<T extends readonly (() => Promise<unknown>)[]> = {
  [K in keyof T]: PromiseSettledResult<Awaited<ReturnType<T[K]>>>
}

/** Begins all of them in this moment, in any order, and waits for all. */
export async function atOnce<const T extends readonly (() => Promise<unknown>)[]>(...things: T): Promise<Settled<T>> {
  const begun = things.map(async (thing) => {
    for (let turns = Math.floor(random() * MOST_TURNS); turns > 0; turns--) await turn()
    return thing()
  })
  const settled = await Promise.allSettled(begun)
  // On SQLite reads of one turn share a snapshot: it may be older than what the other relay has written in this turn.
  await turn()
  await turn()
  return settled as Settled<T>
}

/** The next turn of the event loop. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** What failed in another way than by one of these refusals. */
export function failures(
  results: readonly PromiseSettledResult<unknown>[],
  refusals: readonly string[] = [],
): string[] {
  return results.flatMap((result) => {
    if (result.status === 'fulfilled') return []
    const { reason } = result
    if (reason instanceof ServiceError && refusals.includes(reason.code)) return []
    return [`it failed: ${wordsOf(reason)}`]
  })
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? ` ${String(error.code)}` : ''
  const constraint = 'constraint' in error && error.constraint !== undefined ? ` ${String(error.constraint)}` : ''
  const cause = error.cause instanceof Error ? ` (${wordsOf(error.cause)})` : ''
  return `${error.name}${code}${constraint} ${error.message.replaceAll(/\b[a-z]{2,5}_[0-9a-z]{10,}\b/g, '…')}${cause}`
}

/** The value, or null when it failed. */
export function resultOf<T>(result: PromiseSettledResult<T>): T | null {
  return result.status === 'fulfilled' ? result.value : null
}

/** The sentence when it holds. */
export const when = (isWrong: boolean, words: string): string[] => (isWrong ? [words] : [])
