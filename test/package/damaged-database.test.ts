// A card that has lost part of the database, the packaged program on it: it starts, puts the files aside, prints what is open, marked, and says so.
import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { Site } from '#test/harness/site.ts'
import { type Arch, commandOf, runLine } from './release.ts'

const PAGE = 4_096
const OPEN = ['open-1', 'open-2', 'open-3']

describe('a box with a damaged database', () => {
  let printer: VirtualPrinter
  let site: Site
  beforeEach(async () => {
    printer = new VirtualPrinter()
    const { port } = await printer.start()
    site = new Site({
      printers: `Grill=127.0.0.1:${port}/epson-thermal-203@grill`,
      gatewayProgram: commandOf(process.arch as Arch),
    })
  })
  afterEach(async () => {
    await site.stop()
    await printer.stop()
  })
  const copiesOf = (id: string) => printer.tickets.filter((ticket) => ticket.text().includes(id))
  /** Every eighth page holds rubbish; the first one, without which it would be no database at all, is whole. */
  function damage(file: string): void {
    const fd = openSync(file, 'r+')
    const pages = Math.trunc(statSync(file).size / PAGE)
    for (let page = 5; page < pages; page += 8) writeSync(fd, Buffer.alloc(PAGE, 0xa5), 0, PAGE, page * PAGE)
    closeSync(fd)
  }

  it('puts it aside, saves what can be read, and prints every open order, marked', async () => {
    await site.start()
    let lastId = ''
    for (let n = 0; n < 20; n++) lastId = (await site.injectSurely({ orderId: `done-${n}` })).body.serviceOrderId
    await expect.poll(() => printer.tickets.length).toBe(20)
    // The relay knows of it: it has no reason to send it again.
    await expect.poll(async () => (await site.getOrder(lastId)).body.status).toBe('printed')
    await printer.refuse()
    for (const orderId of OPEN) await site.injectSurely({ orderId })
    await expect.poll(async () => (await site.gatewayStatus()).queue.queued).toBe(OPEN.length)
    // Stopped in order: then all of it lies in the one file.
    await site.gateway.kill('SIGTERM')
    const folder = join(site.dir, 'gateway')
    damage(join(folder, 'gateway.db'))
    await site.startGateway()
    await printer.listenAgain()

    for (const orderId of OPEN) {
      await expect.poll(() => copiesOf(orderId).length).toBe(1)
      expect(copiesOf(orderId)[0]?.text()).toContain('POSSIBLE DUPLICATE')
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('damaged-'))).toHaveLength(1)
    const { out } = runLine(process.arch as Arch, ['doctor', '--json'], {
      GATEWAY_DATABASE: join(folder, 'gateway.db'),
    })
    const database = JSON.parse(out).find(({ name }: { name: string }) => name === 'database')
    expect(database.text).toContain('The database was damaged and has been replaced')
    expect(copiesOf('done-0')).toHaveLength(1)
  })
})
