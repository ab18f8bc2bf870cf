// Pictures of the pages, kept for people to look at: bench-results/screens, which CI hands on.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const FOLDER = new URL('../../bench-results/screens/', import.meta.url).pathname

/** Of the issue: a phone, a tablet, a desk. */
export const WIDTHS: readonly number[] = [390, 800, 1_280]
const COLOR_SCHEMES = ['light', 'dark'] as const

export interface ScreenOptions {
  /** All that can be scrolled to, or what the window shows. */
  fullPage?: boolean
  widths?: readonly number[]
}

/** @param name of the file, without its ending */
export async function keepScreen(page: Page, name: string, fullPage = true): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  // What had the focus may have been scrolled to, and what sticks to the window's edge would stand in the middle of the picture.
  if (fullPage) await page.evaluate(() => scrollTo(0, 0))
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage })
}

/** The page as it stands, at every width. @returns in words, where it scrolls sideways */
export async function keepWidths(
  page: Page,
  name: string,
  { fullPage = true, widths = WIDTHS }: ScreenOptions = {},
): Promise<string[]> {
  const before = page.viewportSize() ?? { width: 1_280, height: 900 }
  const faults: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ ...before, width })
    await keepScreen(page, `${name}-${width}`, fullPage)
    const tooWidePx = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    if (tooWidePx > 0) faults.push(`${name}: ${tooWidePx} px too wide for ${width} px`)
  }
  await page.setViewportSize(before)
  return faults
}

/** The same, light and dark. @param judge looks at it once a colour scheme @returns the faults that it found too */
export async function keepFaces(
  page: Page,
  name: string,
  judge: (page: Page) => Promise<string[]>,
  options: ScreenOptions = {},
): Promise<string[]> {
  const faults: string[] = []
  for (const colorScheme of COLOR_SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // A button that was scrolled half under what sticks to the window's edge is no fault of the page: it scrolls out again.
    if (options.fullPage !== false) await page.evaluate(() => scrollTo(0, 0))
    faults.push(...(await judge(page)).map((fault) => `${name} ${colorScheme}: ${fault}`))
    faults.push(...(await keepWidths(page, `${name}-${colorScheme}`, options)))
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  return faults
}
