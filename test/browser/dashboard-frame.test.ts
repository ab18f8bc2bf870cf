// What every page of the dashboard shares: accessible and within every screen, one's place in the address, what is said when the relay hangs or a role does not reach, hostile names, and how much is sent.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inDrill } from '#test/harness/drill.ts'
import { accessibilityFaults } from './accessibility.ts'
import { DashboardSite } from './dashboard-site.ts'
import { keepFaces, keepWidths, WIDTHS } from './screens.ts'
import { sentTo } from './sent-to.ts'
import type { Visitor } from './visitor.ts'

/** Whoever lets it in as markup would load a picture that is not there, and run this. */
const HOSTILE = '"><img src=x onerror="document.title=1">\u202eanin'
const site = new DashboardSite()
let owner: Visitor
/** Addresses of the menu, below /dashboard. */
let pages: string[] = []
const asked: string[] = []

beforeAll(async () => {
  await site.start({ accountName: HOSTILE })
  owner = await site.visitor('owner')
  owner.page.on('request', (request) => asked.push(request.url()))
  await owner.page.getByRole('navigation').getByRole('link').first().waitFor()
  const links = await owner.page
    .getByRole('navigation')
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname))
  pages = links.map((path) => path.replace(/^\/dashboard\/?/, ''))
})
afterAll(() => site.stop())

const heading = (page: Page) => page.locator('.dashboard h1')

/** The page is drawn, is live, and nothing is being loaded. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(`/dashboard/${path}`)
  await heading(page).waitFor()
  await page.locator('.top .mark.ok').waitFor()
  await page.waitForFunction(() => document.querySelector('.grey-rows, .mantine-Loader-root') === null)
}

it('has a page behind each line of its menu', () => {
  expect(pages).toEqual(expect.arrayContaining(['', 'orders', 'keys', 'quick-start', 'people']))
})

// The drills have the third.
it.each(inDrill(['es'], ['en', 'zh-Hans']))(
  'every page of the menu is accessible in %s, light and dark, and fits every screen',
  async (language) => {
    const { page } = owner
    await page.evaluate((chosen) => localStorage.setItem('ticketrail.language', chosen), language)
    const widths = language === 'en' ? [...WIDTHS, 1_920] : WIDTHS.slice(0, 1)
    const faults: string[] = []
    for (const path of [...pages, 'me', 'nowhere']) {
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await open(page, path)
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(language)
      const look = `${path === '' ? 'home' : path.replaceAll('/', '-')}-${language}`
      faults.push(...(await keepFaces(page, `dashboard-${look}`, accessibilityFaults, { widths })))
    }
    await page.evaluate(() => localStorage.setItem('ticketrail.language', 'en'))
    expect(faults).toEqual([])
  },
)

it('calls at most three operations for a page, beside those of the frame around it', async () => {
  const { page } = owner
  const operations = async (path: string): Promise<Set<string>> => {
    const from = asked.length
    await open(page, path)
    return new Set(asked.slice(from).flatMap((url) => /\/dashboard\/api\/([a-z]+\.[\w.-]+)$/.exec(url)?.[1] ?? []))
  }
  const frame = await operations('nowhere')
  const tooMany: Record<string, string[]> = {}
  let most = 0
  for (const path of pages) {
    const own = [...(await operations(path))].filter((name) => !frame.has(name))
    most = Math.max(most, own.length)
    if (own.length > 3) tooMany[path || 'home'] = own
  }
  expect(tooMany).toEqual({})
  expect(most).toBeGreaterThan(0)
})

it('shows hostile names as they are written, and runs nothing of them', async () => {
  const { page } = owner
  await open(page, '')
  await page.getByRole('button', { name: /^Account and restaurant/ }).click()
  await page.getByRole('dialog').getByText('"><img src=x onerror="document.title=1">').waitFor()
  expect(await page.locator('img[src="x"]').count()).toBe(0)
  expect(await page.title()).toBe('Home - Ticketrail')
  await page.keyboard.press('Escape')
})

it('two tabs are at two places, and a link leads to its sender’s page', async () => {
  const { page, context } = owner
  await open(page, 'keys')
  const other = await context.newPage()
  await other.goto('/dashboard/keys')
  await other.getByRole('button', { name: /^Account and restaurant/ }).click()
  await other
    .getByRole('dialog')
    .getByRole('button', { name: /^Delivery Partner/ })
    .click()
  await other.waitForURL((url) => url.searchParams.get('account') === site.otherAccountId)
  // A developer there: what is of the owner is not in the menu.
  await other.getByRole('link', { name: 'Keys' }).waitFor()
  await expect.poll(() => other.getByRole('link', { name: 'People' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('link', { name: 'People' }).waitFor()
  const link = other.url()
  await other.goto('about:blank')
  await other.goto(link)
  await other.getByText('Delivery Partner').first().waitFor()
  await other.close()
})

it('acts on no other account than the one that a link names', async () => {
  const stranger = await site.visitor('manager')
  await stranger.page.goto(`/dashboard/keys?account=${site.otherAccountId}`)
  await stranger.page.getByText('You are not a member of the account that this address names.').waitFor()
  await stranger.page.getByRole('button', { name: 'To your own account' }).click()
  await stranger.page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
  await stranger.context.close()
})

it('frames the sandbox in amber, and leaves it with one press', async () => {
  const { page } = owner
  await open(page, '')
  await page.getByText('nothing here is billed').waitFor()
  expect(await page.locator('.dashboard.sandbox').count()).toBe(1)
  await page.getByRole('button', { name: 'Live', exact: true }).click()
  await page.waitForURL((url) => url.searchParams.get('environment') === 'live')
  await page.getByText('There is no live restaurant yet.').waitFor()
  expect(await page.getByText('Everything prints').count()).toBe(0)
  await page.getByRole('navigation').getByRole('link', { name: 'Orders', exact: true }).click()
  await page.getByText('There is no live restaurant yet.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Keys' }).waitFor()
  expect(await page.getByText('nothing here is billed').count()).toBe(0)
  expect(await keepFaces(page, 'dashboard-live', accessibilityFaults)).toEqual([])
  await page.getByRole('button', { name: 'Sandbox', exact: true }).click()
  await page.getByText('nothing here is billed').waitFor()
})

it('names who may see a page that is not allowed', async () => {
  const { page, context } = await site.visitor('staff', { width: 390, height: 844 })
  await page.goto('/dashboard/keys')
  await page.getByText('Your role does not see this').waitFor()
  await page.getByText('These roles do: Developer, Manager, and Owner.').waitFor()
  // The menu lies under the thumb.
  const box = await page.getByRole('navigation').boundingBox()
  expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(844)
  expect(await keepFaces(page, 'dashboard-no-right', accessibilityFaults)).toEqual([])
  await context.close()
})

it('shows since when it is not live while the relay does not respond, and resumes by itself', async () => {
  const { page } = owner
  await open(page, '')
  site.freeze()
  try {
    await page
      .getByRole('alert')
      .getByText(/^No live connection since \d\d:\d\d/)
      .waitFor()
    await page.locator('.top').getByText('No live connection').waitFor()
    await keepWidths(page, 'dashboard-not-live', { widths: [1_280], fullPage: false })
  } finally {
    site.thaw()
  }
  await page.locator('.top .mark.ok').waitFor()
  await expect.poll(() => page.getByText(/^No live connection since/).count()).toBe(0)
})

it('sent requests only to the relay, and caused no browser warning', () => {
  expect(asked.length).toBeGreaterThan(50)
  expect(asked.filter((url) => !url.startsWith(site.url) && !/^(data|blob|about):/.test(url))).toEqual([])
  // What was asked while the relay hung has no answer.
  expect(owner.complaints.filter((words) => !/net::ERR|status of 4\d\d/.test(words))).toEqual([])
})

it('sends at most 150 kB for the sign-in, 230 kB for the first view, 25 kB for each further page', async () => {
  const stranger = await site.stranger()
  const door = await sentTo(stranger.page)
  await stranger.page.goto('/dashboard/')
  await stranger.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  await stranger.page.waitForLoadState('networkidle')
  const doorBytes = door.take()
  const fresh = await site.stranger()
  await fresh.context.addCookies(await owner.context.cookies())
  const sent = await sentTo(fresh.page)
  await open(fresh.page, 'nowhere')
  const frame = sent.take()
  const further: Record<string, number> = {}
  for (const path of pages) {
    const link = fresh.page
      .getByRole('navigation')
      .locator(`a[href^="/dashboard/${path}?"], a[href="/dashboard/${path}"]`)
    const name = (await link.first().textContent()) ?? ''
    await link.first().click()
    // The heading of the page itself: the one before stands until the files of this one are there.
    await fresh.page.locator('.dashboard').getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await fresh.page.waitForFunction(() => document.querySelector('.grey-rows') === null)
    further[path] = sum(sent.take().filter(({ path: file }) => file.startsWith('/dashboard/assets/')))
  }
  const home = further[''] ?? 0
  const first = sum(frame) + home
  const styles = sum(frame.filter(({ path }) => path.endsWith('.css')))
  const words = sum(frame.filter(({ path }) => /\/en-[\w-]+\.js$/.test(path)))
  console.log(
    `sign-in ${kB(sum(doorBytes))}, first view ${kB(first)}, styles ${kB(styles)}, English ${kB(words)}, pages: ${Object.entries(
      further,
    )
      .map(([path, bytes]) => `${path || 'home'} ${kB(bytes)}`)
      .join(', ')}`,
  )
  expect(sum(doorBytes)).toBeGreaterThan(80_000)
  expect(sum(doorBytes), 'the sign-in').toBeLessThanOrEqual(150_000)
  expect(first, 'the first view').toBeLessThanOrEqual(230_000)
  expect(styles, 'styles').toBeLessThanOrEqual(18_000)
  expect(words).toBeGreaterThan(1_000)
  expect(words, 'one language').toBeLessThanOrEqual(14_000)
  expect(Object.entries(further).filter(([, bytes]) => bytes > 25_000)).toEqual([])
  await stranger.context.close()
  await fresh.context.close()
})

const sum = (files: readonly { bytes: number }[]): number => files.reduce((all, { bytes }) => all + bytes, 0)
const kB = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`
