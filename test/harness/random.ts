// Random numbers that a seed repeats, so that a failing run can be played again.

/** mulberry32: uniform in [0, 1). Good enough to choose moments and victims; not for secrets. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Of this run: DRILL_SEED plays one again, else any. Say it in the name of the test. */
export function drillSeed(): number {
  return Number(process.env['DRILL_SEED'] ?? Math.floor(Math.random() * 1e6))
}
