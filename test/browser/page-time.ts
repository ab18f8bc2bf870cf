// The time of a page as the test says: no window of seconds closes because the machine is busy while somebody acts.
import type { Page } from 'playwright-core'

/** How far ahead it is stopped: what is due by then happens, each once. */
const AHEAD_MS = 500

/** From now on the page's timers and its monotonic clock stand still; `page.clock.runFor` moves them. `page.clock.install()` came before. */
export async function stopTime(page: Page): Promise<void> {
  const stop = async () => page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + AHEAD_MS)
  try {
    await stop()
  } catch {
    // The machine was so busy that the instant had passed. The time stands since then, so a second instant cannot pass.
    await stop()
  }
}
