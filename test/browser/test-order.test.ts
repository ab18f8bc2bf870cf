// The test order in Debian's chromium: sent from the guide, followed to paper and to the kitchen's screen, green when the numbers were read.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VirtualTicket } from '#test/doubles/virtual-printer.ts'
import { accessibilityFaults } from './accessibility.ts'
import { AdminSite } from './admin-site.ts'
import { keepScreen } from './screens.ts'
import type { Visitor } from './visitor.ts'

const site = new AdminSite()
/** Four digits behind the name of its line. */
const numberOf = (paper: VirtualTicket, station: string): string =>
  new RegExp(`Test item for ${station}:\\s+(\\d{4})`).exec(paper.text())?.[1] ?? ''
let technician: Visitor
let tablet: Visitor

beforeAll(async () => {
  await site.start()
  technician = await site.technician()
  for (const [index, name] of ['Grill', 'Bar'].entries())
    await technician.post('printers.add', { name, host: '127.0.0.1', port: site.ports[index], stations: [name] })
  // The step of pairing was gone on from by name.
  await technician.post('guide.put', { done: ['pairing'] })
  const { path } = (await technician.post('displays.add', { name: 'Pass' })) as { path: string }
  tablet = await site.visitor('en', 800)
  await tablet.page.goto(path)
  await tablet.page.getByRole('button', { name: 'Start shift' }).click()
})
afterAll(() => site.stop())

/** What a person reads off paper. */
const numbers = { grill: '', bar: '' }
const line = (name: string) => {
  const { page } = technician
  return page
    .locator('.checklist li')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })
    .first()
}
async function typeAt(printer: string, number: string): Promise<void> {
  await line(printer).getByLabel(`Number on the paper at ${printer}`).fill(number)
  await line(printer).getByRole('button', { name: 'Check number' }).click()
}

describe('a test order', () => {
  it('is printed by every printer, and the page shows the proof', async () => {
    const { page } = technician
    await page.goto('/admin/setup/check')
    const papers = site.printers.map((printer) => printer.nextTicket((ticket) => ticket.text().includes('TEST ORDER')))
    await page.getByRole('button', { name: 'Send a test order' }).click()
    const [grill, bar] = await Promise.all(papers)
    if (!grill || !bar) throw new Error('no paper')
    for (const paper of [grill, bar]) expect(paper.text()).toMatch(/TEST ORDER[\s\S]*DO NOT MAKE/)
    numbers.grill = numberOf(grill, 'Grill')
    numbers.bar = numberOf(bar, 'Bar')
    await line('Grill').getByText('Printed: read the number').waitFor()
    await page.getByText('How it looks on paper').click()
    await page.getByRole('img', { name: /TEST ORDER/ }).waitFor()
  })

  it('is marked as a test on the screen, and is in no count', async () => {
    const card = tablet.page.locator('[data-order]')
    await card.getByText('TEST ORDER: DO NOT MAKE').waitFor()
    expect(await card.getByText('Test item').count()).toBe(3)
    await tablet.page.keyboard.press('a')
    await tablet.page.getByRole('region', { name: 'All day' }).getByText('Nothing here').waitFor()
    await tablet.page.getByRole('button', { name: 'Close' }).click()
    await keepScreen(tablet.page, 'kitchen-test-order-800')
    await line('Pass').getByText('It shows the order.').waitFor()
  })

  it('names the right printer when the number of another printer was entered', async () => {
    const { page } = technician
    await typeAt('Grill', numbers.bar)
    await line('Grill')
      .getByText(/paper of .*Bar.* came out here/)
      .waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('is green when every printer was confirmed by its number, also after a reload', async () => {
    const { page } = technician
    expect(await page.getByText(/Everything is green/).count()).toBe(0)
    await typeAt('Grill', numbers.grill)
    await page.reload()
    await typeAt('Bar', numbers.bar)
    await page.getByText(/Everything is green/).waitFor()
    await page.getByRole('link', { name: 'Check: done' }).waitFor()
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
    // What the numbers have proved stays so: now the printers' own word is enough.
    await page.getByText(/Everything is green/).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await keepScreen(page, 'admin-test-order-page')
  })
})
