// The test order in Debian's chromium: sent from the guide, followed to paper and to the kitchen's screen, green when the cook has tapped Ready.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { AdminSite } from './admin-site.ts'
import { keepScreen } from './screens.ts'
import type { Visitor } from './visitor.ts'

const site = new AdminSite()
let technician: Visitor
let tablet: Visitor

beforeAll(async () => {
  await site.start()
  technician = await site.technician()
  for (const [index, name] of ['Grill', 'Bar'].entries())
    await technician.post('printers.add', { name, host: '127.0.0.1', port: site.ports[index], stations: [name] })
  const { path } = (await technician.post('displays.add', { name: 'Pass' })) as { path: string }
  tablet = await site.visitor('en', 800)
  await tablet.page.goto(path)
  await tablet.page.getByRole('button', { name: 'Start shift' }).click()
})
afterAll(() => site.stop())

describe('a test order', () => {
  it('comes out of every printer, and the page says by what proof', async () => {
    const { page } = technician
    await page.goto('/admin/setup/check')
    const papers = site.printers.map((printer) => printer.nextTicket((ticket) => ticket.text().includes('TEST ORDER')))
    await page.getByRole('button', { name: 'Send a test order' }).click()
    for (const paper of await Promise.all(papers)) expect(paper.text()).toMatch(/TEST ORDER[\s\S]*DO NOT MAKE/)
    const order = page.locator('section.part').filter({ has: page.getByRole('heading', { name: 'Test order' }) })
    await expect.poll(() => order.locator('dl').textContent()).toMatch(/Grill● Printed.*after.*Bar● Printed/)
    await order.getByRole('img', { name: /TEST ORDER/ }).waitFor()
  })

  it('stands on the screen as what it is, and no count says to make it', async () => {
    const card = tablet.page.locator('[data-order]')
    await card.getByText('TEST ORDER: DO NOT MAKE').waitFor()
    await tablet.page.getByRole('button', { name: 'All day' }).click()
    expect(await tablet.page.getByText('Test item').count()).toBe(3)
    await tablet.page.getByRole('button', { name: 'All day' }).click()
    await keepScreen(tablet.page, 'kitchen-test-order-800')
    await technician.page.getByText('Shown on the screen').waitFor()
    await technician.page.getByText('Tap Ready on the order').waitFor()
  })

  it('is green when it is tapped, for everybody to see', async () => {
    const { page } = technician
    expect(await page.getByText(/Everything is green/).count()).toBe(0)
    await tablet.page.getByRole('button', { name: 'Ready', exact: true }).click()
    await tablet.page.getByRole('button', { name: 'Picked up' }).waitFor()
    await page.getByText(/Everything is green/).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    for (const width of [390, 1_280]) {
      await page.setViewportSize({ width, height: 900 })
      await keepScreen(page, `admin-test-order-${width}`)
    }
    expect(technician.complaints).toEqual([])
  })

  it('can be sent on any later day, from the overview', async () => {
    const { page } = technician
    await page.goto('/admin/')
    await page.getByRole('link', { name: 'Send a test order' }).click()
    await page.getByRole('heading', { level: 1, name: 'Test order' }).waitFor()
    const papers = site.printers.map((printer) => printer.nextTicket((ticket) => ticket.text().includes('TEST ORDER')))
    await page.getByRole('button', { name: 'Send a test order' }).click()
    await Promise.all(papers)
    await page.getByRole('img', { name: /TEST ORDER/ }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await keepScreen(page, 'admin-test-order-page')
  })
})
