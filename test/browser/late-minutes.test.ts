// When an order is late, in Debian's chromium: set once for the box, told by the report, followed by a screen that has no minutes of its own.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { AdminSite } from './admin-site.ts'
import { keepFaces } from './screens.ts'
import type { Visitor } from './visitor.ts'

const site = new AdminSite()
let visitor: Visitor
let tablet: Visitor

beforeAll(async () => {
  await site.start({}, ['pj_1'])
  visitor = await site.technician()
  const { path } = (await visitor.post('displays.add', { name: 'Pass' })) as { path: string }
  tablet = await site.visitor('en', 1_280)
  await tablet.page.goto(path)
  await tablet.page.getByRole('button', { name: 'Start shift' }).click()
})
afterAll(() => site.stop())

const judge = async (name: string) =>
  expect(await keepFaces(visitor.page, name, accessibilityFaults, { widths: [390, 800, 1_280, 1_920] })).toEqual([])

it('is set by the technician for each type of order, and half a row is filled up', async () => {
  const { page } = visitor
  await page.goto('/admin/settings#late')
  const minute = (type: string, label: string) =>
    page.getByRole('group', { name: type }).getByLabel(label, { exact: true })
  await minute('Other orders', 'Late after, minutes').fill('12')
  await minute('Catering', 'Soon late after, minutes').fill('40')
  await minute('Catering', 'Late after, minutes').fill('60')
  await judge('settings-late')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^After 12 minutes/).waitFor()
  expect(await visitor.post('settings.get', {})).toMatchObject({
    thresholds: { usual: { soonMin: 5, lateMin: 12 }, catering: { soonMin: 40, lateMin: 60 } },
  })
})

it('is used by the report', async () => {
  const { page } = visitor
  await page.goto('/admin/report')
  await page.getByText(/Without a promised time: 12 minutes or more \(Delivery: 15, Catering: 60\)/).waitFor()
})

it('is the default of a screen that has no minutes of its own', async () => {
  const { page } = tablet
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByText('Times', { exact: true }).click()
  const usual = page.getByRole('group', { name: 'Other orders' }).getByLabel('Late after, minutes')
  expect([await usual.getAttribute('placeholder'), await usual.inputValue()]).toEqual(['12', ''])
  await usual.fill('20')
  await usual.blur()
  await page.getByRole('group', { name: 'Dine-in' }).locator('[placeholder="20"]').waitFor()
})
