// A gateway that floods, over real connections and a real database: it is read more slowly, nothing of it is lost, and others do not wait.
// The clock is stopped unless the test moves it: what is read then is what the budget allows at once.
import { createServer, type Server, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { Aedes } from 'aedes'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordPrintResult } from '#cloud/orders/record-print-result.ts'
import { GatewayConfigStore } from '#cloud/storage/gateway-config-store.ts'
import { asId } from '#shared/ids.ts'
import { BareBox } from '#test/doubles/bare-box.ts'
import { LinkDesk } from '#test/fixtures/link-desk.ts'
import { registerGateway } from './gateway-registry.ts'
import type { RecordResult } from './gateway-reports.ts'
import { Relay } from './relay.ts'

const AT_ONCE = 600

let desk: LinkDesk
let relay: Relay
let box: BareBox
let heard: string[]
let record: RecordResult
const boxes: BareBox[] = []
const ends: (() => Promise<void>)[] = []

beforeEach(async () => {
  desk = await LinkDesk.open()
  // Only the relay's own dispatcher sends here.
  await desk.dispatcher.stop()
  heard = []
  record = async () => 'already'
})

afterEach(async () => {
  vi.restoreAllMocks()
  for (const one of boxes.splice(0)) one.end()
  await relay.stop()
  for (const end of ends.splice(0)) await end()
  await desk.close()
})

async function start(brokerUrl?: string): Promise<void> {
  relay = new Relay({
    ...desk.api.stores,
    recordResult: (result) => {
      heard.push(result.jobId)
      return record(result)
    },
    recordKitchenFact: async () => 'already',
    config: { mqttHost: '127.0.0.1', mqttPort: 0, brokerUrl },
    random: () => 0.5,
  })
  await relay.start()
}

async function newBox(port = relay.mqttPort): Promise<BareBox> {
  const place = { locationId: desk.api.locationId, name: 'Box' }
  const made = await BareBox.connect({ port, ...(await registerGateway(desk.api.stores, place)) })
  boxes.push(made)
  return made
}

async function welcomed(): Promise<BareBox> {
  await start()
  const made = await newBox()
  await made.say(desk.helloOf())
  await made.hears('welcome')
  return made
}

const resultOf = (jobId: string) => ({
  ...{ t: 'result', jobId, state: 'printed', startedAt: 1, endedAt: 2, reason: null, tickets: [] },
})

/** All at once. @returns when the broker has taken the last */
async function says(count: number, message: (n: number) => object): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, n) => box.say(message(n))))
}

/** Moves the clock until it is done. */
async function inTime(work: Promise<unknown>): Promise<void> {
  let isDone = false
  const done = work.then(() => {
    isDone = true
  })
  while (!isDone) {
    await desk.clock.advance(10)
    // What it let through is on its way.
    await turn()
  }
  await done
}

describe('a box that returns after a long outage', () => {
  it('is heard at full speed, however many results it has: no time passes for 5,000 of them', async () => {
    box = await welcomed()
    record = async () => 'recorded'
    for (let from = 0; from < 5_000; from += 64) {
      await says(64, (n) => resultOf(`pj_${from + n}`))
      await box.hears('rack', ({ jobIds = [] }) => jobIds.includes(`pj_${from + 63}`))
    }
    expect(heard.length).toBeGreaterThanOrEqual(5_000)
  })
})

describe('a box that repeats the same message without end', () => {
  it('is not read while its budget is spent, while others are, and none of its messages is lost', async () => {
    box = await welcomed()
    const flood = says(1_500, (n) => resultOf(`pj_${n}`))
    const other = await newBox()
    await other.say(desk.helloOf())
    await other.hears('welcome')
    await other.reportsSomething()
    await expect.poll(() => heard.length).toBeGreaterThan(AT_ONCE - 50)
    await other.reportsSomething()
    expect(heard.length).toBeLessThan(1_400)
    await inTime(flood)
    await expect.poll(() => new Set(heard.filter((id) => !id.includes('echo'))).size).toBe(1_500)
    expect(desk.api.logLines.join('')).toContain('it is read more slowly')
  })

  it('is closed after a minute, with a line in the log, and let in again after another', async () => {
    box = await welcomed()
    const { gatewayId } = box
    const closed = box.closed()
    let isClosed = false
    const done = closed.then(() => {
      isClosed = true
    })
    const credentials = vi.spyOn(desk.api.stores.gateways, 'tokenHash')
    const flood = async (): Promise<void> => {
      for (let n = 0; !isClosed; n += 500)
        await Promise.race([says(500, (i) => resultOf(`pj_${n + i}`)).catch(() => undefined), done])
    }
    await inTime(Promise.all([flood(), done]))
    expect(desk.api.logLines.join('')).toContain('more than its budget without end: its connection is closed')
    const again = { port: relay.mqttPort, gatewayId, token: 'wrong' }
    // It gets the refusal later.
    await inTime(expect(BareBox.connect(again)).rejects.toThrow(/Server unavailable/))
    expect(credentials).not.toHaveBeenCalled()
    await desk.clock.advance(60_000)
    await expect(BareBox.connect(again)).rejects.toThrow(/Not authorized/)
  })

  it('as hellos, is not answered for each', async () => {
    box = await welcomed()
    const welcomes = () => box.said.filter(({ t }) => t === 'welcome').length
    const resumed = vi.spyOn(desk.api.stores.gateways, 'recordHello')
    const flood = says(400, (n) => desk.helloOf({ e: n + 2 })).catch(() => undefined)
    await expect.poll(() => desk.api.logLines.join('')).toContain('more than its budget')
    await desk.quiet()
    expect(resumed.mock.calls.length).toBeLessThan(200)
    expect(welcomes()).toBeLessThan(200)
    box.end()
    await flood
  })

  it('as results, writes nothing: not for jobs that have ended, nor for unknown jobs', async () => {
    record = (result) => recordPrintResult(desk.api.stores, result)
    box = await welcomed()
    await desk.insert('pj_a')
    await box.hears('job')
    await box.say(resultOf('pj_a'))
    await box.hears('rack')
    await desk.quiet()
    const units = vi.spyOn(desk.api.db, 'unit')
    for (let n = 0; n < 100; n++) await box.say(resultOf(n % 2 === 0 ? 'pj_a' : `pj_unknown_${n}`))
    await box.hears('rack', ({ jobIds = [] }) => jobIds.includes('pj_unknown_99'))
    expect(units).not.toHaveBeenCalled()
  })

  it('as answers to its configuration, writes the first and then the newest four times a second', async () => {
    box = await welcomed()
    const configs = new GatewayConfigStore(desk.api.db)
    const gatewayId = asId<'gw'>(box.gatewayId)
    const config = { gatewayId, ver: 1, text: '{"printers":[]}', sha256: 'x', nowMs: 0, by: 'a' }
    await desk.api.db.unit((tx) => configs.put(tx, config))
    const answers = vi.spyOn(GatewayConfigStore.prototype, 'recordAnswer')
    const answer = (detail: string) => ({ t: 'config.result', ver: 1, outcome: 'applied', detail, printers: [] })
    await says(100, (n) => answer(`${n}`))
    await box.reportsSomething()
    await desk.quiet()
    expect(answers.mock.calls.length).toBe(1)
    await desk.clock.advance(250)
    await expect.poll(() => answers.mock.calls.map(([, { detail }]) => detail)).toEqual(['0', '99'])
    await desk.clock.advance(250)
    await box.say(answer('99'))
    await box.reportsSomething()
    await desk.quiet()
    expect(answers.mock.calls.length).toBe(2)
  })

  it('as bytes without content, is closed: pings of a whole buffer exceed a minute of its budget', async () => {
    box = await welcomed()
    const closed = box.closed()
    box.writesRaw(Buffer.from([0xc0, 0x00]), 200_000)
    await closed
    expect(desk.api.logLines.join('')).toContain('its connection is closed')
  })
})

describe('behind an external broker, where no socket can be paused', () => {
  async function externalBroker(): Promise<number> {
    const broker = await Aedes.createBroker()
    const sockets = new Set<Socket>()
    const server: Server = createServer((socket) => {
      sockets.add(socket)
      broker.handle(socket)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ends.push(async () => {
      await new Promise<void>((resolve) => broker.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    })
    const address = server.address()
    return address !== null && typeof address === 'object' ? address.port : 0
  }

  it('what exceeds the budget is dropped and accepted when it is sent again; its farewell is read at once', async () => {
    const port = await externalBroker()
    await start(`mqtt://127.0.0.1:${port}`)
    box = await newBox(port)
    await box.say(desk.helloOf())
    await box.hears('welcome')
    await says(2_000, (n) => resultOf(`pj_${n}`))
    const other = await newBox(port)
    await other.say(desk.helloOf())
    await other.hears('welcome')
    await other.reportsSomething()
    expect(heard.filter((id) => !id.includes('echo')).length).toBeLessThanOrEqual(AT_ONCE)
    expect(desk.api.logLines.join('')).toContain('dropped, it will be resent')
    await desk.clock.advance(6_000)
    await box.say(resultOf('pj_1999'))
    await box.hears('rack', ({ jobIds = [] }) => jobIds.includes('pj_1999'))
    await says(2_000, (n) => resultOf(`pj_${n}`))
    await box.say({ t: 'bye' })
    const row = async () => (await desk.api.stores.gateways.byId(asId(box.gatewayId)))?.presence
    await expect.poll(row).toBe('offline')
  })
})
