// The account side of the dashboard on a real relay: a partner asks and gets what the owner ticks; usage by keyboard, an invoice on paper, who changed what, how fast it was, and those who run the relay.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { type AccountData, fillAccount, LIVE_RESTAURANT } from './dashboard-account-data.ts'
import { DashboardSite, PASSWORD } from './dashboard-site.ts'
import type { Visitor } from './visitor.ts'

const site = new DashboardSite()
let data: AccountData

beforeAll(() =>
  site.start({
    fill: async (db) => {
      data = await fillAccount(db, site.accountId, site.otherAccountId)
    },
  }),
)
afterAll(() => site.stop())

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const live = (path: string, account = site.accountId) => `/dashboard/${path}?account=${account}&environment=live`

/** What the browser complained of, but for the relay's wish to see once more who it is. */
const faults = ({ complaints }: Visitor) => complaints.filter((words) => !words.includes('status of 403'))

/** A page whose answers have come. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.locator('.dashboard h1').waitFor()
  await page.waitForFunction(() => document.querySelector('.grey-rows') === null)
}

/** The relay asks once more who it is: the dialog goes on with what was pressed. */
async function showWhoItIs(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Show that it is you' })
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
}

async function asPartner(path: string): Promise<{ status: number; code?: string; message?: string }> {
  const answer = await fetch(`${site.url}${path}?merchantId=${LIVE_RESTAURANT}`, {
    headers: { authorization: `Bearer ${data.partnerKey}` },
  })
  return { status: answer.status, ...((await answer.json()) as object) }
}

it('a partner asks for three scopes, the owner approves two, the API refuses the third, and the audit page shows it', async () => {
  const visitor = await site.visitor('owner')
  const { page } = visitor
  await open(page, live('partners', site.otherAccountId))
  await page.getByLabel('Id of the restaurant').fill(LIVE_RESTAURANT)
  await page.getByLabel('Who you are, and what it is for').fill('Our kiosks in the harbour')
  await page.getByRole('button', { name: 'Ask the owner' }).click()
  await page.getByRole('heading', { name: 'You wait for an answer' }).waitFor()
  expect((await asPartner('/v1/skus')).code).toBe('merchant.not_authorized')

  await open(page, live('partners'))
  const request = page.getByRole('region', { name: 'Delivery Partner wants to act at Casa Nina' })
  await request.getByText('Our kiosks in the harbour').waitFor()
  await request.getByLabel(/Read the menu/).uncheck()
  await request.getByRole('button', { name: 'Approve what is ticked' }).click()
  await showWhoItIs(page)
  await request.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /Delivery Partner.*See its orders and Send, change and void/ }).waitFor()

  expect((await asPartner('/v1/order/none')).code).toBe('order.not_found')
  const refused = await asPartner('/v1/skus')
  expect([refused.status, refused.message]).toEqual([403, expect.stringContaining('menu:read')])

  await open(page, live('audit'))
  await page.getByLabel('Kind of change').selectOption('Partners')
  const line = page.getByRole('row').filter({ hasText: 'Access for a partner approved' })
  await line.getByText('Show').click()
  await line.getByText('"orders:write"').waitFor()
  for (const words of ['grant.add', 'Owner Person', 'dashboard']) expect(await line.textContent()).toContain(words)
  expect(await line.getByRole('link', { name: 'Casa Nina' }).getAttribute('href')).toContain(`/settings?`)
  expect(new URL(page.url()).searchParams.get('action')).toBe('grant.')
  expect(faults(visitor)).toEqual([])
  await visitor.context.close()
})

it('a grant is narrowed and ended, each with the next request', async () => {
  const visitor = await site.visitor('owner')
  const { page } = visitor
  await open(page, live('partners'))
  await page.getByRole('button', { name: /^Change what it may do, Delivery Partner/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Delivery Partner, Casa Nina' })
  await dialog.getByLabel(/Send, change and void/).uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await showWhoItIs(page)
  await dialog.waitFor({ state: 'detached' })
  const inject = await fetch(`${site.url}/v1/order/inject`, {
    method: 'POST',
    headers: { authorization: `Bearer ${data.partnerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ merchantId: LIVE_RESTAURANT, orderId: 'k1', source: 'kiosk', total: 8.95 },
      items: [{ umsId: 'UMS-SOUP', qty: 1, price: 8.95, modifiers: [] }],
    }),
  })
  expect(((await inject.json()) as { message: string }).message).toContain('orders:write')
  await page.getByRole('button', { name: /^End, Delivery Partner/ }).click()
  await page.getByRole('dialog', { name: 'End' }).getByRole('button', { name: 'End' }).click()
  await page.getByText('No partner acts at your restaurants.').waitFor()
  expect((await asPartner('/v1/order/none')).code).toBe('merchant.not_authorized')
  await visitor.context.close()
})

it('the chart of calls is read by the arrow keys, and the same numbers are in a table', async () => {
  const visitor = await site.visitor('owner')
  const { page } = visitor
  await open(page, live('usage'))
  const chart = page.getByRole('slider', { name: /^Calls of/ })
  await page.locator('.chart-canvas canvas').waitFor()
  const said = () => chart.getAttribute('aria-valuetext')
  await visitor.tabTo(/^Calls of/)
  await page.keyboard.press('Home')
  expect(await said()).toMatch(/1.*So far: 2,400/)
  // On the first day of a month only the month before has a second day.
  await page.getByRole('combobox', { name: 'Month' }).selectOption({ index: 1 })
  await expect.poll(said).toMatch(/(28|29|30|31), \d{4}.*So far/)
  await chart.press('Home')
  const first = await said()
  expect(first).toMatch(/1.*So far: 2,400/)
  await page.keyboard.press('ArrowRight')
  expect(await said()).toMatch(/2.*So far: 5,777, .*In the plan: 100,000/)
  await page.keyboard.press('Home')
  expect(await said()).toBe(first)
  await page.getByText('The numbers as a table').click()
  await page.getByRole('row', { name: /2, .*5,777/ }).waitFor()
  await page.getByText(/calls so far/).waitFor()
  expect(faults(visitor)).toEqual([])
  await visitor.context.close()
})

it('an owner asks for another plan, and sees that the request is pending', async () => {
  const visitor = await site.visitor('owner')
  const { page } = visitor
  await open(page, live('usage'))
  await page.getByRole('button', { name: 'Ask for another plan' }).click()
  await page.getByLabel('What it is for').fill('A third restaurant')
  await page.getByRole('button', { name: 'Ask for it' }).click()
  await page.getByText(/You asked for Growth/).waitFor()
  await visitor.context.close()

  const operator = await site.visitor('operator')
  await open(operator.page, '/dashboard/operator')
  const request = operator.page.getByRole('region', { name: 'Casa Nina asks for the plan Growth' })
  await request.getByText('A third restaurant').waitFor()
  await request.getByRole('button', { name: 'Approve' }).click()
  await showWhoItIs(operator.page)
  await operator.page.getByText('Nobody waits.').waitFor()
  await operator.page.getByRole('row', { name: /Casa Nina.*Growth/ }).waitFor()
  await operator.context.close()
})

it('an invoice is printed without the frame around it', async () => {
  const visitor = await site.visitor('owner')
  const { page } = visitor
  await open(page, live('usage'))
  await page.getByRole('table', { name: 'Invoices' }).getByRole('link').first().click()
  await page.getByRole('heading', { level: 1, name: /^Invoice of/ }).waitFor()
  await page.getByText('$209.00').waitFor()
  await page.emulateMedia({ media: 'print' })
  for (const hidden of ['.top', '.side', '.no-print'])
    expect(await page.locator(hidden).first().isVisible()).toBe(false)
  expect(await page.getByText(data.invoiceId).isVisible()).toBe(true)
  const pdf = await page.pdf({ format: 'A4' })
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  expect(pdf.toString('latin1').match(/\/Type ?\/Page\b/g)).toHaveLength(1)
  await visitor.context.close()
})

it('the pages of reliability show median, slow end, target and the hours of the restaurant in words', async () => {
  const visitor = await site.visitor('manager')
  const { page } = visitor
  await open(page, live('reliability'))
  await page.getByRole('row', { name: /Order to paper.*(met|missed)/ }).waitFor()
  await page.getByRole('table', { name: 'Hours of the day' }).getByText('slow').first().waitFor()
  await page.locator('.chart-canvas canvas').first().waitFor()
  expect(faults(visitor)).toEqual([])
  await visitor.context.close()
})

it('operators see which box is silent and which version each has; no one else does', async () => {
  const visitor = await site.visitor('operator')
  const { page } = visitor
  await open(page, '/dashboard/operator/fleet')
  await page.getByLabel('Only silent ones').check()
  await page.getByRole('row', { name: /Kitchen box.*silent.*1\.4\.0/ }).waitFor()
  await visitor.context.close()
  const owner = await site.visitor('owner')
  await open(owner.page, '/dashboard/operator/fleet')
  await owner.page.getByText('Only those who run this relay').first().waitFor()
  await owner.context.close()
})

it('without a sign-in anyone reads the status of the relay', async () => {
  const { page, context, complaints } = await site.stranger()
  await page.goto('/status')
  await heading(page, 'Status').waitFor()
  await page
    .getByText(/(met|missed): \d/)
    .first()
    .waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

const PAGES = ['usage', 'partners', 'audit', 'reliability'] as const

it.each(['en', 'es', 'zh-Hans'])(
  'every page in %s is read by everybody, light and dark, and fits a telephone',
  async (locale) => {
    const visitor = await site.visitor('owner', { locale })
    const { page } = visitor
    for (const path of [...PAGES.map((name) => live(name)), live(`usage/${data.invoiceId}`)]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width: 1_280, height: 900 })
        await page.emulateMedia({ colorScheme })
        if (colorScheme === 'light') await open(page, path)
        const rules = colorScheme === 'light' ? 'all' : 'colors'
        expect([path, colorScheme, await accessibilityFaults(page, rules)]).toEqual([path, colorScheme, []])
        await picture(page, `${path.split('?')[0]?.split('/').at(2)}-${locale}-${colorScheme}`)
      }
      await page.setViewportSize({ width: 390, height: 844 })
      const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
      expect([path, wide]).toEqual([path, window])
      await picture(page, `${path.split('?')[0]?.split('/').at(2)}-${locale}-390`)
    }
    expect(faults(visitor)).toEqual([])
    await visitor.context.close()
  },
)

/** Kept when somebody wants to look: `PICTURES=folder`. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
