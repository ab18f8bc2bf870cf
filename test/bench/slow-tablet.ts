// How long a kitchen display of 60 tickets takes to draw an update of half of them on a tablet that is much slower than this machine.
import { buildPages, measureSlowed, whyNoBrowser } from '#test/guard/browser.ts'
import { MeasuredSite } from '#test/guard/measured-site.ts'

const ROOT = new URL('../../', import.meta.url).pathname
/** A five-year-old tablet beside the machine that measures. */
export const SLOWER = 6

/** @returns milliseconds of each update, from the box's event to the end of the frame that shows it; null: there is no browser */
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
