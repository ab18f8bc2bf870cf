// An older image of the disk, and a copied card with waiting tickets: what may stand on paper already never prints unmarked; after a power cut nothing is marked.
import { copyFileSync, cpSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { PairSite } from '#test/harness/pair-site.ts'
import { Program } from '#test/harness/program.ts'

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
  await site.startCloud()
  await site.startGateway()
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
const copies = (from = printer) => IDS.map((id) => from.tickets.filter((ticket) => ticket.text().includes(id)))
const unmarked = (from = printer) =>
  copies(from).map((of) => of.filter((ticket) => !ticket.text().includes(MARK)).length)
const countOf = (from = printer) => copies(from).map((of) => of.length)
const ONE_EACH = IDS.map(() => 1)
const NONE = IDS.map(() => 0)

/** Takes the image with the orders still waiting, lets them print, and puts the image back. The gateway is off afterwards. */
async function goBack(): Promise<void> {
  await site.gateway.kill('SIGTERM')
  copyFileSync(site.gatewayEnv['GATEWAY_DATABASE'] ?? '', image)
  await printer.listenAgain()
  await site.startGateway()
  await expect.poll(() => countOf()).toEqual(ONE_EACH)
  await expect.poll(async () => (await site.status()).queue).toMatchObject({ queued: 0, unreported: 0 })
  await site.gateway.kill('SIGTERM')
  for (const end of ['', '-wal', '-shm']) rmSync(`${site.gatewayEnv['GATEWAY_DATABASE']}${end}`, { force: true })
  copyFileSync(image, site.gatewayEnv['GATEWAY_DATABASE'] ?? '')
}

describe('an older image of the database', () => {
  it('prints nothing again while the relay can say what was printed', async () => {
    await goBack()
    await site.startGateway()
    await expect.poll(waiting).toBe(0)
    expect(countOf()).toEqual(ONE_EACH)
    expect(unmarked()).toEqual(ONE_EACH)
    expect(site.gateway.log.some(({ level, msg }) => level >= 40 && /older copy/.test(msg))).toBe(true)
  })

  it('prints marked while the relay is away, and shows why', async () => {
    await goBack()
    await site.cloud.kill('SIGKILL')
    await site.startGateway()
    await expect.poll(() => countOf()).toEqual(IDS.map(() => 2))
    expect(unmarked()).toEqual(ONE_EACH)
    expect(JSON.stringify((await site.line('doctor', '--json')).json)).toContain('older copy')
  })

  it('stays marked when the power goes while it waits for the relay', async () => {
    await goBack()
    await site.cloud.kill('SIGKILL')
    await site.startGateway()
    await site.gateway.kill('SIGKILL')
    await site.startGateway()
    await expect.poll(() => countOf()).toEqual(IDS.map(() => 2))
    expect(unmarked()).toEqual(ONE_EACH)
  })
})

it('a copied card prints what waited on it marked, without a relay too; the box itself prints it unmarked', async () => {
  await site.gateway.kill('SIGTERM')
  const copy = join(site.dir, 'copy')
  cpSync(dirname(site.pairingFile), copy, { recursive: true })
  await site.cloud.kill('SIGKILL')
  const beside = new VirtualPrinter()
  const at = await beside.start()
  const env = {
    GATEWAY_DATABASE: join(copy, 'gateway.db'),
    GATEWAY_PAIRING_FILE: join(copy, 'pairing.json'),
    GATEWAY_PROOF_FOLDER: join(copy, 'proof'),
    GATEWAY_PRINTERS: `Grill=${at.host}:${at.port}`,
    GATEWAY_HTTP_PORT: '0',
  }
  const twin = new Program('gateway/main.ts', env, true)
  stops.push(
    () => beside.stop(),
    () => twin.kill('SIGKILL'),
  )
  await printer.listenAgain()
  await Promise.all([site.startGateway(), twin.start()])
  await expect.poll(() => [countOf(), countOf(beside)]).toEqual([ONE_EACH, ONE_EACH])
  expect([unmarked(), unmarked(beside)]).toEqual([ONE_EACH, NONE])
})

it('after a power cut all that waited prints unmarked, without a relay too', async () => {
  await site.cloud.kill('SIGKILL')
  await site.gateway.kill('SIGKILL')
  await printer.listenAgain()
  await site.startGateway()
  await expect.poll(() => countOf()).toEqual(ONE_EACH)
  expect(unmarked()).toEqual(ONE_EACH)
})
