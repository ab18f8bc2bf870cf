// The log of requests on its own file: what it keeps and leaves out, how long, and that no disk can make it fail a request.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#shared/ids.ts'
import { createLogger } from '#shared/log.ts'
import { fillDisk } from '#test/doubles/full-disk.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
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
const count = () => log.groups(account, 'sandbox', 0).reduce((sum, group) => sum + group.count, 0)
const all = (more = {}) => log.list({ account, environment: 'sandbox', limit: 100, ...more }).rows

describe('a request', () => {
  test('is kept with its address, without what people typed into it', () => {
    answer({ method: 'GET', path: '/v1/skus?merchantId=M-TEST-001&q=Ana', body: undefined })
    expect(all()[0]?.path).toBe('/v1/skus?merchantId=M-TEST-001&q=***')
  })

  test('is kept with what it said and what was answered, without the customer', () => {
    const id = answer({ params: { serviceOrderId: 'ord_1' } })
    expect(all()).toMatchObject([
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
        body: '{"merchantId":"M-TEST-001","orderId":"order-1","customer":{"name":"***"}}',
      },
    ])
    expect(log.find(account, 'sandbox', id)?.id).toBe(id)
  })

  test('of another account, or of the other environment, is not shown', () => {
    const id = answer()
    expect(log.find(newId('acc', 2), 'sandbox', id)).toBeNull()
    expect(log.find(account, 'live', id)).toBeNull()
    expect(log.list({ account, environment: 'live', limit: 10 }).rows).toEqual([])
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

  test('with a long body keeps its beginning, and with a very long one nothing of it', () => {
    answer({ body: { items: Array(2_000).fill('burger') }, bodyBytes: 20_000 })
    clock.stall(1)
    answer({ body: { items: [] }, bodyBytes: 200_000 })
    expect(all().map(({ body }) => body?.length ?? null)).toEqual([null, 4_096])
  })

  test('that succeeded is kept 50 times a second for one account, and that failed every time', async () => {
    for (let i = 0; i < 80; i++) answer()
    for (let i = 0; i < 80; i++) answer({ status: 422, code: 'request.invalid' })
    answer({ account: newId('acc', 3) })
    expect(all({ status: 2 })).toHaveLength(50)
    expect(all({ status: 4 })).toHaveLength(80)
    expect(log.state.leftOut).toBe(30)
    await clock.advance(1_000)
    answer()
    expect(all({ status: 2 })).toHaveLength(51)
  })

  test('is left out when too many wait for the next write', () => {
    for (let i = 0; i < 600; i++) answer({ status: 503, code: 'service.unavailable' })
    expect(log.state.leftOut).toBe(88)
  })

  test('is written in pieces when many wait, so that others have their turns between', async () => {
    const reader = open()
    await reader.start()
    const written = () => reader.groups(account, 'sandbox', 0).reduce((sum, group) => sum + group.count, 0)
    for (let i = 0; i < 512; i++) answer({ status: 503, code: 'service.unavailable' })
    await clock.advance(500)
    let turns = 0
    for (; written() < 512; turns++) await new Promise((resolve) => setImmediate(resolve))
    expect(turns).toBeGreaterThan(1)
    await reader.stop()
  })

  test('goes when its days are over', async () => {
    answer()
    clock.stall(6 * DAY)
    const young = answer()
    expect(all()).toHaveLength(2)
    clock.stall(1.5 * DAY)
    await clock.advance(3_600_000)
    expect(all().map(({ id }) => id)).toEqual([young])
  })

  test('goes in pieces after a long time without a relay, so that no request waits for all of them', async () => {
    for (let i = 0; i < 4_500; i++) {
      answer({ status: 422, code: 'request.invalid' })
      // A reader causes everything that waits to be written at once.
      if (i % 500 === 499) count()
    }
    await log.stop()
    clock.stall(8 * DAY)
    log = open()
    await log.start()
    const left = [count()]
    for (let i = 0; i < 2; i++) {
      await clock.advance(500)
      left.push(count())
    }
    expect(left).toEqual([2_500, 500, 0])
  })
})

describe('the list', () => {
  test('goes on page by page, each once', () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) {
      clock.stall(1)
      ids.unshift(answer())
    }
    const first = log.list({ account, environment: 'sandbox', limit: 3 })
    const second = log.list({ account, environment: 'sandbox', limit: 3, below: first.below! })
    expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(ids)
    expect(second.below).toBeNull()
  })

  test('is narrowed by status, route, code and by an id that the request named', () => {
    const read = answer({
      method: 'GET',
      route: '/v1/order/:serviceOrderId',
      params: { serviceOrderId: 'ord_9' },
      body: null,
      status: 404,
    })
    answer({ status: 422, code: 'request.invalid', fields: ['items[0].qty'] })
    expect(all({ ids: ['ord_9'] }).map(({ id }) => id)).toEqual([read])
    expect(all({ ids: ['order-1'] })).toHaveLength(1)
    expect(all({ ids: [read] })).toHaveLength(1)
    expect(all({ ids: ['ord_9', 'order-1'] })).toHaveLength(2)
    expect([all({ keyId }).length, all({ keyId: newId('key', 2) }).length]).toEqual([2, 0])
    expect(all({ status: 404 })).toHaveLength(1)
    expect(all({ code: 'request.invalid', fields: 'items[0].qty' })).toHaveLength(1)
    expect(all({ route: '/v1/order/inject' })).toHaveLength(1)
  })

  test('puts equal errors together, the most frequent first', () => {
    for (let i = 0; i < 3; i++) answer({ status: 422, code: 'request.invalid', fields: ['total'] })
    const newest = answer({ status: 422, code: 'request.invalid', fields: ['items[0].qty'] })
    answer()
    expect(log.groups(account, 'sandbox', 0)).toMatchObject([
      { status: 422, code: 'request.invalid', fields: 'total', count: 3 },
      { fields: 'items[0].qty', count: 1, newestId: newest },
    ])
    expect(log.groups(account, 'sandbox', clock.now() + 1)).toEqual([])
  })
})

describe('the file', () => {
  test('is found again by the next start', async () => {
    const id = answer()
    await log.stop()
    log = open()
    await log.start()
    expect(all().map((row) => row.id)).toEqual([id])
  })

  test('that is damaged, or of another kind, is replaced', async () => {
    await log.stop()
    writeFileSync(join(folder, 'requests.db'), 'not a database, and longer than the header of one would be'.repeat(20))
    log = open()
    await log.start()
    answer()
    expect(all()).toHaveLength(1)
    expect(lines).toEqual([])
  })

  test('on a full disk turns the log off with one warning, and requests go on', async () => {
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
    expect(all()).toEqual([])
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
