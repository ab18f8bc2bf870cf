// A relay goes from its SQLite file to PostgreSQL with orders in every state: it answers the same calls letter for letter, its gateway goes on without a double, and what waited is delivered.
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock, toIso } from '#shared/clock.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { type LineResult, runLineOf } from '#test/harness/command-line.ts'
import { JudgedKitchen, NOTHING_WRONG } from '#test/harness/judged-kitchen.ts'
import { PostgresServer, postgresPrograms } from '#test/harness/postgres-server.ts'
import { drillSeed } from '#test/harness/random.ts'

const SEED = drillSeed()
const KEY = randomBytes(32).toString('base64')
/** Of the account, without a gateway: its kitchen is simulated. */
const SIMULATED = 'M-TEST-003'
/** Of the account, with a point of sale and a platform outside. */
const OUTSIDE = 'M-TEST-002'

if (postgresPrograms() === null)
  process.stderr.write("test/flows/moved-relay.test.ts is skipped: Debian's postgresql is not installed\n")

describe.runIf(postgresPrograms() !== null)(`a relay that moves to PostgreSQL (DRILL_SEED=${SEED})`, () => {
  const kitchen = new JudgedKitchen(SEED)
  /** Point of sale, platform and one webhook endpoint: they are ill until the relay has moved. */
  const outside = new WebhookReceiver()
  let server: PostgresServer
  let url: string
  /** Calls whose answers stay the same, by what they are called. */
  const calls = new Map<string, () => Promise<string>>()
  const answers = new Map<string, string>()
  const waiting: string[] = []
  let followed = ''

  const file = () => join(kitchen.site.dir, 'cloud/relay.db')
  async function admin(args: string[], env: Record<string, string> = {}): Promise<LineResult> {
    const settings = { CLOUD_DATABASE: file(), CLOUD_MASTER_KEY: KEY, ...env }
    return runLineOf(settings, ['admin', ...args, '--json'], '', [process.execPath, 'cloud/main.ts'])
  }

  async function said(method: string, path: string, body?: object, headers: object = {}): Promise<string> {
    const { site } = kitchen
    const response = await fetch(site.cloudUrl + path, {
      method,
      headers: { authorization: `Bearer ${site.apiKey}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return `${response.status} ${await response.text()}`
  }
  const get = (path: string) => said('GET', path)
  const idOf = (answer: string): string => /"serviceOrderId":"([^"]+)"/.exec(answer)?.[1] ?? ''

  /** An order at another merchant of the account; its repetition must be answered alike. */
  async function inject(merchantId: string, name: string, over: object = {}): Promise<string> {
    const items = [{ umsId: 'UMS-FRIES-01', qty: 1, price: 4.5 }]
    const order = { merchantId, orderId: name, source: 'kiosk', items, total: 4.5, ...over }
    const again = () => said('POST', '/v1/order/inject', order)
    calls.set(`inject ${name}`, again)
    const serviceOrderId = idOf(await again())
    calls.set(`read ${name}`, () => get(`/v1/order/${serviceOrderId}?merchantId=${merchantId}`))
    return serviceOrderId
  }

  /** A change that is made once, and answered alike when it is asked for again. */
  async function once(name: string, path: string, body: object): Promise<void> {
    const key = randomUUID()
    const act = () => said('POST', path, body, { 'idempotency-key': key })
    calls.set(name, act)
    expect(await act()).toMatch(/^200 /)
  }

  const statusOf = async (merchantId: string, id: string): Promise<string> =>
    /"status":"(\w+)"/.exec(await get(`/v1/order/${id}?merchantId=${merchantId}`))?.[1] ?? ''

  beforeAll(async () => {
    server = await PostgresServer.start()
    const client = new Client({ connectionString: server.url() })
    await client.connect()
    await client.query(`create database relay template template0`)
    await client.end()
    url = server.url('relay')
    await outside.start()
    outside.answerWith({ kind: 'status', status: 500 })
    await kitchen.start({
      cloudEnv: { CLOUD_MASTER_KEY: KEY, CLOUD_WEBHOOK_RETRY_SECONDS: Array(500).fill('1').join() },
    })
  })
  afterAll(async () => {
    await kitchen.stop()
    await outside.stop()
    await server.remove()
  })

  it('has orders in every state, and much that waits', async () => {
    const { site } = kitchen
    const { json: accounts } = await admin(['accounts', 'list'])
    const of = ['--merchant', OUTSIDE, '--account', accounts[0].accountId]
    const channel = ['--channel', 'uber-eats']
    const at = (path: string) => `http://127.0.0.1:${outside.port}/${path}`
    for (const line of [
      ['pos', 'connect', ...of, '--url', at('pos')],
      ['channels', 'connect', ...of, ...channel, '--platform', 'Uber Eats', '--url', at('platform')],
      ['channels', 'map', ...of, ...channel, '--item', 'UMS-FRIES-01', '--external-id', 'u-1'],
    ])
      expect(await admin(line)).toMatchObject({ code: 0 })
    await said('POST', '/v1/webhooks', { merchantId: OUTSIDE, url: at('webhook') })

    const printed = await inject(SIMULATED, 'printed')
    const refunded = await inject(SIMULATED, 'refunded')
    for (const id of [printed, refunded]) await expect.poll(() => statusOf(SIMULATED, id)).toBe('printed')
    for (const to of ['ready', 'completed'])
      await once(to, `/v1/test/order/${refunded}/advance`, { merchantId: SIMULATED, to })
    await once('refund', `/v1/order/${refunded}/refund`, { merchantId: SIMULATED, amount: 2, reason: 'cold' })
    const later = { fireAt: toIso(systemClock.now() + 3_600_000) }
    const voided = await inject(SIMULATED, 'voided', later)
    await once('void', `/v1/order/${voided}/void`, { merchantId: SIMULATED, reason: 'gone' })
    await inject(SIMULATED, 'scheduled', later)
    const item = { umsId: 'UMS-FRIES-01', qty: 1, price: 4.5 }
    const courses = { items: [1, 2, 3].map((course) => ({ ...item, course })), total: 13.5 }
    const held = await inject(SIMULATED, 'courses', courses)
    await expect.poll(() => statusOf(SIMULATED, held)).toBe('printed')
    await once('fire', `/v1/order/${held}/fire`, { merchantId: SIMULATED, course: 2 })
    await inject(OUTSIDE, 'outside')
    await once('silence', '/v1/sku/UMS-FRIES-01/silence', { merchantId: OUTSIDE, channels: ['uber-eats'] })
    await once('claim code', '/v1/test/gateway/claim-code', { merchantId: SIMULATED })

    await kitchen.orders(5)
    await kitchen.untilQuiet()
    // The box has two of these, and no paper; two more are still at the relay.
    await kitchen.printer.refuse()
    for (let n = 0; n < 2; n++) waiting.push(await kitchen.order())
    await expect.poll(async () => (await site.gatewayStatus()).queue.queued).toBe(2)
    await site.gateway.kill('SIGKILL')
    for (let n = 0; n < 2; n++) waiting.push(await kitchen.order())

    for (const merchantId of [site.merchantId, SIMULATED, OUTSIDE])
      for (const list of ['orders', 'skus', 'channels', 'webhooks', 'events'])
        calls.set(`${list} of ${merchantId}`, () => get(`/v1/${list}?merchantId=${merchantId}`))
    calls.set('merchants', () => get('/v1/merchants'))
    followed = /"nextCursor":"([^"]+)"/.exec(await get(`/v1/events?merchantId=${SIMULATED}&after=now`))?.[1] ?? ''
  })

  it('moves while it is stopped, and only then', async () => {
    const refused = await admin(['move', '--to', url])
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toContain('stop the relay first')
    // What goes on by itself has come to rest: what is asked now is answered so until somebody acts.
    for (const path of ['/pos', '/platform', '/webhook'])
      await expect.poll(() => outside.received.filter((one) => one.path === path).length).toBeGreaterThan(1)
    for (const [name, call] of calls) answers.set(name, await call())
    await kitchen.site.cloud.kill('SIGTERM')

    const moved = await admin(['move'], { DATABASE_URL: url })
    expect(moved).toMatchObject({ code: 0 })
    expect(moved.err).toContain('reading everything back')
    expect(moved.json.tables.find(({ table }: { table: string }) => table === 'orders').rows).toBe(
      kitchen.client.accepted.length + 6,
    )
    expect(existsSync(`${file()}.moved`)).toBe(true)
    expect((await admin(['accounts', 'list'])).err).toContain('was moved to PostgreSQL')
    expect((await admin(['verify'], { DATABASE_URL: url })).json.faults).toEqual([])
  })

  it('answers the same calls letter for letter', async () => {
    await kitchen.site.startCloud({ DATABASE_URL: url })
    const now = new Map<string, string>()
    for (const [name, call] of calls) now.set(name, await call())
    expect(now).toEqual(answers)
    expect([...answers.values()].filter((answer) => !/^(200|503) /.test(answer))).toEqual([])
  })

  it('continues with its gateway: what waited is printed once, and what is new after it', async () => {
    await kitchen.site.startGateway()
    await kitchen.printer.listenAgain()
    await kitchen.orders(3)
    await kitchen.untilQuiet()
    expect(kitchen.unprinted()).toEqual([])
    expect(kitchen.judge()).toEqual(NOTHING_WRONG)
    expect(kitchen.marked).toBe(0)
    const printState = async (token: string) => (await kitchen.site.getOrder(kitchen.client.ids.get(token) ?? '')).body
    for (const token of waiting) expect(await printState(token)).toMatchObject({ printState: 'printed' })
  })

  it('delivers what waited to be sent, and a follower continues where it was', async () => {
    const from = outside.received.length
    outside.answerWith({ kind: 'status', status: 200, body: '{}' })
    const told = () => new Set(outside.received.slice(from).map(({ path }) => path))
    await expect.poll(told).toEqual(new Set(['/pos', '/platform', '/webhook']))
    const follow = () => get(`/v1/events?merchantId=${SIMULATED}&after=${encodeURIComponent(followed)}`)
    expect(await follow()).toMatch(/^200 \{"data":\[\]/)
    const next = await inject(SIMULATED, 'next')
    await expect.poll(follow).toContain(next)
  })

  it('has nothing in its rows that contradicts itself', async () => {
    await kitchen.site.cloud.kill('SIGTERM')
    const verified = await admin(['verify'], { DATABASE_URL: url })
    expect(verified).toMatchObject({ code: 0, json: { faults: [] } })
    const stored = await admin(['accounts', 'storage'], { DATABASE_URL: url })
    expect(stored.json[0]).toMatchObject({ environment: 'sandbox', orders: kitchen.client.accepted.length + 7 })
  })
})
