// Pictures of the pages, kept for people to look at: bench-results/screens, which CI hands on.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const FOLDER = new URL('../../bench-results/screens/', import.meta.url).pathname

/** `SCREENS=all` keeps every width and colour scheme of a page, for whoever looks; drawing them is a third of the tests' time. */
const KEEPS_ALL = process.env['SCREENS'] === 'all'

/** A phone, a tablet, a desk. */
export const WIDTHS: readonly number[] = [390, 800, 1_280]

export interface ScreenOptions {
  /** All that can be scrolled to, or what the window shows. */
  fullPage?: boolean
  widths?: readonly number[]
}

export interface FaceOptions extends ScreenOptions {
  /** The first is looked at whole: default light, then dark. */
  colorSchemes?: readonly ('light' | 'dark')[]
}

/** @param name of the file, without its ending */
export async function keepScreen(page: Page, name: string, fullPage = true): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  // What had the focus may have been scrolled to, and what sticks to the window's edge would stand in the middle of the picture.
  if (fullPage) await page.evaluate(() => scrollTo(0, 0))
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage })
}

/** The page as it stands, at every width; a picture of the last. @returns in words, where it scrolls sideways */
export async function keepWidths(
  page: Page,
  name: string,
  { fullPage = true, widths = WIDTHS }: ScreenOptions = {},
): Promise<string[]> {
  const before = page.viewportSize() ?? { width: 1_280, height: 900 }
  const faults: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ ...before, width })
    if (KEEPS_ALL || width === widths.at(-1)) await keepScreen(page, `${name}-${width}`, fullPage)
    const tooWidePx = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    if (tooWidePx > 0) faults.push(`${name}: ${tooWidePx} px too wide for ${width} px`)
  }
  await page.setViewportSize(before)
  return faults
}

/**
 * The same in one colour scheme and then the other: which is the same layout in other colours.
 * @param judge looks at it once a colour scheme, in the second at the colours alone
 * @returns the faults that it found too
 */
export async function keepFaces(
  page: Page,
  name: string,
  judge: (page: Page, rules: 'all' | 'colors') => Promise<string[]>,
  { colorSchemes = ['light', 'dark'], widths = WIDTHS, fullPage = true }: FaceOptions = {},
): Promise<string[]> {
  const faults: string[] = []
  for (const [index, colorScheme] of colorSchemes.entries()) {
    const isFirst = index === 0
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // A button that was scrolled half under what sticks to the window's edge is no fault of the page: it scrolls out again.
    if (fullPage) await page.evaluate(() => scrollTo(0, 0))
    faults.push(...(await judge(page, isFirst ? 'all' : 'colors')).map((fault) => `${name} ${colorScheme}: ${fault}`))
    if (isFirst || KEEPS_ALL) faults.push(...(await keepWidths(page, `${name}-${colorScheme}`, { fullPage, widths })))
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  return faults
}
