// The drawers of the kitchen display in chromium, against the real gateway and relay: equal lines combined, all day, what can be taken back after a reload.
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callControl } from '#gateway/cli/control-client.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { gatewayProgram } from '#test/harness/gateway-program.ts'
import { Site } from '#test/harness/site.ts'
import { accessibilityFaults } from './accessibility.ts'
import { BOX_LOCAL_NAME, launchChromium } from './chromium.ts'
import { keepFaces } from './screens.ts'
import { newVisitor, type Visitor } from './visitor.ts'

const printer = new VirtualPrinter()
let site: Site
let browser: Browser
let visitor: Visitor
let page: Page

const control = (operation: string, body: unknown) =>
  callControl(join(site.dir, 'gateway/control.sock'), operation, body) as Promise<Record<string, string>>
const inject = async (orderId: string, over: { qty?: number; note?: string; details?: object } = {}): Promise<string> =>
  (await site.injectSurely({ orderId, ...over })).body.serviceOrderId
const card = (id: string) => page.locator(`[data-order="${id}"]`)
const drawer = (name: string) => page.getByRole('region', { name, exact: true })
const open = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
const close = () => page.getByRole('button', { name: 'Close' }).click()
const faces = (name: string) => keepFaces(page, `kitchen-drawer-${name}`, accessibilityFaults, { fullPage: false })

beforeAll(async () => {
  const { host, port } = await printer.start()
  site = new Site({ printers: `kitchen=${host}:${port}`, gatewayProgram: gatewayProgram() })
  await site.start()
  browser = await launchChromium()
  visitor = await newVisitor(browser, { url: `http://${BOX_LOCAL_NAME}:${new URL(site.gatewayUrl).port}`, height: 800 })
  page = visitor.page
  const { path = '' } = await control('displays.add', { name: 'Expo' })
  await page.goto(path)
  await page.getByRole('button', { name: 'Start shift' }).click()
})

afterAll(async () => {
  await browser?.close()
  await site.stop()
  await printer.stop()
})

it('equal lines of the next tickets are one, with the sum and the number of each ticket', async () => {
  const burgers = (qty: number, over: object = {}) => ({ umsId: 'UMS-BURGER-01', qty, price: 9.5, ...over })
  const fries = { umsId: 'UMS-FRIES-01', qty: 1, price: 9.5, allergens: ['mustard'] }
  const order = (n: number, total: number, ...items: object[]) => inject(`drawer-${n}`, { details: { items, total } })
  const ids = [
    await order(1, 19, burgers(2)),
    await order(2, 9.5, burgers(1)),
    await order(3, 28.5, burgers(3)),
    await order(4, 38, burgers(4, { note: 'no onion' })),
    await order(5, 19, burgers(1), fries),
  ]
  for (const id of ids) await card(id).first().waitFor()
  await open('Combine')
  const first = drawer('Combine').locator('.batch').first()
  await first.getByText('Smash Burger').waitFor()
  expect(await first.locator('h3').textContent()).toMatch(/^7×/)
  expect(await first.locator('.tickets li').allTextContents()).toEqual(['#1 ×2', '#2', '#3 ×3', '#5'])
  const others = drawer('Combine').locator('.batch.single')
  expect(await others.count()).toBe(2)
  await others.getByText('mustard').waitFor()
  expect(await faces('combine')).toEqual([])
  await drawer('Combine').getByRole('button', { name: '4', exact: true }).first().click()
  await drawer('Combine').getByText('Next 4 tickets').waitFor()
  await expect.poll(() => first.locator('h3').textContent()).toMatch(/^6×/)
  await page.reload()
  await open('Combine')
  await drawer('Combine').getByText('Next 4 tickets').waitFor()
  await close()
})

it('all day sums what is to be made', async () => {
  await open('All day')
  const items = drawer('All day').locator('.counts li')
  expect(await items.allTextContents()).toEqual(['1× Pommes Frites', '11× Smash Burger'])
  expect(await faces('all-day')).toEqual([])
  await close()
})

it('the last taps here can be taken back from Recall, also after a reload', async () => {
  const id = await inject('drawer-recall')
  await card(id).first().getByRole('button', { name: 'Ready', exact: true }).first().click()
  await card(id).first().getByRole('button', { name: 'Picked up', exact: true }).first().waitFor()
  await page.reload()
  await open('Recall')
  const acts = drawer('Recall').getByRole('region', { name: 'Last taps here' }).getByRole('listitem')
  await expect.poll(() => acts.count()).toBe(1)
  await drawer('Recall')
    .getByRole('region', { name: 'Ready and picked up' })
    .getByText(/^Ready \d\d:\d\d$/)
    .waitFor()
  expect(await faces('recall')).toEqual([])
  await acts.first().getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => acts.count()).toBe(0)
  await close()
  await card(id).first().getByRole('button', { name: 'Ready', exact: true }).first().waitFor()
})

it('the browser had nothing to complain of', () => {
  expect(visitor.complaints).toEqual([])
})
