// What prints beside new orders, with real programs and a real printer socket: notes, receipts, an order again, and the VOID slip of one that is on paper.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { type Answer, Site } from '#test/harness/site.ts'

const pass = new VirtualPrinter()
const grill = new VirtualPrinter()
const receiver = new WebhookReceiver()
let site: Site

beforeAll(async () => {
  const at = [await pass.start(), await grill.start()]
  await receiver.start()
  site = new Site({ printers: `pass=${at[0]?.host}:${at[0]?.port},grill-1=${at[1]?.host}:${at[1]?.port}@grill` })
  await site.start()
  receiver.secret = (await site.listen(receiver.url)).body.secret
  await printersKnown()
})

afterAll(async () => {
  await site.stop()
  await receiver.stop()
  await pass.stop()
  await grill.stop()
})

/** The gateway has told the relay of its printers: until then no station is known. */
async function printersKnown(): Promise<void> {
  for (;;) {
    const { body } = await site.call('GET', `/v1/printers?merchantId=${site.merchantId}`)
    if (body.data.filter((printer: { state: string }) => printer.state === 'online').length === 2) return
    await systemClock.sleep(20)
  }
}

const print = (job: object): Promise<Answer> =>
  site.call('POST', '/v1/print/job', { merchantId: site.merchantId, ...job })
const jobPath = (id: string) => `/v1/print/job/${id}?merchantId=${site.merchantId}`

async function jobIn(id: string, state: string): Promise<Answer['body']> {
  for (;;) {
    const { body } = await site.call('GET', jobPath(id))
    if (body.state === state) return body
    await systemClock.sleep(20)
  }
}

describe('a kitchen note', () => {
  it('prints on the printer of the station that it names, and is proven', async () => {
    const answer = await print({
      type: 'kitchen',
      title: 'Attention',
      text: 'T-NOTE-1 no more salmon',
      station: 'grill',
    })
    expect([answer.status, answer.body.printers.map((printer: { name: string }) => printer.name)]).toEqual([
      200,
      ['grill-1'],
    ])
    const ticket = await grill.nextTicket((paper) => paper.text().includes('T-NOTE-1'))
    expect(ticket.text()).toMatch(/KITCHEN NOTE[\s\S]*Attention[\s\S]*T-NOTE-1 no more salmon/)
    const job = await jobIn(answer.body.printJobId, 'printed')
    expect(job).toMatchObject({
      type: 'kitchen',
      attempts: 1,
      printers: [{ name: 'grill-1', confirmation: 'confirmed' }],
    })
    expect(pass.tickets).toHaveLength(0)
  })

  it('prints on the default printer when it names none, with its number of copies', async () => {
    await print({
      type: 'label',
      content: [
        { type: 'text', text: 'T-LABEL-1' },
        { type: 'qr', data: 'https://x.y/1' },
      ],
      copies: 2,
    })
    const isLabel = (paper: { text(): string }) => paper.text().includes('T-LABEL-1')
    await pass.nextTicket(isLabel)
    await until(() => pass.tickets.filter(isLabel).length === 2)
    expect(pass.tickets.filter(isLabel).map((paper) => paper.text())).toEqual(
      Array(2).fill(expect.stringContaining('[qr "https://x.y/1"')),
    )
  })
})

describe('an order that is on paper', () => {
  let order: Answer['body']

  it('prints again only under the mark REPRINT', async () => {
    order = (await site.inject({ orderId: 'kiosk-1', note: 'T-000001' })).body
    await receiver.nextEvent((event) => event.type === 'order.printed')
    const answer = await print({ type: 'kitchen', serviceOrderId: order.serviceOrderId })
    expect(answer.status).toBe(200)
    await jobIn(answer.body.printJobId, 'printed')
    const tickets = paperOf('T-000001')
    expect(tickets).toHaveLength(2)
    expect(tickets.map((text) => text.includes('*** REPRINT ***'))).toEqual([false, true])
    expect(receiver.received.filter(({ event }) => event.type === 'order.printed')).toHaveLength(1)
  })

  it('gets a VOID slip when it is voided', async () => {
    const answer = await site.call('POST', `/v1/order/${order.serviceOrderId}/void`, {
      merchantId: site.merchantId,
      reason: 'left',
    })
    expect([answer.status, answer.body.status]).toEqual([200, 'voided'])
    await until(() => paperOf('T-000001').length === 3)
    expect(paperOf('T-000001')[2]).toMatch(/\*\*\* VOID \*\*\*[\s\S]*DO NOT MAKE/)
    const voided = await receiver.nextEvent((event) => event.type === 'order.voided')
    expect(voided.event.data['order']).toMatchObject({ status: 'voided', voidReason: 'left' })
  })

  it('gets no second slip when it is voided again', async () => {
    await site.call('POST', `/v1/order/${order.serviceOrderId}/void`, { merchantId: site.merchantId })
    await print({ type: 'kitchen', text: 'T-LAST' })
    await pass.nextTicket((paper) => paper.text().includes('T-LAST'))
    expect(paperOf('T-000001')).toHaveLength(3)
  })
})

describe('an order that is voided while its gateway is away', () => {
  it('gets its VOID slip when the gateway is back', async () => {
    const order = (await site.inject({ orderId: 'kiosk-2', note: 'T-000002' })).body
    await receiver.nextEvent(
      (event) =>
        event.type === 'order.printed' &&
        event.sequence === 2 &&
        event.data['order'] !== null &&
        JSON.stringify(event.data).includes('kiosk-2'),
    )
    await site.gateway.kill('SIGKILL')
    const answer = await site.call('POST', `/v1/order/${order.serviceOrderId}/void`, { merchantId: site.merchantId })
    expect(answer.status).toBe(200)
    await site.startGateway()
    await until(() => paperOf('T-000002').length === 2)
    expect(paperOf('T-000002')[1]).toContain('*** VOID ***')
  })
})

/** What stands on any paper with this mark, in the order of printing. */
function paperOf(mark: string): string[] {
  return [...pass.tickets, ...grill.tickets].map((paper) => paper.text()).filter((text) => text.includes(mark))
}

/** Until it is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await systemClock.sleep(20)
}
