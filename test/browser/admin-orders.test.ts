// Orders by their number and the manager's report, in a browser: found on the box, shown as one card, counted, saved as CSV, printed.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GatewayCore } from '#test/doubles/gateway-core.ts'
import { accessibilityFaults } from './accessibility.ts'
import { AdminSite } from './admin-site.ts'
import { keepFaces } from './screens.ts'
import type { Visitor } from './visitor.ts'

const WIDTHS = [390, 800, 1_280, 1_920]
const MINUTE = 60_000
const ORDERS = 130
const DISHES = ['Cheeseburger', 'Fries', 'Soup of the day', '宫保鸡丁', 'Jalapeño poppers', 'كباب', 'Lemonade', 'Steak']
const TYPES = ['dine-in', 'delivery', 'takeaway']
/** Turns what stands behind it around. */
const TURNED = 'Ana \u202eCanary'

const site = new AdminSite()
let visitor: Visitor

function line(name: string, station: string) {
  return { umsId: name, name, qty: 1, modifiers: [{ umsId: 'm', name: 'onion', verb: 'remove' }], station, note: 'hot' }
}

/** Some of the last hours; every seventh took too long. */
function fill(core: GatewayCore): void {
  const { sqlite } = core.db
  const nowMs = core.clock.now()
  core.db.transaction(() => {
    for (let n = 1; n <= ORDERS; n++) {
      const orderId = `ord_${n}`
      const queuedAtMs = nowMs - (ORDERS - n) * 3 * MINUTE
      core.accept(`pj_${n}`, {
        order: {
          ...{ serviceOrderId: orderId, orderId: `WEB-${1_000 + n}`, posOrderId: `20261121-${n}`, queuedAtMs },
          ...{ orderType: TYPES[n % 3], ...(n % 3 === 0 ? { table: `T${n % 12}` } : {}), customer: { name: TURNED } },
          items: [line(DISHES[n % 8] ?? '', 'grill'), line(DISHES[(n + 3) % 8] ?? '', 'fry'), line('Bread', 'cold')],
        },
      })
      sqlite.prepare('update jobs set received_at_ms = ? where job_id = ?').run(queuedAtMs, `pj_${n}`)
      if (n > ORDERS - 5) continue
      const readyMs = queuedAtMs + (n % 7 === 0 ? 14 : 3 + (n % 5)) * MINUTE
      sqlite.prepare('insert into kitchen_orders values (?, ?, null, null, ?)').run(orderId, readyMs, readyMs)
      for (const station of ['grill', 'fry', 'cold'])
        sqlite.prepare('insert into kitchen_stations values (?, ?, ?, ?)').run(orderId, station, queuedAtMs, readyMs)
    }
  })
}

beforeAll(async () => {
  await site.start({}, [], (core) => fill(core))
  visitor = await site.technician()
  await visitor.post('settings.put', { name: 'Casa Nina', timeZone: 'UTC' })
  const printer = { host: '127.0.0.1', port: site.ports[0], profileId: 'epson-thermal-203', stations: ['grill', 'fry'] }
  await visitor.post('printers.add', { name: 'Grill', ...printer })
  await site.printers[0].waitForTickets(ORDERS)
})
afterAll(() => site.stop())

async function drawn(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await page.waitForFunction(() => document.querySelector('.mantine-Loader-root') === null)
}

describe('an order', () => {
  it('is found by the number on paper, far behind the newest', async () => {
    const { page } = visitor
    await page.goto('/admin/orders')
    await drawn(page, 'Orders')
    await expect.poll(() => page.locator('.rows.orders > li').count()).toBe(50)
    await page.getByLabel(/^Search/).fill('#4')
    await expect.poll(() => page.locator('.rows.orders > li').count()).toBe(1)
    await page.getByText(/^Looked back to/).waitFor()
    expect(await page.locator('.rows.orders > li').textContent()).toMatch(/#4.*WEB-1004/)
  })

  it('is found by guest and dish, and those that do not fit are not shown', async () => {
    const { page } = visitor
    await page.getByLabel(/^Search/).fill('ana poppers')
    await expect
      .poll(async () =>
        (await page.locator('.order-items').allTextContents()).every((text) => text.includes('poppers')),
      )
      .toBe(true)
    await page.getByLabel(/^Search/).fill('nobody ordered this')
    await page.getByText('No order matches.').waitFor()
  })

  it('turns to older pages and back', async () => {
    const { page } = visitor
    await page.getByLabel(/^Search/).fill('')
    await page.getByRole('link', { name: `#${ORDERS}`, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByRole('link', { name: `#${ORDERS - 50}`, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Newer' }).click()
    await page.getByRole('link', { name: `#${ORDERS}`, exact: true }).waitFor()
  })

  it('is one card: lines, tickets with their paper and what can be done, one timeline', async () => {
    const { page } = visitor
    await page.getByLabel(/^Search/).fill('#64')
    await page.getByRole('link', { name: '#64', exact: true }).click()
    await drawn(page, '#64')
    expect(await page.title()).toBe('#64 - Ticketrail')
    await page.locator('.timeline').getByText('Confirmed on paper').waitFor()
    await page.locator('.timeline').getByText('Ready', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show and act Grill' }).click()
    const picture = page.locator('.drawing img')
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(300)
    const copy = site.printers[0].nextTicket((ticket) => ticket.text().includes('REPRINT'))
    await page.getByRole('button', { name: 'Print again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Print again' }).click()
    expect((await copy).text()).toContain('64')
    await page.locator('.rows').getByText('Copy').waitFor()
    await drawn(page, '#64')
  })

  it('is reached from each of its tickets, whose titles are its number', async () => {
    const { page } = visitor
    await page.goto('/admin/jobs')
    await page
      .locator('.rows')
      .getByRole('link', { name: `#${ORDERS - 1}`, exact: true })
      .first()
      .click()
    await drawn(page, `#${ORDERS - 1}`)
    await page.getByRole('link', { name: 'The whole order' }).click()
    await page.locator('.order-card').waitFor()
  })

  it('is reached from the lines of the log that are about it', async () => {
    const { page } = visitor
    await page.goto('/admin/logs')
    await page.locator('.rows.log').getByRole('link', { name: 'Order ord_64', exact: true }).first().click()
    await drawn(page, '#64')
  })

  it('is accessible and fits every screen, in its list and on its card', async () => {
    const { page } = visitor
    await page.goto('/admin/orders')
    await drawn(page, 'Orders')
    await page.locator('.rows.orders').waitFor()
    const faults = await keepFaces(page, 'orders', accessibilityFaults, { widths: WIDTHS, fullPage: false })
    await page.goto('/admin/orders/64')
    await drawn(page, '#64')
    await page.getByRole('button', { name: 'Show and act Grill' }).first().click()
    await page.locator('.drawing img').waitFor()
    faults.push(...(await keepFaces(page, 'order', accessibilityFaults, { widths: WIDTHS })))
    expect(faults).toEqual([])
  })
})

describe('the report', () => {
  it('shows a manager how long orders took and how many were late, by hour and by station', async () => {
    const { page } = visitor
    await page.goto('/admin/report')
    await drawn(page, 'Report')
    const figures = page.locator('.report-figures')
    await expect.poll(() => figures.textContent()).toMatch(new RegExp(`Orders${ORDERS}`))
    await page.getByLabel(/^By/).selectOption('station')
    const rows = page.locator('.report-table tbody tr')
    await expect.poll(() => rows.count()).toBe(3)
    expect(await rows.first().textContent()).toMatch(/\d+:\d\d/)
  })

  it('is saved as CSV', async () => {
    const { page } = visitor
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^report-by-station-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/)
    const text = readFileSync(await file.path(), 'utf8')
    expect(text.split('\r\n')[0]).toContain('station,orders,timed,half_s')
    expect(text).toContain('grill,')
  })

  it('shows what each printer printed', async () => {
    const { page } = visitor
    await page.getByLabel(/^By/).selectOption('printer')
    await page.getByRole('row').filter({ hasText: 'Grill' }).waitFor()
  })

  it('shows that earlier days have no data', async () => {
    const { page } = visitor
    await page.getByLabel(/^Period/).selectOption('own')
    await page.getByLabel(/^From/).fill('2025-01-01')
    await page.getByLabel(/^To/).fill('2025-01-02')
    await page.getByText('There are no records for these days.').waitFor()
    await page.getByLabel(/^From/).fill('2025-01-03')
    await page.getByText('That did not work').waitFor()
  })

  it('is accessible, fits every screen, and prints without menus', async () => {
    const { page } = visitor
    await page.goto('/admin/report')
    await drawn(page, 'Report')
    await page.locator('.report-table').waitFor()
    const faults = await keepFaces(page, 'report', accessibilityFaults, { widths: WIDTHS })
    expect(faults).toEqual([])
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.side').isVisible()).toBe(false)
    expect(await page.locator('.report-table').isVisible()).toBe(true)
    await page.emulateMedia({ media: 'screen' })
  })

  it('leaves nothing for the browser to complain of', () => {
    expect(visitor.complaints.filter((words) => !/422/.test(words))).toEqual([])
  })
})
