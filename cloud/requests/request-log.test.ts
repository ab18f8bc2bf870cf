// The log of requests on its own file: what it keeps and leaves out, how long, and that no disk can make it fail a request.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import type { ServiceError } from '#shared/errors.ts'
import { type AccountId, firstId, newId } from '#shared/ids.ts'
import { createLogger } from '#shared/log.ts'
import { fillDisk } from '#test/doubles/full-disk.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RequestFile } from './request-file.ts'
import { type AnsweredRequest, RequestLog } from './request-log.ts'

const DAY = 86_400_000
const account = newId('acc', 1)
const keyId = newId('key', 1)
let clock: ManualClock
let folder: string
let lines: string[]
let log: RequestLog

const open = (file = join(folder, 'requests.db'), days = 7) =>
  new RequestLog({
    ...{ file, days, clock },
    log: createLogger('test', 'info', { destination: { write: (line: string) => void lines.push(line) } }),
  })

beforeEach(async () => {
  clock = new ManualClock()
  folder = mkdtempSync(join(tmpdir(), 'requests-'))
  lines = []
  log = open()
  await log.start()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await log.stop()
  rmSync(folder, { recursive: true })
})

function answer(more: Partial<AnsweredRequest> = {}, into = log): string {
  const id = newId('req', clock.now())
  into.answered({
    ...{
      id,
      account,
      keyId,
      environment: 'sandbox',
      method: 'POST',
      route: '/v1/order/inject',
      path: '/v1/order/inject',
    },
    ...{ status: 201, ms: 1.234, code: null, fields: [], params: {}, query: {}, bodyBytes: 100 },
    body: { merchantId: 'M-TEST-001', orderId: 'order-1', customer: { name: 'Ana' } },
    ...more,
  })
  return id
}
const count = async (of = log) => (await of.groups(account, 'sandbox', 0)).reduce((sum, group) => sum + group.count, 0)
const all = async (more = {}) => (await log.list({ account, environment: 'sandbox', limit: 100, ...more })).rows

describe('a request', () => {
  test('is kept with its address, without what people typed into it', async () => {
    answer({ method: 'GET', path: '/v1/skus?merchantId=M-TEST-001&q=Ana', body: undefined })
    expect((await all())[0]?.path).toBe('/v1/skus?merchantId=M-TEST-001&q=***')
  })

  test('is kept with what it said and what was answered, without the customer', async () => {
    const id = answer({ params: { serviceOrderId: 'ord_1' } })
    expect(await all()).toMatchObject([
      {
        ...{
          id,
          at: clock.now(),
          method: 'POST',
          route: '/v1/order/inject',
          status: 201,
          ms: 1.23,
          merchantId: 'M-TEST-001',
        },
        ids: ' ord_1 order-1 ',
      },
    ])
    expect(await log.find(account, 'sandbox', id)).toMatchObject({
      id,
      body: '{"merchantId":"M-TEST-001","orderId":"order-1","customer":{"name":"***"}}',
    })
  })

  test('of another account, or of the other environment, is not shown', async () => {
    const id = answer()
    expect(await log.find(newId('acc', 2), 'sandbox', id)).toBeNull()
    expect(await log.find(account, 'live', id)).toBeNull()
    expect((await log.list({ account, environment: 'live', limit: 10 })).rows).toEqual([])
  })

  test('leaves nothing of a customer or a secret in the file', async () => {
    answer({
      body: {
        customer: { name: 'Anastasia' },
        note: 'Anastasia',
        apiKey: 'Anastasia',
        url: 'https://a.test/Anastasia',
      },
    })
    await log.stop()
    for (const name of ['requests.db']) expect(readFileSync(join(folder, name)).includes('Anastasia')).toBe(false)
  })

  test('with a long body keeps its beginning, and with a very long one nothing of it', async () => {
    answer({ body: { events: Array(2_000).fill('burger') }, bodyBytes: 20_000 })
    clock.stall(1)
    answer({ body: { items: [] }, bodyBytes: 200_000 })
    const bodies = await Promise.all((await all()).map(({ id }) => log.find(account, 'sandbox', id)))
    expect(bodies.map((row) => row?.body?.length ?? null)).toEqual([null, 4_096])
  })

  test('that succeeded is kept 50 times a second for one account, and that failed every time', async () => {
    for (let i = 0; i < 80; i++) answer()
    for (let i = 0; i < 70; i++) answer({ status: 422, code: 'request.invalid' })
    answer({ account: newId('acc', 3) })
    expect(await all({ status: 2 })).toHaveLength(50)
    expect(await all({ status: 4 })).toHaveLength(70)
    expect(log.state.leftOut).toBe(30)
    await clock.advance(1_000)
    answer()
    expect(await all({ status: 2 })).toHaveLength(51)
  })

  test('is left out when too many wait for the next write, of one account or of all together', async () => {
    const others = Array.from({ length: 6 }, () => newId('acc', 2))
    const refused = (of: AccountId) => answer({ account: of, status: 503, code: 'service.unavailable' })
    for (let i = 0; i < 200; i++) refused(account)
    expect(log.state.leftOut).toBe(72)
    for (let i = 0; i < 600; i++) refused(others[i % 6] ?? account)
    expect(log.state.leftOut).toBe(72 + 600 - (512 - 128))
    await clock.advance(500)
    await all()
    refused(account)
    expect(log.state.leftOut).toBe(72 + 600 - (512 - 128))
  })

  test('that came too fast is kept once in ten seconds of each key', async () => {
    const tooFast = (key = keyId) => answer({ keyId: key, status: 429, code: 'rate_limit.exceeded' })
    for (let i = 0; i < 20; i++) tooFast()
    tooFast(newId('key', 2))
    expect(await all()).toHaveLength(2)
    await clock.advance(10_000)
    tooFast()
    expect(await all()).toHaveLength(3)
  })

  test('is written in pieces when many wait, so that others have their turns between', async () => {
    const reader = open()
    await reader.start()
    const add = vi.spyOn(RequestFile.prototype, 'add')
    for (let i = 0; i < 512; i++) answer({ account: newId('acc', i % 4), status: 503, code: 'service.unavailable' })
    const pieces = await piecesInTurns(async () => void (await all()), add)
    expect(pieces).toEqual(Array(8).fill(64))
    await reader.stop()
  })

  test('with a long body takes more of a piece', async () => {
    const add = vi.spyOn(RequestFile.prototype, 'add')
    const body = { events: Array(1_000).fill('burger') }
    for (let i = 0; i < 60; i++) answer({ body, bodyBytes: 9_000, status: 422, code: 'request.invalid' })
    const pieces = await piecesInTurns(async () => void (await all()), add)
    expect(pieces.length).toBeGreaterThan(3)
    expect(Math.max(...pieces)).toBeLessThan(16)
  })

  test('goes when its days are over', async () => {
    answer()
    clock.stall(6 * DAY)
    const young = answer()
    expect(await all()).toHaveLength(2)
    clock.stall(1.5 * DAY)
    await clock.advance(3_600_000)
    expect((await all()).map(({ id }) => id)).toEqual([young])
  })

  test('goes in pieces after a long time without a relay, so that no request waits for all of them', async () => {
    for (let i = 0; i < 6; i++) {
      for (let j = 0; j < 100; j++) answer({ status: 422, code: 'request.invalid' })
      await count()
    }
    await log.stop()
    clock.stall(8 * DAY)
    log = open()
    await log.start()
    const left = [await count()]
    for (let i = 0; i < 2; i++) {
      await clock.advance(500)
      left.push(await count())
    }
    expect(left).toEqual([344, 88, 0])
  })
})

/** Sizes of the calls of `spied`, of which no two came in one turn of the event loop. */
async function piecesInTurns(work: () => Promise<void>, spied: MockInstance<RequestFile['add']>): Promise<number[]> {
  const before = spied.mock.calls.length
  let inTurn = 0
  let isOver = false
  const over = work().finally(() => {
    isOver = true
  })
  for (let seen = before; !isOver; seen = spied.mock.calls.length) {
    inTurn = Math.max(inTurn, spied.mock.calls.length - seen)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await over
  expect(inTurn).toBeLessThanOrEqual(1)
  return spied.mock.calls.slice(before).map(([rows]) => rows.length)
}

describe('the list', () => {
  test('goes on page by page, each once', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) {
      clock.stall(1)
      ids.unshift(answer())
    }
    const first = await log.list({ account, environment: 'sandbox', limit: 3 })
    const second = await log.list({ account, environment: 'sandbox', limit: 3, below: first.below! })
    expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(ids)
    expect(second.below).toBeNull()
  })

  test('is narrowed by status, route, code and by an id that the request named', async () => {
    const read = answer({
      method: 'GET',
      route: '/v1/order/:serviceOrderId',
      params: { serviceOrderId: 'ord_9' },
      body: null,
      status: 404,
    })
    answer({ status: 422, code: 'request.invalid', fields: ['items[0].qty'] })
    expect((await all({ ids: ['ord_9'] })).map(({ id }) => id)).toEqual([read])
    expect(await all({ ids: ['order-1'] })).toHaveLength(1)
    expect(await all({ ids: [read] })).toHaveLength(1)
    expect(await all({ ids: ['ord_9', 'order-1'] })).toHaveLength(2)
    expect([(await all({ keyId })).length, (await all({ keyId: newId('key', 2) })).length]).toEqual([2, 0])
    expect(await all({ status: 404 })).toHaveLength(1)
    expect(await all({ code: 'request.invalid', fields: 'items[0].qty' })).toHaveLength(1)
    expect(await all({ route: '/v1/order/inject' })).toHaveLength(1)
  })

  test('puts equal errors together, the most frequent first', async () => {
    for (let i = 0; i < 3; i++) answer({ status: 422, code: 'request.invalid', fields: ['total'] })
    const newest = answer({ status: 422, code: 'request.invalid', fields: ['items[0].qty'] })
    answer()
    expect(await log.groups(account, 'sandbox', 0)).toMatchObject([
      { status: 422, code: 'request.invalid', fields: 'total', count: 3 },
      { fields: 'items[0].qty', count: 1, newestId: newest },
    ])
    expect(await log.groups(account, 'sandbox', clock.now() + 1)).toEqual([])
  })
})

describe('a question about many rows', () => {
  const REFUSED = { status: 422, code: 'request.invalid' }
  /** 1,000 refusals, and before them one call that was taken. */
  async function fill(): Promise<string> {
    const first = answer()
    for (let i = 0; i < 10; i++) {
      clock.stall(1)
      for (let j = 0; j < 100; j++) answer(REFUSED)
      await log.find(account, 'sandbox', first)
    }
    return first
  }

  test('ends where it has looked at enough, and goes on from there', async () => {
    const first = await fill()
    const of = { account, environment: 'sandbox' as const, status: 2, limit: 10, looks: 400 }
    const pages = [await log.list(of)]
    while (pages.at(-1)?.below) pages.push(await log.list({ ...of, below: pages.at(-1)?.below ?? '' }))
    expect(pages.map(({ looked, rows }) => [looked, ...rows.map(({ id }) => id)])).toEqual([[400], [400], [201, first]])
  })

  test('looks at no more rows than the page has', async () => {
    await fill()
    const page = await log.list({ account, environment: 'sandbox', limit: 25 })
    expect([page.rows.length, page.looked]).toEqual([25, 26])
  })

  test('goes back no further than it says', async () => {
    await fill()
    const since = firstId('req', clock.now())
    const page = await log.list({ account, environment: 'sandbox', status: 2, since, limit: 25 })
    expect([page.rows.length, page.looked, page.below]).toEqual([0, 100, null])
  })

  test('of one key looks at none of the others', async () => {
    await fill()
    const other = newId('key', 2)
    answer({ keyId: other })
    const page = await log.list({ account, environment: 'sandbox', keyId: other, status: 2, limit: 25 })
    expect([page.rows.length, page.looked]).toEqual([1, 1])
  })

  test('reads 200 in a turn of the event loop, whoever else asks', async () => {
    await fill()
    let turns = 0
    let isOver = false
    const of = { account, environment: 'sandbox' as const, status: 3, limit: 10 }
    const over = Promise.all([log.list(of), log.list(of), log.groups(account, 'sandbox', 0)]).finally(() => {
      isOver = true
    })
    for (; !isOver; turns++) await new Promise((resolve) => setImmediate(resolve))
    const [one, other] = await over
    expect([one.looked, other.looked]).toEqual([1_001, 1_001])
    expect(turns).toBeGreaterThanOrEqual(6 + 6 + 6)
  })

  test('costs its account what it looks at; beyond that it is refused, and others are not', async () => {
    await fill()
    const ask = (of = account) => log.list({ account: of, environment: 'sandbox', status: 3, limit: 10 })
    let asked = 0
    const refusal = await (async () => {
      for (; asked < 1_000; asked++) await ask()
    })().catch((error: ServiceError) => error)
    expect(refusal).toMatchObject({ code: 'rate_limit.exceeded', retryAfterSeconds: expect.any(Number) })
    expect(asked).toBeLessThan(601)
    expect((await ask(newId('acc', 2))).rows).toEqual([])
    await clock.advance(1_000 * (refusal as ServiceError).retryAfterSeconds!)
    expect((await ask()).rows).toEqual([])
  })
})

describe('the file', () => {
  test('of an older release is opened with what is in it', async () => {
    const id = answer()
    await log.stop()
    const file = new Database(join(folder, 'requests.db'))
    file.exec('drop index requests_key')
    file.close()
    log = open()
    await log.start()
    expect((await all({ keyId })).map((row) => row.id)).toEqual([id])
  })

  test('is found again by the next start', async () => {
    const id = answer()
    await log.stop()
    log = open()
    await log.start()
    expect((await all()).map((row) => row.id)).toEqual([id])
  })

  test('that is damaged, or of another kind, is replaced', async () => {
    await log.stop()
    writeFileSync(join(folder, 'requests.db'), 'not a database, and longer than the header of one would be'.repeat(20))
    log = open()
    await log.start()
    answer()
    expect(await all()).toHaveLength(1)
    expect(lines).toEqual([])
  })

  test('on a full disk turns the log off with one warning, and requests continue', async () => {
    answer()
    const empty = fillDisk(join(folder, 'requests.db'))
    try {
      await clock.advance(500)
    } finally {
      empty()
    }
    expect(log.state.isOn).toBe(false)
    for (let i = 0; i < 3; i++) answer()
    await clock.advance(5_000)
    expect(await all()).toEqual([])
    expect(lines.filter((line) => line.includes('log of requests'))).toHaveLength(1)
  })

  test('that cannot be made leaves the log off with one warning', async () => {
    writeFileSync(join(folder, 'file'), '')
    const other = open(join(folder, 'file', 'requests.db'))
    await other.start()
    answer({}, other)
    await clock.advance(5_000)
    await other.stop()
    expect(other.state.isOn).toBe(false)
    expect(lines.filter((line) => line.includes('log of requests'))).toHaveLength(1)
  })
})
