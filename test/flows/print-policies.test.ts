// Policies over real programs and sockets: a dead printer's orders come out at its backup, once and named, whatever is killed meanwhile.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGatewayDatabase } from '#gateway/storage/database.ts'
import { PrinterStore } from '#gateway/storage/printer-store.ts'
import type { PrinterSettings } from '#shared/printer-settings.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { JournalClient, judgeEvents } from '#test/harness/client.ts'
import { judgePaper } from '#test/harness/judge-paper.ts'
import { Site } from '#test/harness/site.ts'

const kitchen = new VirtualPrinter()
const bar = new VirtualPrinter()
const receiver = new WebhookReceiver()
let site: Site
let client: JournalClient

beforeAll(async () => {
  const a = await kitchen.start()
  const b = await bar.start()
  await receiver.start()
  site = new Site({ printers: `kitchen=${a.host}:${a.port},bar=${b.host}:${b.port}@bar` })
  await site.start()
  receiver.secret = (await site.listen(receiver.url)).body.secret
  client = new JournalClient(site, 0)
  await decide({ backupPrinterId: 'bar', backupAfterMs: 5_000, backupWhenDoubtfulAfterMs: 5_000 })
})

afterAll(async () => {
  await site.stop()
  await receiver.stop()
  await kitchen.stop()
  await bar.stop()
})

/** What the restaurant decides about the kitchen's printer, written while the gateway is dead. */
async function decide(settings: Partial<PrinterSettings>): Promise<void> {
  await site.gateway.kill('SIGKILL')
  const db = openGatewayDatabase(join(site.dir, 'gateway/gateway.db'), { exclusive: true })
  const change = new PrinterStore(db).update('kitchen', { settings })
  db.close()
  if (!change.ok) throw new Error(change.reason)
  await site.startGateway()
}

async function inject(): Promise<string> {
  await client.inject()
  return client.accepted.at(-1) ?? ''
}

const printedEvent = (token: string) =>
  receiver.nextEvent(
    (event) =>
      event.type === 'order.printed' &&
      (event.data['order'] as { serviceOrderId: string }).serviceOrderId === client.ids.get(token),
    120_000,
  )

const at = (printer: VirtualPrinter, words: string) =>
  printer.nextTicket((ticket) => ticket.text().includes(words), AbortSignal.timeout(60_000))
const copies = (printer: VirtualPrinter, token: string) =>
  printer.tickets.map((ticket) => ticket.text()).filter((text) => text.includes(token))

describe('a printer with a backup', () => {
  it('that is switched off has its orders printed there, also when the gateway is killed meanwhile, and says so when it is back', async () => {
    await printedEvent(await inject())
    await kitchen.refuse()
    const first = await inject()
    const event = await printedEvent(first)
    expect(event.event.data['print']).toMatchObject({ possibleDuplicate: false, printers: [{ name: 'bar' }] })
    await site.gateway.kill('SIGKILL')
    await site.startGateway()
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

  it('that stands still in the middle of a ticket has it printed there with the mark', async () => {
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
    const { lost, unmarkedDoubles } = judgePaper(client.accepted, paper)
    expect({ lost, unmarkedDoubles }).toEqual({ lost: [], unmarkedDoubles: [] })
    expect(judgeEvents(receiver, 'order.printed', client.ids)).toEqual({ missing: [], doubled: [], badSignatures: 0 })
  })
})
