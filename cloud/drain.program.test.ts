// SIGTERM with CLOUD_DRAIN_SECONDS: the relay announces that it is stopping and keeps serving; a second signal ends it at once, and loses nothing that was answered.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { asId } from '#shared/ids.ts'
import { provisionGateway } from '#test/fixtures/provisioned-gateway.ts'
import { Program } from '#test/harness/program.ts'

/** Longer than any test: it ends by what the test does. */
const ENDLESS = { CLOUD_DRAIN_SECONDS: '999' }

let dir: string
let relay: Program
let account: SandboxAccount
let agent: Agent
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'drain-'))
  relay = new Program(
    'cloud/main.ts',
    {
      CLOUD_DATABASE: join(dir, 'relay.db'),
      CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
      CLOUD_HTTP_PORT: '0',
      CLOUD_MQTT_PORT: '0',
    },
    true,
  )
  ;({ account } = await provisionGateway(join(dir, 'relay.db'), asId('gw_drain')))
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
})
afterEach(async () => {
  agent.destroy()
  await relay.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

const said = (msg: string) => relay.log.filter((line) => line.msg === msg).length

const order = (orderId: string): string =>
  JSON.stringify({
    ...{ merchantId: 'M-TEST-001', orderId, source: 's', total: 1 },
    items: [{ umsId: 'UMS-FRIES-01', qty: 1, price: 1 }],
  })

interface Answered {
  status: number
  connection: string | undefined
  body: string
}

/** One call on the kept-alive connection, if there is one. */
async function call(url: string, path: string, body?: string): Promise<Answered> {
  const headers = { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' }
  const asked = request(url + path, { method: body === undefined ? 'GET' : 'POST', agent, headers })
  asked.end(body)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode ?? 0, connection: response.headers.connection, body: text }
}

/** Until it has ended: only a signal that comes some time after the first counts as a second one. */
async function signalUntilEnded(signal: NodeJS.Signals): Promise<number | null> {
  let code: number | null | undefined
  void relay.ended().then(async () => {
    code = await relay.kill(signal)
  })
  await expect
    .poll(() => {
      relay.signal(signal)
      return code
    })
    .not.toBe(undefined)
  return code ?? null
}

test('while it drains, /readyz is 503, everything is served, and each answer closes its connection', async () => {
  const { httpUrl } = await relay.start(ENDLESS)
  expect(await call(httpUrl, '/readyz')).toMatchObject({ status: 200, connection: 'keep-alive' })
  // A request that runs when the signal comes.
  const running = connect(Number(new URL(httpUrl).port), '127.0.0.1')
  let answers = ''
  running.on('data', (chunk) => {
    answers += chunk
  })
  const head = `POST /v1/order/inject HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${account.apiKey}\r\n`
  const length = order('o-running').length
  running.write(`${head}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`)
  await expect.poll(() => answers).toContain('100 Continue')

  relay.signal('SIGTERM')
  await expect.poll(() => said('draining: serving until clients send nothing new')).toBe(1)
  const ready = await call(httpUrl, '/readyz')
  expect(ready).toMatchObject({ status: 503, connection: 'close' })
  expect(JSON.parse(ready.body).checks).toEqual({
    ...{ database: true, disk: true, writable: true, broker: true },
    running: false,
  })
  expect(await call(httpUrl, '/healthz')).toMatchObject({ status: 200, connection: 'close' })
  expect(await call(httpUrl, '/v1/order/inject', order('o-late'))).toMatchObject({ status: 200, connection: 'close' })
  answers = ''
  running.write(order('o-running'))
  await once(running, 'close')
  expect(answers).toMatch(/^HTTP\/1\.1 200 .*connection: close.*"serviceOrderId"/is)
  // Refusals too.
  expect(await call(httpUrl, '/v1/nothing')).toMatchObject({ status: 404, connection: 'close' })
})

test('a stream of a listener ends with the reason when the relay has drained, so that its program goes to another one', async () => {
  const { httpUrl } = await relay.start({ CLOUD_DRAIN_SECONDS: '1' })
  const made = await call(httpUrl, '/v1/webhook/listener', JSON.stringify({ merchantId: 'M-TEST-001' }))
  const path = `/v1/webhook/${JSON.parse(made.body).webhookId}/stream`
  const { status, body } = await fetch(httpUrl + path, { headers: { authorization: `Bearer ${account.apiKey}` } })
  if (status !== 200 || body === null) throw new Error(`the stream was answered ${status}`)
  let heard = ''
  const ended = (async () => {
    for await (const text of body.pipeThrough(new TextDecoderStream())) heard += text
  })()
  await expect.poll(() => heard).toContain('event: ready')
  expect(await relay.kill('SIGTERM')).toBe(0)
  await ended
  expect(heard).toMatch(/event: bye\ndata: \{"reason":"draining"\}\n\n$/)
  expect(relay.log.filter(({ level }) => level >= 40)).toEqual([])
})

test('it ends in order by itself after the drain time', async () => {
  const { httpUrl } = await relay.start({ CLOUD_DRAIN_SECONDS: '1' })
  expect(await call(httpUrl, '/readyz')).toMatchObject({ status: 200 })
  expect(await relay.kill('SIGTERM')).toBe(0)
  expect([said('draining: serving until clients send nothing new'), said('stopped')]).toEqual([1, 1])
  expect(relay.log.filter(({ level }) => level >= 40)).toEqual([])
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a second %s ends it at once: what was answered is kept, the database is whole, what runs is cut off',
  async (second) => {
    const { httpUrl } = await relay.start(ENDLESS)
    const endless = connect(Number(new URL(httpUrl).port), '127.0.0.1')
    endless.on('error', () => undefined)
    endless.write(`POST /v1/order/inject HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${account.apiKey}\r\n`)
    endless.write('Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 100000\r\n\r\n')
    await once(endless, 'data')
    relay.signal('SIGTERM')
    await expect.poll(() => said('draining: serving until clients send nothing new')).toBe(1)
    const taken = await call(httpUrl, '/v1/order/inject', order('o-kept'))
    expect(await signalUntilEnded(second)).toBe(0)
    expect(said('a second signal: ending at once, what runs is cut off')).toBe(1)
    expect([said('stopped'), said('stopping took too long: the rest is cut off')]).toEqual([0, 0])

    const db = await SqliteDatabase.open(join(dir, 'relay.db'), (error) => {
      throw error
    })
    const orders = await db.read.selectFrom('orders').select('id').execute()
    await db.close()
    expect(orders).toEqual([{ id: JSON.parse(taken.body).serviceOrderId }])
  },
)

test('one Ctrl-C that arrives twice, of the terminal and of npm, is one signal', async () => {
  const { httpUrl } = await relay.start(ENDLESS)
  relay.signal('SIGINT')
  relay.signal('SIGTERM')
  await expect.poll(() => said('draining: serving until clients send nothing new')).toBe(1)
  expect(await call(httpUrl, '/healthz')).toMatchObject({ status: 200 })
  expect([said('stopping'), said('a second signal: ending at once, what runs is cut off')]).toEqual([1, 0])
})
