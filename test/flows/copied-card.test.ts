// A copied SD card: two real boxes with one identity, one memory and one password. No order stands on paper twice without its mark, and none is lost.
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { PairSite } from '#test/harness/pair-site.ts'
import { Program } from '#test/harness/program.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})
const ORDERS = 12

it('prints each order once, or marked, while the copy knocks at the relay; and says on the copy what is wrong', async () => {
  const printers = [new VirtualPrinter(), new VirtualPrinter()]
  const [at, atCopy] = await Promise.all(printers.map((printer) => printer.start()))
  const site = new PairSite({ printers: `Grill=${at?.host}:${at?.port}` })
  stops.push(...printers.map((printer) => () => printer.stop()), () => site.stop())
  const statusOf = async (url: string) =>
    (await (await fetch(`${url}/api/status`)).json()) as { link: { detail: string } }
  await site.startCloud()
  await site.startGateway()
  await site.pair()
  await expect.poll(async () => (await site.status()).link.state).toBe('connected')
  await site.gateway.kill('SIGTERM')
  const copy = join(site.dir, 'copy')
  cpSync(dirname(site.pairingFile), copy, { recursive: true })

  const twin = new Program(
    'gateway/main.ts',
    {
      GATEWAY_DATABASE: join(copy, 'gateway.db'),
      GATEWAY_PAIRING_FILE: join(copy, 'pairing.json'),
      GATEWAY_PRINTERS: `Grill=${atCopy?.host}:${atCopy?.port}`,
      GATEWAY_HTTP_PORT: '0',
    },
    true,
  )
  stops.push(() => twin.kill('SIGKILL'))
  const [, { httpUrl }] = await Promise.all([site.startGateway(), twin.start()])
  const ids = Array.from({ length: ORDERS }, (_, n) => `T-${String(n + 1).padStart(6, '0')}`)
  // While they fight for their place, and after the relay has decided.
  for (const id of ids.slice(0, ORDERS / 2)) expect([200, 503]).toContain((await site.order(id)).status)
  const states = async () => (await Promise.all([site.gatewayUrl, httpUrl].map(statusOf))).map(({ link }) => link)
  await expect
    .poll(async () => (await states()).map(({ detail }) => detail).join())
    .toContain('another box with the same identity is connected (a copied card)')
  for (const id of ids.slice(ORDERS / 2)) expect([200, 503]).toContain((await site.order(id)).status)

  const paper = () => printers.flatMap(({ tickets }) => tickets.map((ticket) => ticket.text()))
  const copiesOf = (id: string) => paper().filter((text) => text.includes(id))
  await expect.poll(() => ids.filter((id) => copiesOf(id).length === 0)).toEqual([])
  const unmarked = ids.map((id) => copiesOf(id).filter((text) => !text.includes('POSSIBLE DUPLICATE')).length)
  expect(unmarked.filter((count) => count > 1)).toEqual([])
  expect(site.cloud.log.some(({ level, msg }) => level >= 40 && /identity|two boxes|twin/i.test(msg))).toBe(true)
})
