// One hand before the runner's screen, in time that the test moves: what it takes is taken once, can be taken back, and no clock of a box changes that.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { BoardBox } from '#test/doubles/board-box.ts'
import { boardLine, boardOrder, FRIDAY_MS } from '#test/fixtures/friday-orders.ts'
import { launchChromium } from './chromium.ts'
import { stopTime } from './page-time.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const HOUR_MS = 3_600_000
const DEAF_MS = 500
const TAKEN_SHOWN_MS = 6_000

const box = new BoardBox(FRIDAY_MS)
let browser: Browser
let visitor: Visitor
let page: Page
let number = 0
let id = ''

const card = () => page.locator(`[data-order="${id}"]`)
const button = (name: 'Picked up' | 'Undo') =>
  card().getByRole('button', name === 'Undo' ? { name } : { name, exact: true })
const acts = () => box.acts.map(({ kind, orderId }) => `${kind} ${orderId}`)
const ready = (n: number) => {
  const order = boardOrder(n, { lines: [boardLine({ name: 'Soup' })], dueAtMs: FRIDAY_MS - 60_000 })
  const stations = order.stations.map((station) => ({ ...station, readyAtMs: FRIDAY_MS - 60_000 }))
  return { ...order, readyAtMs: FRIDAY_MS - 60_000, stations }
}
const pass = (ms: number): Promise<void> => page.clock.runFor(ms)
/** The box tells of another order, and with it what its clock says. */
const setBoxClock = async (ms: number): Promise<void> => {
  box.nowMs = ms
  const other = ready(++number)
  box.patch([other])
  await page.locator(`[data-order="${other.orderId}"]`).waitFor()
}

beforeAll(async () => {
  box.display = { ...box.display, kind: 'runner' }
  await box.start()
  browser = await launchChromium()
  visitor = await newVisitor(browser, { url: box.url, height: 800 })
  page = visitor.page
  // From a whole second: the page's clock and its monotonic clock then reach the next one together.
  await page.clock.install({ time: FRIDAY_MS })
  await page.goto('/kitchen/')
  await page.getByRole('button', { name: 'Start shift' }).click()
  await stopTime(page)
})

beforeEach(async () => {
  box.nowMs = FRIDAY_MS
  const order = ready(++number)
  id = order.orderId
  box.show([order])
  await card().waitFor()
  // Less than the twelve seconds after which a silent feed is fetched anew.
  await pass(TAKEN_SHOWN_MS + 1_000)
  box.acts.length = 0
})

afterAll(async () => {
  await browser?.close()
  await box.stop()
})

it('a second tap of the same finger takes nothing back, however busy the tablet is; a later one does', async () => {
  await button('Picked up').click()
  await button('Undo').waitFor()
  await pass(DEAF_MS - 10)
  await button('Undo').click()
  await pass(10)
  await expect.poll(acts).toEqual([`pick-up ${id}`])
  await button('Undo').click()
  await expect.poll(acts).toEqual([`pick-up ${id}`, `recall ${id}`])
})

it('what was taken keeps its place for six seconds, also when it was taken just before the page looked again', async () => {
  await pass(1_001 - ((await page.evaluate<number>('Date.now()')) % 1_000))
  await button('Picked up').click()
  box.patch([], [id])
  await pass(TAKEN_SHOWN_MS - 1_000)
  expect(await button('Undo').count()).toBe(1)
  await pass(2_000)
  await card().waitFor({ state: 'detached' })
})

it.each([
  ['back', -HOUR_MS],
  ['forward', HOUR_MS],
])('a box whose clock is set %s an hour meanwhile changes neither', async (_, byMs) => {
  await button('Picked up').click()
  await setBoxClock(FRIDAY_MS + byMs)
  await pass(DEAF_MS)
  await button('Undo').click()
  await expect.poll(acts).toEqual([`pick-up ${id}`, `recall ${id}`])
  await pass(DEAF_MS)
  await button('Picked up').click()
  await expect.poll(acts).toEqual([`pick-up ${id}`, `recall ${id}`, `pick-up ${id}`])
  box.patch([], [id])
  await setBoxClock(FRIDAY_MS)
  await pass(TAKEN_SHOWN_MS + 1_000)
  await card().waitFor({ state: 'detached' })
})

it('the browser had nothing to complain of', () => {
  expect(visitor.complaints).toEqual([])
})
