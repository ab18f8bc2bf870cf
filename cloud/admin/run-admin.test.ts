// The operator's command line against a relay's real database and API: what it prints, what it changes, what it refuses.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { pairing } from '#shared/wire/gateway-link.ts'
import type { RelayApi } from '#test/doubles/relay-api.ts'
import { AdminDesk } from '#test/fixtures/admin-desk.ts'
import { runAdmin } from './run-admin.ts'

let desk: AdminDesk
let api: RelayApi
beforeEach(async () => {
  desk = await AdminDesk.open()
  api = desk.api
})
afterEach(() => desk.close())

const run = (...args: string[]) => desk.run(...args)
const json = (...args: string[]) => desk.json(...args)
const refused = (...args: string[]) => desk.refused(...args)

/** An approved account with a live merchant and a key that may order. */
async function restaurant(plan = 'starter') {
  const { accountId } = await json('accounts', 'create', '--name', 'Bistro Ltd')
  await json('accounts', 'approve', '--account', accountId, '--plan', plan)
  const zone = ['--time-zone', 'Europe/Paris']
  const merchant = await json('merchants', 'create', '--account', accountId, '--name', 'Bistro', ...zone)
  const scopes = ['--scopes', 'orders:read,orders:write,menu:read']
  const key = await json('keys', 'create', '--account', accountId, '--environment', 'live', ...scopes)
  return { accountId, ...merchant, ...key } as {
    accountId: string
    merchantId: string
    locationId: string
    keyId: string
    apiKey: string
  }
}

const order = (merchantId: string, key: string) =>
  api.call('POST', '/v1/order/inject', {
    key,
    body: {
      merchantId,
      orderId: 'o1',
      source: 'test',
      items: [{ umsId: 'UMS-SOUP', qty: 1, price: 8.95, modifiers: ['UMS-EXTRA'] }],
      total: 8.95,
    },
  })

test('the way that the help shows leads from nothing to a live order', async () => {
  const { merchantId, locationId, apiKey } = await restaurant()
  expect(await json('items', 'import', '--merchant', merchantId, '--file', 'menu.csv')).toMatchObject({ items: 2 })
  const broker = ['--broker-url', 'mqtts://relay.example:8883']
  const gateway = await json('gateways', 'add', '--location', locationId, '--name', 'Pi', ...broker)
  expect(pairing.parse(gateway.pairing)).toMatchObject({ merchantName: 'Bistro', timeZone: 'Europe/Paris' })
  const answer = await order(merchantId, apiKey)
  expect([answer.status, answer.body.status]).toEqual([200, 'accepted'])
})

describe('help', () => {
  test('without words, and with help, all commands are shown and the database stays closed', async () => {
    for (const args of [[], ['help'], ['--help'], ['help', 'nonsense']]) {
      let out = ''
      const open = () => Promise.reject(new Error('opened'))
      const write = (text: string) => {
        out = text
      }
      const files = () => {
        throw new Error('opened')
      }
      expect(await runAdmin({ args, open, files, write, writeError: write })).toBe(0)
      expect(out).toContain('keys rotate')
      expect(out).toContain('From nothing to a live order')
      expect(out).toContain('5  gateways code --location loc_... --name "Kitchen Pi"')
    }
  })

  test('a noun alone, or help with a command, shows its options with what they mean', async () => {
    expect((await run('grants')).out).toMatch(/--merchant \.\.\. .*M-PROD-.*\(required\)/)
    const one = await run('plans', 'set', '--help')
    expect(one.out).toContain('--reset')
    expect(one.out).not.toContain('plans list')
  })

  test('every example in the help is understood by its own command', async () => {
    const { out } = await run('help')
    const names = [...out.matchAll(/^ {2}([a-z]+ [a-z]+) {2}/gm)].map((match) => match[1] ?? '')
    expect(names.length).toBeGreaterThan(25)
    for (const name of names) {
      const help = (await run('help', ...name.split(' '))).out
      const line = /^ {4}npm run -s cloud -- admin (.*)$/m.exec(help)?.[1] ?? 'no example'
      const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '')
      const { code, err } = await run(...words)
      expect([name, code === 2 ? err : 'understood']).toEqual([name, 'understood'])
    }
  })

  test('what is mistyped gets a suggestion, and what is missing is named with the usage', async () => {
    const typo = await run('key', 'rotat')
    expect([typo.code, typo.err]).toEqual([2, expect.stringContaining('keys rotate')])
    const missing = await run('accounts', 'approve', '--plan', 'gold')
    expect(missing.code).toBe(2)
    expect(missing.err).toContain('--account is required')
    expect(missing.err).toContain('--plan must be starter, growth or enterprise')
    expect((await run('keys', 'list', '--acount', 'x')).err).toContain("'--acount'")
  })
})

describe('keys and grants', () => {
  test('a live key is read-only by default, and its scopes can be changed at once', async () => {
    const { accountId, merchantId } = await restaurant()
    await json('items', 'import', '--merchant', merchantId, '--file', 'menu.csv')
    const key = await json('keys', 'create', '--account', accountId, '--environment', 'live', '--name', 'Till')
    const keys = await json('keys', 'list', '--account', accountId)
    const row = keys.find(({ keyId }: { keyId: string }) => keyId === key.keyId)
    expect(row).toMatchObject({ name: 'Till', scopes: ['orders:read', 'menu:read'], state: 'valid' })
    expect((await order(merchantId, key.apiKey)).body.code).toBe('auth.insufficient_scope')
    await json('keys', 'scopes', '--key', key.keyId, '--scopes', 'orders:write')
    expect((await order(merchantId, key.apiKey)).status).toBe(200)
  })

  test('no live key before the approval', async () => {
    const { accountId } = await json('accounts', 'create', '--name', 'Waiting')
    const words = await refused('keys', 'create', '--account', accountId, '--environment', 'live')
    expect(words).toContain('accounts approve')
  })

  test('rotation creates a second key for 24 hours, and revocation ends one at once', async () => {
    const { merchantId, keyId, apiKey } = await restaurant()
    const status = async (key: string) =>
      (await api.call('GET', `/v1/order/x?merchantId=${merchantId}`, { key })).status
    const next = await json('keys', 'rotate', '--key', keyId)
    expect([await status(apiKey), await status(next.apiKey)]).toEqual([404, 404])
    expect(await refused('keys', 'rotate', '--key', keyId)).toContain(next.keyId)
    await desk.clock.advance(24 * 3_600_000)
    expect([await status(apiKey), await status(next.apiKey)]).toEqual([401, 404])
    await json('keys', 'revoke', '--key', next.keyId)
    expect(await status(next.apiKey)).toBe(401)
  })

  test('a grant lets another account act until it is taken back; test merchants are not granted', async () => {
    const owner = await restaurant()
    const partner = await restaurant()
    await json('items', 'import', '--merchant', owner.merchantId, '--file', 'menu.csv')
    const grant = ['--account', partner.accountId, '--merchant', owner.merchantId]
    expect((await order(owner.merchantId, partner.apiKey)).body.code).toBe('merchant.not_authorized')
    expect((await json('grants', 'add', ...grant)).changed).toBe(true)
    expect((await json('grants', 'add', ...grant)).changed).toBe(false)
    expect((await order(owner.merchantId, partner.apiKey)).status).toBe(200)
    expect(await json('grants', 'list', '--merchant', owner.merchantId)).toHaveLength(1)
    await json('grants', 'remove', ...grant)
    expect((await order(owner.merchantId, partner.apiKey)).body.code).toBe('merchant.not_authorized')
    expect(await refused('grants', 'add', '--account', partner.accountId, '--merchant', 'M-TEST-001')).toMatch(/own/)
  })

  test('withdrawing the approval ends every live key', async () => {
    const { accountId, apiKey, merchantId } = await restaurant()
    await json('accounts', 'withdraw', '--account', accountId)
    expect((await order(merchantId, apiKey)).body.code).toBe('auth.invalid_token')
    expect(await refused('merchants', 'create', '--account', accountId, '--name', 'X', '--time-zone', 'UTC')).toMatch(
      /not approved/,
    )
  })
})

describe('plans', () => {
  test('starter has one location and three platforms; a contract or a larger plan has more', async () => {
    const { accountId, merchantId } = await restaurant()
    const second = ['locations', 'add', '--merchant', merchantId, '--name', 'Harbour']
    expect(await refused(...second)).toContain('The plan starter allows 1 live location, this would be 2.')
    await json('plans', 'set', '--account', accountId, '--locations', '2')
    await json(...second)
    expect(await refused('plans', 'set', '--account', accountId, '--locations', '1')).toContain('this would be 2')
    const connect = (channel: string) => [
      ...['channels', 'connect', '--merchant', merchantId, '--channel', channel],
      ...['--platform', channel, '--url', 'http://127.0.0.1:9/told'],
    ]
    const https = (args: string[]) => args.map((arg) => arg.replace('http://', 'https://'))
    for (const channel of ['one', 'two', 'three']) await json(...https(connect(channel)))
    expect(await refused(...https(connect('four')))).toContain('3 connected platforms')
    await json(...https(connect('three')))
    await json('plans', 'set', '--account', accountId, '--plan', 'growth')
    await json(...https(connect('four')))
    expect(await refused('plans', 'set', '--account', accountId, '--plan', 'starter')).toContain('this would be 4')
  })

  test('a contract changes the bytes that an account may send, live and in its sandbox', async () => {
    const { accountId } = await restaurant('growth')
    const set = (...options: string[]) => json('plans', 'set', '--account', accountId, ...options)
    const { overrides, live } = await set('--bytes-per-minute', '50000000', '--sandbox-bytes-per-minute', '100000')
    expect(overrides).toEqual({ bodyBytesPerMinute: 50_000_000, sandbox: { bodyBytesPerMinute: 100_000 } })
    expect([live.bodyBytesPerMinute, live.bodyBytesAtOnce]).toEqual([50_000_000, 500_000_000])
    const { overrides: more } = await set('--bytes-at-once', '60000000', '--sandbox-bytes-at-once', '200000')
    expect(more).toMatchObject({ bodyBytesAtOnce: 60_000_000, sandbox: { bodyBytesAtOnce: 200_000 } })
  })

  test('figures of the contract are kept together, shown in the account and forgotten by --reset', async () => {
    const { accountId } = await restaurant('growth')
    await json('plans', 'set', '--account', accountId, '--fee', '499')
    await json('plans', 'set', '--account', accountId, '--sandbox-steady', '900', '--webhooks-per-hour', 'none')
    const shown = await json('accounts', 'show', '--account', accountId)
    expect(shown.overrides).toEqual({
      feeCents: 49_900,
      webhookEventsPerHour: null,
      sandbox: { steadyPerMinute: 900 },
    })
    expect(shown.live).toMatchObject({ feeCents: 49_900, steadyPerMinute: 5_000 })
    const reset = await json('plans', 'set', '--account', accountId, '--reset')
    expect([reset.overrides, reset.live.feeCents]).toEqual([{}, null])
    expect(await refused('plans', 'set', '--account', accountId)).toContain('Nothing to change')
  })

  test('an account that is not approved gets no paid plan', async () => {
    const { accountId } = await json('accounts', 'create', '--name', 'Waiting')
    expect(await refused('plans', 'set', '--account', accountId, '--plan', 'growth')).toContain('accounts approve')
  })
})

describe('channels', () => {
  const mine = () => ['--merchant', 'M-TEST-001', '--account', api.account.accountId, '--channel', 'toy']
  const connect = (...more: string[]) => ['channels', 'connect', ...mine(), '--platform', 'Toy', ...more]

  test('a simulated one can be set to refuse everything; an http one cannot', async () => {
    const toys = api.db.read.selectFrom('channels').select('config').where('channel_id', '=', 'toy')
    const config = async () => (await toys.executeTakeFirstOrThrow()).config
    await json(...connect('--connector', 'simulated', '--fails'))
    expect(await config()).toBe('{"fails":true}')
    await json(...connect('--connector', 'simulated'))
    expect(await config()).toBe('{"fails":false}')
    expect(await refused(...connect('--url', 'https://127.0.0.1/x', '--fails'))).toContain('simulated')
  })

  test('are mapped and disconnected without the master key: no secret is made', async () => {
    await json(...connect('--connector', 'simulated'))
    desk.secretBox = null
    await json('channels', 'map', ...mine(), '--item', 'UMS-BURGER-01', '--external-id', 'b1')
    await json('channels', 'disconnect', ...mine())
    expect(await refused(...connect('--url', 'https://127.0.0.1/x'))).toContain('CLOUD_MASTER_KEY')
  })
})

describe('point of sale', () => {
  test('an outside one gets its secret once and takes over, until the register is back', async () => {
    const { merchantId } = await restaurant()
    const url = ['--url', 'https://127.0.0.1/pos']
    const connected = await json('pos', 'connect', '--merchant', merchantId, ...url)
    expect(connected).toMatchObject({ pos: 'http', secret: expect.stringMatching(/^whsec_/) })
    const pos = async () =>
      (await json('merchants', 'list')).find((row: { merchantId: string }) => row.merchantId === merchantId).pos
    expect(await pos()).toBe('http')
    await json('pos', 'register', '--merchant', merchantId)
    expect(await pos()).toBe('register')
    expect(await refused('pos', 'connect', '--merchant', merchantId, '--url', 'https://10.0.0.1/x')).toContain('--url')
  })
})

describe('gateways', () => {
  test('a revoked gateway is listed as such, and its password is nowhere in the database', async () => {
    const { locationId, merchantId } = await restaurant()
    const broker = ['--broker-url', 'mqtt://127.0.0.1:1883']
    const { gatewayId, pairing: file } = await json(
      'gateways',
      'add',
      '--location',
      locationId,
      '--name',
      'Pi',
      ...broker,
    )
    await json('gateways', 'revoke', '--gateway', gatewayId)
    const [row] = await json('gateways', 'list', '--merchant', merchantId)
    expect(row).toMatchObject({ gatewayId, state: 'revoked' })
    const rows = await api.db.read.selectFrom('gateways').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(file.token)
  })
})

test('every change is in the audit log, without keys and secrets', async () => {
  const { accountId, merchantId, locationId, apiKey, keyId } = await restaurant('growth')
  const next = await json('keys', 'rotate', '--key', keyId)
  const broker = ['--broker-url', 'mqtt://127.0.0.1:1883']
  const gateway = await json('gateways', 'add', '--location', locationId, '--name', 'Pi', ...broker)
  const channel = ['--merchant', merchantId, '--channel', 'one', '--platform', 'One', '--url', 'https://127.0.0.1/x']
  const { secret } = await json('channels', 'connect', ...channel)
  const log = await json('audit', 'list', '--account', accountId)
  expect(log.map((row: { action: string }) => row.action)).toEqual([
    'channel.connect',
    'gateway.add',
    'key.rotate',
    'key.create',
    'merchant.create',
    'account.approve',
    'account.create',
  ])
  expect(log[5]).toMatchObject({ actor: 'cli', before: { plan: 'sandbox' }, after: { plan: 'growth' } })
  const text = JSON.stringify(log)
  for (const hidden of [apiKey, next.apiKey, gateway.pairing.token, secret]) expect(text).not.toContain(hidden)
})

test('usage and invoices can be read for any account', async () => {
  const { accountId, keyId } = await restaurant()
  await api.db.unit((tx) =>
    tx
      .insertInto('usage_days')
      .values({
        account_id: accountId as never,
        environment: 'live',
        day: '2026-11-20',
        key_id: keyId as never,
        calls: 100_010,
      })
      .execute(),
  )
  const report = await json('usage', 'show', '--account', accountId)
  expect(report).toMatchObject({ calls: 100_010, overageAmount: 0.5, invoice: { status: 'draft', total: 199.5 } })
  expect((await run('usage', 'show', '--account', accountId)).out).toContain('Total: $199.50 (draft)')
  expect(await json('invoices', 'list', '--account', accountId)).toEqual([])
})

test('a control character in a name does not reach the terminal', async () => {
  await api.db.unit((tx) => api.stores.accounts.change(tx, api.account.accountId, { name: 'evil\u001b[2Jname' }))
  expect((await run('accounts', 'list')).out).toContain('evil?[2Jname')
})

test('what was typed with control characters makes no terminal obey, whether it was done or refused', async () => {
  const name = 'evil\u001b[2J\u202ename'
  const done = await run('accounts', 'create', '--name', name)
  const refusedAs = await run('accounts', name)
  const said = [done, refusedAs].map(({ out, err }) => out + err).join('')
  for (const mark of ['\u001b', '\u202e']) expect(said).not.toContain(mark)
  expect(refusedAs.err).toContain('evil?[2J?name')
})
