// Courses told with real programs: the first prints, each later one when it is fired, by a client, at a display or at the box, once, also over a kill.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callControl } from '#gateway/cli/control-client.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { KitchenScreen } from '#test/harness/kitchen-screen.ts'
import { Site } from '#test/harness/site.ts'

const printer = new VirtualPrinter()
const screen = new KitchenScreen()
let site: Site

const until = <T>(look: () => T) => expect.poll(look)
const control = (operation: string, body: unknown) =>
  callControl(join(site.dir, 'gateway/control.sock'), operation, body) as Promise<Record<string, string>>
/** An order of three courses, on its way to paper. */
const inject = async (orderId: string): Promise<string> =>
  (await site.injectSurely({ orderId, courses: [1, 2, 3] })).body.serviceOrderId
const fire = (id: string, course: number) =>
  site.call('POST', `/v1/order/${id}/fire`, { merchantId: site.merchantId, course })
const papersOf = (orderId: string) =>
  printer.tickets.map((ticket) => ticket.text()).filter((text) => text.includes(`order ${orderId}`))
const firesOf = (orderId: string, course: number) =>
  papersOf(orderId).filter((text) => text.includes(`*** FIRE COURSE ${course} ***`))
const states = async (id: string) =>
  (await site.getOrder(id)).body.courses.map(({ state }: { state: string }) => state).join(' ')

beforeAll(async () => {
  const { host, port } = await printer.start()
  site = new Site({ printers: `kitchen=${host}:${port}` })
  await site.start()
  const added = await control('displays.add', { name: 'Expo' })
  await screen.signIn(site.gatewayUrl, added['code'] ?? '')
  await screen.watch(site.gatewayUrl)
})

afterAll(async () => {
  screen.close()
  await site.stop()
  await printer.stop()
})

describe('an order of three courses', () => {
  it('prints its first, and a later one when a client fires it, once', async () => {
    const id = await inject('by-client')
    await until(() => papersOf('by-client')).toHaveLength(1)
    expect(papersOf('by-client')[0]).toContain('HOLD COURSE 2')
    expect(await states(id)).toBe('fired held held')
    const answers = await Promise.all([fire(id, 2), fire(id, 2), fire(id, 2)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    await until(() => firesOf('by-client', 2)).toHaveLength(1)
    // The next ticket of the same printer is behind whatever might have come twice.
    await fire(id, 3)
    await until(() => firesOf('by-client', 3)).toHaveLength(1)
    expect(firesOf('by-client', 2)).toHaveLength(1)
    expect((await site.getOrder(id)).body).toMatchObject({ status: 'printed' })
    const jobIds = answers.map(({ body }) => body.printJobId)
    expect(jobIds).toEqual(Array(3).fill((await site.getOrder(id)).body.courses[1].printJobId))
    const job = () => site.call('GET', `/v1/print/job/${jobIds[0]}?merchantId=${site.merchantId}`)
    await expect.poll(async () => (await job()).body).toMatchObject({ type: 'fire', state: 'printed', attempts: 1 })
  })

  it('reports to the relay what the kitchen has fired at a display and at the box', async () => {
    const id = await inject('by-kitchen')
    await until(() => screen.orders.get(id)).toBeDefined()
    const tap = screen.act('fire', id, { course: 2 })
    expect(await screen.send(site.gatewayUrl, tap, tap)).toMatchObject([{ outcome: 'done' }, { outcome: 'already' }])
    expect(await control('courses.fire', { order: id, course: 3 })).toMatchObject({ outcome: 'done' })
    await until(() => firesOf('by-kitchen', 3)).toHaveLength(1)
    await expect.poll(() => states(id)).toBe('fired fired fired')
    expect((await fire(id, 2)).status).toBe(200)
    expect(firesOf('by-kitchen', 2)).toHaveLength(1)
  })

  it('loses nothing of a fire when the box is killed, and does not fire it again', async () => {
    const id = await inject('by-kill')
    await until(() => screen.orders.get(id)).toBeDefined()
    await screen.send(site.gatewayUrl, screen.act('fire', id, { course: 2 }))
    await site.gateway.kill('SIGKILL')
    await site.startGateway()
    await until(() => firesOf('by-kill', 2).length).toBeGreaterThan(0)
    await expect.poll(() => states(id)).toBe('fired fired held')
    const [first, ...copies] = firesOf('by-kill', 2)
    expect(first).toBeDefined()
    for (const copy of copies) expect(copy).toContain('POSSIBLE DUPLICATE')
  })
})
