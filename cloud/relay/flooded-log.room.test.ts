// A gateway, or a thief of its token, that sends messages without end: the relay's log grows with time, not with the messages.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LocationId } from '#shared/ids.ts'
import { sealText } from '#shared/link-seal.ts'
import { CAP_DIGEST } from '#shared/wire/gateway-link.ts'
import { BareBox } from '#test/doubles/bare-box.ts'
import { LinkDesk } from '#test/fixtures/link-desk.ts'
import { registerGateway } from './gateway-registry.ts'
import { GatewayReports, type JobResult } from './gateway-reports.ts'
import { Relay } from './relay.ts'

const FLOOD = 40
/** Lines that one subject may write in a minute. */
const MOST = 10

/** More slowly, and its budget lasts. */
const HELLO_EVERY_MS = 300

let desk: LinkDesk
let relay: Relay
let box: BareBox
const boxes: BareBox[] = []
let outcome: 'recorded' | 'already' | 'unknown'
let results: JobResult[]
let kitchenOutcome: 'recorded' | 'already' | 'refused' | 'unknown'

beforeEach(async () => {
  desk = await LinkDesk.open()
  // Only the relay's own dispatcher sends here.
  await desk.dispatcher.stop()
  outcome = 'recorded'
  results = []
  kitchenOutcome = 'recorded'
  relay = new Relay({
    ...desk.api.stores,
    recordResult: async (result) => {
      results.push(result)
      if (result.jobId.startsWith('pj_bad')) throw new Error('no disk')
      return result.jobId.startsWith('pj_echo') ? 'recorded' : outcome
    },
    recordKitchenFact: async () => kitchenOutcome,
    config: { mqttHost: '127.0.0.1', mqttPort: 0 },
    random: () => 0.5,
  })
  await relay.start()
  box = await newBox(desk.api.locationId)
  await box.say(sealed(desk.helloOf({ caps: ['order-details', 'print-jobs', CAP_DIGEST, 'config'] })))
  await box.hears('welcome')
})

afterEach(async () => {
  vi.restoreAllMocks()
  for (const one of boxes.splice(0)) one.end()
  await relay.stop()
  await desk.close()
})

async function newBox(locationId: LocationId): Promise<BareBox> {
  const { gatewayId, token } = await registerGateway(desk.api.stores, { locationId, name: 'Box' })
  const made = await BareBox.connect({ port: relay.mqttPort, gatewayId, token })
  boxes.push(made)
  return made
}

const sealed = (message: object): string => sealText(JSON.stringify({ v: 1, id: 'm', ts: 0, e: 1, ...message }))
const lines = (words: string): string[] => desk.api.logLines.filter((line) => line.includes(words))
const resultOf = (jobId: string) => ({
  ...{ t: 'result', jobId, state: 'printed', startedAt: 1, endedAt: 2, reason: null, tickets: [] },
})
const status = {
  ...{ t: 'status', printers: [], cfgVer: 0, clockOffsetMs: null, rssBytes: 1 },
  queue: { queued: 0, held: 0, unreported: 0 },
}

/** Resolves when all of it has arrived and was processed; answers to it may still be on their way. */
async function taken(): Promise<void> {
  await box.say(sealed(resultOf('pj_echo')))
  await box.hears('rack', ({ jobIds = [] }) => jobIds.includes('pj_echo'))
  await desk.quiet()
}

async function flood(message: (n: number) => object): Promise<void> {
  for (let n = 0; n < FLOOD; n++) await box.say(sealed(message(n)))
  await taken()
}

describe('many messages of one kind are a few lines in the log', () => {
  it.each<[string, string, (n: number) => object]>([
    ['of a type that nobody knows', 'could not be understood', () => ({ t: 'dance' })],
    [
      'that refuse something',
      'gateway refused a message',
      () => ({ t: 'nack', stream: 'stream-a', last: 0, reason: 'invalid' }),
    ],
    [
      'that acknowledge what was never sent',
      'a number that was never sent',
      (n) => ({ t: 'ack', stream: 'stream-a', last: 1_000 + n }),
    ],
    [
      'that answer a cancel that nobody asked for',
      'that this session was not asked',
      (n) => ({ t: 'cmd.result', cmd: 'cancel', jobId: `pj_${n}`, outcome: 'cancelled' }),
    ],
    [
      'that answer a configuration that was never sent',
      'that it was never sent',
      (n) => ({ t: 'config.result', ver: n, outcome: 'applied', detail: null, printers: [] }),
    ],
    ['that report what cannot be recorded', 'result could not be recorded', (n) => resultOf(`pj_bad_${n}`)],
  ])('%s', async (_, words, message) => {
    await flood(message)
    const said = lines(words).length
    expect(said).toBeGreaterThan(0)
    expect(said).toBeLessThanOrEqual(MOST)
  })

  it('that report jobs that this relay does not know: each is logged, as nothing else keeps it, up to a thousand a minute', async () => {
    outcome = 'unknown'
    await flood((n) => resultOf(`pj_${n}`))
    expect(lines('that this relay does not have')).toHaveLength(FLOOD)
    for (let n = FLOOD; n < 550; n++) await box.say(sealed(resultOf(`pj_${n}`)))
    // Its budget is full again.
    await desk.clock.advance(6_000)
    for (let n = 550; n < 1_100; n++) await box.say(sealed(resultOf(`pj_${n}`)))
    outcome = 'recorded'
    await taken()
    expect(lines('that this relay does not have')).toHaveLength(1_000)
  })

  it('that report the jobs of another location', async () => {
    await desk.insert('pj_a')
    box = await newBox(desk.otherLocation)
    for (let n = 0; n < FLOOD; n++) {
      await box.say(sealed({ ...resultOf('pj_a'), e: n }))
      await box.hears('rack', ({ e }) => e === n)
    }
    expect(lines('the job of another location')).toHaveLength(MOST)
  })

  it('that report a job again', async () => {
    outcome = 'already'
    await flood((n) => resultOf(`pj_${n}`))
    expect(lines('a job that has one already')).toHaveLength(MOST)
    expect(lines('result recorded')).toHaveLength(1)
  })

  it.each(['refused', 'already'] as const)('that report kitchen facts that are %s', async (what) => {
    kitchenOutcome = what
    for (let n = 0; n < FLOOD; n++) {
      await box.say(sealed({ t: 'kitchen', facts: [{ orderId: `ord_${n}`, fact: 'ready', atMs: 5 }] }))
      await box.hears('kack', (kack) => JSON.stringify(kack).includes(`"ord_${n}"`))
    }
    expect(lines('"ord_')).toHaveLength(MOST)
  })

  it('that cannot be stored', async () => {
    vi.spyOn(GatewayReports.prototype, 'status').mockRejectedValue(new Error('no disk'))
    await flood(() => status)
    const said = lines('could not be stored').length
    expect(said).toBeGreaterThan(0)
    expect(said).toBeLessThanOrEqual(MOST)
  })

  it('that open one session after the other', async () => {
    for (let e = 2; e < FLOOD; e++) {
      await desk.clock.advance(HELLO_EVERY_MS)
      await box.say(sealed({ ...desk.helloOf({ caps: [CAP_DIGEST] }), e }))
      await box.hears('welcome', (welcome) => welcome.e === e)
      await box.say(sealed({ t: 'bye', e }))
    }
    await taken()
    expect(lines('gateway is here')).toHaveLength(MOST)
    expect(lines('gateway is gone')).toHaveLength(MOST)
  })

  it('that use no protocol of this relay', async () => {
    for (let n = 0; n < FLOOD; n++) {
      await desk.clock.advance(HELLO_EVERY_MS)
      await box.say(sealed(desk.helloOf({ caps: [CAP_DIGEST], proto: [7, 7], e: n + 2 })))
    }
    await taken()
    expect(lines('no common protocol version')).toHaveLength(MOST)
  })

  it('that ask for the state of jobs', async () => {
    for (let n = 0; n < FLOOD; n++) {
      await box.say(sealed({ t: 'ask', jobIds: [`pj_${n}`] }))
      await box.hears('told', (told) => JSON.stringify(told).includes(`"pj_${n}"`))
    }
    expect(lines('has an older disk')).toHaveLength(1)
  })
})

it('what was left out is counted within a minute', async () => {
  await flood(() => ({ t: 'dance' }))
  await desk.clock.advance(60_000)
  const told = lines('lines were left out').map((line) => JSON.parse(line))
  expect(told).toMatchObject([
    { line: 'message from a gateway could not be understood', leftOut: FLOOD - 1, subjects: 1 },
  ])
})
