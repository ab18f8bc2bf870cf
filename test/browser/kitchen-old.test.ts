// The screens of the kitchen, of runners and of guests in a browser of 2018: everything on them is drawn and pressed once.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { BoardBox } from '#test/doubles/board-box.ts'
import { boardLine, boardOrder, FRIDAY_MS, fridayNight } from '#test/fixtures/friday-orders.ts'
import { launchChromium } from './chromium.ts'
import { makeOld } from './old-browser.ts'
import { newVisitor, type Visitor } from './visitor.ts'

let box: BoardBox
let browser: Browser
let visitor: Visitor

const card = (id: string) => visitor.page.locator(`[data-order="${id}"]`)
const soup = (n: number): BoardOrder => boardOrder(n, { lines: [boardLine({ name: `Soup ${n}` })] })
const doneKinds = () => box.acts.map(({ kind, orderId }) => `${kind} ${orderId}`)

beforeAll(async () => {
  browser = await launchChromium()
})

beforeEach(async () => {
  box = new BoardBox(FRIDAY_MS)
  await box.start()
  visitor = await newVisitor(browser, { url: box.url })
  await makeOld(visitor.page)
  return async () => {
    await visitor.context.close()
    await box.stop()
  }
})

afterAll(async () => {
  await browser?.close()
})

it.each(['en', 'ar'])('the board in "%s" shows a Friday night, opens each drawer, and takes taps', async (language) => {
  const { page } = visitor
  box.display = { ...box.display, language }
  box.show([soup(501), ...fridayNight()])
  await page.goto('/kitchen/')
  await page.locator('.shift .main').click()
  await page.locator('.card').first().waitFor()
  const drawers = await page.locator('.panels button').all()
  expect(drawers).toHaveLength(6)
  if (await page.locator('button.menu').isVisible()) await page.locator('button.menu').click()
  for (const drawer of drawers) {
    if (!(await drawer.isVisible())) await page.locator('button.menu').click()
    await drawer.click()
    await page.locator('.panel').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.panel').waitFor({ state: 'detached' })
  }
  for (const key of ['PageDown', '2', 's', 'ArrowRight', 'a', 'a', '?', 'Escape', 'PageUp'])
    await page.keyboard.press(key)
  box.show([soup(1), soup(2)])
  await card('ord_1').locator('.foot .main').click()
  await expect.poll(doneKinds).toContain('ready ord_1')
  await page.locator('.undo .main').click()
  await expect.poll(doneKinds).toContain('recall ord_1')
  box.patch([soup(3)], ['ord_2'])
  await card('ord_3').getByText('Soup 3').waitFor()
  expect(visitor.complaints).toEqual([])
})

it('a runner sees what is ready, and picks it up', async () => {
  const { page } = visitor
  box.display = { ...box.display, kind: 'runner' }
  const ready = (order: BoardOrder): BoardOrder => ({
    ...order,
    readyAtMs: FRIDAY_MS,
    stations: order.stations.map((station) => ({ ...station, readyAtMs: FRIDAY_MS })),
  })
  box.show([ready(soup(501)), ...fridayNight().map(ready)])
  await page.goto('/kitchen/')
  await card('ord_501').getByText('Soup 501').waitFor()
  await card('ord_501').getByRole('button', { name: 'Picked up' }).click()
  await expect.poll(doneKinds).toEqual(['pick-up ord_501'])
  await page.keyboard.press('r')
  await page.locator('.runs .run:not(.run-taken)').first().waitFor({ state: 'detached' })
  expect(visitor.complaints).toEqual([])
})

it('guests see the numbers that are prepared and ready', async () => {
  const { page } = visitor
  box.display = { ...box.display, kind: 'pick-up' }
  box.pickUp = [
    { number: '41', state: 'preparing', sinceMs: FRIDAY_MS },
    { number: '42', name: 'Kim', state: 'ready', sinceMs: FRIDAY_MS },
  ]
  await page.goto('/kitchen/')
  await page.getByText('42').waitFor()
  await page.getByText('41').waitFor()
  expect(visitor.complaints).toEqual([])
})
