// The relay with certificates, judged by curl, openssl and a gateway's own MQTT client: TLS on both ports, renewed while it runs.
import { execFile, spawn } from 'node:child_process'
import { randomBytes, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SandboxAccount } from '#cloud/sandbox/fixtures.ts'
import { asId, type GatewayId } from '#shared/ids.ts'
import { shardOf, topicsFor } from '#shared/wire/gateway-link.ts'
import { provisionGateway } from '#test/fixtures/provisioned-gateway.ts'
import { type Issued, OpensslAuthority } from '#test/harness/openssl-authority.ts'
import { Program } from '#test/harness/program.ts'
import { servedCertificate } from '#test/harness/served-certificate.ts'

const GATEWAY: GatewayId = asId('gw_tls')
const authority = new OpensslAuthority()
afterAll(() => authority.remove())

let dir: string
let place: Issued
let env: Record<string, string>
let relay: Program
let account: SandboxAccount
let token: string
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'relay-tls-'))
  place = { certificateFile: join(dir, 'fullchain.pem'), keyFile: join(dir, 'privkey.pem') }
  put(authority.issue())
  env = {
    CLOUD_DATABASE: join(dir, 'relay.db'),
    CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
    CLOUD_HTTP_HOST: '0.0.0.0',
    CLOUD_HTTP_PORT: '0',
    CLOUD_MQTT_HOST: '0.0.0.0',
    CLOUD_MQTT_PORT: '0',
    CLOUD_TLS_CERT_FILE: place.certificateFile,
    CLOUD_TLS_KEY_FILE: place.keyFile,
  }
  relay = new Program('cloud/main.ts', env, true)
})
afterEach(async () => {
  await relay.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

function put(issued: Issued): Issued {
  copyFileSync(issued.certificateFile, place.certificateFile)
  copyFileSync(issued.keyFile, place.keyFile)
  chmodSync(place.keyFile, 0o600)
  return issued
}

/** An account, and a gateway with a password. */
async function provision(): Promise<void> {
  ;({ account, token } = await provisionGateway(env['CLOUD_DATABASE'] ?? '', GATEWAY))
}

/** The output of an external program, with its exit code. */
function run(file: string, ...args: string[]): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const child = execFile(file, args, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, said: out + err }),
    )
    child.stdin?.end()
  })
}

/** The output of openssl when it requests another handshake on an open connection: the relay ends the connection after the first request. */
async function askAgain(port: string | number): Promise<string> {
  const args = ['s_client', '-connect', `localhost:${port}`, '-tls1_2', '-CAfile', authority.caFile]
  const client = spawn('openssl', args)
  let said = ''
  let isAsked = false
  const hear = (chunk: Buffer): void => {
    said += chunk
    if (/RENEGOTIATING.*verify return:1/s.test(said)) client.kill()
    if (isAsked || !said.includes('Verify return code')) return
    isAsked = true
    client.stdin.write('R\n')
  }
  client.stdout.on('data', hear)
  client.stderr.on('data', hear)
  await once(client, 'close')
  return said.slice(said.indexOf('RENEGOTIATING'))
}

const clients: MqttClient[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.end(true)
})

/** As a gateway connects. Resolves with the client, or with why it may not. */
function link(url: string, options: IClientOptions = {}): Promise<MqttClient | Error> {
  const credentials = { clientId: GATEWAY, username: GATEWAY, password: token, protocolVersion: 4 as const }
  const client = mqtt.connect(url, { ...credentials, clean: true, reconnectPeriod: 0, ca: authority.ca, ...options })
  clients.push(client)
  return new Promise((resolve) => {
    client.once('connect', () => resolve(client))
    client.once('error', resolve)
    client.once('close', () => resolve(new Error('closed')))
  })
}

const logged = (msg: string) => relay.log.filter((line) => line.msg === msg)
const serialOf = (file: string) => new X509Certificate(readFileSync(file)).serialNumber
const serialAt = async (port: number) => (await servedCertificate('127.0.0.1', port)).serialNumber

describe('with one certificate for both', () => {
  it('API, wss and mqtts accept clients that trust the authority, and no others', async () => {
    await provision()
    const { httpUrl, mqttPort = 0 } = await relay.start()
    expect(httpUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    const { port } = new URL(httpUrl)
    const trusted = await run('curl', '-sS', '--cacert', authority.caFile, `https://localhost:${port}/readyz`)
    expect(trusted).toMatchObject({ code: 0, said: expect.stringContaining('"database"') })
    const merchants = ['-H', `Authorization: Bearer ${account.apiKey}`, `https://localhost:${port}/v1/merchants`]
    expect((await run('curl', '-sS', '--cacert', authority.caFile, ...merchants)).said).toContain('M-TEST-001')
    // 60: the certificate cannot be verified.
    expect(await run('curl', '-sS', `https://localhost:${port}/readyz`)).toMatchObject({ code: 60 })

    for (const at of [port, mqttPort]) {
      const judged = ['s_client', '-connect', `localhost:${at}`, '-servername', 'localhost', '-verify_return_error']
      const whole = await run('openssl', ...judged, '-CAfile', authority.caFile, '-showcerts')
      expect(whole).toMatchObject({ code: 0, said: expect.stringContaining('Verify return code: 0 (ok)') })
      expect(whole.said.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
      for (const [version, mayPass] of [
        ['-tls1_3', true],
        ['-tls1_2', true],
        ['-tls1_1', false],
      ] as const) {
        const old = ['-cipher', 'ALL:@SECLEVEL=0', version]
        expect([version, (await run('openssl', ...judged, '-CAfile', authority.caFile, ...old)).code === 0]).toEqual([
          version,
          mayPass,
        ])
      }
    }

    for (const url of [`mqtts://localhost:${mqttPort}`, `wss://localhost:${port}/mqtt`]) {
      expect(await link(url)).toHaveProperty('connected', true)
      expect(await link(url, { ca: [] })).toMatchObject({ code: expect.stringMatching(/CERT|ISSUER/) })
      expect(await link(url, { password: 'wrong' })).toMatchObject({
        message: expect.stringContaining('Not authorized'),
      })
    }
    expect(await link(`mqtt://localhost:${mqttPort}`)).toBeInstanceOf(Error)
    expect((await run('curl', '-sS', `http://localhost:${port}/readyz`)).code).not.toBe(0)
    expect(await relay.kill('SIGTERM')).toBe(0)
  })

  it('one that is renewed is served to new connections, at SIGHUP and by itself; open connections continue', async () => {
    await provision()
    const { httpUrl, mqttPort = 0 } = await relay.start()
    const port = Number(new URL(httpUrl).port)
    const open = await link(`mqtts://localhost:${mqttPort}`)
    if (open instanceof Error) throw open
    const api = connectTls({ port, host: '127.0.0.1', ca: authority.ca, servername: 'localhost' })
    await once(api, 'secureConnect')

    const second = put(authority.issue())
    relay.signal('SIGHUP')
    await expect.poll(() => logged('certificate read again: new connections get it').length).toBe(1)
    const ofSecond = serialOf(second.certificateFile)
    expect([await serialAt(port), await serialAt(mqttPort)]).toEqual([ofSecond, ofSecond])

    writeFileSync(place.keyFile, 'half of a key')
    relay.signal('SIGHUP')
    await expect
      .poll(() => logged('the new certificate cannot be used: the one before it stays'))
      .toMatchObject([{ setting: 'CLOUD_TLS_CERT_FILE', reason: expect.stringContaining(place.keyFile) }])
    expect([await serialAt(port), await serialAt(mqttPort)]).toEqual([ofSecond, ofSecond])

    const third = put(authority.issue({ untilDays: 5 }))
    await expect.poll(() => logged('certificate read again: new connections get it').length).toBe(2)
    const ofThird = serialOf(third.certificateFile)
    expect([await serialAt(port), await serialAt(mqttPort)]).toEqual([ofThird, ofThird])
    expect(relay.log).toContainEqual(expect.objectContaining({ level: 40, daysLeft: 4, file: place.certificateFile }))

    // A connection that was open before still works.
    expect(open.connected).toBe(true)
    const { down } = topicsFor(GATEWAY, shardOf(GATEWAY))
    expect(await open.subscribeAsync(down, { qos: 1 })).toMatchObject([{ topic: down, qos: 1 }])
    api.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const [answer] = await once(api, 'data')
    expect(String(answer)).toContain('HTTP/1.1 200 OK')
    api.destroy()
  })

  it('no client gets a second handshake on one connection, which would cost the relay far more than the client', async () => {
    const { httpUrl, mqttPort = 0 } = await relay.start()
    for (const port of [new URL(httpUrl).port, mqttPort]) {
      const said = await askAgain(port)
      expect(said).toContain('no renegotiation')
      expect(said).not.toContain('verify return')
    }
    // The next certificate is served by the same rule.
    put(authority.issue())
    relay.signal('SIGHUP')
    await expect.poll(() => logged('certificate read again: new connections get it').length).toBe(1)
    for (const port of [new URL(httpUrl).port, mqttPort]) expect(await askAgain(port)).toContain('no renegotiation')
  })

  it('a client that connects and sends no TLS is dropped, and the log does not grow by it', async () => {
    const { httpUrl, mqttPort = 0 } = await relay.start()
    const drops = [Number(new URL(httpUrl).port), mqttPort].map(async (port) => {
      const noise = connect(port, '127.0.0.1', () => noise.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
      noise.resume()
      await once(noise, 'close')
      const silent = connect(port, '127.0.0.1')
      silent.resume()
      await once(silent, 'close')
    })
    await Promise.all(drops)
    expect(relay.log.filter(({ level }) => level >= 50)).toEqual([])
    expect(await relay.kill('SIGTERM')).toBe(0)
  })
})

it('MQTT may have a certificate of its own, beside an API without one', async () => {
  const own = authority.issue({ names: ['DNS:mqtt.example'] })
  relay = new Program('cloud/main.ts', env, true)
  const { httpUrl, mqttPort = 0 } = await relay.start({
    ...{ CLOUD_TLS_CERT_FILE: '', CLOUD_TLS_KEY_FILE: '', CLOUD_HTTP_HOST: '127.0.0.1' },
    ...{ CLOUD_MQTT_TLS_CERT_FILE: own.certificateFile, CLOUD_MQTT_TLS_KEY_FILE: own.keyFile },
  })
  expect((await fetch(`${httpUrl}/readyz`)).status).toBe(200)
  expect(await serialAt(mqttPort)).toBe(serialOf(own.certificateFile))
})

it('behind a TCP proxy, TLS begins after the PROXY header, also when both arrive in one piece', async () => {
  await provision()
  const { mqttPort = 0 } = await relay.start({ CLOUD_MQTT_PROXY_PROTOCOL: 'on', CLOUD_TRUSTED_PROXIES: '127.0.0.1' })
  const balancer = createServer((client) => {
    const target = connect(mqttPort, '127.0.0.1')
    for (const socket of [client, target]) socket.on('error', () => undefined)
    client.once('data', (hello) => {
      target.write(Buffer.concat([Buffer.from('PROXY TCP4 192.0.2.7 192.0.2.1 40000 8883\r\n'), hello]))
      client.pipe(target).pipe(client)
    })
  }).listen(0, '127.0.0.1')
  await once(balancer, 'listening')
  const { port } = balancer.address() as AddressInfo
  expect(await link(`mqtts://localhost:${port}`)).toHaveProperty('connected', true)
  for (const client of clients.splice(0)) client.end(true)
  balancer.close()
})

describe('what cannot be served ends the start with 78 and one line', () => {
  const start = async (extra: Record<string, string> = {}) => {
    const fault = await relay.start(extra).then(
      () => new Error('it started'),
      (error: Error) => error,
    )
    return { fault: fault.message, lines: relay.log.length, said: relay.log.at(-1)?.msg ?? '' }
  }

  it.each<[string, () => unknown, RegExp]>([
    [
      'a certificate that has ended',
      () => put(authority.issue({ fromDays: -9, untilDays: -1 })),
      /fullchain\.pem ended at/,
    ],
    ['a certificate of tomorrow', () => put(authority.issue({ fromDays: 1 })), /fullchain\.pem is valid from 20\S+ on/],
    ['a key that is not there', () => rmSync(place.keyFile), /privkey\.pem cannot be read \(ENOENT\)/],
    ['a key of another', () => copyFileSync(authority.issue().keyFile, place.keyFile), /privkey\.pem does not belong/],
  ])('%s', async (_, damage, words) => {
    damage()
    const { fault, lines, said } = await start()
    expect(fault).toContain('(78)')
    expect([lines, said]).toEqual([1, expect.stringMatching(words)])
    expect(said).toContain('CLOUD_TLS_CERT_FILE')
  })

  it('an open port without a certificate', async () => {
    const { fault, lines, said } = await start({ CLOUD_TLS_CERT_FILE: '', CLOUD_TLS_KEY_FILE: '' })
    expect(fault).toContain('(78)')
    expect(lines).toBe(1)
    expect(said).toContain('CLOUD_HTTP_HOST 0.0.0.0 is open to a network and has no TLS')
    expect(said).toContain('CLOUD_ALLOW_PLAIN=api ')
  })
})
