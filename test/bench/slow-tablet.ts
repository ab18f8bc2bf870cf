// How long a kitchen display takes to draw a change of all its tickets on a tablet that is much slower than this machine.
import { buildPages, measureSlowed, whyNoBrowser } from '#test/guard/browser.ts'
import { MeasuredSite } from '#test/guard/measured-site.ts'

const ROOT = new URL('../../', import.meta.url).pathname
/** A five-year-old tablet beside the machine that measures. */
export const SLOWER = 6

/** @returns milliseconds of each round, from the box's events to the frames that show them; null: there is no browser */
export async function measureSlowTablet(rounds: number): Promise<number[] | null> {
  if (whyNoBrowser() !== null) return null
  buildPages(ROOT)
  const site = await MeasuredSite.start(ROOT)
  try {
    return await measureSlowed(site, SLOWER, rounds)
  } finally {
    await site.stop()
  }
}
