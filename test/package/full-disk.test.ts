// A disk that is really full (a small file system of its own): the gateway starts, orders print, the box says what is wrong, and mends itself.
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { Site } from '#test/harness/site.ts'
import { SmallDisk, whyNoSmallDisk } from '#test/harness/small-disk.ts'
import { runLine } from './release.ts'

const WAIT = { timeout: 60_000 }

const reason = whyNoSmallDisk()
if (reason !== null) process.stderr.write(`test/package/full-disk.test.ts is skipped: ${reason}\n`)

describe.runIf(reason === null)('a gateway on a full disk', () => {
  let card: SmallDisk
  let printer: VirtualPrinter
  let site: Site
  beforeEach(async () => {
    card = new SmallDisk(40)
    printer = new VirtualPrinter()
    const { port } = await printer.start()
    site = new Site({
      printers: `Grill=127.0.0.1:${port}/epson-thermal-203@grill`,
      gatewayEnv: { GATEWAY_DATABASE: join(card.path, 'gateway.db') },
      keepLog: true,
    })
  })
  afterEach(async () => {
    await site.stop()
    await printer.stop()
    card.remove()
  })
  function fill(): void {
    card.fill()
    expect(card.free).toBe(0)
  }
  const alarms = (): string[] => {
    const { out } = runLine(process.arch as 'x64', ['doctor', '--json'], {
      GATEWAY_DATABASE: join(card.path, 'gateway.db'),
    })
    const checks = JSON.parse(out) as { name: string; result: string; text: string }[]
    return checks.filter(({ name, result }) => name === 'disk' && result !== 'pass').map(({ result }) => result)
  }
  const orders = async (...ids: string[]): Promise<void> => {
    for (const orderId of ids) await site.injectSurely({ orderId })
    await expect.poll(() => printer.tickets.map((ticket) => ticket.text()).join('\n'), WAIT).toContain(ids.at(-1))
  }
  const copiesOf = (id: string): number => printer.tickets.filter((ticket) => ticket.text().includes(id)).length

  it('prints on out of its reserve, raises the alarm, and starts again on the full disk', async () => {
    await site.start()
    await orders('before-1')
    expect(alarms()).toEqual(['warn'])
    fill()
    // What lies in the log already is no measure: enough orders to need new room.
    await orders(...Array.from({ length: 40 }, (_, i) => `full-${i}`))
    await expect.poll(alarms, WAIT).toEqual(['fail'])
    await site.gateway.kill('SIGKILL')
    await site.startGateway()
    await orders('again-1')
    expect([copiesOf('before-1'), copiesOf('full-39'), copiesOf('again-1')]).toEqual([1, 1, 1])

    // Somebody has used the reserve up as well: it still starts, and what it cannot keep waits at the relay.
    fill()
    await site.gateway.kill('SIGKILL')
    await site.startGateway()
    await site.injectSurely({ orderId: 'waits-1' })
    await expect.poll(alarms, WAIT).toEqual(['fail'])
    card.empty()
    await orders('waits-1')
    expect(copiesOf('waits-1')).toBe(1)
    const errors = site.gateway.log.filter(({ level }) => level >= 60).map(({ msg }) => msg)
    expect(errors).toEqual([])
  })
})
