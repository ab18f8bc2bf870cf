// A display in chromium that meets what it cannot draw: one order, or a part of its own program that cannot be fetched.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { BoardBox } from '#test/doubles/board-box.ts'
import { boardLine, boardOrder, FRIDAY_MS } from '#test/fixtures/friday-orders.ts'
import { accessibilityFaults } from './accessibility.ts'
import { launchChromium } from './chromium.ts'
import { keepFaces } from './screens.ts'
import { newVisitor, type Visitor } from './visitor.ts'

let box: BoardBox
let browser: Browser
let visitor: Visitor

const card = (id: string) => visitor.page.locator(`[data-order="${id}"]`)
const soup = (n: number, qty: unknown = 1): BoardOrder =>
  boardOrder(n, { lines: [boardLine({ name: `Soup ${n}`, qty: qty as number })] })
/** No number, and nothing that could become one or a text. */
const UNDRAWABLE = { valueOf: 0, toString: 0 }

beforeAll(async () => {
  browser = await launchChromium()
})

beforeEach(async () => {
  box = new BoardBox(FRIDAY_MS)
  await box.start()
  visitor = await newVisitor(browser, { url: box.url })
  return async () => {
    await visitor.context.close()
    await box.stop()
  }
})

afterAll(async () => {
  await browser?.close()
})

describe('an order that cannot be drawn', () => {
  beforeEach(async () => {
    box.show([soup(1), soup(2, UNDRAWABLE), soup(3)])
    await visitor.page.goto('/kitchen/')
  })

  it('shows its number and why in its place, can be bumped, and takes no other order from the screen', async () => {
    const { page } = visitor
    await card('ord_2').getByText('This order cannot be shown here').waitFor()
    expect(await card('ord_2').textContent()).toContain('#2')
    for (const n of [1, 3]) await card(`ord_${n}`).getByText(`Soup ${n}`).waitFor()
    expect(await keepFaces(page, 'kitchen-not-drawn', accessibilityFaults, { fullPage: false })).toEqual([])
    await card('ord_2').getByRole('button', { name: 'Ready', exact: true }).click()
    await expect.poll(() => box.acts.map(({ kind, orderId }) => `${kind} ${orderId}`)).toEqual(['ready ord_2'])
  })

  it('does not count as shown before it can be drawn', async () => {
    await card('ord_2').getByText('This order cannot be shown here').waitFor()
    await expect.poll(() => [...box.rendered].sort()).toEqual(['ord_1', 'ord_3'])
    box.patch([soup(2)])
    await card('ord_2').getByText('Soup 2').waitFor()
    await expect.poll(() => [...box.rendered].sort()).toEqual(['ord_1', 'ord_2', 'ord_3'])
  })
})

describe('whatever is wrong with an order', () => {
  const poisons: readonly (readonly [string, object])[] = [
    ['its lines are none', { lines: null }],
    ['an allergy is none', { allergens: [null] }],
    ['an allergy is no text', { allergens: [{ words: UNDRAWABLE, seat: null }] }],
    ['its stations are none', { stations: [null] }],
    ['its table is no text', { table: UNDRAWABLE }],
  ]

  it.each(poisons)('%s: it shows its number, the others are shown, reported as shown and bumped', async (_, over) => {
    const { page } = visitor
    const bad = { ...soup(2), ...over } as BoardOrder
    box.show([soup(1), bad, soup(3)])
    await page.goto('/kitchen/')
    await card('ord_2').getByText('This order cannot be shown here').waitFor()
    expect(await card('ord_2').textContent()).toContain('#2')
    await card('ord_1').getByText('Soup 1').waitFor()
    await expect.poll(() => [...box.rendered].sort()).toEqual(['ord_1', 'ord_3'])
    await card('ord_3').getByRole('button', { name: 'Ready', exact: true }).click()
    await expect.poll(() => box.acts.map(({ kind, orderId }) => `${kind} ${orderId}`)).toEqual(['ready ord_3'])
    // The feed has not died of it.
    box.patch([bad, soup(4)])
    await card('ord_4').getByText('Soup 4').waitFor()
  })

  it.each(poisons)('%s: a runner carries the others, and reads its number', async (_, over) => {
    box.display = { ...box.display, kind: 'runner' }
    const ready = (order: BoardOrder): BoardOrder => ({
      ...order,
      readyAtMs: FRIDAY_MS,
      stations: order.stations.map((station) => station && { ...station, readyAtMs: FRIDAY_MS }),
    })
    box.show([ready(soup(1)), ready({ ...soup(2), ...over } as BoardOrder), ready(soup(3))])
    await visitor.page.goto('/kitchen/')
    await card('ord_2').getByText('This order cannot be shown here').waitFor()
    for (const n of [1, 3]) await card(`ord_${n}`).getByText(`Soup ${n}`).waitFor()
    await card('ord_1').getByRole('button', { name: 'Picked up' }).click()
    await expect.poll(() => box.acts.map(({ kind, orderId }) => `${kind} ${orderId}`)).toEqual(['pick-up ord_1'])
  })

  it('a drawer that cannot draw it shows an error and is closed; the board beside it continues', async () => {
    const { page } = visitor
    const line = boardLine({ name: 'Soup 2', note: UNDRAWABLE as unknown as string })
    box.show([soup(1), boardOrder(2, { lines: [line] })])
    await page.goto('/kitchen/')
    await card('ord_1').waitFor()
    await page.keyboard.press('a')
    await page.getByRole('region', { name: 'All day' }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'Combine' }).click()
    await page.getByText('This cannot be opened').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await card('ord_1').getByRole('button', { name: 'Ready', exact: true }).click()
    await expect.poll(() => box.acts.map(({ kind, orderId }) => `${kind} ${orderId}`)).toEqual(['ready ord_1'])
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('This cannot be opened').waitFor({ state: 'detached' })
  })
})

describe('an error outside drawing', () => {
  it('leaves the board unchanged', async () => {
    const { page } = visitor
    box.show([soup(1)])
    await page.goto('/kitchen/')
    await card('ord_1').waitFor()
    const thrown = page.waitForEvent('pageerror')
    await page.evaluate(() => void setTimeout(() => JSON.parse('no JSON'), 0))
    await thrown
    box.patch([soup(2)])
    for (const n of [1, 2]) await card(`ord_${n}`).getByText(`Soup ${n}`).waitFor()
  })
})

describe('a page of which a part cannot be fetched', () => {
  const board = /\/board-[^/]*\.js$/

  it('reports it, and restarts by itself when the box allows it, not before', async () => {
    const { page } = visitor
    box.show([soup(1)])
    await page.clock.install({ time: FRIDAY_MS })
    await page.route(board, (route) => route.abort())
    await page.goto('/kitchen/')
    await page.getByRole('heading', { name: 'This screen has a fault' }).waitFor()
    expect(await keepFaces(page, 'kitchen-broken', accessibilityFaults, { fullPage: false })).toEqual([])
    await page.route('**/kitchen/', (route) => route.abort())
    const refused = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/kitchen/'))
    await page.clock.runFor(10_000)
    await refused
    expect(await page.getByRole('button', { name: 'Start again' }).isVisible()).toBe(true)
    await page.unroute('**/kitchen/')
    await page.unroute(board)
    await page.clock.runFor(10_000)
    await card('ord_1').getByText('Soup 1').waitFor()
  })

  it('restarts at once on request, and sends the taps that waited', async () => {
    const { page } = visitor
    box.show([soup(1), soup(2)])
    await page.goto('/kitchen/')
    await card('ord_1').waitFor()
    await page.route('**/kitchen/api/acts', (route) => route.abort())
    const unsent = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/acts'))
    await card('ord_1').getByRole('button', { name: 'Ready', exact: true }).click()
    await unsent
    await page.route(board, (route) => route.abort())
    await page.reload()
    await page.getByRole('heading', { name: 'This screen has a fault' }).waitFor()
    await page.unroute(board)
    await page.unroute('**/kitchen/api/acts')
    await page.getByRole('button', { name: 'Start again' }).click()
    await card('ord_2').waitFor()
    await expect.poll(() => box.acts.map(({ kind, orderId }) => `${kind} ${orderId}`)).toEqual(['ready ord_1'])
  })
})

it('a browser of 2018 that has no queueMicrotask shows the orders, and what changes of them', async () => {
  const { page } = visitor
  await page.addInitScript('delete window.queueMicrotask')
  box.show([soup(1)])
  await page.goto('/kitchen/')
  await card('ord_1').getByText('Soup 1').waitFor()
  box.patch([soup(2)])
  await card('ord_2').getByText('Soup 2').waitFor()
  expect(visitor.complaints).toEqual([])
})
