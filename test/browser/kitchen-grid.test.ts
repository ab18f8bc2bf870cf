// The grid of the kitchen display in chromium, with the orders of a Friday night: columns and pages that never scroll, keys, swipe, strips, and what it tells the box.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BoardOrder } from '#shared/wire/kitchen.ts'
import { BoardBox } from '#test/doubles/board-box.ts'
import { boardLine, boardOrder, FRIDAY_MS, fortyLines, fridayNight } from '#test/fixtures/friday-orders.ts'
import { accessibilityFaults } from './accessibility.ts'
import { launchChromium } from './chromium.ts'
import { stopTime } from './page-time.ts'
import { keepFaces } from './screens.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const WIDTHS = [390, 800, 1_024, 1_280, 1_920]

const box = new BoardBox(FRIDAY_MS)
let browser: Browser
let visitor: Visitor
let page: Page

const card = (id: string) => page.locator(`[data-order="${id}"]`)
const pageOf = () => page.locator('.page-of').textContent()
const small = (n: number, over: Partial<BoardOrder> = {}): BoardOrder =>
  boardOrder(n, { lines: [boardLine({ name: `Soup ${n}` })], ...over })
const many = (count: number): BoardOrder[] =>
  Array.from({ length: count }, (_, at) => small(at + 1, { dueAtMs: FRIDAY_MS - (count - at) * 1_000 }))

/** What is wrong with the page as it is drawn: something scrolls, sticks out, is cut or overlaps. */
const layoutFaults = (): Promise<string[]> =>
  page.evaluate(() => {
    const faults: string[] = []
    const root = document.documentElement
    if (root.scrollHeight > root.clientHeight || root.scrollWidth > root.clientWidth) faults.push('the page scrolls')
    const area = document.querySelector('.grid')?.getBoundingClientRect()
    const cards = [...document.querySelectorAll<HTMLElement>('.card')].map((it) => ({
      it,
      box: it.getBoundingClientRect(),
      name: `${it.dataset['order']} ${it.dataset['part']}`,
    }))
    for (const { it, box, name } of cards) {
      if (it.scrollHeight > it.clientHeight + 1 || it.scrollWidth > it.clientWidth + 1) faults.push(`${name} is cut`)
      if (!area || box.bottom > area.bottom + 1 || box.right > area.right + 1) faults.push(`${name} sticks out`)
      for (const other of cards) {
        const isApart =
          other.box.left >= box.right ||
          other.box.right <= box.left ||
          other.box.top >= box.bottom ||
          other.box.bottom <= box.top
        if (other.it !== it && !isApart) faults.push(`${name} lies on ${other.name}`)
      }
    }
    return faults
  })

const show = async (orders: readonly BoardOrder[]): Promise<void> => {
  box.show([])
  await page.locator('.empty').waitFor()
  box.show(orders)
  const last = orders[orders.length - 1]
  await page.locator('.counts-bar').getByText(`${orders.length} open`).waitFor()
  if (last) await page.waitForFunction(() => document.querySelector('.measuring')?.childElementCount === 0)
}

const turnToFirst = async (): Promise<void> => {
  for (let turns = 0; turns < 200 && !(await pageOf())?.startsWith('1 of'); turns++) await page.keyboard.press('PageUp')
}

beforeAll(async () => {
  await box.start()
  browser = await launchChromium()
  visitor = await newVisitor(browser, { url: box.url, height: 800 })
  page = visitor.page
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.clock.install()
  await page.goto('/kitchen/')
  await page.getByRole('button', { name: 'Start shift' }).click()
})

beforeEach(async () => {
  await page.setViewportSize({ width: 1_280, height: 800 })
  box.acts.length = 0
})

afterAll(async () => {
  await browser?.close()
  await box.stop()
})

describe('an order of forty lines', () => {
  it.each(WIDTHS)(
    'is split at %i px: nothing scrolls or is cut, no line is lost, its Ready is at its beginning and its end',
    async (width) => {
      await page.setViewportSize({ width, height: 800 })
      const long = fortyLines(7)
      await show([long, small(8)])
      await turnToFirst()
      const first = card(long.orderId).first()
      await first.getByRole('button', { name: 'Ready', exact: true }).waitFor()
      const names: (string | null)[] = []
      const count = Number((await pageOf())?.split(' of ')[1])
      for (let at = 1; at <= count; at++) {
        await expect.poll(pageOf).toBe(`${at} of ${count}`)
        expect(await layoutFaults()).toEqual([])
        names.push(...(await card(long.orderId).locator('.name > bdi').allTextContents()))
        const parts = await card(long.orderId).locator('.part').allTextContents()
        for (const part of parts) expect(part).toMatch(/^\d+\/\d+$/)
        if (at < count) await page.keyboard.press('PageDown')
      }
      expect(names).toEqual(long.lines.map(({ name }) => name))
      // The last page has the end of it, the next ticket, and both have their Ready.
      await card('ord_8').getByRole('button', { name: 'Ready', exact: true }).waitFor()
      await page.keyboard.press('PageUp')
      await page.keyboard.press('PageDown')
      const footed = card(long.orderId).locator('.foot:not(.foot-small)')
      expect((await footed.count()) + (await card('ord_8').count())).toBeGreaterThan(0)
    },
  )
})

describe('sixty orders', () => {
  it.each(WIDTHS)('fit the pages at %i px', async (width) => {
    await page.setViewportSize({ width, height: 800 })
    await show(fridayNight())
    await turnToFirst()
    const count = Number((await pageOf())?.split(' of ')[1])
    for (let at = 1; at <= count; at++) {
      await expect.poll(pageOf).toBe(`${at} of ${count}`)
      expect(await layoutFaults()).toEqual([])
      await page.keyboard.press('PageDown')
    }
    await turnToFirst()
  })

  it('fit and are accessible, light and dark, at every width', async () => {
    await show(fridayNight())
    await turnToFirst()
    const options = { fullPage: false, widths: WIDTHS }
    expect(await keepFaces(page, 'kitchen-grid', accessibilityFaults, options)).toEqual([])
    await page.keyboard.press('PageDown')
    expect(await keepFaces(page, 'kitchen-grid-2', accessibilityFaults, { fullPage: false })).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('are all reported as shown, on any page; only the visible ones as seen by a person', async () => {
    const orders = fridayNight().map((order) => ({ ...order, orderId: `told_${order.number}` }))
    await show(orders)
    await turnToFirst()
    await expect.poll(() => orders.every(({ orderId }) => box.rendered.has(orderId))).toBe(true)
    const inSight = new Set(
      await page.locator('.card').evaluateAll((all) => all.map((it) => (it as HTMLElement).dataset['order'] ?? '')),
    )
    box.noticed.clear()
    await page.locator('h1').click()
    await expect.poll(() => [...inSight].every((id) => box.noticed.has(id))).toBe(true)
    expect([...box.noticed].filter((id) => id.startsWith('told_') && !inSight.has(id))).toEqual([])
  })
})

describe('a board without any bump for a day', () => {
  it('has more blocks than heights are kept of, and is drawn all the same', async () => {
    const lines = (n: number) => Array.from({ length: 6 }, (_, at) => boardLine({ name: `Dish ${n} ${at}` }))
    const orders = Array.from({ length: 650 }, (_, at) => boardOrder(at + 1, { lines: lines(at + 1) }))
    await show(orders)
    await turnToFirst()
    const more = boardOrder(999, { lines: lines(999) })
    box.patch([more])
    await page.locator('.counts-bar').getByText('651 open').waitFor()
    expect(await page.locator('.card').count()).toBeGreaterThan(0)
    expect(visitor.complaints).toEqual([])
  })
})

describe('by keys alone', () => {
  it('a digit selects the ticket beside it, Enter bumps it, arrows and pages scroll, ? lists the keys', async () => {
    await show(many(30))
    await turnToFirst()
    await page.keyboard.press('3')
    const third = page.locator('.card', { has: page.locator('kbd', { hasText: /^3$/ }) })
    await expect.poll(() => third.getAttribute('aria-current')).toBe('true')
    const id = await third.getAttribute('data-order')
    await page.keyboard.press('Enter')
    await expect.poll(() => box.acts.map(({ kind, orderId }) => [kind, orderId])).toEqual([['ready', id]])
    await page.keyboard.press('PageDown')
    await expect.poll(pageOf).toMatch(/^2 of/)
    await page.keyboard.press('[')
    await expect.poll(pageOf).toMatch(/^1 of/)
    await page.keyboard.press('?')
    await page.getByRole('region', { name: 'Help' }).getByText('turn the page').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Help' }).waitFor({ state: 'detached' })
  })

  it('the focus stays on the board when the ticket that had it leaves', async () => {
    await show(many(3))
    await card('ord_2').getByRole('button', { name: 'Ready', exact: true }).focus()
    box.patch([], ['ord_2'])
    await card('ord_2').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  })
  it('the focus stays on a ticket that moves behind others', async () => {
    const orders = many(4)
    await show(orders)
    const ids = () =>
      page.locator('.card').evaluateAll((cards) => cards.map((it) => it.getAttribute('data-order') ?? ''))
    const [first = ''] = await ids()
    const ready = card(first).getByRole('button', { name: 'Ready', exact: true })
    await ready.focus()
    box.patch(orders.filter(({ orderId }) => orderId === first).map((it) => ({ ...it, dueAtMs: FRIDAY_MS + 60_000 })))
    await expect.poll(async () => (await ids()).at(-1)).toBe(first)
    expect(await ready.evaluate((button) => button === document.activeElement)).toBe(true)
  })
})

describe('a ticket in sight that is voided', () => {
  const headColour = (id: string) =>
    card(id)
      .locator('.head')
      .evaluate((head) => getComputedStyle(head).backgroundColor)
  const ids = () => page.locator('.card').evaluateAll((cards) => cards.map((it) => it.getAttribute('data-order') ?? ''))

  it('has the red head of a void, also when it moves to another place at the same time', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    const orders = many(4)
    await show(orders)
    const before = await ids()
    const last = before[before.length - 1] ?? ''
    box.patch(orders.filter(({ orderId }) => orderId === last).map((it) => ({ ...it, voidedAtMs: FRIDAY_MS })))
    await card(last).locator('.strap-void').waitFor()
    expect((await ids())[0], 'it has moved before the others').toBe(last)
    expect(await headColour(last)).toBe('rgb(179, 21, 26)')
  })
})

describe('the strip of pages', () => {
  it('counts the orders and the late ones of each page, and goes there', async () => {
    const late = small(99, { dueAtMs: FRIDAY_MS - 1_000, readyByMs: null, orderType: 'drive-through' })
    const orders = [...many(30), late]
    await show(orders)
    await turnToFirst()
    const second = page.getByRole('button', { name: /^Page 2: \d+ open, 0 late$/ })
    await second.click()
    await expect.poll(pageOf).toMatch(/^2 of/)
    expect(await second.getAttribute('aria-current')).toBe('page')
    await page.getByRole('button', { name: 'Previous page' }).click()
    await expect.poll(pageOf).toMatch(/^1 of/)
    // Older than ten minutes: it stands first, so the page behind is asked from the last one.
    await show(orders.map((order) => (order === late ? { ...order, dueAtMs: FRIDAY_MS - 11 * 60_000 } : order)))
    await page.getByRole('button', { name: /^Page 1: \d+ open, 1 late$/ }).waitFor()
    await page.keyboard.press('PageDown')
    await page.getByRole('button', { name: '1 late: go to the next' }).click()
    await expect.poll(() => card('ord_99').getAttribute('aria-current')).toBe('true')
  })

  it('a finger that is drawn sideways turns the page, and presses nothing', async () => {
    await show(many(30))
    await turnToFirst()
    const line = await page.locator('button.strike').first().boundingBox()
    const at = { x: (line?.x ?? 0) + 200, y: (line?.y ?? 0) + 20 }
    const swipe = async (dx: number): Promise<void> => {
      await page.mouse.move(at.x, at.y)
      await page.mouse.down()
      await page.mouse.move(at.x + dx / 2, at.y)
      await page.mouse.move(at.x + dx, at.y)
      await page.mouse.up()
    }
    await swipe(-150)
    await expect.poll(pageOf).toMatch(/^2 of/)
    await swipe(150)
    await expect.poll(pageOf).toMatch(/^1 of/)
    expect(box.acts).toEqual([])
  })
})

describe('nothing moves under a finger', () => {
  it('a ticket that somebody else bumped leaves a gap, and the others stay where they are until it closes', async () => {
    await show(many(4))
    const placeOf = (id: string) => card(id).evaluate((it) => (it as HTMLElement).style.transform)
    const before = await placeOf('ord_3')
    // A finger that rests for five seconds counts as lifted.
    await stopTime(page)
    await page.mouse.move(640, 740)
    await page.mouse.down()
    box.patch(
      [
        small(1, {
          dueAtMs: FRIDAY_MS - 4_000,
          stations: [{ key: 'grill', name: 'Grill', startedAtMs: null, readyAtMs: FRIDAY_MS }],
        }),
      ],
      ['ord_2'],
    )
    await page.locator('.counts-bar').getByText('3 open').waitFor()
    expect(await placeOf('ord_3')).toBe(before)
    await page.mouse.up()
    await page.clock.resume()
    await expect.poll(() => placeOf('ord_3')).not.toBe(before)
  })
})

describe('what must be acknowledged', () => {
  it('is counted above the tickets, and a tap goes to it on its page', async () => {
    const gone = small(77, { voidedAtMs: FRIDAY_MS, voidReason: 'guest left', dueAtMs: FRIDAY_MS })
    await show([...many(30), gone])
    await page.keyboard.press('PageDown')
    await page.keyboard.press('PageDown')
    await page.getByRole('region', { name: 'To acknowledge' }).getByRole('button', { name: '1 VOID' }).click()
    await expect.poll(() => card('ord_77').getAttribute('aria-current')).toBe('true')
    await card('ord_77').getByRole('button', { name: 'I have seen it' }).click()
    await expect.poll(() => box.acts.map(({ kind, orderId }) => [kind, orderId])).toEqual([['void-seen', 'ord_77']])
  })
})

describe('a course that is held', () => {
  const heldOrder = boardOrder(1, {
    lines: [boardLine({ name: 'Soup' }), boardLine({ name: 'Steak', course: 2 })],
    courses: [{ course: 2, stations: ['grill'], firedAtMs: null }],
  })

  it('is fired by two taps on the same button, because it prints', async () => {
    await show([heldOrder])
    await stopTime(page)
    await card('ord_1').getByRole('button', { name: 'Fire: Course 2' }).click()
    const again = card('ord_1').getByRole('button', { name: 'Fire? Tap again: Course 2' })
    await again.click()
    expect(box.acts, 'a press that comes at once is the bounce of the first').toEqual([])
    await page.clock.runFor(2_900)
    await again.click()
    await expect.poll(() => box.acts.map(({ kind, course }) => [kind, course])).toEqual([['fire', 2]])
    await page.clock.resume()
  })

  it('is not fired by a second tap that comes later than three seconds', async () => {
    await show([heldOrder])
    await stopTime(page)
    await card('ord_1').getByRole('button', { name: 'Fire: Course 2' }).click()
    await page.clock.runFor(3_100)
    await card('ord_1').getByRole('button', { name: 'Fire: Course 2' }).click()
    await card('ord_1').getByRole('button', { name: 'Fire? Tap again: Course 2' }).waitFor()
    expect(box.acts).toEqual([])
    await page.clock.resume()
  })
})

it('the browser had nothing to complain of', () => {
  expect(visitor.complaints).toEqual([])
})
