// Where a drawer of the kitchen display stands in chromium: beside the tickets or on them, never on the bar above or the strip below.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BoardBox } from '#test/doubles/board-box.ts'
import { boardLine, boardOrder, FRIDAY_MS } from '#test/fixtures/friday-orders.ts'
import { launchChromium } from './chromium.ts'
import { stopTime } from './page-time.ts'
import { keepScreen } from './screens.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const WIDTHS = [390, 800, 1_024, 1_280, 1_920]
const orders = Array.from({ length: 40 }, (_, at) =>
  boardOrder(at + 1, { lines: [boardLine({ name: `Soup ${at + 1}` })], dueAtMs: FRIDAY_MS - (40 - at) * 1_000 }),
)
const box = new BoardBox(FRIDAY_MS)
let browser: Browser
let visitor: Visitor
let page: Page

/** Names of buttons of the bar and the strip that no finger reaches, since something else stands on their middle. */
const covered = (): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.top button, .strip button')]
      .map((it) => ({ it, box: it.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0)
      .filter(({ it, box }) => {
        const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
        return there === null || !it.contains(there)
      })
      .map(({ it }) => it.textContent ?? ''),
  )

beforeAll(async () => {
  await box.start()
  box.show(orders)
  browser = await launchChromium()
  visitor = await newVisitor(browser, { url: box.url, height: 800 })
  page = visitor.page
  await page.goto('/kitchen/')
  await page.getByRole('button', { name: 'Start shift' }).click()
  await stopTime(page)
  await page.locator('[data-order="ord_1"]').getByRole('button', { name: 'Ready', exact: true }).first().click()
  await page.locator('.undo button').waitFor()
})
afterAll(async () => {
  await browser?.close()
  await box.stop()
})

describe.each([
  ['a', 'All day'],
  ['?', 'Help'],
])('the drawer that %s opens', (key, name) => {
  it.each(WIDTHS)('leaves every button of the bar, the pages and Undo within reach at %i px', async (width) => {
    await page.setViewportSize({ width, height: 800 })
    await page.keyboard.press(key)
    const drawer = page.getByRole('region', { name, exact: true })
    await drawer.waitFor()
    expect(await covered()).toEqual([])
    const [area, grid] = [await drawer.boundingBox(), await page.locator('.grid').boundingBox()]
    const isBeside = (area?.x ?? 0) >= (grid?.x ?? 0) + (grid?.width ?? 0)
    expect([(area?.width ?? 0) > 300, isBeside]).toEqual([true, width >= 800])
    await keepScreen(page, `drawer-place-${name}-${width}`, false)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
  })
})

it('the menu of a narrow screen opens over a drawer, and its buttons are reached', async () => {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.keyboard.press('a')
  await page.getByRole('region', { name: 'All day' }).waitFor()
  await page.getByRole('button', { name: 'Menu' }).click()
  expect(await covered()).toEqual([])
  await page.getByRole('button', { name: 'All day' }).click()
  await page.getByRole('region', { name: 'All day' }).waitFor({ state: 'detached' })
})

it('the browser had nothing to complain of', () => {
  expect(visitor.complaints).toEqual([])
})
