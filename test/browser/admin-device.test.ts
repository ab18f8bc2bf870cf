// Another device where a printer was, on the technician's page: both side by side, accessible, and one tap until what waited prints there.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { AdminSite } from './admin-site.ts'
import type { Visitor } from './visitor.ts'

const site = new AdminSite()
const [device] = site.printers
let visitor: Visitor
beforeAll(async () => {
  await site.start()
  visitor = await site.technician()
  const host = { host: '127.0.0.1', port: site.ports[0] }
  await visitor.post('printers.add', { name: 'Grill', ...host, profileId: 'epson-thermal-203' })
  await visitor.post('printers.test', { printer: 'grill' })
  await device.waitForTickets(1)
})
afterAll(() => site.stop())

it('is shown beside the printer that was set up, and replaces it by one tap', async () => {
  const { page } = visitor
  await device.refuse()
  Object.assign(device.model, { gsParenH: false, maker: 'Nobody', name: 'POS-80', serial: 'N0B0DY' })
  await device.listenAgain()
  await visitor.post('printers.test', { printer: 'grill' })
  await page.goto('/admin/repairs')
  await page.getByText('Another printer seems to stand where Grill was').waitFor()
  await page.goto('/admin/printers/grill')
  await page.getByText('another printer seems to stand at its address').waitFor()
  const row = page.getByRole('row', { name: 'Serial number' })
  await row.waitFor()
  expect(await row.getByRole('cell').allTextContents()).toEqual(['X2AB012345', 'N0B0DY'])
  expect(await accessibilityFaults(page)).toEqual([])
  expect(device.tickets).toHaveLength(1)
  await page.getByRole('button', { name: 'Accept the device that was found' }).click()
  await device.waitForTickets(2)
  await page.getByText('L2: The printer answers a query').waitFor()
  await row.waitFor({ state: 'detached' })
  // The button is gone: who uses the keyboard goes on from the heading.
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
})
