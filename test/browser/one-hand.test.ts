// One hand before the kitchen display, while others act: Enter, a tap and a double tap hit the ticket that was seen, a touch and the bump bar mean the same ticket.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { BoardBox } from '#test/doubles/board-box.ts'
import { boardLine, boardOrder, FRIDAY_MS } from '#test/fixtures/friday-orders.ts'
import { launchChromium } from './chromium.ts'
import { openStillBoard } from './page-time.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const box = new BoardBox(FRIDAY_MS)
let browser: Browser
let visitor: Visitor
let page: Page

const card = (id: string) => page.locator(`[data-order="${id}"]`)
const ready = (id: string) => card(id).getByRole('button', { name: 'Ready', exact: true })
const selected = () => page.locator('.card[aria-current="true"]')
const order = (n: number, over: Partial<BoardOrder> = {}): BoardOrder =>
  boardOrder(n, { lines: [boardLine({ name: `Soup ${n}` })], dueAtMs: FRIDAY_MS - (10 - n) * 1_000, ...over })
const acts = () => box.acts.map(({ kind, orderId }) => `${kind} ${orderId}`)
const holes = () => page.locator('.hole').count()

/** Middle of the button, where a finger aims that has seen it there. */
const aim = async (id: string): Promise<{ x: number; y: number }> => {
  const area = await ready(id).boundingBox()
  if (!area) throw new Error(`${id} has no Ready`)
  return { x: area.x + area.width / 2, y: area.y + area.height / 2 }
}

/** The page's own time, which stands still between. */
const pass = (ms: number): Promise<void> => page.clock.runFor(ms)

/** Another screen bumped it, and this page has heard. */
const takenByOthers = async (id: string): Promise<void> => {
  box.patch([], [id])
  await card(id).waitFor({ state: 'detached' })
}

/** Once all acts are with the box: what would have followed another act follows this one. */
const actsSoFar = async (): Promise<string[]> => {
  await page.evaluate("dispatchEvent(new Event('blur'))")
  await expect.poll(() => page.evaluate("JSON.parse(localStorage['ticketrail.taps'] ?? '[]').length")).toBe(0)
  return acts()
}

beforeAll(async () => {
  await box.start()
  browser = await launchChromium()
  visitor = await newVisitor(browser, { url: box.url, height: 800 })
  page = visitor.page
  await openStillBoard(page)
})

beforeEach(async () => {
  box.show([])
  // Before the page has heard that the orders are gone, no time that passes closes their places.
  await page.locator('.counts-bar').getByText('0 open').waitFor()
  await pass(20_000)
  await page.locator('.empty').waitFor()
  box.show([1, 2, 3, 4, 5, 6].map((n) => order(n)))
  await pass(2_000)
  await ready('ord_6').waitFor()
  box.acts.length = 0
})

afterAll(async () => {
  await browser?.close()
  await box.stop()
})

describe('Enter, when another screen has just bumped the selected order,', () => {
  it.each([0, 150, 300, 690])('bumps nothing %i ms later', async (ms) => {
    await page.keyboard.press('2')
    expect(await selected().getAttribute('data-order')).toBe('ord_2')
    await takenByOthers('ord_2')
    await pass(ms)
    expect(await selected().count()).toBe(0)
    await page.keyboard.press('Enter')
    expect(await actsSoFar()).toEqual([])
  })

  it('bumps the first of the page once that is shown as selected, and has been for half a second', async () => {
    await page.keyboard.press('2')
    await takenByOthers('ord_2')
    await pass(800)
    expect(await selected().getAttribute('data-order')).toBe('ord_1')
    await page.keyboard.press('Enter')
    expect(await actsSoFar()).toEqual([])
    await pass(500)
    await page.keyboard.press('Enter')
    expect(await actsSoFar()).toEqual(['ready ord_1'])
  })

  it('still bumps the selected order when it was another that left', async () => {
    await page.keyboard.press('4')
    await takenByOthers('ord_2')
    await page.keyboard.press('Enter')
    await expect.poll(acts).toEqual(['ready ord_4'])
  })
})

describe('a finger', () => {
  it.each([0, 150, 300, 690])(
    'hits what it aimed at %i ms after another screen bumped a ticket before it',
    async (ms) => {
      const at = await aim('ord_4')
      await takenByOthers('ord_1')
      await pass(ms)
      await page.mouse.click(at.x, at.y)
      await expect.poll(acts).toEqual(['ready ord_4'])
    },
  )

  it('hits nothing where the ticket that it aimed at was bumped by another screen', async () => {
    const at = await aim('ord_2')
    await takenByOthers('ord_2')
    await pass(300)
    await page.mouse.click(at.x, at.y)
    expect(await actsSoFar()).toEqual([])
  })

  it.each([30, 200, 480])('that taps twice, %i ms apart, bumps no neighbour', async (ms) => {
    const at = await aim('ord_2')
    await page.mouse.click(at.x, at.y)
    box.patch([], ['ord_2'])
    await pass(ms)
    await page.mouse.click(at.x, at.y)
    await expect.poll(acts).toEqual(['ready ord_2'])
    expect(await actsSoFar()).toEqual(['ready ord_2'])
  })

  it('that goes on tapping the same place finds the next ticket there only after the place was seen to close', async () => {
    const at = await aim('ord_2')
    await page.mouse.click(at.x, at.y)
    box.patch([], ['ord_2'])
    await expect.poll(holes).toBe(1)
    for (let taps = 0; taps < 4; taps++) {
      await pass(300)
      await page.mouse.click(at.x, at.y)
    }
    expect(await holes()).toBe(1)
    expect(await actsSoFar()).toEqual(['ready ord_2'])
    await pass(800)
    expect(await holes()).toBe(0)
  })

  it('can take back each of two bumps, not only the last', async () => {
    for (const id of ['ord_2', 'ord_5']) {
      await ready(id).click()
      await pass(600)
    }
    await page.keyboard.press('r')
    await page.keyboard.press('r')
    await expect.poll(acts).toEqual(['ready ord_2', 'ready ord_5', 'recall ord_5', 'recall ord_2'])
  })
})

describe('a touch and the bump bar', () => {
  it('mean the same ticket: what a finger touched last is selected, for assistive technology too, and Enter bumps it', async () => {
    await card('ord_3').getByRole('button', { name: 'Start', exact: true }).click()
    await expect.poll(() => selected().getAttribute('data-order')).toBe('ord_3')
    await pass(600)
    await page.keyboard.press('Enter')
    await expect.poll(acts).toEqual(['start ord_3', 'ready ord_3'])
  })

  it('a touch of a head selects its ticket', async () => {
    await card('ord_5').locator('.head').click()
    await expect.poll(() => selected().getAttribute('data-order')).toBe('ord_5')
    await page.keyboard.press('Enter')
    await expect.poll(acts).toEqual(['ready ord_5'])
  })
})

describe('a bump bar alone', () => {
  const grill = { key: 'grill', name: 'Grill', startedAtMs: null, readyAtMs: null }
  const question = () => page.getByRole('alertdialog')
  const focused = () => page.evaluate(() => document.activeElement?.closest<HTMLElement>('.card')?.dataset['order'])
  const ask = async (): Promise<void> => {
    await page.keyboard.press('2')
    await page.keyboard.press('Enter')
    await question().waitFor()
  }

  beforeEach(async () => {
    box.served = ['grill']
    box.show([1, 2, 3].map((n) => order(n, { stations: [grill] })))
    await card('ord_4').waitFor({ state: 'detached' })
    await pass(2_000)
  })
  afterEach(() => {
    box.served = []
  })

  it('confirms the question of expo by Enter again, not by a key bounce, and the focus is at the ticket', async () => {
    await ask()
    await page.keyboard.press('Enter')
    expect(await question().count()).toBe(1)
    await pass(600)
    await page.keyboard.press('Enter')
    await expect.poll(acts).toEqual(['ready ord_2'])
    await question().waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('ord_2')
  })

  it.each([
    ['an arrow and Enter', ['ArrowLeft', 'Enter']],
    ['a key of the board and Enter', ['3', 'Enter']],
  ])('says no by %s, and the board hears its keys again', async (_, keys) => {
    await ask()
    await pass(600)
    for (const key of keys) await page.keyboard.press(key)
    await question().waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('ord_2')
    await page.keyboard.press('3')
    await expect.poll(() => selected().getAttribute('data-order')).toBe('ord_3')
    expect(await actsSoFar()).toEqual([])
  })
})

it('the browser had nothing to complain of', () => {
  expect(visitor.complaints).toEqual([])
})
