// A copied SD card: two real boxes with one identity, one memory and one password. No order stands on paper twice without its mark, and none is lost.
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { PairSite } from '#test/harness/pair-site.ts'
import { Program } from '#test/harness/program.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})
const ORDERS = 12

const REFUSED = 'another box with the same identity is connected (a copied card)'

let printers: VirtualPrinter[]
let site: PairSite
let twin: Program
let twinUrl: string

/** A paired box that is off, with a copy of its card in another place: each has a printer of its own. */
beforeEach(async () => {
  printers = [new VirtualPrinter(), new VirtualPrinter()]
  const [at, atCopy] = await Promise.all(printers.map((printer) => printer.start()))
  const gatewayEnv = { GATEWAY_LOG_LEVEL: 'debug' }
  site = new PairSite({ printers: `Grill=${at?.host}:${at?.port}`, gatewayEnv })
  stops.push(...printers.map((printer) => () => printer.stop()), () => site.stop())
  await site.startRelay()
  await site.startBox()
  await site.pair()
  await expect.poll(async () => (await site.status()).link.state).toBe('connected')
  await site.gateway.kill('SIGTERM')
  const copy = join(site.dir, 'copy')
  cpSync(dirname(site.pairingFile), copy, { recursive: true })
  const env = {
    GATEWAY_DATABASE: join(copy, 'gateway.db'),
    GATEWAY_PAIRING_FILE: join(copy, 'pairing.json'),
    GATEWAY_PROOF_FOLDER: join(copy, 'proof'),
    GATEWAY_PRINTERS: `Grill=${atCopy?.host}:${atCopy?.port}`,
    GATEWAY_HTTP_PORT: '0',
  }
  twin = new Program('gateway/main.ts', env, true)
  stops.push(() => twin.kill('SIGKILL'))
})

async function startTwin(): Promise<void> {
  twinUrl = (await twin.start()).httpUrl
}

const linkOf = async (url: string) =>
  ((await (await fetch(`${url}/api/status`)).json()) as { link: { state: string; detail: string } }).link

it('prints each order once, or marked, while the copy tries to connect to the relay; and shows the problem on the copy', async () => {
  await Promise.all([site.startBox(), startTwin()])
  const ids = Array.from({ length: ORDERS }, (_, n) => `T-${String(n + 1).padStart(6, '0')}`)
  // While they come for their place, and after the relay has decided.
  for (const id of ids.slice(0, ORDERS / 2)) expect([200, 503]).toContain((await site.order(id)).status)
  await expect.poll(async () => (await linkOf(twinUrl)).detail).toContain(REFUSED)
  for (const id of ids.slice(ORDERS / 2)) expect([200, 503]).toContain((await site.order(id)).status)

  const paper = () => printers.flatMap(({ tickets }) => tickets.map((ticket) => ticket.text()))
  const copiesOf = (id: string) => paper().filter((text) => text.includes(id))
  await expect.poll(() => ids.filter((id) => copiesOf(id).length === 0)).toEqual([])
  const unmarked = ids.map((id) => copiesOf(id).filter((text) => !text.includes('POSSIBLE DUPLICATE')).length)
  expect(unmarked.filter((count) => count > 1)).toEqual([])
  expect(site.cloud.log.some(({ level, msg }) => level >= 40 && /identity|two boxes|twin/i.test(msg))).toBe(true)
})

it.each(['SIGTERM', 'SIGKILL'] as const)(
  'the box itself is let in at once when it comes back after %s, and is not cut off while the copy knocks',
  async (signal) => {
    await startTwin()
    await expect.poll(async () => (await linkOf(twinUrl)).state).toBe('connected')
    // The copy has the place until the box itself is there.
    await site.startBox()
    await expect.poll(async () => (await site.status()).link.state).toBe('connected')
    await expect.poll(async () => (await linkOf(twinUrl)).detail).toContain(REFUSED)
    await site.gateway.kill(signal)
    const lines = site.gateway.log.length
    await site.startBox()
    await expect.poll(async () => (await site.status()).link.state).toBe('connected')
    const knocks = () => site.cloud.log.filter(({ msg }) => /two boxes/.test(msg)).length
    const before = knocks()
    await expect.poll(knocks).toBeGreaterThan(before + 1)
    const refusals = site.gateway.log.slice(lines).filter(({ msg }) => msg === 'no connection to the relay')
    expect(refusals).toEqual([])
  },
)
