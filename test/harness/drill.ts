// How much is played: `npm test` plays in short what `npm run drills` plays at length (scripts/stages.mjs), and `DRILL=night npm run drills` in full.

const DRILL = process.env['DRILL'] ?? ''

/** A count, a time or the like, in any drill and in `npm test`. */
export function inDrill<T>(long: T, short: T): T {
  return DRILL === '' ? short : long
}

/** The same, where full takes too long for each change: `full` only in a drill that has a night. */
export function overNight<T>(full: T, long: T, short: T): T {
  return DRILL === 'night' ? full : inDrill(long, short)
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
