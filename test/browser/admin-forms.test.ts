// Forms of the technician's page: what is wrong stands at its field, goes with the next change of that field, and the first wrong field has the focus.
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { AdminSite, PASSWORD } from './admin-site.ts'
import { keepFaces } from './screens.ts'
import type { Visitor } from './visitor.ts'

const site = new AdminSite()
let visitor: Visitor
beforeAll(async () => {
  await site.start()
  visitor = await site.technician()
  const profileId = 'epson-thermal-203'
  await visitor.post('printers.add', { name: 'Grill', host: '127.0.0.1', port: site.ports[0], profileId, stations: [] })
})
afterAll(() => site.stop())

/** What a screen reader says with the field, beyond its name. */
async function saidAt(field: Locator): Promise<string> {
  return await field.evaluate((it) =>
    (it.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  )
}

const hasFocus = (field: Locator): Promise<boolean> => field.evaluate((it) => it === document.activeElement)

it('a missing value is reported at its field, in the language of the page, before anything is sent', async () => {
  const { page } = visitor
  await page.goto('/admin/printers/add')
  const name = page.getByLabel(/^Name/)
  const address = page.getByLabel(/^Address/)
  await address.fill('127.0.0.1')
  await page.getByRole('button', { name: 'Add printer' }).click()
  await page.getByText('Must be filled in').waitFor()
  expect(await saidAt(name)).toContain('Must be filled in')
  expect(await hasFocus(name)).toBe(true)
  expect(await name.getAttribute('aria-invalid')).toBe('true')
  expect(await address.getAttribute('aria-invalid')).toBe(null)
})

it('a refusal of the box is shown at the field that it names, once, and disappears when that field changes', async () => {
  const { page } = visitor
  await page.goto('/admin/printers/add')
  const name = page.getByLabel(/^Name/)
  const address = page.getByLabel(/^Address/)
  await name.fill('Grill')
  await address.fill('127.0.0.1')
  await page.getByLabel(/^Port/).fill(String(site.ports[1]))
  await page.getByRole('button', { name: 'Add printer' }).click()
  const words = page.getByText('Another printer has this name')
  await words.waitFor()
  expect(await words.count()).toBe(1)
  expect(await saidAt(name)).toContain('Another printer has this name')
  expect(await hasFocus(name)).toBe(true)
  await address.fill('127.0.0.2')
  expect(await words.count()).toBe(1)
  await name.fill('Grill 2')
  await words.waitFor({ state: 'detached' })
  expect(visitor.complaints.filter((one) => !one.includes('409'))).toEqual([])
})

it('the own password is refused at its field, and a rule that the box alone knows at its own', async () => {
  const { page } = visitor
  await page.goto('/admin/users')
  await page.getByLabel(/^Name/).fill('Nina')
  await page.getByLabel(/^Password/).fill('password')
  const own = page.getByLabel(/own password/i)
  await own.fill('not my password')
  await page.getByRole('button', { name: 'Add person' }).click()
  await page.locator('[aria-invalid=true]').first().waitFor()
  expect(await saidAt(own)).toContain('That is not your own password.')
  expect(await hasFocus(own)).toBe(true)
  expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0)
})

it('a station’s screen without stations is reported at that field alone, which has the focus', async () => {
  const { page } = visitor
  await visitor.post('displays.add', { name: 'Wall', stations: [] })
  await page.goto('/admin/displays')
  await page.getByRole('button', { name: /^Change.*Wall/ }).click()
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Save' }) })
  await form.getByRole('radio', { name: /^Station/ }).check()
  await form.getByRole('button', { name: 'Save' }).click()
  const words = form.getByText('Must be filled in')
  await words.first().waitFor()
  expect(await words.count()).toBe(1)
  const stations = form.locator('[name=stations]')
  expect(await saidAt(stations)).toContain('Must be filled in')
  expect(await hasFocus(stations)).toBe(true)
})

it('a role and a password that were chosen and cancelled are cleared when the dialog opens again', async () => {
  const { page } = visitor
  await visitor.post('users.add', { name: 'Otto', role: 'manager', password: PASSWORD, ownPassword: PASSWORD })
  await page.goto('/admin/users')
  const dialog = page.getByRole('dialog')
  for (const [button, name, other] of [
    [/role.*Otto/i, 'role', 'technician'],
    [/password.*Otto/i, 'password', 'cancelled-password'],
  ] as const) {
    const field = dialog.locator(`[name=${name}]`)
    await page.getByRole('button', { name: button }).click()
    const before = await field.inputValue()
    if (name === 'role') await field.selectOption(other)
    else await field.fill(other)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: button }).click()
    expect(await field.inputValue()).toBe(before)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
})

it('shows every model of every family: in the choice, of the chosen one under it, and in a list to choose from', async () => {
  const { page } = visitor
  await page.goto('/admin/printers/add')
  const family = page.getByLabel(/^Family/)
  const epson = page.getByText('TM-T82III, TM-m30, TM-m30II, TM-m30III').and(page.locator(':not(option)'))
  await page.getByText('All families and their models').click()
  await epson.waitFor()
  expect(await family.locator('option', { hasText: 'CT-E651' }).getAttribute('value')).toBe('citizen-ct-s')
  await page.getByRole('button', { name: 'epson-thermal-203' }).click()
  expect(await family.inputValue()).toBe('epson-thermal-203')
  expect(await epson.count()).toBe(2)
  const faults = await keepFaces(page, 'admin-families', accessibilityFaults, { widths: [390, 1_280] })
  await family.selectOption('generic-80-chinese')
  const chinese = page.getByText(/^Generic, 48 .*Simplified Chinese in characters of its own$/)
  expect(await chinese.count()).toBe(2)
  expect(faults).toEqual([])
})
