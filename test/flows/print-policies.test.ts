// Policies over real programs and sockets: a dead printer's orders come out at its backup, once and named, whatever is killed meanwhile.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGatewayDatabase } from '#gateway/storage/database.ts'
import { PrinterStore } from '#gateway/storage/printer-store.ts'
import type { PrinterSettings } from '#shared/printer-settings.ts'
import type { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { judgeEvents } from '#test/harness/client.ts'
import { judgePaper } from '#test/harness/judge-paper.ts'
import { TwoPrinterSite } from '#test/harness/two-printer-site.ts'

const restaurant = new TwoPrinterSite()
const { kitchen, bar, receiver } = restaurant
const inject = () => restaurant.inject()
const printedEvent = (token: string) => restaurant.printedEvent(token)

beforeAll(async () => {
  await restaurant.start()
  await decide({ backupPrinterId: 'bar', backupAfterMs: 5_000, backupWhenDoubtfulAfterMs: 5_000 })
})

afterAll(() => restaurant.stop())

/** What the restaurant decides about the kitchen's printer, written while the gateway is dead. */
async function decide(settings: Partial<PrinterSettings>): Promise<void> {
  const { site } = restaurant
  await site.gateway.kill('SIGKILL')
  const db = openGatewayDatabase(join(site.dir, 'gateway/gateway.db'), { exclusive: true })
  const change = new PrinterStore(db).update('kitchen', { settings })
  db.close()
  if (!change.ok) throw new Error(change.reason)
  await site.startGateway()
}

const at = (printer: VirtualPrinter, words: string) =>
  printer.nextTicket((ticket) => ticket.text().includes(words), AbortSignal.timeout(60_000))
const copies = (printer: VirtualPrinter, token: string) =>
  printer.tickets.map((ticket) => ticket.text()).filter((text) => text.includes(token))

describe('a printer with a backup', () => {
  it('that is switched off has its orders printed there, also when the gateway is killed meanwhile, and prints a notice when it is back', async () => {
    await printedEvent(await inject())
    await kitchen.refuse()
    const first = await inject()
    const event = await printedEvent(first)
    expect(event.event.data['print']).toMatchObject({ possibleDuplicate: false, printers: [{ name: 'bar' }] })
    await restaurant.site.gateway.kill('SIGKILL')
    await restaurant.site.startGateway()
    const second = await inject()
    await printedEvent(second)
    for (const token of [first, second]) {
      expect(copies(bar, token).map((text) => text.includes('BACKUP FROM kitchen'))).toEqual([true])
      expect(copies(kitchen, token)).toEqual([])
    }
    const slip = at(kitchen, 'WENT ELSEWHERE')
    await kitchen.listenAgain()
    expect((await slip).text()).toContain('2 TICKETS')
    const third = await inject()
    await printedEvent(third)
    expect([copies(kitchen, third).length, copies(bar, third).length]).toEqual([1, 0])
  })

  it('that stops in the middle of a ticket has it printed there with the mark', async () => {
    kitchen.paperOut(3)
    const token = await inject()
    const event = await printedEvent(token)
    expect(event.event.data['print']).toMatchObject({ possibleDuplicate: true, printers: [{ name: 'bar' }] })
    const [copy = ''] = copies(bar, token)
    expect(copy).toContain('BACKUP FROM kitchen')
    expect(copy).toContain('POSSIBLE DUPLICATE')
    const slip = at(kitchen, 'WENT ELSEWHERE')
    kitchen.loadPaper()
    await slip
    await printedEvent(await inject())
  })

  it('leaves no order without paper, none doubled without a mark, and no event without its order', () => {
    const paper = [...kitchen.tickets, ...bar.tickets].map((ticket) => ticket.text())
    const { lost, unmarkedDoubles } = judgePaper(restaurant.client.accepted, paper)
    expect({ lost, unmarkedDoubles }).toEqual({ lost: [], unmarkedDoubles: [] })
    expect(judgeEvents(receiver, 'order.printed', restaurant.client.ids)).toEqual({
      missing: [],
      doubled: [],
      badSignatures: 0,
    })
  })
})
