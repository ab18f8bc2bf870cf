// Whether this is a drill: `npm run drills` plays everything in full (scripts/stages.mjs), `npm test` the same in short.

const IS_DRILL = process.env['DRILL'] === '1'

/** A count, a time or the like. */
export function inDrill<T>(full: T, short: T): T {
  return IS_DRILL ? full : short
}
