// The first five minutes of a box, whole and by keyboard alone: set-up code, name, claim code of a real relay, printers that the search finds, a tablet, stations, backups, the test order, a real order. Each step is kept as pictures and judged by axe.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DiscoverableDevices } from '#test/doubles/discoverable-devices.ts'
import { VirtualPrinter, type VirtualTicket } from '#test/doubles/virtual-printer.ts'
import { loopbackNetwork } from '#test/fixtures/loopback-network.ts'
import { gatewayProgram } from '#test/harness/gateway-program.ts'
import { PairSite } from '#test/harness/pair-site.ts'
import { accessibilityFaults } from './accessibility.ts'
import { PASSWORD } from './admin-site.ts'
import { BOX_NAME, launchShell } from './chromium.ts'
import { keepFaces } from './screens.ts'
import { newVisitor, type Visitor } from './visitor.ts'

/** A small network on loopback, of this run alone: one printer tells of itself, the other only accepts connections. */
const PREFIX = loopbackNetwork(99)
const NETWORK = { cidr: `${PREFIX}.0/29`, broadcast: `${PREFIX}.7`, grill: `${PREFIX}.2`, bar: `${PREFIX}.3` }
const RAW_PORT = 9100

const printers = { grill: new VirtualPrinter(), bar: new VirtualPrinter() }
const devices = new DiscoverableDevices({
  broadcast: NETWORK.broadcast,
  epson: [{ address: NETWORK.grill, mac: '64:eb:8c:01:02:03', model: 'TM-m30III' }],
})
const site = new PairSite({
  gatewayEnv: { GATEWAY_DISCOVERY_NETWORKS: NETWORK.cidr },
  gatewayProgram: gatewayProgram(),
})
let browser: Browser
let technician: Visitor
let tablet: Visitor

beforeAll(async () => {
  await Promise.all([
    printers.grill.start(RAW_PORT, NETWORK.grill),
    printers.bar.start(RAW_PORT, NETWORK.bar),
    devices.start(),
    site.startRelay().then(() => site.startBox()),
  ])
  const url = `http://${BOX_NAME}:${new URL(site.gatewayUrl).port}`
  browser = await launchShell()
  technician = await newVisitor(browser, { url })
  tablet = await newVisitor(browser, { url, width: 800 })
})

afterAll(async () => {
  await browser?.close()
  await site.stop()
  await Promise.all([printers.grill.stop(), printers.bar.stop(), devices.stop()])
})

/** Pictures of the step as it stands; axe finds nothing in it, and it does not scroll sideways. */
async function judge(name: string): Promise<void> {
  expect(await keepFaces(technician.page, `five-minutes-${name}`, accessibilityFaults)).toEqual([])
}

const heading = (name: string): Promise<void> => technician.page.getByRole('heading', { level: 1, name }).waitFor()

describe('the first five minutes, by keyboard alone', () => {
  it('begin at the address of the QR code: a name and a password of one’s own', async () => {
    const { json } = await site.line('admin', 'setup-code', '--json')
    await technician.page.goto(`/#setup=${json.code}`)
    await technician.page.getByLabel(/^Set-up code/).waitFor()
    await judge('1-first-user')
    await technician.typeInto(/^Name/, 'Tea')
    await technician.typeInto(/^New password(?! again)/, PASSWORD)
    await technician.typeInto(/^New password again/, PASSWORD)
    await technician.pressOn(/^Start/)
    await technician.page.waitForURL('**/admin/setup/name')
  })

  it('name the restaurant and its clock', async () => {
    await technician.page.getByLabel(/^Name of the restaurant/).waitFor()
    await technician.typeInto(/^Name of the restaurant/, 'Casa Nina')
    await judge('2-restaurant')
    await technician.pressOn(/^Save/)
    await heading('Which time zone is it in?')
    await technician.typeInto(/^Time zone/, 'America/New_York')
    await judge('2-clock')
    await technician.pressOn(/^Save/)
    await heading('Which restaurant’s orders come here?')
  })

  it('pair the box by a claim code; an unknown one is refused with a message', async () => {
    const { page } = technician
    await page.getByLabel(/^Claim code/).waitFor()
    await technician.typeInto(/^Claim code/, 'AAAAA-AAAAA')
    await technician.pressOn(/^Pair$/)
    await page.getByText('The relay does not take this code').waitFor()
    expect(site.pairing()).toBeNull()
    await judge('3-refused')
    await technician.typeInto(/^Claim code/, await site.newCode())
    await technician.pressOn(/^Pair$/)
    await page.getByText(/^This box belongs to /).waitFor()
    await page.getByRole('main').getByText('● Connected').waitFor()
    // No word of "later" any more.
    await page.getByRole('button', { name: 'Next', exact: true }).waitFor()
    await judge('3-paired')
    expect(site.pairing()?.gatewayId).toMatch(/^gw_/)
    await technician.pressOn(/^Next/)
    await heading('Which printers are there?')
  })

  it('find the printers of the network, and add them as they were found', async () => {
    const { page } = technician
    await technician.pressOn(/^Look for printers/)
    await page.getByRole('heading', { name: 'TM-m30III' }).waitFor()
    await page.getByRole('button', { name: `Add ${NETWORK.bar}` }).waitFor()
    await judge('4-found')
    // The first request is refused. Then the box answers only when it was asked for both, and each button is pressed twice.
    const names: string[] = []
    const both = Promise.withResolvers<void>()
    await page.route('**/api/v1/printers.add', async (route) => {
      names.push(route.request().postDataJSON().name)
      if (names.length === 1) return route.fulfill({ status: 429 })
      if (names.length === 3) both.resolve()
      await both.promise
      await route.continue()
    })
    const addButton = (address: string) => page.getByRole('button', { name: `Add ${address}` })
    await technician.pressOn(new RegExp(`^Add ${NETWORK.grill} `))
    await page.getByRole('alert', { name: 'That did not work' }).waitFor()
    for (const address of [NETWORK.grill, NETWORK.bar])
      await addButton(address).evaluate((button: HTMLElement) => {
        button.click()
        button.click()
      })
    await both.promise
    expect(names).toEqual(['Printer 1', 'Printer 1', 'Printer 2'])
    for (const address of [NETWORK.grill, NETWORK.bar]) await addButton(address).waitFor({ state: 'detached' })
    await page.unroute('**/api/v1/printers.add')
    expect(names).toHaveLength(3)
    await technician.pressOn(/^Next/)
    await heading('Which printer is which?')
  })

  it('tell which printer is which by the number on its paper, and name it', async () => {
    const { page } = technician
    await technician.pressOn(/^Print numbers on all printers/)
    for (const [address, printer, name] of [
      [NETWORK.grill, printers.grill, 'Grill'],
      [NETWORK.bar, printers.bar, 'Bar'],
    ] as const) {
      const number = numberOn(await printer.nextTicket((ticket) => numberOn(ticket) !== ''))
      const card = page.locator('.card').filter({ hasText: `${address}:${RAW_PORT}` })
      // From the top to the first printer, from there on to the next.
      await technician.typeInto(/^Name/, name)
      await technician.typeInto(/^Number on the test ticket/, number)
      await page.keyboard.press('Enter')
      await card.getByText(/^● Tested/).waitFor()
      await page.getByRole('heading', { level: 2, name }).waitFor()
    }
    await judge('5-which-is-which')
    await technician.pressOn(/^Next/)
    await heading('Is there a screen in the kitchen?')
  })

  it('make a kitchen screen of a tablet', async () => {
    const { page } = technician
    await page.getByLabel(/^Name/).waitFor()
    await technician.typeInto(/^Name/, 'Pass')
    await technician.pressOn(/^Add screen/)
    await page.getByRole('img', { name: 'Address of the screen as a QR code' }).waitFor()
    await judge('7-display-code')
    const address = await page.locator('code', { hasText: '/kitchen/#code=' }).textContent()
    await tablet.page.goto(address ?? '')
    await tablet.page.getByRole('button', { name: 'Start shift' }).focus()
    await tablet.page.keyboard.press('Enter')
    const pass = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Pass' }) })
    await pass.getByText('Connected').waitFor()
    await technician.pressOn(/^Next/)
    await heading('What comes out where?')
  })

  it('give each station its printer by a tick, and each printer its backup', async () => {
    const { page } = technician
    for (const [station, printer] of [
      ['grill', 'Grill'],
      ['fry', 'Grill'],
      ['bar', 'Bar'],
    ] as const) {
      await technician.typeInto(/^Name of the station/, station)
      await page.keyboard.press('Enter')
      await technician.tabTo(new RegExp(`^${station} prints at ${printer}`))
      await page.keyboard.press('Space')
      await page.getByRole('checkbox', { name: `${station} prints at ${printer}`, checked: true }).waitFor()
    }
    expect([await stationsOf('Grill'), await stationsOf('Bar')]).toEqual([['grill', 'fry'], ['bar']])
    await page.getByText('Every station has its place.').waitFor()
    await judge('8-stations')
    await technician.pressOn(/^Next/)
    await heading('Who prints when one fails?')
    for (const name of ['Grill', 'Bar']) {
      await technician.tabTo(new RegExp(`^When ${name} fails`))
      await page.keyboard.press('ArrowDown')
    }
    await page.getByRole('button', { name: 'Next', exact: true }).waitFor()
    await judge('9-backups')
    await technician.pressOn(/^Next/)
    await heading('Does everything come out?')
  })

  it('end with a test order on every paper and screen, and everything green', async () => {
    const { page } = technician
    await page.getByRole('button', { name: 'Send a test order' }).waitFor()
    await technician.pressOn(/^Send a test order/)
    const [paper] = await Promise.all(
      [printers.grill, printers.bar].map((printer) => printer.nextTicket((ticket) => /TEST ORDER/.test(ticket.text()))),
    )
    expect(paper?.text()).toMatch(/TEST ORDER/)
    await tablet.page
      .locator('.card')
      .getByText(/TEST ORDER/)
      .waitFor()
    await page.getByText(/^● Everything is green/).waitFor()
    await expect.poll(() => page.locator('main .checks').textContent()).not.toMatch(/[▲■○]/)
    await judge('10-check')
    await technician.pressOn(/^Finish/)
    await heading('Overview')
  })

  it('leave a kitchen that takes orders: from the relay to paper and screen', async () => {
    const { status, body } = await site.order('five-minutes-1')
    expect(status).toBe(200)
    const ticket = await printers.grill.nextTicket((one) => one.text().includes('five-minutes-1'))
    expect(ticket.text()).toContain('Smash Burger')
    await tablet.page.locator(`[data-order="${body.serviceOrderId}"]`).getByText('Smash Burger').waitFor()
  })

  it('gave the browsers nothing to complain of but the code that was refused', () => {
    const complaints = [...technician.complaints, ...tablet.complaints]
    expect(complaints.filter((words) => !/status of 4\d\d/.test(words))).toEqual([])
  })
})

/** The number of a test ticket, or an empty text. */
function numberOn(ticket: VirtualTicket): string {
  return /^\s*(?:\d\s?){4}\s*$/m.exec(ticket.text())?.[0].replaceAll(/\s/g, '') ?? ''
}

async function stationsOf(name: string): Promise<string[] | undefined> {
  const printers = (await technician.post('printers.list', {})) as { name: string; stations: string[] }[]
  return printers.find((printer) => printer.name === name)?.stations
}
