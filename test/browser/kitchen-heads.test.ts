// The heads of tickets in chromium at each size of tickets: a long number, each level of age and a split ticket cut nothing off.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { BoardBox } from '#test/doubles/board-box.ts'
import { boardLine, boardOrder, FRIDAY_MS, fortyLines } from '#test/fixtures/friday-orders.ts'
import { launchChromium } from './chromium.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const MINUTE_MS = 60_000
/** New, not new, soon, late, late by hours. */
const AGES_MIN = [0, 2, 7, 30, 130]
const NUMBER = 'TEST-7MS7'

const box = new BoardBox(FRIDAY_MS)
let browser: Browser

beforeAll(async () => {
  await box.start()
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await box.stop()
})

/** What of the cards is cut off, or does not stand in its head as a whole. */
const cutFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.card')].flatMap((card) => {
      const name = `${card.dataset['order']} ${card.dataset['part']}`
      const words = [...card.querySelectorAll<HTMLElement>('.age-word, .part, .age > bdi')]
      const cut = words.filter((it) => it.scrollWidth > it.offsetWidth + 1 && it.offsetWidth > 0)
      const inside = card.getBoundingClientRect()
      const out = [...card.querySelectorAll('.head-row *, .foot')].filter((it) => {
        const { left, right, bottom } = it.getBoundingClientRect()
        return !it.closest('h2 bdi') && (left < inside.left || right > inside.right || bottom > inside.bottom)
      })
      return [
        ...(card.scrollHeight > card.clientHeight + 1 ? [`${name} is cut`] : []),
        ...cut.map((it) => `${name}: "${it.textContent}" is cut`),
        ...out.map((it) => `${name}: ${it.className || it.tagName} stands out`),
      ]
    }),
  )

const small = (n: number, ageMin: number): BoardOrder =>
  boardOrder(n, {
    number: NUMBER,
    lines: [boardLine({ name: `Soup ${n}` })],
    dueAtMs: FRIDAY_MS - ageMin * MINUTE_MS,
    isTest: n % 2 === 0,
  })
const split = (n: number, ageMin: number): BoardOrder => ({
  ...fortyLines(n),
  number: NUMBER,
  dueAtMs: FRIDAY_MS - ageMin * MINUTE_MS,
})

const countOf = async (page: Page): Promise<number> =>
  Number((await page.locator('.page-of').textContent())?.split(' of ')[1])

async function openedAt(density: string, width: number): Promise<Visitor> {
  const visitor = await newVisitor(browser, { url: box.url, width, height: 800 })
  await visitor.page.addInitScript(
    (value) => localStorage.setItem('ticketrail.screen', value),
    JSON.stringify({ density }),
  )
  await visitor.page.goto('/kitchen/')
  await visitor.page.locator('.card').first().waitFor()
  return visitor
}

it.each([
  ['S', 1_024],
  ['S', 1_920],
  ['M', 1_024],
  ['L', 800],
  ['L', 1_280],
  ['XL', 1_280],
])(
  'nothing of a ticket with a long number is cut at size %s and %i px, at any age, split or not',
  async (density, width) => {
    box.show([...AGES_MIN.map((age, at) => small(at + 1, age)), ...AGES_MIN.map((age, at) => split(at + 11, age))])
    const { page, context } = await openedAt(density, width)
    const count = await countOf(page)
    const faults = new Set<string>()
    const levels = new Set<string>()
    for (let at = 1; at <= count; at++) {
      await expect.poll(() => page.locator('.page-of').textContent()).toBe(`${at} of ${count}`)
      for (const fault of await cutFaults(page)) faults.add(fault)
      for (const level of ['new', 'level-fresh', 'level-soon', 'level-late'])
        if ((await page.locator(`.card.${level}`).count()) > 0) levels.add(level)
      await page.keyboard.press('PageDown')
    }
    expect(levels.size).toBe(4)
    expect([...faults]).toEqual([])
    await context.close()
  },
)

it('only a bare number of a table has the short word before it', async () => {
  const tables = ['12', 'T2', 'Terrasse', '4b']
  box.show(tables.map((table, at) => ({ ...small(at + 1, 0), table })))
  const { page, context } = await openedAt('M', 1_280)
  expect(await page.locator('.table').allTextContents()).toEqual(['T12', 'T2', 'Terrasse', '4b'])
  await context.close()
})

it.each([
  [800, 3],
  [1_024, 5],
  [1_280, 7],
  [1_920, 11],
])(
  'at %i px the strip has %i pages also at the first of them, and what can be undone beside them as a whole',
  async (width, buttons) => {
    const lines = Array.from({ length: 14 }, (_, at) => boardLine({ name: `Dish ${at}` }))
    box.show(Array.from({ length: 150 }, (_, at) => boardOrder(at + 1, { lines })))
    const { page, context } = await openedAt('M', width)
    await page.locator('.card').first().getByRole('button', { name: 'Ready', exact: true }).click()
    const undo = page.locator('.undo span')
    await undo.waitFor()
    expect(await page.locator('.page-list li:visible').count()).toBe(buttons)
    expect(await undo.evaluate((it) => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight)).toBe(
      true,
    )
    const strip = page.locator('.strip')
    expect(await strip.evaluate((it) => it.scrollWidth <= it.clientWidth)).toBe(true)
    await context.close()
  },
)

it('what is different about lines that are combined begins at the same edge in every script', async () => {
  box.show([boardOrder(1, { lines: [boardLine({ name: 'Soup', modifiers: ['+ bread', '+ بدون بصل', 'بدون ملح'] })] })])
  const { page, context } = await openedAt('M', 1_280)
  await page.getByRole('button', { name: 'Combine' }).click()
  await page.locator('.batch .modifier').first().waitFor()
  const edges = await page.locator('.batch .modifier').evaluateAll((all) =>
    all.map((it) => {
      const words = document.createRange()
      words.selectNodeContents(it)
      return Math.round(words.getBoundingClientRect().left)
    }),
  )
  expect(edges).toHaveLength(3)
  expect(new Set(edges).size).toBe(1)
  await context.close()
})

it('an order that is ready without having been started is not marked as new', async () => {
  const [fresh, ready] = [1, 2].map((n) => boardOrder(n, { lines: [boardLine({ name: 'Soup' })] }))
  if (!fresh || !ready) throw new Error('no orders')
  box.show([fresh, { ...ready, stations: ready.stations.map((it) => ({ ...it, readyAtMs: FRIDAY_MS })) }])
  const { page, context } = await openedAt('M', 1_280)
  await page.locator('[data-order="ord_2"]').waitFor()
  const marked = page.locator('.card.new')
  await expect.poll(() => marked.evaluateAll((all) => all.map((it) => it.dataset['order']))).toEqual(['ord_1'])
  await context.close()
})
