// The technician's page on the box itself: what it measured, screens that are changed, the picture on receipts, why a ticket is not on paper, refusals in the language of the person.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { AdminSite, PASSWORD } from './admin-site.ts'
import { keepFaces } from './screens.ts'
import type { Visitor } from './visitor.ts'

const site = new AdminSite()
let visitor: Visitor
let bar: { printerId: string }

beforeAll(async () => {
  await site.start({}, ['pj_1', 'pj_2', 'pj_3'])
  visitor = await site.technician()
  await visitor.post('settings.put', { name: 'Casa Nina', timeZone: 'Europe/Madrid' })
  const device = { host: '127.0.0.1', profileId: 'epson-thermal-203' }
  await visitor.post('printers.add', { name: 'Grill', port: site.ports[0], stations: ['grill', 'fry'], ...device })
  bar = (await visitor.post('printers.add', {
    ...{ name: 'Bar', port: site.ports[1], stations: ['bar'], ...device },
  })) as { printerId: string }
  await visitor.post('displays.add', { name: 'Pass', stations: [] })
  await site.printers[0].waitForTickets(3)
})
afterAll(() => site.stop())

async function looked(name: string): Promise<void> {
  expect(await keepFaces(visitor.page, `admin-${name}`, accessibilityFaults)).toEqual([])
}

it('shows how long orders took to paper, as measured by the box, and the state of the machine', async () => {
  const { page } = visitor
  await page.goto('/admin/')
  const chart = page.getByRole('img', { name: /From order to paper: Half within .* 19 of 20 within .*\(3 tickets\)/ })
  await chart.waitFor()
  const measured = (await visitor.post('box.figures', {})) as { latency: { tickets: number; p50Ms: number } }
  expect(measured.latency.tickets).toBe(3)
  expect(await chart.locator('rect.p95').count()).toBeGreaterThan(0)
  await page.getByText(/of .* free/).waitFor()
  await page.getByText('not compared: the relay has not answered yet').waitFor()
  await looked('overview-figures')
})

it('changes a screen: its name, stations, and who prints while it is silent', async () => {
  const { page } = visitor
  await page.goto('/admin/displays')
  await page.getByRole('button', { name: 'Change: Pass' }).click()
  const card = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Change: Pass' }) })
  await card.getByLabel(/^Name/).fill('Grill screen')
  await card.getByRole('radio', { name: /^Station/ }).check()
  await card.getByRole('checkbox', { name: /^grill/ }).check()
  await card.getByLabel('Another station…').fill('fry')
  await card.getByLabel('Prints instead while the screen is silent').selectOption('Bar')
  await looked('displays-change')
  await card.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Grill screen' }).waitFor()
  const displays = await visitor.post('displays.list', {})
  expect(displays).toMatchObject([
    { name: 'Grill screen', stations: ['grill', 'fry'], backupPrinterId: bar.printerId, language: 'en' },
  ])
})

it('adds a board for the guests, with names only where they are wanted, and changes it into a runner', async () => {
  const { page } = visitor
  await page.goto('/admin/displays')
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Add screen' }) })
  await form.getByLabel(/^Name/).fill('Guests')
  await form.getByRole('radio', { name: /^Pick-up board/ }).check()
  expect(await form.getByLabel(/^Stations/).count()).toBe(0)
  await form.getByLabel('Show first names beside the numbers').check()
  await looked('displays-pick-up')
  await form.getByRole('button', { name: 'Add screen' }).click()
  await page.getByRole('heading', { name: 'Guests' }).waitFor()
  const guests = async () =>
    ((await visitor.post('displays.list', {})) as { name: string }[]).find(({ name }) => name === 'Guests')
  expect(await guests()).toMatchObject({ kind: 'pick-up', stations: [], backupPrinterId: null, showNames: true })
  await page.getByRole('button', { name: 'Change: Guests' }).click()
  const card = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Change: Guests' }) })
  await card.getByRole('radio', { name: /^Runner/ }).check()
  await card.getByRole('button', { name: 'Save' }).click()
  await card.getByText('Runner: carries out what is ready').waitFor()
  expect(await guests()).toMatchObject({ kind: 'runner', showNames: false })
})

it('takes a picture for receipts, shows it, and takes it away again', async () => {
  const { page } = visitor
  await page.goto('/admin/printers')
  await page.getByText('Receipts carry no picture.').waitFor()
  const buffer = await page.getByRole('heading', { level: 1 }).screenshot()
  await page.getByLabel('PNG file').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
  await page.getByRole('button', { name: 'Use this picture' }).click()
  await page.getByRole('img', { name: 'Picture on receipts' }).waitFor()
  expect(await visitor.post('logo.get', {})).toEqual({ png: buffer.toString('base64') })
  await looked('printers-picture')
  await page.getByRole('button', { name: 'Remove picture' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove picture' }).click()
  await page.getByText('Receipts carry no picture.').waitFor()
})

it('keeps every setting of a printer that its form shows', async () => {
  const { page } = visitor
  await page.goto(`/admin/printers/${bar.printerId}`)
  await page.getByLabel(/^The same, when it stopped in the middle/).fill('90')
  await page.getByLabel(/hold tickets older than this many minutes/).fill('45')
  await page.getByLabel(/hold when more than this many tickets wait/).fill('20')
  await page.getByLabel(/^Code pages/).fill('16:windows1252, 18:cp852')
  await looked('printer-settings')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const printers = (await visitor.post('printers.list', {})) as { name: string; settings: object }[]
  expect(printers.find(({ name }) => name === 'Bar')?.settings).toMatchObject({
    backupWhenDoubtfulAfterMs: 90_000,
    staleAfterMs: 2_700_000,
    staleAboveTickets: 20,
    codePages: [
      { page: 16, encoding: 'windows1252' },
      { page: 18, encoding: 'cp852' },
    ],
  })
})

it('shows first why a ticket is not on paper, and copies its history for support', async () => {
  const { page } = visitor
  site.printers[1].paperOut()
  const { ticketId } = (await visitor.post('printers.test', { printer: 'Bar' })) as { ticketId: string }
  await page.goto(`/admin/jobs/${ticketId}`)
  const cause = page.locator('section.cause')
  await cause.getByText('Bar: Not printing: out of paper').waitFor()
  await cause.getByText('Load a roll and close the cover').waitFor()
  await page.getByRole('button', { name: 'As text for support' }).click()
  const story = page.getByRole('textbox', { name: 'As text for support' })
  expect(await story.inputValue()).toContain(`ticket ${ticketId}`)
  await page.getByRole('button', { name: 'Copy for support' }).click()
  await page.getByText('Copied.').waitFor()
  await looked('job-cause')
})

it('gives a waiting ticket to another printer', async () => {
  const { page } = visitor
  const { ticketId } = (await visitor.post('jobs.reprint', { ticketId: 'pj_1-1', printer: 'Bar' })) as {
    ticketId: string
  }
  await page.goto(`/admin/jobs/${ticketId}`)
  await page.getByRole('button', { name: 'Print again' }).waitFor()
  await page.getByRole('combobox', { name: 'At', exact: true }).selectOption('Grill')
  await page.getByRole('button', { name: 'Print it there instead' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Print it there instead' }).click()
  await page.getByText('Printed, confirmed').waitFor()
  await page.getByText('Grill, moved from').waitFor()
})

it('shows in the person’s language why the box refused', async () => {
  const { page } = visitor
  await page.evaluate(() => localStorage.setItem('ticketrail.language', 'es'))
  await page.goto(`/admin/printers/${bar.printerId}`)
  await page.getByLabel(/^Nombre/).fill('Grill')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await page.getByText('Otra impresora tiene este nombre: elija otro.').waitFor()
  await page.getByLabel(/^Nombre/).fill('Bar')
  await page.getByLabel(/^Copias/).fill('9')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await page.getByText('debe ser 5 o menos').waitFor()
  await page.evaluate(() => localStorage.setItem('ticketrail.language', 'en'))
})

it('shows a manager the printers, tickets and screens, but not network, pairing and people', async () => {
  await visitor.post('users.add', { name: 'Max', role: 'manager', password: PASSWORD, ownPassword: PASSWORD })
  const { page } = await site.visitor()
  await page.goto('/admin/')
  await page.getByLabel(/^Name/).fill('Max')
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('img', { name: /^From order to paper/ }).waitFor()
  for (const path of [`printers/${bar.printerId}`, 'settings', 'printers', 'displays']) {
    await page.goto(`/admin/${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const name of ['Settings', 'Name, time and language', 'Restaurant', 'Picture on receipts', 'Remove printer'])
      expect(await page.getByRole('heading', { level: 2, name }).count(), `${name} on ${path}`).toBe(0)
  }
  await page.getByRole('button', { name: 'Change: Grill screen' }).waitFor()
  await visitor.post('printers.pause', { printer: 'Bar' })
  await page.goto('/admin/repairs')
  await page.getByRole('listitem').filter({ hasText: 'Bar is paused' }).getByRole('button', { name: 'Go on' }).click()
  await page.getByText('Bar is paused').waitFor({ state: 'detached' })
})

it('made the browser complain of nothing', () => {
  expect(visitor.complaints.filter((words) => !/status of 4(09|22)/.test(words))).toEqual([])
})
