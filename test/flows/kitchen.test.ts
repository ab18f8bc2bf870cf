// The kitchen display told with real programs: seen, ready, picked up, each event once, whatever is killed or offline meanwhile.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callControl } from '#gateway/cli/control-client.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { KitchenScreen } from '#test/harness/kitchen-screen.ts'
import { Site } from '#test/harness/site.ts'

const printer = new VirtualPrinter()
const receiver = new WebhookReceiver()
const screen = new KitchenScreen()
let site: Site
let displayId = ''

const until = <T>(look: () => T) => expect.poll(look)
const control = (operation: string, body: unknown) =>
  callControl(join(site.dir, 'gateway/control.sock'), operation, body) as Promise<Record<string, string>>
const eventsOf = (orderId: string) =>
  receiver.received
    .map(({ event }) => event)
    .filter(({ data }) => (data['order'] as { orderId?: string }).orderId === orderId)
    .map(({ type }) => type)
const inject = async (orderId: string, fireAt?: string): Promise<string> =>
  (await site.injectSurely({ orderId, ...(fireAt && { fireAt }) })).body.serviceOrderId
const onScreen = (id: string) => until(() => screen.orders.get(id)).toBeDefined()

beforeAll(async () => {
  const { host, port } = await printer.start()
  await receiver.start()
  site = new Site({ printers: `kitchen=${host}:${port}` })
  await site.start()
  receiver.secret = (await site.listen(receiver.url)).body.secret
  const added = await control('displays.add', { name: 'Expo' })
  displayId = added['displayId'] ?? ''
  expect((await screen.signIn(site.gatewayUrl, added['code'] ?? '')).status).toBe(200)
  await screen.watch(site.gatewayUrl)
})

afterAll(async () => {
  screen.close()
  await site.stop()
  await receiver.stop()
  await printer.stop()
})

describe('a display', () => {
  it('signs in once by its code', async () => {
    const { code } = await control('displays.code', { displayId })
    const other = new KitchenScreen('other')
    expect((await other.signIn(site.gatewayUrl, 'ZZZZZZZZ')).status).toBe(401)
    expect((await other.signIn(site.gatewayUrl, code ?? '')).status).toBe(200)
    expect((await new KitchenScreen().signIn(site.gatewayUrl, code ?? '')).status).toBe(401)
    // The screen that had the display before is signed out.
    expect((await screen.here(site.gatewayUrl)).status).toBe(401)
    const again = await control('displays.code', { displayId })
    await screen.signIn(site.gatewayUrl, again['code'] ?? '')
    await screen.watch(site.gatewayUrl)
  })

  it('shows an order, and sends that it is ready and picked up, each once', async () => {
    const id = await inject('kds-1')
    await onScreen(id)
    expect(screen.orders.get(id)).toMatchObject({ clientOrderId: 'kds-1', isScheduled: false, readyAtMs: null })
    await screen.here(site.gatewayUrl, [id])
    const ready = screen.act('ready', id)
    expect(await screen.send(site.gatewayUrl, screen.act('start', id), ready)).toMatchObject([
      { outcome: 'done' },
      { outcome: 'done' },
    ])
    expect(await screen.send(site.gatewayUrl, ready)).toMatchObject([{ outcome: 'already' }])
    await receiver.nextEvent(({ type }) => type === 'order.ready')
    await screen.send(site.gatewayUrl, screen.act('pick-up', id))
    await receiver.nextEvent(({ type }) => type === 'order.completed')
    expect((await site.getOrder(id)).body).toMatchObject({ status: 'completed' })
    expect(eventsOf('kds-1').filter((type) => type === 'order.ready')).toHaveLength(1)
  })

  it('sends nothing for a Ready that was undone, and no second event after a recall', async () => {
    const undone = await inject('kds-undone')
    const recalled = await inject('kds-recalled')
    await onScreen(undone)
    await onScreen(recalled)
    await screen.send(site.gatewayUrl, screen.act('ready', undone), screen.act('ready', recalled))
    await screen.send(site.gatewayUrl, screen.act('recall', undone))
    await until(() => eventsOf('kds-recalled')).toContain('order.ready')
    await screen.send(site.gatewayUrl, screen.act('recall', recalled))
    await until(() => screen.orders.get(recalled)?.recalledAtMs).toBeGreaterThan(0)
    await screen.send(site.gatewayUrl, screen.act('ready', recalled), screen.act('pick-up', recalled))
    await until(() => eventsOf('kds-recalled')).toContain('order.completed')
    expect(eventsOf('kds-recalled').filter((type) => type === 'order.ready')).toHaveLength(1)
    expect(eventsOf('kds-undone')).not.toContain('order.ready')
    expect((await site.getOrder(undone)).body.status).not.toBe('ready')
  })

  it('shows an order for later in its drawer, and starts it now', async () => {
    const id = await inject('kds-later', new Date(Date.now() + 3_600_000).toISOString())
    await onScreen(id)
    expect(screen.orders.get(id)).toMatchObject({ isScheduled: true })
    expect(await screen.send(site.gatewayUrl, screen.act('ready', id))).toMatchObject([
      { outcome: 'refused', reason: 'scheduled' },
    ])
    expect(await screen.send(site.gatewayUrl, screen.act('start-now', id))).toMatchObject([{ outcome: 'done' }])
    await printer.nextTicket((ticket) => ticket.text().includes('kds-later'))
    await until(() => screen.orders.get(id)?.isScheduled).toBe(false)
  })

  it('shows an order without paper, sends its events, and shows its void', async () => {
    const injected = async (orderId: string): Promise<string> =>
      (await site.injectSurely({ orderId, print: false })).body.serviceOrderId
    const id = await injected('kds-no-paper')
    const called = await injected('kds-no-paper-void')
    await onScreen(id)
    await onScreen(called)
    expect(screen.orders.get(id)).toMatchObject({ paper: 'none' })
    await screen.send(site.gatewayUrl, screen.act('ready', id))
    await until(() => eventsOf('kds-no-paper')).toContain('order.ready')
    expect((await site.getOrder(id)).body).toMatchObject({ printState: 'none', printJobId: null })
    await site.call('POST', `/v1/order/${called}/void`, { merchantId: site.merchantId, reason: 'guest left' })
    await until(() => screen.orders.get(called)?.voidedAtMs).toBeGreaterThan(0)
    expect(printer.tickets.some((ticket) => ticket.text().includes('kds-no-paper'))).toBe(false)
  })

  it('shows a void until it is acknowledged', async () => {
    const id = await inject('kds-void')
    await onScreen(id)
    await until(() => eventsOf('kds-void')).toContain('order.printed')
    await site.call('POST', `/v1/order/${id}/void`, { merchantId: site.merchantId, reason: 'guest left' })
    await until(() => screen.orders.get(id)?.voidedAtMs).toBeGreaterThan(0)
    expect(await screen.send(site.gatewayUrl, screen.act('ready', id))).toMatchObject([{ reason: 'voided' }])
    await screen.send(site.gatewayUrl, screen.act('void-seen', id))
    await until(() => screen.orders.get(id)?.voidSeenBy).toEqual([displayId])
  })
})

describe('acts while the relay is away', () => {
  it('become events exactly once, although the gateway is killed in between and every tap arrives twice', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, (_, n) => inject(`kds-off-${n}`)))
    for (const id of ids) await onScreen(id)
    await site.cloud.kill('SIGKILL')
    const taps = ids.map((id) => screen.act('ready', id))
    await screen.send(site.gatewayUrl, ...taps)
    // Answered is on disk: nothing is said before the kill.
    await site.gateway.kill('SIGKILL')
    await site.startGateway()
    await screen.watch(site.gatewayUrl)
    for (const id of ids) expect(screen.orders.get(id)?.readyAtMs).toBeGreaterThan(0)
    expect((await screen.send(site.gatewayUrl, ...taps)).every(({ outcome }) => outcome === 'already')).toBe(true)
    await screen.send(site.gatewayUrl, ...ids.map((id) => screen.act('pick-up', id)))
    await site.startCloud()
    // Once more while the facts are on their way.
    await until(() => ids.flatMap((_, n) => eventsOf(`kds-off-${n}`))).toContain('order.ready')
    await site.gateway.kill('SIGKILL')
    await site.startGateway()
    for (const n of ids.keys()) await until(() => eventsOf(`kds-off-${n}`)).toContain('order.completed')
    await screen.watch(site.gatewayUrl)
    for (const n of ids.keys()) {
      const facts = eventsOf(`kds-off-${n}`).filter((type) => type === 'order.ready' || type === 'order.completed')
      expect(facts.sort()).toEqual(['order.completed', 'order.ready'])
    }
  })
})

describe('screen and paper', () => {
  it('back each other up: what a silent display has not shown is printed once, marked', async () => {
    const [kitchen] = (await control('printers.list', {})) as unknown as { printerId: string }[]
    await screen.here(site.gatewayUrl, [...screen.orders.keys()])
    await control('displays.update', { displayId, backupPrinter: kitchen?.printerId })
    const seen = await inject('kds-seen')
    await onScreen(seen)
    await screen.here(site.gatewayUrl, [seen])
    const unseen = await inject('kds-unseen')
    const slip = await printer.nextTicket((ticket) => ticket.text().includes('SCREEN OFFLINE'))
    expect(slip.text()).toContain('kds-unseen')
    expect(slip.text()).toContain('POSSIBLE DUPLICATE')
    // The next one proves that the first is not printed again, and that what was seen is not printed at all.
    await inject('kds-unseen-too')
    await printer.nextTicket((ticket) => /SCREEN OFFLINE[\s\S]*kds-unseen-too/.test(ticket.text()))
    const slips = printer.tickets.map((ticket) => ticket.text()).filter((text) => text.includes('SCREEN OFFLINE'))
    expect(slips).toHaveLength(2)
    expect(slips.join()).not.toContain('kds-seen')
    expect(unseen).toBeTruthy()
  })
})

describe('orders accepted by the gateway', () => {
  it('are on the display in the order in which it took them', async () => {
    const ids: string[] = []
    for (let n = 0; n < 120; n++) ids.push(await inject(`kds-many-${n}`))
    await until(() => ids.every((id) => screen.seen.has(id))).toBe(true)
    expect([...screen.seen].filter((id) => ids.includes(id))).toEqual(ids)
  })
})
