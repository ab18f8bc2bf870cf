// A box whose database is an older image: what it says of it, with the relay and without; without, it marks what waited, also after a power cut.
// What such a disk prints in many orders of events, or on a copied card: old-image.test.ts and cloned-box.test.ts.
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { PairSite } from '#test/harness/pair-site.ts'

const IDS = ['T-000001', 'T-000002', 'T-000003', 'T-000004']
const MARK = 'POSSIBLE DUPLICATE'

const stops: (() => Promise<unknown>)[] = []
let printer: VirtualPrinter
let site: PairSite
let image: string

/** Four orders wait for a printer that is off; the gateway was ended, and there is a copy of its database. */
beforeEach(async () => {
  printer = new VirtualPrinter()
  const { host, port } = await printer.start()
  site = new PairSite({ printers: `Grill=${host}:${port}` })
  image = join(site.dir, 'image.db')
  stops.push(
    () => printer.stop(),
    () => site.stop(),
  )
  await site.startRelay()
  await site.startBox()
  await site.pair()
  await expect.poll(async () => (await site.status()).link.state).toBe('connected')
  await printer.refuse()
  for (const id of IDS) expect([200, 503]).toContain((await site.order(id)).status)
  await expect.poll(waiting).toBe(IDS.length)
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const waiting = async (): Promise<number> => (await site.status()).queue.queued
const copies = () => IDS.map((id) => printer.tickets.filter((ticket) => ticket.text().includes(id)))
const unmarked = () => copies().map((of) => of.filter((ticket) => !ticket.text().includes(MARK)).length)
const countOf = () => copies().map((of) => of.length)
const ONE_EACH = IDS.map(() => 1)

/** Takes the image with the orders still waiting, lets them print, and puts the image back. The gateway is off afterwards. */
async function goBack(): Promise<void> {
  await site.gateway.kill('SIGTERM')
  copyFileSync(site.gatewayEnv['GATEWAY_DATABASE'] ?? '', image)
  await printer.listenAgain()
  await site.startBox()
  await expect.poll(() => countOf()).toEqual(ONE_EACH)
  await expect.poll(async () => (await site.status()).queue).toMatchObject({ queued: 0, unreported: 0 })
  await site.gateway.kill('SIGTERM')
  for (const end of ['', '-wal', '-shm']) rmSync(`${site.gatewayEnv['GATEWAY_DATABASE']}${end}`, { force: true })
  copyFileSync(image, site.gatewayEnv['GATEWAY_DATABASE'] ?? '')
}

it('an older image of the database prints marked while the relay is away, and shows why', async () => {
  await goBack()
  await site.cloud.kill('SIGKILL')
  await site.startBox()
  await expect.poll(() => countOf()).toEqual(IDS.map(() => 2))
  expect(unmarked()).toEqual(ONE_EACH)
  expect(JSON.stringify((await site.line('doctor', '--json')).json)).toContain('older copy')
})

it('an older image of the database prints nothing while the relay is reachable, and every view reports the same', async () => {
  await goBack()
  await site.startBox()
  await expect.poll(waiting).toBe(0)
  const doctor = JSON.stringify((await site.line('doctor', '--json')).json)
  expect(doctor).toContain('nothing that waited on it prints')
  expect(doctor).toContain('Tickets taken out because the relay had their results: 4. Tickets that print marked: 0.')
  const rows = (await site.line('jobs', 'list')).out.split('\n').filter((row) => row.includes('settled before'))
  expect(rows).toHaveLength(IDS.length)
  expect(countOf()).toEqual(ONE_EACH)
})

it('it stays marked when the power goes while it waits for the relay', async () => {
  await goBack()
  await site.cloud.kill('SIGKILL')
  await site.startBox()
  await site.gateway.kill('SIGKILL')
  await site.startBox()
  await expect.poll(() => countOf()).toEqual(IDS.map(() => 2))
  expect(unmarked()).toEqual(ONE_EACH)
})
