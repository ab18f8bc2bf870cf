// A gateway that sends status messages without pause, over a real connection: the first is taken at once, then the newest four times a second.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { upMessage } from '#shared/wire/gateway-link.ts'
import { BareBox } from '#test/doubles/bare-box.ts'
import { LinkDesk } from '#test/fixtures/link-desk.ts'
import { printer } from '#test/fixtures/order-desk.ts'
import { registerGateway } from './gateway-registry.ts'
import { Relay } from './relay.ts'

let desk: LinkDesk
let relay: Relay
let box: BareBox

beforeEach(async () => {
  desk = await LinkDesk.open()
  // Only the relay's own dispatcher sends here.
  await desk.dispatcher.stop()
  relay = new Relay({
    ...desk.api.stores,
    recordResult: async () => 'recorded',
    recordKitchenFact: async () => 'recorded',
    config: { mqttHost: '127.0.0.1', mqttPort: 0 },
    random: () => 0.5,
  })
  await relay.start()
  const place = { locationId: desk.api.locationId, name: 'Box' }
  const { gatewayId, token } = await registerGateway(desk.api.stores, place)
  box = await BareBox.connect({ port: relay.mqttPort, gatewayId, token })
})

afterEach(async () => {
  vi.restoreAllMocks()
  box.end()
  await relay.stop()
  await desk.close()
})

async function welcomed(change: Parameters<LinkDesk['helloOf']>[0] = {}): Promise<void> {
  await box.say(desk.helloOf(change))
  await box.hears('welcome', ({ e }) => e === (change.e ?? 1))
}

const statusOf = (queue: object = {}) => ({
  ...{ t: 'status', e: 1, printers: [], cfgVer: 0, clockOffsetMs: null, rssBytes: 1 },
  queue: { queued: 0, held: 0, unreported: 0, ...queue },
})
const writes = () => vi.spyOn(desk.api.stores.gateways, 'replacePrinters')
const named = (name: string) => ({ ...statusOf(), printers: [printer('grill', { name })] })

it('is written at once, and then four times a second, however often it changes: the last one is never lost', async () => {
  await welcomed()
  const written = writes()
  for (let n = 0; n < 100; n++) await box.say(named(`Grill ${n}`))
  await box.reportsSomething()
  await desk.quiet()
  const names = () => written.mock.calls.map(([, , { printers }]) => printers.map(({ name }) => name).join())
  expect(names()).toEqual(['Grill 0'])
  await desk.clock.advance(250)
  await expect.poll(names).toEqual(['Grill 0', 'Grill 99'])
  await desk.clock.advance(250)
  await box.say(named('Grill at once'))
  await expect.poll(names).toEqual(['Grill 0', 'Grill 99', 'Grill at once'])
})

it('what is overtaken is not even read', async () => {
  await welcomed()
  const parse = vi.spyOn(upMessage, 'safeParse')
  for (let n = 0; n < 20; n++) await box.say(named(`Grill ${n}`))
  await box.reportsSomething()
  await desk.clock.advance(250)
  const read = parse.mock.calls.map(([json]) => JSON.stringify(json)).filter((text) => text.includes('"status"'))
  expect(read.map((text) => /Grill \d+/.exec(text)?.[0])).toEqual(['Grill 0', 'Grill 19'])
})

it('in any text form waits its turn', async () => {
  await welcomed()
  const written = writes()
  await box.say(named('Grill'))
  const spaced = (name: string) => JSON.stringify({ v: 1, id: 'm', ts: 0, ...named(name) }, null, 1)
  for (let n = 0; n < 10; n++) await box.say(spaced(`Grill ${n}`))
  await box.reportsSomething()
  await desk.quiet()
  expect(written).toHaveBeenCalledTimes(1)
  await desk.clock.advance(250)
  await expect.poll(() => written.mock.calls.at(-1)?.[2].printers).toMatchObject([{ name: 'Grill 9' }])
})

it('that waits is written when the connection or the relay ends', async () => {
  await welcomed()
  const written = writes()
  await box.say(named('Grill 0'))
  await box.say(named('Grill 1'))
  await box.say({ t: 'bye' })
  await expect.poll(() => written.mock.calls.at(-1)?.[2].printers).toMatchObject([{ name: 'Grill 1' }])
  await welcomed({ e: 2 })
  await box.say({ ...named('Grill 2'), e: 2 })
  await box.say({ ...named('Grill 3'), e: 2 })
  await box.reportsSomething()
  await relay.stop()
  await expect.poll(() => written.mock.calls.at(-1)?.[2].printers).toMatchObject([{ name: 'Grill 3' }])
})

it('that waited since before another hello is not taken as idle after it', async () => {
  await welcomed()
  await box.say(statusOf({ queued: 1 }))
  await desk.insert('pj_a')
  await box.hears('job')
  await box.say(statusOf())
  // The same connection sends hello again: now it has the job.
  box.said.length = 0
  await welcomed({ last: 1 })
  await desk.clock.advance(250)
  await box.reportsSomething()
  await desk.quiet()
  expect(await desk.row('pj_a')).toMatchObject({ state: 'accepted', possible_duplicate: 0 })
})

it.each([
  ['said hello again', async () => welcomed({ e: 2 }), 2],
  [
    'left and came back',
    async () => {
      await box.say({ t: 'bye' })
      await welcomed({ e: 2 })
    },
    2,
  ],
])(
  'that says the same as before is written when the box %s: another relay may have written something else',
  async (_, comeBack, e) => {
    const written = writes()
    await welcomed()
    await box.say(named('Grill'))
    await expect.poll(() => written.mock.calls.length).toBe(1)
    await comeBack()
    await desk.clock.advance(250)
    await box.say({ ...named('Grill'), e })
    await expect.poll(() => written.mock.calls.length).toBe(2)
  },
)
