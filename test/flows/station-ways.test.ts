// Whether the kitchen can take an order now, with real programs: by a backup, by a live screen, by nothing; and what the order says of it afterwards.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callControl } from '#gateway/cli/control-client.ts'
import { KitchenScreen } from '#test/harness/kitchen-screen.ts'
import type { Answer } from '#test/harness/site.ts'
import { TwoPrinterSite } from '#test/harness/two-printer-site.ts'

const restaurant = new TwoPrinterSite()
const { kitchen, bar, receiver } = restaurant
const screen = new KitchenScreen()
let orders = 0

const control = (operation: string, body: unknown) =>
  callControl(join(restaurant.site.dir, 'gateway/control.sock'), operation, body) as Promise<Record<string, string>>

/** The gateway as the API shows it. */
const box = async () => (await restaurant.site.call('GET', '/v1/gateways?merchantId=M-TEST-001')).body.data[0]
/** By what lines without a station would come now, as the box has told the relay. */
const rest = async (): Promise<string> => {
  const told = (await box()).stations?.find((one: { station: string | null }) => one.station === null)
  return told === undefined ? 'not told' : `${told.way} ${told.name}`
}
const untilWay = (words: string) => expect.poll(rest, { timeout: 60_000 }).toBe(words)

const inject = async (): Promise<Answer & { id: string }> => {
  const orderId = `way-${++orders}`
  const answer = await restaurant.site.inject({ orderId })
  return { ...answer, id: (answer.body.order ?? answer.body).serviceOrderId }
}
const waysOf = ({ body }: Answer) => (body.order ?? body).ways
const printed = (id: string) =>
  receiver.nextEvent(
    ({ type, data }) => type === 'order.printed' && (data['order'] as { serviceOrderId: string }).serviceOrderId === id,
    120_000,
  )

beforeAll(() => restaurant.start())

afterAll(async () => {
  screen.close()
  await restaurant.stop()
})

describe('a kitchen', () => {
  it('whose printer works accepts an order by it', async () => {
    await untilWay('printer kitchen')
    const answer = await inject()
    expect([answer.status, waysOf(answer)]).toEqual([200, [{ station: 'grill', way: 'printer', name: 'kitchen' }]])
    await printed(answer.id)
    const { body } = await restaurant.site.getOrder(answer.id)
    expect(body).toMatchObject({ ways: waysOf(answer), cameBy: [{ way: 'printer', name: 'kitchen' }] })
  })

  it('whose printer is off has nothing else, and reports that; its health is sent to the cloud', async () => {
    await kitchen.refuse()
    await untilWay('null null')
    const answer = await inject()
    expect([answer.status, answer.body.code]).toEqual([503, 'printer.offline'])
    expect(waysOf(answer)).toEqual([{ station: 'grill', way: null, name: null }])
    await expect.poll(async () => (await box()).health, { timeout: 90_000 }).toMatchObject({ worst: 'printer-down' })
    expect((await box()).health.critical).toBeGreaterThan(0)
  })

  it('whose printer is off accepts an order by a live screen, and the order shows that it was made from it', async () => {
    const { site } = restaurant
    const { code = '' } = await control('displays.add', { name: 'Line screen' })
    expect((await screen.signIn(site.gatewayUrl, code)).status).toBe(200)
    await screen.watch(site.gatewayUrl)
    await screen.here(site.gatewayUrl)
    await untilWay('display Line screen')

    const answer = await inject()
    expect([answer.status, waysOf(answer)]).toEqual([200, [{ station: 'grill', way: 'display', name: 'Line screen' }]])
    await expect.poll(() => screen.orders.get(answer.id)).toBeDefined()
    await screen.here(site.gatewayUrl, [answer.id])
    await screen.send(site.gatewayUrl, screen.act('ready', answer.id))
    await receiver.nextEvent(({ type, data }) => {
      const { serviceOrderId } = data['order'] as { serviceOrderId?: string }
      return type === 'order.ready' && serviceOrderId === answer.id
    }, 60_000)
    const { body } = await site.getOrder(answer.id)
    expect(body).toMatchObject({ status: 'ready', printState: 'pending' })
    expect(body.cameBy).toMatchObject([{ way: 'display', name: 'Line screen' }])
  })

  it('whose screen does not answer either accepts nothing', async () => {
    screen.close()
    await untilWay('null null')
    expect((await inject()).status).toBe(503)
  })

  it('whose printer is off accepts an order by its backup, and the order shows that when it is printed there', async () => {
    await control('printers.update', { printer: 'kitchen', settings: { backupPrinterId: 'bar', backupAfterMs: 5_000 } })
    await untilWay('backup bar')
    const answer = await inject()
    expect([answer.status, waysOf(answer)]).toEqual([200, [{ station: 'grill', way: 'backup', name: 'bar' }]])
    await printed(answer.id)
    expect(bar.tickets.some((ticket) => ticket.text().includes(`way-${orders}`))).toBe(true)
    expect((await restaurant.site.getOrder(answer.id)).body.cameBy).toMatchObject([{ way: 'backup', name: 'bar' }])
  })

  it('whose printer is back accepts orders by it again', async () => {
    await kitchen.listenAgain()
    await untilWay('printer kitchen')
    const answer = await inject()
    await printed(answer.id)
    expect(waysOf(answer)).toEqual([{ station: 'grill', way: 'printer', name: 'kitchen' }])
  })
})
