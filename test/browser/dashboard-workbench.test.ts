// The workbench over any page: by its key and its button, with what is on screen, within every screen, for whoever may look.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { DashboardSite } from './dashboard-site.ts'
import { keepFaces } from './screens.ts'
import { sentTo } from './sent-to.ts'
import type { Visitor } from './visitor.ts'

const site = new DashboardSite()
const merchantId = 'M-TEST-001'
let owner: Visitor
let serviceOrderId = ''

beforeAll(async () => {
  await site.start()
  owner = await site.visitor('owner')
  await site.ask(owner, 'inspector.open', { merchantId }, { 'idempotency-key': 'tap_open' })
  // By the API, so that the log of requests has it.
  const answer = await fetch(`${site.url}/v1/order/inject`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ merchantId, orderId: 'own-number-7', source: 'kiosk', total: 12.9 },
      items: [{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.9 }],
    }),
  })
  const made = (await answer.json()) as { serviceOrderId: string }
  expect(answer.status, JSON.stringify(made)).toBe(200)
  serviceOrderId = made.serviceOrderId
})
afterAll(() => site.stop())

const workbench = (page: Page) => page.getByRole('complementary', { name: /^Workbench/ })
const view = (page: Page, name: string) => workbench(page).getByRole('button', { name, exact: true })
const openButton = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Workbench' })

async function go(page: Page, path: string): Promise<void> {
  await page.goto(`/dashboard/${path}`)
  await openButton(page).waitFor()
  await page.locator('.dashboard h1').waitFor()
}

it('requests and loads nothing until it is opened, then little', async () => {
  const { page } = owner
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await go(page, 'people')
  await page.waitForLoadState('networkidle')
  expect(asked.filter((path) => /requests\.list|workbench-/.test(path) && !/workbench-button/.test(path))).toEqual([])
  const sent = await sentTo(page)
  await page.keyboard.press('.')
  await workbench(page).getByRole('list', { name: 'Requests' }).waitFor()
  const files = sent.take().filter(({ path }) => path.startsWith('/dashboard/assets/'))
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  expect(files.length).toBeGreaterThan(1)
  expect(bytes).toBeLessThanOrEqual(25_000)
  const opened = asked.filter((path) => /\/(requests|events|deliveries)\.list$/.test(path))
  expect([...new Set(opened)]).toEqual(['/dashboard/api/requests.list'])
  await page.keyboard.press('.')
})

it('shows the call, the events and the deliveries of the order on screen', async () => {
  const { page } = owner
  await go(page, `orders/${serviceOrderId}`)
  await page.keyboard.press('.')
  await workbench(page).getByText(serviceOrderId).first().waitFor()
  // Under the number that its client gave it.
  await workbench(page).getByRole('link', { name: 'POST /v1/order/inject' }).waitFor()
  await view(page, 'Events').click()
  await workbench(page).getByRole('link', { name: 'order.printed' }).waitFor()
  await view(page, 'Deliveries').click()
  await workbench(page).getByText('Taken 200').first().waitFor()
  await view(page, 'API for this').click()
  await workbench(page).getByRole('region', { name: 'This order' }).getByText(`/v1/order/${serviceOrderId}?`).waitFor()
  await view(page, 'JavaScript').click()
  await workbench(page).getByText('await fetch').first().waitFor()
  expect(await keepFaces(page, 'dashboard-workbench-api', accessibilityFaults, { fullPage: false })).toEqual([])
  await view(page, 'Deliveries').click()
  expect(await keepFaces(page, 'dashboard-workbench-order', accessibilityFaults, { fullPage: false })).toEqual([])
  // A delivery of it has the same neighbours.
  await workbench(page).getByRole('link', { name: 'order.printed' }).click()
  await page.waitForURL(/\/deliveries\/dlv_/)
  await view(page, 'Events').click()
  await workbench(page).getByRole('link', { name: 'order.accepted' }).waitFor()
  await page.keyboard.press('Escape')
  await workbench(page).waitFor({ state: 'detached' })
})

it('takes the focus, and gives it back where it was, by Escape and by its key', async () => {
  const { page } = owner
  await go(page, 'keys')
  const before = page.getByRole('button', { name: 'Create key', exact: true })
  for (const end of ['Escape', '.']) {
    await before.focus()
    await page.keyboard.press('.')
    await page.waitForFunction(() => document.activeElement?.matches('.workbench h2'))
    await page.keyboard.press(end)
    await workbench(page).waitFor({ state: 'detached' })
    expect(await before.evaluate((it) => it === document.activeElement)).toBe(true)
  }
  // By its button, and with Close.
  await openButton(page).click()
  expect(await openButton(page).getAttribute('aria-expanded')).toBe('true')
  await workbench(page).getByRole('button', { name: 'Close' }).click()
  expect(await openButton(page).evaluate((it) => it === document.activeElement)).toBe(true)
})

it('is not opened by a typed dot, nor over a dialog, nor once the key is turned off', async () => {
  const { page } = owner
  await go(page, 'requests')
  await page.getByLabel('Error', { exact: true }).press('.')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.getByRole('dialog').press('.')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await workbench(page).count()).toBe(0)
  await openButton(page).click()
  await workbench(page)
    .getByRole('checkbox', { name: /^The key \./ })
    .uncheck()
  await workbench(page).getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('.')
  expect(await workbench(page).count()).toBe(0)
  await openButton(page).click()
  await workbench(page)
    .getByRole('checkbox', { name: /^The key \./ })
    .check()
  await workbench(page).getByRole('button', { name: 'Close' }).click()
})

it('leaves the end of the page in reach on a phone', async () => {
  const { page, context } = await site.visitor('developer', { width: 390, height: 844 })
  await go(page, 'webhooks')
  await page.keyboard.press('.')
  await workbench(page).getByRole('button', { name: 'Requests', exact: true }).waitFor()
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  const [end, top] = await page.evaluate(() => {
    const edge = (of: string) => document.querySelector(of)?.getBoundingClientRect()
    return [edge('main > :last-child')?.bottom ?? Number.NaN, edge('.workbench')?.top ?? Number.NaN]
  })
  expect(end).toBeLessThanOrEqual(top)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await context.close()
})

it('is not there for staff, by button or by key', async () => {
  const { page, context } = await site.visitor('staff')
  await page.keyboard.press('.')
  await page.getByRole('navigation').getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  expect([await openButton(page).count(), await workbench(page).count()]).toEqual([0, 0])
  await context.close()
})

it('made the browser complain of nothing', () => {
  expect(owner.complaints).toEqual([])
})
