// The health of the box before a person: dead screens with open orders are counted on the overview, and one tap puts the orders on paper.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { AdminSite } from './admin-site.ts'
import { keepFaces } from './screens.ts'
import type { Visitor } from './visitor.ts'

const site = new AdminSite()
const [grill] = site.printers
const ORDERS = ['pj_1', 'pj_2', 'pj_3']
let visitor: Visitor
const screens: Visitor[] = []

beforeAll(async () => {
  await site.start({}, ORDERS)
  visitor = await site.technician()
  const host = { host: '127.0.0.1', port: site.ports[0] }
  await visitor.post('printers.add', { name: 'Grill', ...host, profileId: 'epson-thermal-203', stations: ['grill'] })
  await grill.waitForTickets(ORDERS.length)
  for (const name of ['Pass', 'Second']) {
    const { path } = (await visitor.post('displays.add', { name })) as { path: string }
    const screen = await site.visitor()
    await screen.page.goto(path)
    screens.push(screen)
  }
})
afterAll(() => site.stop())

it('shows everywhere how many orders are on no screen when all screens are dead, and prints them by one tap', async () => {
  const { page } = visitor
  const alive = async (): Promise<number> => {
    const displays = (await visitor.post('displays.list', {})) as { isAlive: boolean }[]
    return displays.filter(({ isAlive }) => isAlive).length
  }
  await expect.poll(alive, { timeout: 100_000 }).toBe(2)
  await page.goto('/admin/')
  await page.getByText('Not paired').first().waitFor()
  expect(await page.getByText('on no screen').count()).toBe(0)
  for (const { context } of screens) await context.close()
  const fault = page.getByRole('listitem').filter({ hasText: 'No screen in the kitchen answers' })
  await fault.getByText('3 orders are on no screen.').waitFor()
  expect(await page.getByText('Everything is fine.').count()).toBe(0)
  expect(await page.getByRole('status').first().textContent()).toMatch(/1 fault/)
  await page
    .getByRole('banner')
    .getByText(/1 fault/)
    .waitFor()
  expect(await keepFaces(page, 'health-overview', accessibilityFaults)).toEqual([])
  await page.goto('/admin/printers')
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^Health of the box: .*1 fault/ })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Repairs' }).waitFor()
  await fault.getByText('3 orders are on no screen.').waitFor()
  expect(await page.getByText('3 orders are on no screen.').count(), 'once on a page').toBe(1)
  expect(await keepFaces(page, 'health-repairs', accessibilityFaults)).toEqual([])
  const said = await site.line('doctor', '--offline')
  expect(said.out).toMatch(/FAIL +displays +No screen in the kitchen answers.*3 orders are on no screen/)
  await fault.getByRole('button', { name: 'Print the open orders at Grill' }).click()
  await grill.waitForTickets(2 * ORDERS.length)
  await fault.waitFor({ state: 'detached' })
  await page.getByText('3 orders were printed instead.').first().waitFor()
  expect(grill.tickets.filter((ticket) => JSON.stringify(ticket).includes('SCREEN OFFLINE'))).toHaveLength(3)
  // The button is gone: who uses the keyboard goes on from the heading.
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
})

it('shows the same in Spanish, German, French and Chinese', async () => {
  for (const [locale, words] of [
    ['es', '3 pedidos se imprimieron en su lugar.'],
    ['de-AT', '3 Bestellungen wurden stattdessen gedruckt.'],
    ['fr', '3 commandes ont été imprimées à la place.'],
    ['zh-CN', '有 3 个订单已改为打印。'],
  ] as const) {
    const other = await site.visitor(locale)
    await other.context.addCookies(await visitor.context.cookies())
    await other.page.goto('/admin/repairs')
    await other.page.getByText(words).first().waitFor()
    expect(other.complaints).toEqual([])
    await other.context.close()
  }
})

it('made the browser complain of nothing', () => {
  expect(visitor.complaints).toEqual([])
})
