// Pictures of the pages, kept for people to look at: bench-results/screens, which CI hands on.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const FOLDER = new URL('../../bench-results/screens/', import.meta.url).pathname

/** Of the issue: a phone, a tablet, a desk. */
export const WIDTHS = [390, 800, 1_280] as const

/** @param name of the file, without its ending */
export async function keepScreen(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage })
}
