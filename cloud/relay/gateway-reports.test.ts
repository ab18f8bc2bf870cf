// Results and printer states that gateways report: what is acknowledged, when, and what is written. On a real SQLite file.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordPrintResult } from '#cloud/orders/record-print-result.ts'
import { asId, type GatewayId } from '#shared/ids.ts'
import { type PrinterReport, result, status } from '#shared/wire/gateway-link.ts'
import { LinkDesk } from '#test/fixtures/link-desk.ts'
import { printer } from '#test/fixtures/order-desk.ts'
import { workEnded as turn } from '#test/harness/databases-at-work.ts'
import { COUNTS, ONE_FAULT, ofOneRun } from '#test/harness/units-twice.ts'
import { registerGateway } from './gateway-registry.ts'
import { GatewayReports, type RecordResult } from './gateway-reports.ts'

let desk: LinkDesk
/** The results that were to be recorded, in order. */
let recorded: string[]
/** What recording does besides counting the call. */
let record: RecordResult
let reports: GatewayReports

beforeEach(async () => {
  desk = await LinkDesk.open()
  recorded = []
  record = async () => 'recorded'
  reports = reportsOf((job) => {
    recorded.push(`${job.jobId} ${job.state}`)
    return record(job)
  })
})

afterEach(async () => {
  vi.restoreAllMocks()
  await reports.drain()
  await desk.close()
})

function reportsOf(recordResult: RecordResult): GatewayReports {
  return new GatewayReports({ ...desk.api.stores, publish: desk.publish, recordResult })
}

const resultOf = (jobId: string, change: object = {}) =>
  result.parse({
    ...{ v: 1, id: 'm', ts: 0, e: 1, t: 'result', jobId, state: 'printed', startedAt: 1, endedAt: 2, reason: null },
    tickets: [],
    ...change,
  })

const report = (jobId: string, change: object = {}): void =>
  void reports.result(desk.gatewayId, resultOf(jobId, change))

/** The jobs of each acknowledgement, in order. */
const acknowledged = (): string[][] => desk.of('rack').map(({ jobIds = [] }) => jobIds)

const log = (): string => desk.api.logLines.join('')

/** A promise that stays pending until the test calls `open`. */
function gate(): { wait: Promise<void>; open: () => void } {
  let open = (): void => undefined
  const wait = new Promise<void>((resolve) => {
    open = resolve
  })
  return { wait, open }
}

/** Each is being recorded before the next one comes, and all are on disk in one moment, in this order. */
async function endTogether(...told: readonly (() => void)[]): Promise<void> {
  const disk = gate()
  record = async () => {
    await disk.wait
    return 'recorded'
  }
  for (const tell of told) {
    tell()
    await turn()
  }
  disk.open()
  await reports.drain()
}

describe('a result', () => {
  it('is recorded with its outcome and then acknowledged to its gateway', async () => {
    report('pj_a', { state: 'failed', e: 7 })
    expect(desk.said).toEqual([])
    await reports.drain()
    expect(recorded).toEqual(['pj_a failed'])
    expect(desk.of('rack')).toMatchObject([{ to: desk.gatewayId, e: 7, jobIds: ['pj_a'] }])
  })

  it('is not acknowledged before it is recorded', async () => {
    const disk = gate()
    record = async () => {
      await disk.wait
      return 'recorded'
    }
    report('pj_a')
    await desk.quiet()
    expect([recorded, acknowledged()]).toEqual([['pj_a printed'], []])
    disk.open()
    await reports.drain()
    expect(acknowledged()).toEqual([['pj_a']])
  })

  it('that could not be recorded stays with the gateway, which sends it again', async () => {
    record = async () => {
      throw new Error('disk I/O error')
    }
    report('pj_a')
    await reports.drain()
    expect(acknowledged()).toEqual([])
    expect(log()).toContain('result could not be recorded')
    record = async () => 'recorded'
    report('pj_a')
    await reports.drain()
    expect(acknowledged()).toEqual([['pj_a']])
  })

  it('that arrives again while it is being recorded is recorded once', async () => {
    const disk = gate()
    record = async () => {
      await disk.wait
      return 'recorded'
    }
    for (let i = 0; i < 3; i++) report('pj_a')
    await desk.quiet()
    disk.open()
    await reports.drain()
    expect([recorded, acknowledged()]).toEqual([['pj_a printed'], [['pj_a']]])
  })

  it('that arrives again later is acknowledged again: the first acknowledgement may be lost', async () => {
    report('pj_a')
    await reports.drain()
    record = async () => 'already'
    report('pj_a')
    await reports.drain()
    expect(acknowledged()).toEqual([['pj_a'], ['pj_a']])
  })

  it('of a job that this relay does not know is acknowledged, and its facts are logged', async () => {
    record = async () => 'unknown'
    report('pj_gone')
    await reports.drain()
    expect(acknowledged()).toEqual([['pj_gone']])
    expect(log()).toContain('result of a job that this relay does not have')
  })

  it("of another location's job changes nothing there", async () => {
    await desk.insert('pj_a')
    const { gatewayId } = await registerGateway(desk.api.stores, { locationId: desk.otherLocation, name: 'Other' })
    void reports.result(gatewayId, resultOf('pj_a'))
    await reports.drain()
    expect(recorded).toEqual([])
    expect(log()).toContain('gateway reported the job of another location')
    report('pj_a')
    await reports.drain()
    expect(recorded).toEqual(['pj_a printed'])
  })

  it('writes the step of the walk with the job, so that one id has the whole story', async () => {
    await desk.insert('pj_a')
    report('pj_a')
    await reports.drain()
    const step = desk.api.logLines.map((line) => JSON.parse(line)).find(({ walk }) => walk === '9/10')
    expect(step).toMatchObject({ printJobId: 'pj_a', gatewayId: desk.gatewayId, state: 'printed', outcome: 'recorded' })
  })

  it('of an order with all its evidence is in the database before its acknowledgement is sent', async () => {
    await desk.insert('pj_a')
    const { stores } = desk.api
    reports = reportsOf((job) => recordPrintResult(stores, job))
    const ticket = {
      ...{ ticketId: 'pj_a-1', printerId: 'grill', printerName: 'Grill', state: 'printed', attempts: 2 },
      ...{ confirmation: 'confirmed', method: 'gs-r', firstByteAtMs: 1, printedAtMs: 2, possibleDuplicate: false },
      reason: null,
    }
    report('pj_a', { tickets: [ticket] })
    await expect.poll(acknowledged).toEqual([['pj_a']])
    const row = await desk.row('pj_a')
    expect(row.state).toBe('printed')
    expect(JSON.parse(row.evidence ?? '[]')).toMatchObject([{ attempts: 2, method: 'gs-r' }])
  })
})

describe('acknowledgements', () => {
  it('of results that end together are one message, over the newest connection that sent one', async () => {
    await endTogether(
      () => report('pj_a', { e: 4 }),
      () => report('pj_b', { e: 6 }),
      () => report('pj_c', { e: 5 }),
    )
    expect(desk.of('rack')).toMatchObject([{ e: 6, jobIds: ['pj_a', 'pj_b', 'pj_c'] }])
  })

  it('go to each gateway alone', async () => {
    await endTogether(
      () => report('pj_a'),
      () => void reports.result(asId<'gw'>('gw_other'), resultOf('pj_b')),
    )
    expect(desk.of('rack').map(({ to, jobIds }) => [to === desk.gatewayId, jobIds])).toEqual([
      [true, ['pj_a']],
      [false, ['pj_b']],
    ])
  })

  it('carry no more jobs than a gateway takes in one message', async () => {
    const all = Array.from({ length: 300 }, (_, n) => `pj_${n}`)
    const disk = gate()
    record = async () => {
      await disk.wait
      return 'recorded'
    }
    for (const jobId of all) report(jobId)
    await desk.quiet()
    disk.open()
    await reports.drain()
    expect(acknowledged().map(({ length }) => length)).toEqual([256, 44])
    expect(acknowledged().flat().toSorted()).toEqual(all.toSorted())
  })

  it('are sent in the next turn of the event loop, also when nothing drains', async () => {
    report('pj_a')
    await expect.poll(acknowledged).toEqual([['pj_a']])
  })
})

it('draining waits for every result that had arrived, also when another one cannot be recorded', async () => {
  const disk = gate()
  record = async ({ jobId }) => {
    if (jobId === 'pj_bad') throw new Error('disk I/O error')
    await disk.wait
    return 'recorded'
  }
  report('pj_bad')
  report('pj_a')
  let isDrained = false
  const drained = reports.drain().then(() => {
    isDrained = true
  })
  await desk.quiet()
  await turn()
  expect(isDrained).toBe(false)
  disk.open()
  await drained
  expect(acknowledged()).toEqual([['pj_a']])
})

describe('the state of printers', () => {
  const say = (printers: PrinterReport[], gatewayId: GatewayId = desk.gatewayId): Promise<void> =>
    reports.status(
      gatewayId,
      status.parse({
        ...{ v: 1, id: 'm', ts: 0, e: 1, t: 'status', printers, cfgVer: 0, clockOffsetMs: null, rssBytes: 0 },
        queue: { queued: 0, held: 0, unreported: 0 },
      }),
    )

  const stored = async (): Promise<string[]> => {
    const rows = await desk.api.db.read
      .selectFrom('printers')
      .select(['printer_id', 'state'])
      .where('gateway_id', '=', desk.gatewayId)
      .orderBy('printer_id')
      .execute()
    return rows.map(({ printer_id, state }) => `${printer_id} ${state}`)
  }

  const watchWrites = () => vi.spyOn(desk.api.stores.gateways, 'replacePrinters')

  it('is the last report of the gateway, without printers that it no longer has', async () => {
    await say([printer('bar'), printer('grill', { state: 'offline' })])
    expect(await stored()).toEqual(['bar online', 'grill offline'])
    await say([printer('grill')])
    expect(await stored()).toEqual(['grill online'])
  })

  ofOneRun(COUNTS)('is written when something changed, not for a longer queue', async () => {
    const writes = watchWrites()
    await say([printer('grill', { queued: 0 })])
    await say([printer('grill', { queued: 9 })])
    expect(writes).toHaveBeenCalledTimes(1)
    await say([printer('grill', { state: 'offline', queued: 9 })])
    expect(writes).toHaveBeenCalledTimes(2)
  })

  ofOneRun(COUNTS)('of one gateway says nothing of another', async () => {
    const writes = watchWrites()
    const other = await registerGateway(desk.api.stores, { locationId: desk.otherLocation, name: 'Other' })
    await say([printer('grill')])
    await say([printer('grill')], other.gatewayId)
    expect(writes).toHaveBeenCalledTimes(2)
  })

  ofOneRun(ONE_FAULT)(
    'that could not be written is written with the next report, although it says the same',
    async () => {
      watchWrites().mockRejectedValueOnce(new Error('disk I/O error'))
      await expect(say([printer('grill')])).rejects.toThrow('disk I/O error')
      expect(await stored()).toEqual([])
      await say([printer('grill')])
      expect(await stored()).toEqual(['grill online'])
    },
  )

  it('that went offline and online while the first report was being written is written at last', async () => {
    await say([printer('grill')])
    const both = [say([printer('grill', { state: 'offline' })]), say([printer('grill')])]
    await Promise.all(both)
    expect(await stored()).toEqual(['grill online'])
  })

  ofOneRun(COUNTS).each([
    ['in one session', () => {}],
    ['in two sessions', () => reports.forget(desk.gatewayId)],
  ])(
    'is written in the order in which it was said %s, also where the database does two things at once',
    async (_, between) => {
      const { gateways } = desk.api.stores
      const steps: string[] = []
      const write = gateways.replacePrinters.bind(gateways)
      watchWrites().mockImplementation(async (...args) => {
        const [{ state } = printer('none')] = args[2].printers
        steps.push(`begin ${state}`)
        // Long enough for the next one to overtake it.
        for (let look = 0; look < 50 && steps.length < 2; look++) await stored()
        await write(...args)
        steps.push(`end ${state}`)
      })
      const first = say([printer('grill', { state: 'offline' })])
      between()
      await Promise.all([first, say([printer('grill')])])
      expect(steps).toEqual(['begin offline', 'end offline', 'begin online', 'end online'])
      expect(await stored()).toEqual(['grill online'])
    },
  )
})

describe('how stations can be served, and how the box is', () => {
  const WAYS = [
    { station: 'grill', way: { kind: 'display', id: 'dsp_1', name: 'Grill 1' } },
    { station: null, way: null },
  ]
  const HEALTH = { critical: 1, warning: 0, advice: 2, worst: 'printer-down', sinceMs: 5 }
  const say = (standing: object) =>
    reports.status(
      desk.gatewayId,
      status.parse({
        ...{ v: 1, id: 'm', ts: 0, e: 1, t: 'status', printers: [], cfgVer: 0, clockOffsetMs: null, rssBytes: 0 },
        ...{ queue: { queued: 0, held: 0, unreported: 0 }, ...standing },
      }),
    )
  const stored = async () => {
    const row = await desk.api.db.read
      .selectFrom('gateways')
      .select(['stations', 'health', 'routing'])
      .where('id', '=', desk.gatewayId)
      .executeTakeFirstOrThrow()
    return [row.stations, row.health, row.routing].map((json) => (json === null ? null : JSON.parse(json)))
  }

  it('is the last report of the gateway; one that does not report it any more has none', async () => {
    const routing = { printers: [{ id: 'p', orders: true, by: null }], rules: [], screens: [] }
    await say({ stations: WAYS, health: HEALTH, routing })
    expect(await stored()).toEqual([WAYS, HEALTH, routing])
    await say({ routing: { ...routing, rules: [{ when: { weather: 'rain' }, to: [], stop: true }] } })
    expect(await stored()).toEqual([null, null, null])
  })

  it('of more stations than the limit is that of the first 200, including those of the rest; logged once', async () => {
    const way = WAYS[0]?.way ?? null
    const many = Array.from({ length: 500 }, (_, n) => ({ station: `s${n}`, way }))
    const rest = { station: null, way: null }
    await say({ stations: [...many, rest], health: HEALTH })
    expect(await stored()).toEqual([[...many.slice(0, 199), rest], HEALTH, null])
    await say({ stations: many, health: HEALTH })
    expect(await stored()).toEqual([many.slice(0, 200), HEALTH, null])
    expect(desk.api.logLines.filter((line) => line.includes('more stations than are accepted'))).toHaveLength(1)
  })

  ofOneRun(COUNTS)('is written when it changed, not with each heartbeat', async () => {
    const writes = vi.spyOn(desk.api.stores.gateways, 'recordStanding')
    await say({ stations: WAYS, health: HEALTH })
    await say({ stations: WAYS, health: HEALTH })
    expect(writes).toHaveBeenCalledTimes(1)
    await say({ stations: WAYS, health: { ...HEALTH, critical: 0 } })
    expect(writes).toHaveBeenCalledTimes(2)
  })
})
