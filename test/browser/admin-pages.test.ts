// Every route of the technician's page, light and dark, in four languages: axe finds nothing against WCAG 2.2 AA; pictures at three widths are kept in bench-results/screens.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inDrill } from '#test/harness/drill.ts'
import { accessibilityFaults } from './accessibility.ts'
import { AdminSite } from './admin-site.ts'
import { keepFaces, WIDTHS } from './screens.ts'
import { countBytes, type Visitor } from './visitor.ts'

const STEPS = ['name', 'clock', 'pairing', 'printers', 'identify', 'displays', 'stations', 'backups', 'check']

const site = new AdminSite()
let visitor: Visitor
const routes: { name: string; path: string }[] = [
  { name: 'overview', path: '' },
  ...STEPS.map((step) => ({ name: `setup-${step}`, path: `setup/${step}` })),
  ...[
    'printers',
    'printers/add',
    'orders',
    'jobs',
    'report',
    'repairs',
    'displays',
    'routing',
    'test-order',
    'settings',
    'settings#name',
    'settings#pairing',
    'settings#https',
    'settings#version',
    'settings#password',
    'users',
    'logs',
    'care',
  ].map((path) => ({ name: path.replace(/[/#]/, '-'), path })),
  { name: 'not-found', path: 'nowhere' },
]

beforeAll(async () => {
  await site.start({}, ['pj_1', 'pj_2', 'courses'])
  visitor = await site.technician()
  await visitor.post('settings.put', { name: 'Casa Nina', timeZone: 'Europe/Madrid' })
  const profileId = 'epson-thermal-203'
  const grill = (await visitor.post('printers.add', {
    name: 'Grill',
    host: '127.0.0.1',
    port: site.ports[0],
    profileId,
    stations: ['grill', 'fry'],
  })) as { printerId: string }
  await visitor.post('printers.add', {
    name: 'Bar',
    host: '127.0.0.1',
    port: site.ports[1],
    profileId,
    stations: ['bar'],
  })
  await visitor.post('displays.add', { name: 'Pass', stations: [] })
  await site.printers[0].waitForTickets(3)
  site.printers[1].paperOut()
  await visitor.page.goto('/admin/')
  await visitor.page.getByText('Not printing: out of paper').waitFor()
  const { tickets } = (await visitor.post('jobs.list', {})) as { tickets: { ticketId: string }[] }
  routes.push({ name: 'printer', path: `printers/${grill.printerId}` })
  routes.push({ name: 'job', path: `jobs/${tickets[0]?.ticketId}` })
  routes.push({ name: 'order', path: 'orders/courses' })
})
afterAll(() => site.stop())

/** The page is drawn, and no request is under way. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(`/admin/${path}`)
  await page.locator('h1').waitFor()
  await page.waitForLoadState('load')
  await page.locator('.mark.ok', { hasText: '●' }).first().waitFor()
  await page.waitForFunction(() => document.querySelector('.mantine-Loader-root') === null)
}

/** A page is loaded in the one that stands first, and changes to the other as the system does in the evening, or in the morning. */
const EVENING = ['light', 'dark'] as const
const MORNING = ['dark', 'light'] as const

/** The language of the pictures, and one that runs from right to left; the drills have the others. */
const LANGUAGES = inDrill<[string, typeof EVENING | typeof MORNING][]>(
  [
    ['de', EVENING],
    ['zh-Hans', MORNING],
  ],
  [
    ['en', MORNING],
    ['ar', EVENING],
  ],
)

it.each(LANGUAGES)(
  'every page is accessible in %s, light and dark, and fits every screen',
  async (language, colorSchemes) => {
    const { page } = visitor
    await page.evaluate((chosen) => localStorage.setItem('ticketrail.language', chosen), language)
    // Pictures of the other languages where words are most in want of room.
    const widths = language === 'en' ? [...WIDTHS, 1_920] : WIDTHS.slice(0, 1)
    const faults: string[] = []
    for (const { name, path } of routes) {
      await page.emulateMedia({ colorScheme: colorSchemes[0], reducedMotion: 'reduce' })
      await open(page, path)
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(language)
      const looks = { widths, colorSchemes }
      faults.push(...(await keepFaces(page, `admin-${name}-${language}`, accessibilityFaults, looks)))
    }
    expect(faults).toEqual([])
  },
)

it.each([
  ['en', 'Sign in'],
  ['es', 'Entrar'],
  ['de', 'Anmelden'],
  ['fr', 'Se connecter'],
  ['zh-Hans', '登录'],
  ['ar', 'تسجيل الدخول'],
])('the page before sign-in is accessible in %s, and fits every screen', async (locale, title) => {
  const stranger = await site.visitor(locale)
  await stranger.page.goto('/admin/')
  await stranger.page.getByRole('heading', { level: 1, name: title }).waitFor()
  expect(await keepFaces(stranger.page, `admin-sign-in-${locale}`, accessibilityFaults)).toEqual([])
  await stranger.context.close()
})

it('the first view is at most 230 kB, packed as the box sends it', async () => {
  const stranger = await site.visitor()
  const received = await countBytes(stranger.page)
  await stranger.context.addCookies(await visitor.context.cookies())
  await stranger.page.goto('/admin/')
  await stranger.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  expect(received.bytes).toBeGreaterThan(50_000)
  expect(received.bytes).toBeLessThanOrEqual(230_000)
  console.log(`first view: ${(received.bytes / 1_000).toFixed(1)} kB`)
  await stranger.context.close()
})
