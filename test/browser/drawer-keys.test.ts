// The drawers of the kitchen display by a bump bar alone: what has the focus, what a key presses, and that the board behind hears none of it.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BoardBox } from '#test/doubles/board-box.ts'
import { boardLine, boardOrder, FRIDAY_MS } from '#test/fixtures/friday-orders.ts'
import { launchChromium } from './chromium.ts'
import { openStillBoard } from './page-time.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const box = new BoardBox(FRIDAY_MS)
let browser: Browser
let visitor: Visitor
let page: Page

const drawer = (name: string) => page.getByRole('region', { name, exact: true })
const acts = () => box.acts.map(({ kind, orderId }) => `${kind} ${orderId}`)
const selected = () => page.locator('.card[aria-current="true"]').getAttribute('data-order')
/** Where the focus is: the words of the entry of a drawer, of a control, or the element. */
const focused = () =>
  page.evaluate(() => {
    const { activeElement } = document
    const entry = activeElement?.closest('.drawer li')?.querySelector('h4')
    return entry
      ? entry.textContent.split(' ')[0]
      : activeElement?.matches('button')
        ? activeElement.textContent
        : activeElement?.className
  })
/** The page's own time, which stands still between. */
const pass = (ms: number): Promise<void> => page.clock.runFor(ms)
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}
const open = (n: number) => boardOrder(n, { lines: [boardLine({ name: `Soup ${n}` })] })
const done = (n: number) => {
  const order = open(n)
  const readyAtMs = FRIDAY_MS - (20 - n) * 60_000
  return {
    ...order,
    readyAtMs,
    pickedUpAtMs: readyAtMs,
    stations: order.stations.map((station) => ({ ...station, readyAtMs })),
  }
}

beforeAll(async () => {
  await box.start()
  browser = await launchChromium()
  visitor = await newVisitor(browser, { url: box.url, height: 800 })
  page = visitor.page
  await openStillBoard(page)
})

beforeEach(async () => {
  box.show([open(1), open(2), open(3), done(11), done(12), done(13)])
  await page.evaluate('localStorage.clear()')
  await page.reload()
  await expect
    .poll(async () => {
      await pass(1_000)
      return page.locator('.card[aria-current="true"]').count()
    })
    .toBe(1)
  box.acts.length = 0
})

afterAll(async () => {
  await browser?.close()
  await box.stop()
})

describe('Recall by keys', () => {
  const openRecall = async (): Promise<void> => {
    await press('r')
    await drawer('Recall').waitFor()
    await expect.poll(focused).toBe('#13')
  }

  it('recalls an order once, and no action reaches the board behind', async () => {
    await openRecall()
    await pass(600)
    await press('ArrowDown')
    expect(await focused()).toBe('#12')
    await press('s', 'f', '2', 'a', 'Enter')
    await press('Enter')
    await expect.poll(acts).toEqual(['recall ord_12'])
    expect(await drawer('All day').count()).toBe(0)
  })

  it('leads to the next order when the one with the focus leaves, and a bounce does not call that back', async () => {
    await openRecall()
    await press('ArrowDown')
    box.patch([open(12)])
    await expect.poll(focused).toBe('#11')
    await press('Enter')
    await pass(600)
    expect(acts()).toEqual([])
    await press('Enter')
    await expect.poll(acts).toEqual(['recall ord_11'])
  })

  it.each(['Escape', 'r'])('closes by %s, and the board has its keys again', async (key) => {
    const before = await selected()
    await openRecall()
    await press('3', key)
    await drawer('Recall').waitFor({ state: 'detached' })
    expect(await selected()).toBe(before)
    await press('3')
    await expect.poll(selected).toBe('ord_3')
    await press('Enter')
    await expect.poll(acts).toEqual(['ready ord_3'])
  })

  it('leads from the last order to Close and on to the first', async () => {
    await openRecall()
    await press('ArrowUp')
    expect(await focused()).toBe('Close')
    await press('ArrowUp')
    expect(await focused()).toBe('#11')
    await press('ArrowDown', 'ArrowDown')
    expect(await focused()).toBe('#13')
  })
})

it('a button that was pressed by a key gives its drawer the focus, and has it back', async () => {
  const button = page.getByRole('button', { name: 'Combine', exact: true })
  await button.focus()
  await press('Enter')
  await drawer('Combine').waitFor()
  await expect.poll(focused).toBe('4')
  await press('Escape')
  await expect.poll(focused).toBe('Combine')
})

it('a drawer that a finger opened leaves the keys to the board, and so does All day', async () => {
  await page.getByRole('button', { name: 'Recall', exact: true }).click()
  await drawer('Recall').waitFor()
  await press('2', 'r', 'a')
  await drawer('All day').waitFor()
  await press('3')
  await expect.poll(selected).toBe('ord_3')
  await press('Enter')
  await expect.poll(acts).toEqual(['ready ord_3'])
})

it('the browser had nothing to complain of', () => {
  expect(visitor.complaints).toEqual([])
})

it('the help lists the keys of a drawer', async () => {
  await press('?')
  const help = drawer('Help')
  await help.getByRole('heading', { name: 'Keys of a drawer' }).waitFor()
  const listed = await help.locator('dt').allTextContents()
  expect(listed).toEqual(expect.arrayContaining(['Esc', '?, A, R', 'F, F']))
  await press('Escape')
  await help.waitFor({ state: 'detached' })
})
