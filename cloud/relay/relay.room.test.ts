// The relay's side of the link over a real connection: which message goes where, which connection's end counts, and how it stops.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { asId } from '#shared/ids.ts'
import { LINK_LIMITS } from '#shared/wire/gateway-link.ts'
import { BareBox } from '#test/doubles/bare-box.ts'
import { LinkDesk } from '#test/fixtures/link-desk.ts'
import { registerGateway, revokeGateway } from './gateway-registry.ts'
import { GatewayReports, type JobResult } from './gateway-reports.ts'
import type { KitchenMessage } from './kitchen-facts.ts'
import { Relay } from './relay.ts'

let desk: LinkDesk
let relay: Relay
let box: BareBox
/** Results that were to be recorded, and what recording them waits for. */
let results: JobResult[]
let disk: Promise<unknown>
let facts: KitchenMessage['facts']
const boxes: BareBox[] = []

beforeEach(async () => {
  desk = await LinkDesk.open()
  // Only the relay's own dispatcher sends here.
  await desk.dispatcher.stop()
  results = []
  facts = []
  disk = Promise.resolve()
  relay = new Relay({
    ...desk.api.stores,
    recordResult: async (result) => {
      results.push(result)
      await disk
      return 'recorded'
    },
    recordKitchenFact: async ({ locationId: _, ...fact }) => {
      facts.push(fact)
      return 'recorded'
    },
    config: { mqttHost: '127.0.0.1', mqttPort: 0 },
    random: () => 0.5,
  })
  await relay.start()
  box = await newBox()
})

afterEach(async () => {
  vi.restoreAllMocks()
  for (const one of boxes.splice(0)) one.end()
  await relay.stop()
  await desk.close()
})

async function newBox(locationId = desk.api.locationId): Promise<BareBox> {
  const { gatewayId, token } = await registerGateway(desk.api.stores, { locationId, name: 'Box' })
  const made = await BareBox.connect({ port: relay.mqttPort, gatewayId, token })
  boxes.push(made)
  return made
}

async function welcomed(change: Parameters<LinkDesk['helloOf']>[0] = {}): Promise<void> {
  await box.say(desk.helloOf(change))
  await box.hears('welcome', ({ e }) => e === (change.e ?? 1))
}

const presence = async () => (await desk.api.stores.gateways.byId(asId(box.gatewayId)))?.presence
const log = (): string => desk.api.logLines.join('')
const ackOf = (last: number, e = 1) => ({ t: 'ack', stream: 'stream-a', last, e })
const resultOf = (jobId: string) => ({ t: 'result', jobId, state: 'printed', startedAt: 1, endedAt: 2, reason: null })
const statusOf = (queue: object = {}, e = 1) => ({
  ...{ t: 'status', e, printers: [], cfgVer: 0, clockOffsetMs: null, rssBytes: 1 },
  queue: { queued: 0, held: 0, unreported: 0, ...queue },
})

describe('the messages of a gateway', () => {
  it('bring it its order, and the order its result', async () => {
    await welcomed()
    await desk.insert('pj_a')
    expect(await box.hears('job')).toMatchObject({ jobId: 'pj_a', seq: 1 })
    await box.say(ackOf(1))
    await box.say({ ...resultOf('pj_a'), tickets: [] })
    expect(await box.hears('rack')).toMatchObject({ jobIds: ['pj_a'] })
    expect(results).toMatchObject([{ jobId: 'pj_a', state: 'printed', endedAtMs: 2, gatewayId: box.gatewayId }])
    await desk.clock.advance(25)
    await expect.poll(async () => (await desk.row('pj_a')).state).toBe('accepted')
    expect(await presence()).toBe('online')
  })

  it('bring back what was refused', async () => {
    await welcomed()
    await desk.insert('pj_a')
    await box.hears('job')
    box.said.length = 0
    await box.say({ t: 'nack', stream: 'stream-a', last: 0, reason: 'gap' })
    expect(await box.hears('job')).toMatchObject({ jobId: 'pj_a', seq: 1 })
  })

  it('report what the kitchen has done, and are acknowledged', async () => {
    await welcomed()
    const fact = { orderId: 'ord_1', fact: 'ready', atMs: 5 }
    await box.say({ t: 'kitchen', facts: [fact] })
    expect(await box.hears('kack')).toMatchObject({ facts: [{ orderId: 'ord_1', fact: 'ready' }] })
    expect(facts).toEqual([fact])
  })

  it('answer a cancel, which is not sent again then', async () => {
    await welcomed()
    await desk.insert('pj_a')
    await box.hears('job')
    await box.say(ackOf(1))
    await desk.takeBack('pj_a')
    desk.api.stores.dispatches.changed.notify(desk.api.locationId)
    expect(await box.hears('cancel')).toMatchObject({ jobId: 'pj_a' })
    await box.say({ t: 'cmd.result', cmd: 'cancel', jobId: 'pj_a', outcome: 'too_late' })
    await expect.poll(async () => (await desk.row('pj_a')).cancel_answered_at).not.toBeNull()
  })

  it.each([
    ['no JSON', '{"v":1,'],
    ['of no known type', JSON.stringify({ v: 1, id: 'm', ts: 0, e: 1, t: 'dance' })],
    ['of another version', JSON.stringify({ v: 2, id: 'm', ts: 0, e: 1, t: 'bye' })],
    [
      'too long',
      JSON.stringify({ v: 1, id: 'm', ts: 0, e: 1, t: 'bye', pad: 'x'.repeat(LINK_LIMITS.jobBytes) }),
      'is longer than any may be: dropped',
    ],
  ])('that are %s are dropped with a line in the log, and the next ones are read', async (_words, text, ...words) => {
    await welcomed()
    await box.say(text)
    await expect.poll(log).toContain(`message from a gateway ${words[0] ?? 'could not be understood'}`)
    expect(log()).not.toContain('damaged')
    await box.reportsSomething()
    expect(await presence()).toBe('online')
  })
})

describe('a gateway that talks as if it had been welcomed', () => {
  it.each([['ack'], ['status']])('is asked for a hello at its %s: this relay does not know it', async (type) => {
    await box.say(type === 'ack' ? ackOf(1) : statusOf())
    expect(await box.hears('rehello')).toMatchObject({ withinMs: 0 })
  })

  it('is asked once in two seconds, for any number of messages', async () => {
    for (let i = 0; i < 5; i++) await box.say(ackOf(1))
    await box.roundTrip()
    expect(box.said.filter(({ t }) => t === 'rehello')).toHaveLength(1)
    await desk.clock.advance(2_000)
    await box.say(ackOf(1))
    await box.roundTrip()
    expect(box.said.filter(({ t }) => t === 'rehello')).toHaveLength(2)
  })

  it('is asked on a connection that is newer than the one that was welcomed', async () => {
    await welcomed({ e: 3 })
    await box.say(ackOf(0, 4))
    await box.hears('rehello')
  })

  it('is not asked because of a message of an older connection', async () => {
    await welcomed({ e: 3 })
    await box.say(ackOf(0, 2))
    await box.say(statusOf({}, 2))
    await box.reportsSomething()
    expect(box.said.filter(({ t }) => t === 'rehello')).toEqual([])
  })
})

describe('the state of printers', () => {
  const grill = {
    ...{ printerId: 'grill', name: 'Grill', stations: [], isDefault: true, state: 'offline', reasons: [] },
    queued: 0,
  }
  const printers = () =>
    desk.api.db.read
      .selectFrom('printers')
      .select(['printer_id', 'state'])
      .where('gateway_id', '=', asId<'gw'>(box.gatewayId))
      .execute()

  it('is known from the connection that was welcomed', async () => {
    await welcomed()
    await box.say({ ...statusOf(), printers: [grill] })
    await expect.poll(printers).toEqual([{ printer_id: 'grill', state: 'offline' }])
  })

  it('is ignored from an older one', async () => {
    await welcomed({ e: 3 })
    await box.say({ ...statusOf({}, 2), printers: [grill] })
    await box.reportsSomething()
    await desk.quiet()
    expect(await printers()).toEqual([])
  })
})

describe('a gateway that has nothing to print and nothing to report', () => {
  /** The gateway has the job, and this database has no outcome of it. */
  async function isThere(): Promise<void> {
    await welcomed()
    await desk.insert('pj_a')
    await box.hears('job')
    await welcomed({ e: 2, last: 1 })
    box.said.length = 0
  }

  it('is asked again, under the mark, for a job whose outcome was lost here', async () => {
    await isThere()
    await box.say(statusOf({}, 2))
    expect(await box.hears('job')).toMatchObject({ jobId: 'pj_a', seq: 2, possibleDuplicate: true })
  })

  it.each([
    ['queued', { queued: 1 }],
    ['unreported', { unreported: 1 }],
  ])('is another one than a gateway with something %s, which is not asked', async (_word, queue) => {
    await isThere()
    await box.say(statusOf(queue, 2))
    await box.reportsSomething()
    await desk.quiet()
    expect(await desk.row('pj_a')).toMatchObject({ state: 'accepted', possible_duplicate: 0 })
  })

  it('reported it of the connection that it used: a job of the next one is not requested again', async () => {
    await welcomed()
    await desk.insert('pj_a')
    await box.hears('job')
    let write = (): void => undefined
    const written = new Promise<void>((resolve) => {
      write = resolve
    })
    // Sent before it had the job, and recorded only after its next hello, which contains it.
    vi.spyOn(GatewayReports.prototype, 'status').mockReturnValueOnce(written)
    await box.say(statusOf())
    await welcomed({ e: 2, last: 1 })
    write()
    await box.reportsSomething()
    await desk.quiet()
    expect(await desk.row('pj_a')).toMatchObject({ state: 'accepted', possible_duplicate: 0 })
  })
})

describe('the end of a connection', () => {
  it.each([['bye'], ['will']])('is reported by a %s: the gateway is offline, and its jobs wait', async (type) => {
    await welcomed()
    await box.say({ t: type })
    await expect.poll(presence).toBe('offline')
    await desk.insert('pj_a')
    await desk.quiet()
    await box.roundTrip()
    expect(box.said.filter(({ t }) => t === 'job')).toEqual([])
    expect(await desk.row('pj_a')).toMatchObject({ state: 'queued' })
  })

  it.each([['bye'], ['will']])('by the %s of an older connection is ignored: orders still arrive', async (type) => {
    await welcomed()
    await welcomed({ e: 2 })
    await box.say({ t: type, e: 1 })
    await desk.insert('pj_a')
    expect(await box.hears('job')).toMatchObject({ jobId: 'pj_a', e: 2 })
    await box.reportsSomething()
    expect(await presence()).toBe('online')
  })

  it('without a word is noticed by the broker', async () => {
    await welcomed()
    box.breaks()
    await expect.poll(presence).toBe('offline')
  })

  it('counts for the connection that was welcomed, not for one whose hello arrived late', async () => {
    await welcomed({ e: 5 })
    await box.say(desk.helloOf({ e: 4 }))
    await box.reportsSomething()
    await box.say({ t: 'bye', e: 5 })
    await expect.poll(presence).toBe('offline')
  })

  it('is made by the relay after 75 seconds of silence, and not before', async () => {
    await welcomed()
    await desk.clock.advance(74_000)
    await box.reportsSomething()
    await desk.clock.advance(74_000)
    await desk.quiet()
    expect(await presence()).toBe('online')
    const closed = box.closed()
    await desk.clock.advance(6_000)
    await closed
    await expect.poll(presence).toBe('offline')
  })

  it('is made by the relay when the gateway is revoked', async () => {
    await welcomed()
    await revokeGateway(desk.api.stores, asId(box.gatewayId))
    const closed = box.closed()
    await desk.clock.advance(5_000)
    await closed
  })
})

describe('the relay', () => {
  it('is ready from its start to its stop', async () => {
    expect(relay.ready()).toBe(true)
    await relay.stop()
    expect(relay.ready()).toBe(false)
  })

  it('records, before it stops, the results that have arrived, and acknowledges them', async () => {
    await welcomed()
    let write = (): void => undefined
    disk = new Promise<void>((resolve) => {
      write = resolve
    })
    await box.say({ ...resultOf('pj_a'), tickets: [] })
    await expect.poll(() => results.length).toBe(1)
    const stopped = relay.stop()
    write()
    await stopped
    expect(await box.hears('rack')).toMatchObject({ jobIds: ['pj_a'] })
  })

  it('does not wait longer than a second and a half for a disk that hangs: those results are sent again', async () => {
    await welcomed()
    disk = new Promise(() => undefined)
    await box.say({ ...resultOf('pj_a'), tickets: [] })
    await expect.poll(() => results.length).toBe(1)
    let isStopped = false
    const stopped = relay.stop().then(() => {
      isStopped = true
    })
    await desk.quiet()
    await desk.clock.advance(1_499)
    await desk.quiet()
    expect(isStopped).toBe(false)
    await desk.clock.advance(1)
    await stopped
    expect(box.said.filter(({ t }) => t === 'rack')).toEqual([])
  })

  it('serves again after a second start', async () => {
    await relay.stop()
    await relay.start()
    box = await newBox()
    await welcomed()
  })
})
