// The relay as a process: ready line, busy ports, wrong settings, SIGTERM under load.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { systemClock } from '#shared/clock.ts'
import { runRelayToEnd } from '#test/harness/command-line.ts'
import { compiledCode } from '#test/harness/compiled-code.ts'
import { Program } from '#test/harness/program.ts'
import { readCloudConfig } from './config.ts'
import { createSandboxAccount, type SandboxAccount } from './sandbox/fixtures.ts'

/** What these tests hold is the start itself, so it is that of `npm run cloud`: from the sources, not from a bundle. */
const SOURCE = new URL('main.ts', import.meta.url).pathname

let dir: string
let account: SandboxAccount
let env: Record<string, string>
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ticketrail-main-'))
  env = {
    CLOUD_DATABASE: join(dir, 'relay.db'),
    CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
    CLOUD_HTTP_PORT: '0',
    CLOUD_MQTT_PORT: '0',
  }
  const db = await openDatabase()
  account = await createSandboxAccount({ db, clock: systemClock }, { name: 'Test' })
  await db.close()
  // With the mode that the relay itself sets: otherwise it logs that it has restricted the file.
  chmodSync(join(dir, 'relay.db'), 0o600)
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const openDatabase = () =>
  SqliteDatabase.open(join(dir, 'relay.db'), (error) => {
    throw error
  })

async function runToEnd(
  extra: Record<string, string>,
  args: readonly string[] = [],
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, ['cloud/main.ts', ...args], {
    env: { PATH: process.env['PATH'], ...compiledCode(process.execPath, 'relays'), ...env, ...extra },
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  return { code, output }
}

test.each(['CLOUD_HTTP_PORT', 'CLOUD_MQTT_PORT'])(
  'a port in use ends it with 78 and one line naming port and %s',
  async (variable) => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const address = holder.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { code, output } = await runToEnd({ [variable]: String(port) })
    holder.close()
    expect(code).toBe(78)
    const lines = output.trim().split('\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(`port ${port} `)
    expect(lines[0]).toContain(variable)
  },
)

test.each([
  ['CLOUD_HTTP_HOST', 'nosuch.invalid', 'api'],
  ['CLOUD_MQTT_HOST', 'nosuch.invalid', 'mqtt'],
])('%s that does not resolve ends it with 78 and one line that names it', async (variable, host, what) => {
  const { code, output } = await runToEnd({ [variable]: host, CLOUD_ALLOW_PLAIN: what })
  expect([code, output.trim().split('\n').length]).toEqual([78, 1])
  expect(JSON.parse(output).msg).toBe(
    `${variable} ${host} does not resolve: set it to an address of this machine, or to a name that has one`,
  )
})

test('an address that this machine does not have yet ends it with 75 and one line: it may be added later', async () => {
  const { code, output } = await runToEnd({ CLOUD_HTTP_HOST: '192.0.2.55', CLOUD_ALLOW_PLAIN: 'api' })
  expect([code, output.trim().split('\n').length]).toEqual([75, 1])
  expect(output).toContain('CLOUD_HTTP_HOST 192.0.2.55 is no address of this machine')
})

test('the PROXY protocol without trusted proxies ends it with 78: no client could connect', async () => {
  const { code, output } = await runToEnd({ CLOUD_MQTT_PROXY_PROTOCOL: 'on' })
  expect(code).toBe(78)
  expect(output).toContain('CLOUD_MQTT_PROXY_PROTOCOL=on needs CLOUD_TRUSTED_PROXIES')
})

test('wrong settings end it with 78 and name the variable', async () => {
  const { code, output } = await runToEnd({ CLOUD_MASTER_KEY: 'short' })
  expect(code).toBe(78)
  expect(output).toContain('CLOUD_MASTER_KEY must be the base64 of 32 bytes')
})

test.each([
  ['is not there', '/nowhere/ca.pem', 'cannot be read (ENOENT)'],
  ['holds none', 'package.json', 'holds no certificate in PEM'],
])('a file of the gateways’ authority that %s ends it with 78 and names the variable', async (_, file, words) => {
  const { code, output } = await runToEnd({ CLOUD_GATEWAY_CA_FILE: file })
  expect(code).toBe(78)
  expect(output).toContain(`CLOUD_GATEWAY_CA_FILE ${file} ${words}`)
})

test('another master key than that of the stored secrets ends it with 78 and one line with both remedies', async () => {
  const relay = new Program(SOURCE, { ...env, CLOUD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }, true)
  const { httpUrl } = await relay.start()
  const made = await fetch(`${httpUrl}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ merchantId: 'M-TEST-001', url: 'http://127.0.0.1:9/hook', events: ['*'] }),
  })
  expect(made.status).toBe(201)
  await relay.kill('SIGTERM')

  const other = { CLOUD_MASTER_KEY: randomBytes(32).toString('base64') }
  const { code, output } = await runToEnd(other)
  expect(code).toBe(78)
  expect(output.trim().split('\n')).toHaveLength(1)
  expect(output).toContain('CLOUD_MASTER_KEY does not open the webhook secrets in this database')
  expect(output).toContain('CLOUD_START_WITHOUT_SECRETS=yes')

  for (const settings of [{}, { ...other, CLOUD_START_WITHOUT_SECRETS: 'yes' }]) {
    relay.log.length = 0
    await relay.start(settings)
    expect(await relay.kill('SIGTERM')).toBe(0)
    const warned = relay.log.filter(({ level }) => level >= 40).map(({ msg }) => msg)
    expect(warned).toEqual(
      'CLOUD_START_WITHOUT_SECRETS' in settings ? ['webhooks cannot be signed: the master key is another one'] : [],
    )
  }
})

test('SIGTERM under load: it cuts its clients off and ends with 0, and every order that was answered 200 is kept', async () => {
  const relay = new Program(SOURCE, env, false)
  const { httpUrl, mqttPort } = await relay.start()
  expect(mqttPort).toBeGreaterThan(0)
  expect((await fetch(`${httpUrl}/readyz`)).status).toBe(200)
  const answered = new Set<string>()
  const statuses = new Set<number>()
  let ended = false
  const client = async (name: number): Promise<void> => {
    for (let i = 0; !ended; i++) {
      const body = {
        merchantId: 'M-TEST-001',
        orderId: `o-${name}-${i}`,
        source: 's',
        total: 1,
        items: [{ umsId: 'UMS-FRIES-01', qty: 1, price: 1 }],
      }
      try {
        const answer = await fetch(`${httpUrl}/v1/order/inject`, {
          method: 'POST',
          headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        statuses.add(answer.status)
        if (answer.status === 200) answered.add(body.orderId)
        await answer.text()
      } catch {
        if (answered.size > 0) return
      }
    }
  }
  const clients = Promise.all(Array.from({ length: 8 }, (_, name) => client(name)))
  while (answered.size < 100) await new Promise((resolve) => setImmediate(resolve))
  // Its clients never stop: without cutting them off it would not end.
  expect(await relay.kill('SIGTERM')).toBe(0)
  ended = true
  await clients
  for (const status of statuses) expect([200, 503]).toContain(status)
  const db = await openDatabase()
  const kept = new Set(
    (await db.read.selectFrom('orders').select('client_order_id').execute()).map((row) => row.client_order_id),
  )
  await db.close()
  for (const orderId of answered) expect(kept).toContain(orderId)
})

test('the operator changes a running relay: a key that is made works, and one that is revoked ends with the next call', async () => {
  const relay = new Program(SOURCE, env, false)
  const { httpUrl } = await relay.start()
  const admin = async (...args: string[]) => {
    const { code, output } = await runToEnd({}, ['admin', ...args, '--json'])
    expect([args[1], code]).toEqual([args[1], 0])
    return JSON.parse(output)
  }
  const status = async (key: string) =>
    (await fetch(`${httpUrl}/v1/merchants`, { headers: { authorization: `Bearer ${key}` } })).status
  try {
    const of = ['--account', account.accountId]
    const { keyId, apiKey } = await admin('keys', 'create', ...of, '--environment', 'sandbox')
    expect(await status(apiKey)).toBe(200)
    await admin('keys', 'revoke', '--key', keyId)
    expect([await status(apiKey), await status(account.apiKey)]).toEqual([401, 200])
  } finally {
    await relay.kill('SIGTERM')
  }
})

test('the command line starts no second relay where there is none, and names the setting', async () => {
  const elsewhere = join(dir, 'typo.db')
  const { code, output } = await runToEnd({ CLOUD_DATABASE: elsewhere }, ['admin', 'accounts', 'list'])
  expect([code, output, existsSync(elsewhere)]).toEqual([1, '', false])
})

test('settings have the documented defaults, and an error names the wrong variable', () => {
  const key = randomBytes(32).toString('base64')
  expect(readCloudConfig({ CLOUD_MASTER_KEY: key, CLOUD_BROKER_URL: '' })).toMatchObject({
    CLOUD_HTTP_PORT: 8080,
    CLOUD_MQTT_PORT: 1883,
    CLOUD_WEBHOOK_ALLOW_CIDRS: [],
    CLOUD_WEBHOOK_PORTS: [80, 443, 8443],
    CLOUD_MQTT_PROXY_PROTOCOL: 'off',
    CLOUD_WEBHOOK_RETRY_SECONDS: [60, 300, 1800, 7200, 43200],
  })
  expect(readCloudConfig({ CLOUD_MASTER_KEY: key, CLOUD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8, ::1/128' })).toMatchObject({
    CLOUD_WEBHOOK_ALLOW_CIDRS: ['127.0.0.0/8', '::1/128'],
  })
  expect(() => readCloudConfig({})).toThrow('CLOUD_MASTER_KEY is required')
  expect(() => readCloudConfig({ CLOUD_MASTER_KEY: key, CLOUD_WEBHOOK_RETRY_SECONDS: '60,x' })).toThrow(
    'CLOUD_WEBHOOK_RETRY_SECONDS',
  )
  expect(() => readCloudConfig({ CLOUD_MASTER_KEY: key, CLOUD_PUBLIC_URL: 'ftp://x' })).toThrow('CLOUD_PUBLIC_URL')
  for (const wrong of ['x', '0', '65536', '443 444', ','])
    expect(() => readCloudConfig({ CLOUD_MASTER_KEY: key, CLOUD_WEBHOOK_PORTS: wrong })).toThrow('CLOUD_WEBHOOK_PORTS')
  for (const variable of ['CLOUD_TRUSTED_PROXIES', 'CLOUD_WEBHOOK_ALLOW_CIDRS'] as const) {
    const networks = (text: string) => readCloudConfig({ CLOUD_MASTER_KEY: key, [variable]: text })[variable]
    expect(networks('10.0.0.0/8,::1')).toEqual(['10.0.0.0/8', '::1'])
    for (const wrong of ['proxy.example', '10.0.0.0/33', '1.2.3', '10.0.0.1/8/9'])
      expect(() => networks(wrong)).toThrow(`${variable} must be addresses`)
  }
})

test('it keeps its compiled code beside its database, for its next start', async () => {
  const relay = new Program(SOURCE, env, false)
  await relay.start({ NODE_COMPILE_CACHE: '' })
  expect(await relay.kill('SIGTERM')).toBe(0)
  expect(readdirSync(join(dir, 'compile-cache'), { recursive: true }).length).toBeGreaterThan(100)
})

test('SIGTERM to `npm run cloud` ends the relay and not npm alone', async () => {
  const npm = spawn('npm', ['run', '-s', 'cloud'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of npm.stdout) {
    output += chunk
    if (output.includes('"ready"')) npm.kill('SIGTERM')
  }
  // The stream ends with the last program that holds it.
  expect(output).toContain('"stopped"')
})

test.each(['--help', '-h', 'help'])('%s shows how it is used, and starts nothing', async (word) => {
  const { code, output } = await runToEnd({}, [word])
  expect([code, output]).toEqual([0, expect.stringContaining('admin help')])
  expect(readdirSync(dir)).toEqual(['relay.db'])
})

test('any other word ends it with 2, and starts nothing', async () => {
  const { code, lines } = await runRelayToEnd(env, ['accounts', 'list'])
  expect([code, lines[0]]).toEqual([
    2,
    "No relay was started: it takes no arguments. The operator's commands begin with `admin`.",
  ])
  expect(readdirSync(dir)).toEqual(['relay.db'])
})
