// The walk of one order, told in the order of docs/architecture.md: two real programs, a real printer socket, a real webhook receiver.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { type Answer, Site } from '#test/harness/site.ts'

const printer = new VirtualPrinter()
const receiver = new WebhookReceiver()
let site: Site
let injected: Answer

beforeAll(async () => {
  const { host, port } = await printer.start()
  await receiver.start()
  site = new Site({ printers: `kitchen=${host}:${port}`, keepLog: true })
  await site.start()
})

afterAll(async () => {
  await site.stop()
  await receiver.stop()
  await printer.stop()
})

describe('one order', () => {
  it('is awaited by a client that listens for events', async () => {
    const endpoint = await site.listen(receiver.url)
    expect(endpoint.status).toBe(201)
    expect(endpoint.body.secret).toMatch(/^whsec_/)
    receiver.secret = endpoint.body.secret
  })

  it('is injected and answered with the order result', async () => {
    injected = await site.inject({ orderId: 'kiosk-1001', note: 'T-000001 crème brûlée 5 €', qty: 2 })
    expect(injected.status).toBe(200)
    const { ways, ...result } = injected.body
    // Until the box has told its stations nothing is known of them.
    expect([undefined, [{ station: 'grill', way: 'printer', name: 'kitchen' }]]).toContainEqual(ways)
    expect(result).toEqual({
      status: 'accepted',
      serviceOrderId: expect.stringMatching(/^ord_/),
      posOrderId: expect.stringMatching(/^\d{4}-\d{2}-\d{2}-\d+$/),
      queuedAt: expect.stringMatching(/Z$/),
      estimatedReadyAt: expect.stringMatching(/Z$/),
      printJobId: expect.stringMatching(/^pj_/),
    })
  })

  it('is announced as accepted, signed', async () => {
    const accepted = await receiver.nextEvent((event) => event.type === 'order.accepted')
    expect(accepted.signatureValid).toBe(true)
    expect(accepted.event).toMatchObject({
      apiVersion: 'v1',
      environment: 'sandbox',
      merchantId: site.merchantId,
      sequence: 1,
      data: { order: { serviceOrderId: injected.body.serviceOrderId, orderId: 'kiosk-1001', status: 'accepted' } },
    })
  })

  it('is printed on paper, with its accents and the euro sign', async () => {
    const ticket = await printer.nextTicket((t) => t.text().includes('T-000001'))
    expect(ticket.text()).toMatch(/2\s+\S/)
    expect(ticket.text()).toContain('crème brûlée 5 €')
    expect(ticket.text()).not.toContain('DUPLICATE')
    expect(printer.tickets).toHaveLength(1)
  })

  it('is announced as printed only with the proof of the printer', async () => {
    const printed = await receiver.nextEvent((event) => event.type === 'order.printed')
    expect(printed.signatureValid).toBe(true)
    expect(printed.event).toMatchObject({
      sequence: 2,
      data: {
        order: { serviceOrderId: injected.body.serviceOrderId, status: 'printed' },
        print: { confirmation: 'confirmed', method: 'gs-paren-h', attempts: 1, possibleDuplicate: false },
      },
    })
    const print = printed.event.data['print'] as { printedAt: string }
    expect(printed.event.timestamp).toBe(print.printedAt)
  })

  it('is shown as printed by GET, with the same proof', async () => {
    const { status, body } = await site.getOrder(injected.body.serviceOrderId)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'printed',
      printState: 'printed',
      total: 19,
      printProof: { confirmation: 'confirmed', method: 'gs-paren-h' },
    })
  })

  it('is answered with the original result when the client repeats it', async () => {
    const again = await site.inject({ orderId: 'kiosk-1001', note: 'T-000001 crème brûlée 5 €', qty: 2 })
    expect(again.status).toBe(200)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(injected.body)
    expect(printer.tickets).toHaveLength(1)
  })

  it('left one line a step in the logs, each with its ids', async () => {
    const { serviceOrderId, printJobId } = injected.body
    const lines = () =>
      [...site.cloud.log, ...site.gateway.log].filter(
        (line) => line['walk'] && (line['serviceOrderId'] === serviceOrderId || line['printJobId'] === printJobId),
      )
    const steps = Array.from({ length: 10 }, (_, i) => `${i + 1}/10`)
    // The programs write their lines on their own time.
    await expect.poll(() => lines().map((line) => line['walk'])).toEqual(expect.arrayContaining(steps))
    for (const line of lines()) expect(line['ms']).toBeTypeOf('number')
  })
})
