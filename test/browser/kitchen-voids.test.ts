// Orders that were called off on the kitchen display in chromium: a long one stands folded with its button in sight, and opens by finger and by key.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { BoardBox } from '#test/doubles/board-box.ts'
import { FRIDAY_MS, fortyLines, fridayNight } from '#test/fixtures/friday-orders.ts'
import { accessibilityFaults } from './accessibility.ts'
import { launchChromium } from './chromium.ts'
import { keepFaces } from './screens.ts'
import { newVisitor } from './visitor.ts'

const WIDTHS = [390, 1_024, 1_920]
const VOID: BoardOrder = { ...fortyLines(7), rev: 1, voidedAtMs: FRIDAY_MS, voidReason: 'guest left' }
const OTHERS = fridayNight().filter(
  ({ lines, voidedAtMs, addOnTo }) => lines.length < 40 && voidedAtMs === null && addOnTo === null,
)

const box = new BoardBox(FRIDAY_MS)
let browser: Browser
let page: Page

const parts = () => page.locator(`[data-order="${VOID.orderId}"]`)
const seen = () => parts().first().getByRole('button', { name: 'I have seen it' })
const more = () => parts().getByRole('button', { name: 'and 36 more' })

beforeAll(async () => {
  await box.start()
  browser = await launchChromium()
})

beforeEach(async () => {
  box.acts.length = 0
  box.show([VOID, ...OTHERS])
  page = (await newVisitor(browser, { url: box.url, width: 1_280, height: 800 })).page
  await page.goto('/kitchen/')
  await page.getByRole('button', { name: 'Start shift' }).click()
  await more().waitFor()
})

afterAll(async () => {
  await browser?.close()
  await box.stop()
})

it.each(WIDTHS)(
  'a void of forty lines takes one column at %i px, says how many they are and has its button',
  async (width) => {
    await page.setViewportSize({ width, height: 800 })
    await seen().waitFor()
    await expect.poll(() => parts().count()).toBe(1)
    expect(await parts().locator('.strap-void').textContent()).toContain('VOID, 40 lines')
    expect(await parts().locator('.line.struck').count()).toBe(4)
    const [foot, area] = await Promise.all([seen().boundingBox(), page.locator('.grid').boundingBox()])
    expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBeLessThanOrEqual((area?.y ?? 0) + (area?.height ?? 0))
  },
)

it('a finger opens it, and every line is there, with the button at its beginning', async () => {
  await page.setViewportSize({ width: 1_920, height: 1_000 })
  await more().click()
  await parts().getByRole('button', { name: 'Show less' }).waitFor()
  await expect.poll(() => parts().locator('.line.struck').count()).toBe(40)
  await seen().waitFor()
  await parts().getByRole('button', { name: 'Show less' }).click()
  await more().waitFor()
  await expect.poll(() => parts().count()).toBe(1)
  expect(box.acts).toEqual([])
})

it('Enter opens it where the keyboard is on it, and a second Enter closes it and acknowledges nothing', async () => {
  await more().focus()
  await page.keyboard.press('Enter')
  const less = parts().getByRole('button', { name: 'Show less' })
  await less.waitFor()
  await expect.poll(() => less.evaluate((it) => it === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await expect.poll(() => more().evaluate((it) => it === document.activeElement)).toBe(true)
  expect(box.acts).toEqual([])
})

it('Enter is for the ticket that was chosen by its number, although the keyboard was on a button', async () => {
  await more().focus()
  await page.keyboard.press('2')
  const chosen = await page.locator('.card.selected').first().getAttribute('data-order')
  await page.keyboard.press('Enter')
  await expect.poll(() => box.acts.map(({ orderId }) => orderId)).toEqual([chosen])
  expect(chosen).not.toBe(VOID.orderId)
  expect(await parts().getByRole('button', { name: 'Show less' }).count()).toBe(0)
})

it('Enter on the board acknowledges it, folded as it is', async () => {
  await parts().locator('.head').click()
  await page.keyboard.press('Enter')
  await expect.poll(() => box.acts.map(({ kind, lines }) => [kind, lines?.length])).toEqual([['void-seen', 40]])
})

it('it fits and is accessible, light and dark, at every width, collapsed and expanded', async () => {
  const options = { fullPage: false, widths: WIDTHS }
  expect(await keepFaces(page, 'kitchen-void', accessibilityFaults, options)).toEqual([])
  await more().click()
  await parts().getByRole('button', { name: 'Show less' }).waitFor()
  expect(await keepFaces(page, 'kitchen-void-open', accessibilityFaults, options)).toEqual([])
})
