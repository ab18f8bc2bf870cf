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

/** The board of a screen whose shift has begun and whose time stands still, an hour ahead: `page.clock.runFor` moves it. */
export async function openStillBoard(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.clock.install()
  await page.goto('/kitchen/')
  await page.getByRole('button', { name: 'Start shift' }).click()
  await page.clock.pauseAt(Date.now() + 3_600_000)
}
