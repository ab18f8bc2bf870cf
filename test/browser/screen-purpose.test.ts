// What a new screen is for, asked in Debian's chromium: the guide proposes the stations that no screen shows, and a station is picked, not typed.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { AdminSite } from './admin-site.ts'
import { keepFaces } from './screens.ts'
import type { Visitor } from './visitor.ts'

const site = new AdminSite()
let visitor: Visitor

beforeAll(async () => {
  await site.start()
  visitor = await site.technician()
  for (const [index, stations] of [['Grill', 'Fry'], ['Bar']].entries())
    await visitor.post('printers.add', {
      ...{ name: stations[0], host: '127.0.0.1', port: site.ports[index], stations },
    })
  await visitor.post('displays.add', { name: 'Bar screen', stations: ['bar'] })
})
afterAll(() => site.stop())

const screens = async () =>
  ((await visitor.post('displays.list', {})) as { name: string; kind: string; stations: string[] }[]).map(
    ({ name, kind, stations }) => [name, kind, ...stations],
  )
const radio = (name: RegExp) => visitor.page.getByRole('radio', { name })
const station = (name: string) => visitor.page.getByRole('checkbox', { name: new RegExp(`^${name}`) })
const judge = async (name: string) =>
  expect(await keepFaces(visitor.page, name, accessibilityFaults, { widths: [390, 800, 1_280, 1_920] })).toEqual([])

it('the guide proposes a screen for the stations that have none, by keyboard', async () => {
  const { page } = visitor
  await page.goto('/admin/setup/displays')
  await radio(/^Station/)
    .and(page.locator(':checked'))
    .waitFor()
  expect(
    await page.locator('fieldset input[type=checkbox]').evaluateAll((all) => all.map((one) => one.matches(':checked'))),
  ).toEqual([true, true, false])
  await judge('guide-screen-purpose')
  await visitor.typeInto(/^Name/, 'Line')
  await visitor.tabTo(/^Fry/)
  await page.keyboard.press('Space')
  await visitor.pressOn(/^Add screen/)
  await page.getByRole('img', { name: 'Address of the screen as a QR code' }).waitFor()
  expect(await screens()).toEqual([
    ['Bar screen', 'kitchen', 'bar'],
    ['Line', 'kitchen', 'Grill'],
  ])
})

it('the page of the screens suggests what is left, and accepts a new station', async () => {
  const { page } = visitor
  await page.goto('/admin/displays')
  await station('Fry').and(page.locator(':checked')).waitFor()
  expect(await station('Grill').isChecked()).toBe(false)
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Add screen' }) })
  await form.getByLabel(/^Name/).fill('Fryer')
  await form.getByLabel('Another station…').fill('Wok')
  await form.getByRole('button', { name: 'Add screen' }).click()
  await page.getByRole('heading', { name: 'Fryer' }).waitFor()
  expect((await screens()).at(-1)).toEqual(['Fryer', 'kitchen', 'Fry', 'Wok'])
})

it('an expo is proposed when every station has its screen', async () => {
  await radio(/^Expo/).and(visitor.page.locator(':checked')).waitFor()
  expect(await visitor.page.getByLabel('Another station…').count()).toBe(0)
})
