// The pages for developers in a browser: sizes, colours and accessibility of each kind, the keyboard, the copy buttons, old links, and the search with and without a script.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { iconRoutes } from '#cloud/api/icon-routes.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { accessibilityFaults } from './accessibility.ts'
import { launchShell } from './chromium.ts'
import { keepFaces } from './screens.ts'

const WIDTHS = [320, 390, 800, 1_280, 1_920]
const KINDS = {
  front: '/docs',
  guide: '/docs/guides/quick-start',
  tables: '/docs/guides/idempotency-and-retries',
  reference: '/docs/reference',
  errors: '/docs/errors',
  search: '/docs/search?q=printer+offline',
  ticket: '/docs/tickets',
}

let api: RelayApi
let browser: Browser
let url: string
let page: Page
const problems: string[] = []
beforeAll(async () => {
  api = await RelayApi.open({ routes: iconRoutes })
  url = await api.app.listen({ host: '127.0.0.1', port: 0 })
  browser = await launchShell()
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  page = await context.newPage()
  page.on('console', (message) => problems.push(message.text()))
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) problems.push(`asks outside: ${request.url()}`)
  })
})
afterAll(async () => {
  await browser.close()
  await api.close()
})

it.each(Object.entries(KINDS))(
  'the page %s fits every width, light and dark, and axe finds no fault in it',
  async (name, path) => {
    await page.goto(url + path)
    expect(await keepFaces(page, `docs-${name}`, accessibilityFaults, { widths: WIDTHS, fullPage: false })).toEqual([])
    expect(problems).toEqual([])
  },
)

it('every block of code has a button that copies it, and the keys / and Ctrl K lead to the search', async () => {
  await page.setViewportSize({ width: 1_280, height: 900 })
  await page.goto(`${url}/docs/guides/totals`)
  const blocks = await page.locator('pre').count()
  expect(await page.locator('.copy').count()).toBe(blocks)
  await page.locator('.copy').first().click()
  await page.locator('.copy', { hasText: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('"orderId": "totals-1"')
  await page.keyboard.press('Control+k')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('q')
  await page.locator('h1').click()
  await page.keyboard.press('/')
  await page.keyboard.type('fireAt')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/search?q=fireAt')
  expect(await page.locator('.found a').first().textContent()).toContain('fireAt')
})

it('the first step of the keyboard leads past the lists to the text', async () => {
  await page.goto(`${url}/docs/guides/totals`)
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'To the content' })
  const { x = 0, y = 0, width = 0, height = 0 } = (await skip.boundingBox()) ?? {}
  const seen = await page.evaluate(
    ([left, top]) => document.elementFromPoint(left ?? 0, top ?? 0)?.textContent,
    [x + width / 2, y + height / 2],
  )
  expect(seen).toBe('To the content')
  await page.keyboard.press('Enter')
  expect(new URL(page.url()).hash).toBe('#main')
})

it('a drawing of a ticket is whole at 1280 and has no button to copy it', async () => {
  await page.setViewportSize({ width: 1_280, height: 900 })
  await page.goto(`${url}/docs/tickets`)
  const drawing = page.locator('.plain').first()
  expect(await drawing.locator('.copy').count()).toBe(0)
  expect(await drawing.locator('pre').evaluate((pre) => pre.scrollWidth - pre.clientWidth)).toBe(0)
})

it('the list of what is on the page marks where the reader is', async () => {
  await page.setViewportSize({ width: 1_280, height: 900 })
  await page.goto(`${url}/docs/webhooks#verify-the-signature`)
  await page.locator('.toc a[aria-current]', { hasText: 'Verify the signature' }).waitFor()
})

it('the menu of a phone is a button at the top that opens and closes the list', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${url}/docs/guides/totals`)
  const menu = page.getByRole('button', { name: 'Menu' })
  const list = page.getByRole('navigation', { name: 'Contents' })
  expect([await menu.getAttribute('aria-expanded'), await list.isVisible()]).toEqual(['false', false])
  await menu.focus()
  await page.keyboard.press('Space')
  expect([await menu.getAttribute('aria-expanded'), await list.isVisible()]).toEqual(['true', true])
  const { y = 0 } = (await list.boundingBox()) ?? {}
  expect(y).toBeLessThan(200)
  await menu.click()
  expect(await list.isVisible()).toBe(false)
  expect(problems).toEqual([])
})

it('a link to an operation from when the reference stood at /docs goes on to it', async () => {
  await page.goto(`${url}/docs#injectOrder`)
  await page.waitForURL('**/docs/reference#injectOrder')
  expect(problems).toEqual([])
})

it('without a script the text, the menu of a phone and the search are all there', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const phone = await context.newPage()
  await phone.goto(`${url}/docs/guides/totals`)
  await phone.getByRole('link', { name: 'Menu', exact: true }).click()
  await phone.getByRole('link', { name: 'Webhooks', exact: true }).click()
  await phone.waitForURL('**/docs/webhooks')
  await phone.getByLabel('Search the docs').fill('idempotency')
  await phone.getByRole('button', { name: 'Search' }).click()
  await phone.getByRole('link', { name: 'Idempotency and retries' }).first().waitFor()
  await context.close()
})
