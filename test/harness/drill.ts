// Whether this is a drill: `npm run drills` plays everything in full (scripts/stages.mjs), `npm test` the same in short.

const IS_DRILL = process.env['DRILL'] === '1'

/** A count, a time or the like. */
export function inDrill<T>(full: T, short: T): T {
  return IS_DRILL ? full : short
}

/** Plays rounds one after the other: `most`, or fewer when `atMostMs` milliseconds are over before. @returns how many it has played */
export async function playRounds(
  limit: { most: number; atMostMs: number },
  round: () => Promise<void>,
): Promise<number> {
  const endsAtMs = Date.now() + limit.atMostMs
  let played = 0
  for (; played < limit.most && Date.now() < endsAtMs; played++) await round()
  return played
}
