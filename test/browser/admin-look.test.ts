// The look of the technician's page: settings by task, each behind one line of how it stands; wide screens are used; a mark of its own; nothing is fetched from elsewhere.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AdminSite } from './admin-site.ts'
import type { Visitor } from './visitor.ts'

const site = new AdminSite()
const asked: string[] = []
let visitor: Visitor
let printerPath: string

beforeAll(async () => {
  await site.start({}, ['pj_1'])
  visitor = await site.technician()
  visitor.page.on('request', (request) => asked.push(request.url()))
  await visitor.post('settings.put', { name: 'Casa Nina', timeZone: 'Europe/Madrid' })
  const device = { host: '127.0.0.1', port: site.ports[0], profileId: 'epson-thermal-203', stations: ['grill'] }
  const { printerId } = (await visitor.post('printers.add', { ...device, name: 'Grill' })) as { printerId: string }
  printerPath = `printers/${printerId}`
})
afterAll(() => site.stop())

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`/admin/${path}`)
  await page.locator('h1').waitFor()
  await page.getByText('● Live').waitFor()
  await page.waitForFunction(() => document.querySelector('.mantine-Loader-root') === null)
}

it('shows in one line the state of each part of the settings, and opens it by keyboard', async () => {
  const { page } = visitor
  await open(page, 'settings')
  const states = [
    'Casa Nina · Europe/Madrid · English',
    'Not paired',
    'Switched off',
    '1 person: Tea',
    'Signed in as Tea',
  ]
  for (const words of states) await page.locator('.fold .state', { hasText: words }).waitFor()
  expect(await page.getByLabel(/^Current password/).count()).toBe(0)
  await visitor.pressOn(/^Your password/)
  await page.getByLabel(/^Current password/).waitFor()
  await visitor.pressOn(/^Log/)
  await page.getByRole('heading', { level: 1, name: 'Log' }).waitFor()
})

it('opens the part that an address names', async () => {
  const { page } = visitor
  await open(page, 'settings#name')
  await page.getByLabel(/^Time zone/).waitFor()
})

/** How far to the right anything stands that can be read or filled in, as a part of the window. */
async function reach(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const range = document.createRange()
    const rights: number[] = []
    const main = document.querySelector('main') as HTMLElement
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement?.closest('.page-head, .hidden')) continue
      range.selectNodeContents(node)
      rights.push(range.getBoundingClientRect().right)
    }
    for (const field of main.querySelectorAll('input, select, svg')) rights.push(field.getBoundingClientRect().right)
    return Math.max(...rights) / window.innerWidth
  })
}

it('uses a wide screen to its right third', async () => {
  const { page } = visitor
  await page.setViewportSize({ width: 1_920, height: 1_080 })
  for (const path of ['', printerPath, 'settings', 'users', 'care']) {
    await open(page, path)
    expect(await reach(page), path).toBeGreaterThan(0.8)
  }
  await page.setViewportSize({ width: 1_280, height: 900 })
})

it('has a mark: in its head, and as an icon of the window that the box itself serves', async () => {
  const { page } = visitor
  await open(page, '')
  await page.waitForFunction(() => (document.querySelector('.top img') as HTMLImageElement).naturalWidth > 0)
  const icon = await page.locator('link[rel=icon]').getAttribute('href')
  const answer = await page.request.get(`${site.url}${icon}`.replace(new URL(site.url).hostname, '127.0.0.1'))
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'image/svg+xml'])
})

it('sent requests only to the box', () => {
  expect(asked.length).toBeGreaterThan(20)
  expect(asked.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:'))).toEqual([])
  expect(visitor.complaints).toEqual([])
})
