// A button of a ticket that goes with what it does.
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** One that has gone between the look and the click is not waited for longer: there is another look. */
const CLICK_MS = 10_000

/** Until it is done: a second tap at the place of the first counts for nothing for half a second. */
export async function pressUntilGone(button: Locator): Promise<void> {
  await button.waitFor()
  await expect
    .poll(async () => {
      if ((await button.count()) > 0) await button.click({ timeout: CLICK_MS })
      return await button.count()
    })
    .toBe(0)
}
