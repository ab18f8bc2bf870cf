// Stations and rules in Debian's chromium: a station gets its place by keyboard, a rule is made in words and tried on a real order before it counts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { AdminSite } from './admin-site.ts'
import { keepFaces } from './screens.ts'
import type { Visitor } from './visitor.ts'

const site = new AdminSite()
let visitor: Visitor

beforeAll(async () => {
  await site.start({}, ['pj_1'])
  visitor = await site.technician()
  for (const [index, name] of ['Pass / upstairs', 'Grill'].entries())
    await visitor.post('printers.add', { name, host: '127.0.0.1', port: site.ports[index], stations: [] })
  await visitor.post('displays.add', { name: 'Line', stations: ['gril'] })
})
afterAll(() => site.stop())

const cell = (station: string, printer: string) =>
  visitor.page.getByRole('checkbox', { name: `${station} prints at ${printer}` })
const judge = async (name: string) =>
  expect(await keepFaces(visitor.page, name, accessibilityFaults, { widths: [390, 800, 1_280, 1_920] })).toEqual([])

describe('the stations', () => {
  it('show in red what has no place, and what never prints', async () => {
    const { page } = visitor
    await page.goto('/admin/routing')
    const grill = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: /^grill/ }) })
    await grill.getByText(/Has no place: it comes out at Pass \/ upstairs/).waitFor()
    await page.getByRole('columnheader', { name: /Grill .*gets nothing/ }).waitFor()
    await judge('stations-without-place')
  })

  it('get their printers by keyboard alone, and the red is gone', async () => {
    const { page } = visitor
    await visitor.tabTo(/^grill prints at Grill/)
    await page.keyboard.press('Space')
    await cell('grill', 'Grill').and(page.locator(':checked')).waitFor()
    await page.getByText(/Has no place/).waitFor({ state: 'detached' })
    await visitor.tabTo(/^grill prints at Grill|^grill is shown on Line/)
    // A second printer prints it too.
    await cell('grill', 'Pass / upstairs').click()
    await cell('grill', 'Pass / upstairs').and(page.locator(':checked')).waitFor()
    await page.getByText('Lines of station').first().waitFor()
    expect(await page.locator('.rules .sentence').textContent()).toMatch(/Lines of station .grill. also go to .Pass/)
    await cell('grill', 'Pass / upstairs').click()
    await page.locator('.rules .sentence').waitFor({ state: 'detached' })
  })

  it('name a slip of the keyboard, and mend it by a click', async () => {
    const { page } = visitor
    await page.getByText('Is grill meant?').waitFor()
    await page.getByRole('button', { name: 'It is grill: rename' }).click()
    await page.getByText('Is grill meant?').waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'grill is shown on Line', checked: true }).waitFor()
    await page.getByText('Every station has its place.').waitFor()
  })

  it('are cards on a phone, with the same ticks', async () => {
    const { page } = visitor
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('heading', { level: 3, name: 'grill' }).waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
    await page.getByRole('checkbox', { name: 'grill prints at Grill', checked: true }).waitFor()
    await page.setViewportSize({ width: 1_280, height: 900 })
  })

  it('never make a screen show everything by removing its last station: that is refused with a message', async () => {
    const { page } = visitor
    await page.getByRole('checkbox', { name: 'grill is shown on Line' }).click()
    await page.getByRole('alert').getByText('without one it would show everything').waitFor()
    await page.getByRole('checkbox', { name: 'grill is shown on Line', checked: true }).waitFor()
  })
})

describe('a rule', () => {
  it('is composed as a sentence, and tried on an order before it is saved', async () => {
    const { page } = visitor
    await page.reload()
    const order = page.getByLabel('Order', { exact: true })
    await order.locator('option', { hasText: '#O-pj_1' }).waitFor({ state: 'attached' })
    await order.selectOption({ index: 1 })
    const trial = page
      .locator('section.part')
      .filter({ has: page.getByRole('heading', { name: 'Try it on an order' }) })
    await trial.getByRole('heading', { level: 3, name: 'Grill' }).waitFor()
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByLabel('Which lines', { exact: true }).selectOption({ label: 'every line' })
    await page.getByLabel(/^From/).fill('kiosk')
    await page.getByLabel('Go', { exact: true }).selectOption({ index: 1 })
    await page.getByRole('checkbox', { name: 'Pass / upstairs', exact: true }).check()
    await page.getByText(/^All lines in orders from .kiosk. go only to .Pass/).waitFor()
    await trial.getByText('With the rule as it is in the form.').waitFor()
    await trial.getByRole('heading', { level: 3, name: 'Pass / upstairs' }).waitFor()
    await trial.getByRole('img', { name: /Pass \/ upstairs/ }).waitFor()
    // Nothing counts yet.
    expect(((await visitor.post('routing.get', {})) as { rules: unknown[] }).rules).toEqual([])
    await judge('rule-in-words')
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByRole('button', { name: 'Add rule' }).waitFor()
    expect(await visitor.post('routing.get', {})).toMatchObject({
      rules: [{ name: 'All lines in orders from kiosk go only to Pass / upstairs.', stop: true }],
    })
  })

  it('changes its place by a button', async () => {
    const { page } = visitor
    const { rules } = (await visitor.post('routing.get', {})) as { rules: object[] }
    await visitor.post('routing.put', { rules: [...rules, { ...rules[0], name: 'Second' }] })
    await page.reload()
    await page.getByText('Never applies: a rule above it').waitFor()
    await page.getByRole('button', { name: 'Up: Second' }).click()
    await expect.poll(() => page.locator('.rules li').first().textContent()).toMatch(/Second/)
    await page.getByRole('button', { name: 'Remove: Second' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => page.locator('.rules li').count()).toBe(1)
  })

  it('is shown as text only in a drawer', async () => {
    const { page } = visitor
    expect(await page.getByRole('textbox', { name: /JSON/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'As text' }).click()
    const text = page.getByLabel(/^Rules as JSON/)
    expect(await text.inputValue()).toContain('"source": "kiosk"')
    await text.fill('[')
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.getByText('This is not JSON: check commas and quotes.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await text.fill('[]')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await page.getByText('There are no rules').waitFor()
  })

  it('gave the browser nothing to complain of but the refusal', () => {
    expect(visitor.complaints.filter((words) => !/409/.test(words))).toEqual([])
  })
})
