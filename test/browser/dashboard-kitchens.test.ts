// The page of kitchens: a box joins by its code, a printer by its address until its test ticket is on paper; how a silent box looks.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { DashboardBox } from './dashboard-box.ts'
import { DashboardSite, type Who } from './dashboard-site.ts'
import { keepFaces } from './screens.ts'
import type { Visitor } from './visitor.ts'

const site = new DashboardSite()
let box: DashboardBox
beforeAll(() => site.start())
afterAll(() => site.stop())
beforeEach(() => {
  box = new DashboardBox()
})
afterEach(() => box.stop())

async function kitchens(who: Who = 'owner', options: { locale?: string; width?: number } = {}): Promise<Visitor> {
  const visitor = await site.visitor(who, options)
  await visitor.page.goto('/dashboard/kitchens?environment=sandbox&merchant=M-TEST-001')
  await visitor.page.locator('.fleet').waitFor()
  return visitor
}

/** A box joins by the code that the page shows. */
async function paired({ page }: Visitor, name: string): Promise<void> {
  await box.start(site.url)
  await page.getByLabel('Name of the box').fill(name)
  await page.getByRole('button', { name: 'Make a code' }).click()
  const code = await page.locator('.claim-code').textContent()
  const { code: exit, err } = await box.line('pair', code ?? '')
  expect([exit, err]).toEqual([0, ''])
  await page.getByText(`${name} is paired.`).waitFor()
}

const row = ({ page }: Visitor, name: string) =>
  page.locator('.fleet > li', { has: page.getByRole('heading', { name }) })

/** A refusal is one that the page says in words. */
const broken = ({ complaints }: Visitor) => complaints.filter((one) => !one.startsWith('Failed to load resource'))

// First, while the sandbox simulates the kitchen: it ends with the first box.
describe('the list', () => {
  const EVIL = '<img src=x onerror=alert(1)>"\'&lt;'

  it('shows names as text, in three languages, on a phone and a desk', async () => {
    const visitor = await kitchens()
    const { page } = visitor
    const of = { merchantId: 'M-TEST-001' }
    const [place] = await site.ask(visitor, 'locations.list', of)
    if (!place) throw new Error('the sandbox has no place')
    await site.ask(visitor, 'locations.rename', { ...of, locationId: place.locationId, name: EVIL })
    await page.locator('.fleet').getByText(EVIL).waitFor()
    await site.ask(visitor, 'locations.rename', { ...of, locationId: place.locationId, name: place.name })
    for (const locale of ['es', 'zh-CN']) {
      const other = await kitchens('owner', { locale })
      expect(await keepFaces(other.page, `dashboard-kitchens-${locale}`, accessibilityFaults)).toEqual([])
      expect(broken(other)).toEqual([])
    }
    expect(broken(visitor)).toEqual([])
  })

  it('prints a test ticket by the keyboard alone, and offers staff nothing that they may not do', async () => {
    const visitor = await kitchens()
    await visitor.pressOn(/Test ticket on Bar/)
    await visitor.page.getByText(/TEST \d{4} was printed on Bar/).waitFor()
    const staff = await kitchens('staff', { width: 390 })
    expect(await staff.page.locator('main').getByRole('button').count()).toBe(0)
    expect(await keepFaces(staff.page, 'dashboard-kitchens-staff', accessibilityFaults)).toEqual([])
  })
})

describe('a box', () => {
  it('joins by the code of the page, takes a printer by its address, and prints a test ticket with the number of the page', async () => {
    const visitor = await kitchens()
    const { page } = visitor
    await page.getByText('No box is paired yet').waitFor()
    expect(await keepFaces(page, 'dashboard-kitchens-empty', accessibilityFaults)).toEqual([])
    await paired(visitor, 'Kitchen Pi')
    const pi = row(visitor, 'Kitchen Pi')
    await pi.getByText('has no printer').waitFor()
    await pi.getByRole('button', { name: 'Add a printer to Kitchen Pi' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name of the printer').fill('Grill')
    await dialog.getByLabel('Address').fill('grill.local')
    await dialog.getByLabel('Stations').fill('grill, fry')
    await dialog.getByRole('button', { name: 'Add a printer' }).click()
    await dialog.getByText('must be an IPv4 address').waitFor()
    await dialog.getByLabel('Address').fill('localhost')
    await dialog.getByText('This is the box itself').waitFor()
    await dialog.getByLabel('Address').fill(box.address)
    await dialog.getByText('This is the box itself').waitFor()
    await dialog.getByRole('button', { name: 'Add a printer' }).click()
    expect(await keepFaces(page, 'dashboard-kitchens-address', accessibilityFaults)).toEqual([])
    // Of this box it is not true: its settings take the printer of the test.
    await dialog.getByRole('checkbox', { name: 'The settings of the box allow it' }).check()
    await dialog.getByRole('button', { name: 'Add a printer' }).click()
    await pi.getByText('ready').waitFor()
    await pi.getByText('for grill and fry').waitFor()
    await pi.getByRole('button', { name: 'Test ticket on Grill' }).click()
    const told = await pi.getByText(/TEST \d{4} was printed on Grill/).textContent()
    const [number = ''] = /TEST \d{4}/.exec(told ?? '') ?? []
    await box.printer.nextTicket((ticket) => ticket.text().includes(number))
    expect(await keepFaces(page, 'dashboard-kitchens', accessibilityFaults)).toEqual([])
    await box.pull()
    await pi.getByText('silent, last heard').waitFor()
    await pi.getByText('Its displays and printers go on alone').waitFor()
    expect(await keepFaces(page, 'dashboard-kitchens-silent', accessibilityFaults)).toEqual([])
    expect(broken(visitor)).toEqual([])
  })
})
