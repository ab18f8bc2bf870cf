// SIGTERM while gateways hold wss connections: nothing new is taken, what runs is finished and recorded, and everything ends in order.
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import mqtt, { type MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { type UpBody, upText } from '#gateway/link/up-messages.ts'
import { systemClock } from '#shared/clock.ts'
import { asId, type GatewayId } from '#shared/ids.ts'
import { PROTOCOL, shardOf, topicsFor } from '#shared/wire/gateway-link.ts'
import { provisionGateway } from '#test/fixtures/provisioned-gateway.ts'
import { OpensslAuthority } from '#test/harness/openssl-authority.ts'
import { Program } from '#test/harness/program.ts'

const GATEWAY: GatewayId = asId('gw_stop')
const TOPICS = topicsFor(GATEWAY, shardOf(GATEWAY))
const authority = new OpensslAuthority()
afterAll(() => authority.remove())

let dir: string
let env: Record<string, string>
let relay: Program
let account: SandboxAccount
let token: string
let gateway: MqttClient | null
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'clean-stop-'))
  env = {
    CLOUD_DATABASE: join(dir, 'relay.db'),
    CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
    CLOUD_HTTP_PORT: '0',
    CLOUD_MQTT_PORT: '0',
  }
  relay = new Program('cloud/main.ts', env, true)
  gateway = null
  await provision()
})
afterEach(async () => {
  gateway?.end(true)
  await relay.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

const openDatabase = () =>
  SqliteDatabase.open(env['CLOUD_DATABASE'] ?? '', (error) => {
    throw error
  })

async function provision(): Promise<void> {
  ;({ account, token } = await provisionGateway(env['CLOUD_DATABASE'] ?? '', GATEWAY))
}

const tlsFiles = () => {
  const { certificateFile, keyFile } = authority.issue()
  return { CLOUD_TLS_CERT_FILE: certificateFile, CLOUD_TLS_KEY_FILE: keyFile }
}

/** Connects as a gateway does; resolves when the relay has processed its hello. */
async function introduce(url: string, bootId: string): Promise<MqttClient> {
  const credentials = { clientId: GATEWAY, username: GATEWAY, password: token, protocolVersion: 4 as const }
  const options = { ...credentials, clean: true, reconnectPeriod: 0, ca: authority.ca }
  gateway = await mqtt.connectAsync(url, options)
  await gateway.subscribeAsync(TOPICS.down, { qos: 1 })
  const hello: UpBody = {
    ...{ t: 'hello', proto: [PROTOCOL[0], PROTOCOL[1]], stream: 'stream', last: 0, bootId, app: 'test/1' },
    ...{ cfgVer: 0, t0: 0, unreported: 0, caps: ['digest', 'job:order'] },
  }
  await gateway.publishAsync(TOPICS.up, upText(hello, { epoch: 1, nowMs: systemClock.now() }), { qos: 1 })
  return gateway
}

function connection(httpUrl: string) {
  const { port, protocol } = new URL(httpUrl)
  if (protocol === 'http:') return connect(Number(port), '127.0.0.1')
  return connectTls({ port: Number(port), host: '127.0.0.1', ca: authority.ca, servername: 'localhost' })
}

const said = (msg: string) => relay.log.filter((line) => line.msg === msg).length

describe.each<[string, () => Record<string, string>]>([
  ['by https and wss', tlsFiles],
  ['by http and ws', () => ({})],
])('%s', (_, files) => {
  it('a stop finishes the running request, stores results and counts, and ends in order', async () => {
    const { httpUrl } = await relay.start(files())
    const bootId = randomUUID()
    const client = await introduce(`${httpUrl.replace('http', 'ws')}/mqtt`, bootId)
    const ended = new Promise<void>((resolve) => client.once('close', resolve))
    // Two connections that a stop might wait for: a silent one, and one with half of a header.
    const silent = connect(Number(new URL(httpUrl).port), '127.0.0.1')
    const half = connection(httpUrl)
    for (const socket of [silent, half]) socket.on('error', () => undefined)
    half.write('GET /healthz HTTP/1.1\r\nHo')

    const body = JSON.stringify({
      ...{ merchantId: 'M-TEST-001', orderId: 'o-1', source: 's', total: 1 },
      items: [{ umsId: 'UMS-FRIES-01', qty: 1, price: 1 }],
    })
    const request = connection(httpUrl)
    let answers = ''
    request.on('data', (chunk) => {
      answers += chunk
    })
    const head = (method: string, path: string) =>
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${account.apiKey}\r\n`
    request.write(`${head('GET', '/v1/merchants')}\r\n`)
    await expect.poll(() => answers).toContain('M-TEST-001')
    const kind = 'Content-Type: application/json\r\nExpect: 100-continue\r\n'
    request.write(`${head('POST', '/v1/order/inject')}${kind}Content-Length: ${body.length}\r\n\r\n`)
    await expect.poll(() => answers).toContain('100 Continue')

    const ends = relay.kill('SIGTERM')
    await expect.poll(() => said('stopping')).toBe(1)
    answers = ''
    request.write(body)
    await once(request, 'close')
    expect(answers).toMatch(/^HTTP\/1\.1 200 .*"serviceOrderId"/s)
    expect(await ends).toBe(0)
    await ended
    expect(relay.log.filter(({ level }) => level >= 40)).toEqual([])
    expect(said('stopped')).toBe(1)

    const db = await openDatabase()
    const { boot_id } = await db.read
      .selectFrom('gateways')
      .select('boot_id')
      .where('id', '=', GATEWAY)
      .executeTakeFirstOrThrow()
    const counted = await db.read.selectFrom('usage_days').select(['account_id', 'calls']).execute()
    await db.close()
    expect([boot_id, counted]).toEqual([bootId, [{ account_id: account.accountId, calls: 2 }]])
  })
})

it('a stop is not held up by a connection in the middle of its TLS handshake, nor by a request that never ends', async () => {
  const { httpUrl } = await relay.start(tlsFiles())
  await introduce(`${httpUrl.replace('http', 'ws')}/mqtt`, randomUUID())
  const port = Number(new URL(httpUrl).port)
  // A hello of TLS goes through, and what answers it does not: the handshake stays as it is.
  const stuck = createServer((client) => {
    const target = connect(port, '127.0.0.1')
    for (const socket of [client, target]) socket.on('error', () => undefined)
    client.pipe(target)
    target.once('data', () => stuck.emit('stuck'))
  }).listen(0, '127.0.0.1')
  await once(stuck, 'listening')
  const handshake = connectTls({ port: (stuck.address() as AddressInfo).port, host: '127.0.0.1', ca: authority.ca })
  handshake.on('error', () => undefined)
  await once(stuck, 'stuck')
  const endless = connection(httpUrl)
  endless.on('error', () => undefined)
  endless.write(`POST /v1/order/inject HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${account.apiKey}\r\n`)
  endless.write('Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 100000\r\n\r\n')
  await once(endless, 'data')

  expect(await relay.kill('SIGTERM')).toBe(0)
  expect([said('stopped'), said('stopping took too long: the rest is cut off')]).toEqual([1, 0])
  handshake.destroy()
  stuck.close()
})
