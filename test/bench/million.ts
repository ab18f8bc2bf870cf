// A relay with a million orders beside one with a few: the same calls to both at the same time, so that what else the machine does falls on both
// alike; the milliseconds are therefore those of a machine with two relays at full load. Injected orders are scheduled: every row is written, and
// no kitchen works beside the measurement (printing has its own figures).
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import type { PlanOverrides } from '#cloud/billing/plans.ts'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { RelayDatabase } from '#cloud/storage/database.ts'
import { systemClock } from '#shared/clock.ts'
import { Program } from '#test/harness/program.ts'
import { median } from './figures.ts'
import { generateOrders, intoOneFile, pastOrderId } from './order-generator.ts'

export interface Million {
  orders: number
  /** What the small one holds: enough that every list fills its page. */
  fewOrders: number
  generatedInSeconds: number
  /** Mean milliseconds of a call, by what was called, and how much slower the large one is: each the median of the rounds. */
  calls: Record<string, { few: number; many: number; ratio: number }>
  errors: number
}

const UNTHROTTLED: PlanOverrides = {
  sandbox: { steadyPerMinute: 1_000_000, burstPerMinute: 10_000_000, webhookEventsPerHour: null },
}
const merchantId = 'M-TEST-001'
const FEW = 2_000
const CONNECTIONS = 2

interface Side {
  program: Program
  url: string
  key: string
}

export async function measureMillion(orders: number, seconds: number, rounds: number): Promise<Million> {
  const dir = mkdtempSync(join(tmpdir(), 'ticketrail-million-'))
  const template = join(dir, 'few.db')
  const key = await oneRealOrder(template)
  const many = join(dir, 'many.db')
  intoOneFile(template)
  copyFileSync(template, many)
  const startedAt = performance.now()
  generateOrders(template, FEW, Date.now())
  generateOrders(many, orders, Date.now())
  const generatedInSeconds = (performance.now() - startedAt) / 1_000
  const sides = { few: await startRelay(template, key), many: await startRelay(many, key) }
  const calls: Million['calls'] = {}
  let errors = 0
  for (const [name, request] of Object.entries(await callsOf(sides.many))) {
    const means: Record<'few' | 'many', number[]> = { few: [], many: [] }
    for (let round = 0; round <= rounds; round++) {
      const length = round === 0 ? 1 : seconds
      const runs = await Promise.all([load(sides.few, request, length), load(sides.many, request, length)])
      for (const run of runs) errors += run.errors + run.non2xx
      // The first round warms both up.
      if (round === 0) continue
      means.few.push((CONNECTIONS * 1_000) / runs[0].requests.average)
      means.many.push((CONNECTIONS * 1_000) / runs[1].requests.average)
    }
    const ratio = median(means.many.map((mean, round) => mean / (means.few[round] ?? Number.NaN)))
    calls[name] = { few: median(means.few), many: median(means.many), ratio }
  }
  await Promise.all([sides.few.program.kill('SIGTERM'), sides.many.program.kill('SIGTERM')])
  rmSync(dir, { recursive: true, force: true })
  return { orders, fewOrders: FEW, generatedInSeconds, calls, errors }
}

/** A database with one account whose one order was injected and printed by a real relay. @returns the account's key */
async function oneRealOrder(file: string): Promise<string> {
  const db = await RelayDatabase.open(file, (error) => {
    throw error
  })
  const { apiKey } = await createSandboxAccount({ db, clock: systemClock }, { name: 'Bench' })
  await db.unit((tx) =>
    tx
      .updateTable('accounts')
      .set({ plan_overrides: JSON.stringify(UNTHROTTLED) })
      .execute(),
  )
  await db.close()
  const side = await startRelay(file, apiKey)
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const answer = await fetch(`${side.url}/v1/order/inject`, { method: 'POST', headers, body: order('real') })
  const { serviceOrderId } = (await answer.json()) as { serviceOrderId: string }
  for (;;) {
    const read = await fetch(`${side.url}/v1/order/${serviceOrderId}?merchantId=${merchantId}`, { headers })
    if (((await read.json()) as { status: string }).status === 'printed') break
    await systemClock.sleep(50)
  }
  await side.program.kill('SIGTERM')
  return apiKey
}

async function startRelay(file: string, key: string): Promise<Side> {
  const env = {
    CLOUD_DATABASE: file,
    CLOUD_HTTP_PORT: '0',
    CLOUD_MQTT_PORT: '0',
    CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
  }
  const program = new Program('cloud/main.ts', env, false)
  const { httpUrl } = await program.start()
  return { program, url: httpUrl, key }
}

let next = 0
const order = (name: string, fireAt?: string) =>
  JSON.stringify({
    merchantId,
    // Scattered over the index, as clients' ids are.
    orderId: `${Math.random().toString(36).slice(2)}-${name}-${next++}`,
    source: 'bench',
    items: [{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5, note: 'no onions' }],
    total: 12.5,
    ...(fireAt === undefined ? {} : { fireAt }),
  })

type Call = () => { method: 'GET' | 'POST'; path: string; body?: string }

/** What is measured. The deep page is taken of the large one; the small one has it too. */
async function callsOf(many: Side): Promise<Record<string, Call>> {
  const list = (query: string): Call => {
    const path = `/v1/orders?merchantId=${merchantId}&limit=25${query}`
    return () => ({ method: 'GET', path })
  }
  // Later than a day ahead: not yet handed to a kitchen.
  const fireAt = new Date(Date.now() + 2 * 86_400_000).toISOString()
  return {
    inject: () => ({ method: 'POST', path: '/v1/order/inject', body: order('inject', fireAt) }),
    'list, newest page': list(''),
    'list, by status': list('&status=voided'),
    'list, by source': list('&source=kiosk-3'),
    'list, by orderId': list(`&orderId=${pastOrderId(1_000)}`),
    'list, of a span': list(`&to=${new Date(Date.now() - 200 * 86_400_000).toISOString()}`),
    'list, tenth page': list(`&cursor=${await tenthPage(many)}`),
  }
}

async function tenthPage({ url, key }: Side): Promise<string> {
  let cursor = ''
  for (let page = 1; page < 10; page++) {
    const path = `/v1/orders?merchantId=${merchantId}&limit=25${cursor === '' ? '' : `&cursor=${cursor}`}`
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
    cursor = ((await answer.json()) as { nextCursor: string }).nextCursor
  }
  return cursor
}

function load({ url, key }: Side, call: Call, seconds: number): Promise<autocannon.Result> {
  return autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    requests: [{ setupRequest: (request) => ({ ...request, ...call() }) }],
  })
}
