// An allergy in chromium looks the same wherever the kitchen display says it: on the board, in a drawer and on the runner's screen, light and dark.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BoardBox } from '#test/doubles/board-box.ts'
import { boardLine, boardOrder, FRIDAY_MS } from '#test/fixtures/friday-orders.ts'
import { accessibilityFaults } from './accessibility.ts'
import { launchChromium } from './chromium.ts'
import { keepFaces } from './screens.ts'
import { newVisitor } from './visitor.ts'

const box = new BoardBox(FRIDAY_MS)
const DISPLAY = box.display
let browser: Browser

beforeAll(async () => {
  await box.start()
  browser = await launchChromium()
  const lines = [1, 2].map((seat) => boardLine({ name: 'Satay', isAllergy: true, allergens: ['peanuts'], seat }))
  const order = boardOrder(1, { lines, allergens: [{ words: 'peanuts', seat: 1, item: 'Satay' }] })
  const stations = order.stations.map((station) => ({ ...station, readyAtMs: FRIDAY_MS }))
  box.show([order, { ...order, orderId: 'ord_2', number: '2', isTest: true, stations, readyAtMs: FRIDAY_MS }])
})

afterAll(async () => {
  await browser?.close()
  await box.stop()
})

/** Of every warning sign the colours and the frame of what it stands on, each look once. */
const looksOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const signs = [...document.querySelectorAll('body *')].filter(
      (it) => it.getClientRects().length > 0 && it.firstChild?.nodeValue?.startsWith('⚠'),
    )
    const looks = signs.map((sign) => {
      let ground: Element = sign
      while (ground.parentElement && getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)')
        ground = ground.parentElement
      const { backgroundColor, color, borderTopStyle, borderTopColor } = getComputedStyle(ground)
      return [backgroundColor, color, borderTopStyle, borderTopColor, getComputedStyle(sign).fontWeight].join(' / ')
    })
    return [...new Set(looks)]
  })

const LOOK = 'rgb(255, 232, 26) / rgb(0, 0, 0) / solid / rgb(0, 0, 0) / 700'

it.each([
  ['kitchen', 'light'],
  ['kitchen', 'dark'],
  ['runner', 'light'],
  ['runner', 'dark'],
] as const)('black on bright yellow in a frame: %s, %s', async (kind, colorScheme) => {
  box.display = { ...DISPLAY, kind }
  const { page, context } = await newVisitor(browser, { url: box.url, height: 800 })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.goto('/kitchen/')
  await page.getByRole('button', { name: 'Start shift' }).click()
  await page.getByText('⚠ ALLERGY').first().waitFor()
  if (kind === 'kitchen') {
    await page.getByRole('button', { name: 'Combine' }).click()
    await page.locator('.batch').first().waitFor()
  }
  expect(await looksOf(page)).toEqual([LOOK])
  expect(await accessibilityFaults(page)).toEqual([])
  await context.close()
})

it('fits on the runners’ screen at every width', async () => {
  box.display = { ...DISPLAY, kind: 'runner' }
  const { page, context } = await newVisitor(browser, { url: box.url, height: 800 })
  await page.goto('/kitchen/')
  await page.getByRole('button', { name: 'Start shift' }).click()
  await page.getByText('⚠ ALLERGY').first().waitFor()
  const options = { fullPage: false, widths: [390, 1_024, 1_920] }
  expect(await keepFaces(page, 'kitchen-runner-allergy', accessibilityFaults, options)).toEqual([])
  await context.close()
})
