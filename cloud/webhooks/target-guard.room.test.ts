// Server-side request forgery: a trap on loopback must get no connection, whatever the URL, the name server or a redirect contains.
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { WebhookPoster } from './post-webhook.ts'
import type { Resolve } from './resolve-host.ts'
import { AddressPolicy, TargetGuard } from './target-guard.ts'

const never = new AbortController().signal
let trap: Server
let port: number
let trapped = 0

beforeAll(async () => {
  // `::` takes IPv4 and IPv6 on every local address.
  trap = createServer((socket) => {
    trapped += 1
    socket.resume()
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret')
  })
  await new Promise<void>((resolve) => trap.listen(0, '::', resolve))
  port = (trap.address() as { port: number }).port
})
afterAll(() => new Promise((resolve) => trap.close(resolve)))

const LITERALS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '127.0.0.1.',
  '１２７.０.０.１',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.1.1',
  '172.16.0.1',
  '100.100.100.200',
]

const post = async (url: string, guard: TargetGuard, environment: 'sandbox' | 'live' = 'sandbox') => {
  const poster = new WebhookPoster({ guard, clock: systemClock, timeoutMs: 3_000 })
  try {
    return await poster.post({ url, environment, headers: {}, body: '{}' }, never)
  } finally {
    await poster.close()
  }
}
const resolving = (...addresses: string[]): Resolve => {
  return async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

describe('a host that is an address', () => {
  it.each(LITERALS)('%s is refused at registration and at delivery', async (host) => {
    const guard = new TargetGuard({ allowCidrs: [] })
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${host}:${port}/hook`
      expect(await guard.refusal(url, 'sandbox')).toMatch(/public address/)
      expect(await post(url, guard)).toMatchObject({ error: 'blocked_address', status: null, response: null })
    }
    expect(trapped).toBe(0)
  })
})

describe('a host that is a name', () => {
  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '169.254.169.254', 'fe80::1%lo'])(
    'is refused when it resolves to %s',
    async (address) => {
      const guard = new TargetGuard({ allowCidrs: [], resolve: resolving(address) })
      expect(await guard.refusal(`https://evil.example:${port}/`, 'live')).toMatch(/public address/)
      expect(await post(`http://evil.example:${port}/`, guard)).toMatchObject({ error: 'blocked_address' })
      expect(trapped).toBe(0)
    },
  )

  it('is refused as localhost, with the real resolver', async () => {
    const guard = new TargetGuard({ allowCidrs: [] })
    expect(await guard.refusal(`http://localhost:${port}/`, 'sandbox')).toMatch(/public address/)
    expect(await post(`http://localhost:${port}/`, guard)).toMatchObject({ error: 'blocked_address' })
    expect(trapped).toBe(0)
  })

  it.each(['localhost.', 'LOCALHOST.', 'localhost..', 'localhost%2e'])(
    'is refused as %s: a dot at the end changes nothing',
    async (host) => {
      const guard = new TargetGuard({ allowCidrs: [] })
      for (const environment of ['sandbox', 'live'] as const) {
        expect(await guard.refusal(`https://${host}:${port}/`, environment)).toMatch(/public address/)
        expect(await post(`https://${host}:${port}/`, guard, environment)).toMatchObject({ error: 'blocked_address' })
      }
      expect(trapped).toBe(0)
    },
  )

  it('that changes to loopback after registration is blocked at delivery', async () => {
    const answers = ['93.184.216.34', '127.0.0.1']
    const guard = new TargetGuard({
      allowCidrs: [],
      ports: [port],
      resolve: (name) => resolving(answers.shift() ?? '127.0.0.1')(name),
    })
    expect(await guard.refusal(`https://rebind.example:${port}/`, 'live')).toBeNull()
    expect(await post(`http://rebind.example:${port}/`, guard)).toMatchObject({ error: 'blocked_address' })
    expect(trapped).toBe(0)
  })

  it('is resolved once per connection: the checked addresses are those connected to', async () => {
    let lookups = 0
    const resolve: Resolve = async () => {
      lookups += 1
      return [{ address: lookups === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }]
    }
    const guard = new TargetGuard({ allowCidrs: ['127.0.0.2/32'], resolve })
    // 127.0.0.2 answers too, since the trap listens on every address. It is allowed here, so this is no escape.
    expect(await post(`http://rebind.example:${port}/`, guard)).toMatchObject({ status: 200, response: 'secret' })
    expect(lookups).toBe(1)
    trapped = 0
  })

  it('with a public and a private address is connected to on the public one only', async () => {
    const guard = new TargetGuard({ allowCidrs: ['127.0.0.2/32'], resolve: resolving('10.0.0.1', '127.0.0.2') })
    expect(await post(`http://both.example:${port}/`, guard)).toMatchObject({ status: 200 })
    trapped = 0
  })

  it('whose name server does not answer may be registered after 5 s, over https in live', async () => {
    const clock = new ManualClock()
    const guard = new TargetGuard({ allowCidrs: [], clock, resolve: () => new Promise(() => {}) })
    const overHttps = guard.refusal('https://hangs.example/', 'live')
    const overHttp = guard.refusal('http://hangs.example/', 'live')
    await clock.advance(5_000)
    expect(await overHttps).toBeNull()
    expect(await overHttp).toMatch(/https/)
  })

  it('whose name server does not answer is given up after 15 s at delivery', async () => {
    const clock = new ManualClock()
    const guard = new TargetGuard({ allowCidrs: [], clock, resolve: () => new Promise(() => {}) })
    const poster = new WebhookPoster({ guard, clock, timeoutMs: 15_000 })
    const wanted = { url: 'https://hangs.example/', environment: 'live' as const, headers: {}, body: '{}' }
    const outcome = poster.post(wanted, never)
    await clock.advance(15_000)
    expect(await outcome).toMatchObject({ status: null, error: 'timeout', durationMs: 15_000 })
    await poster.close()
  })

  it('that does not resolve may be registered, and fails at delivery with dns', async () => {
    const guard = new TargetGuard({
      allowCidrs: [],
      resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    })
    expect(await guard.refusal('https://later.example/', 'live')).toBeNull()
    expect(await post('https://later.example/', guard)).toMatchObject({ error: 'dns', status: null })
  })
})

describe('a redirect', () => {
  it('to loopback is not followed', async () => {
    const receiver = new WebhookReceiver()
    await receiver.start()
    receiver.answerWith({ kind: 'redirect', location: `http://127.0.0.1:${port}/` })
    const outcome = await post(receiver.url, new TargetGuard({ allowCidrs: ['127.0.0.0/8'] }))
    await receiver.stop()
    expect(outcome).toMatchObject({ status: 302, error: 'redirect' })
    expect(trapped).toBe(0)
  })
})

describe('registration', () => {
  const guard = new TargetGuard({ allowCidrs: ['127.0.0.0/8', '::1'], resolve: resolving('93.184.216.34') })

  it.each([
    ['/relative', 'absolute'],
    ['not a url', 'spaces'],
    ['https://exa\tmple.com/', 'control characters'],
    ['ftp://example.com/', 'https'],
    ['file:///etc/passwd', 'https'],
    ['javascript:alert(1)', 'https'],
    ['gopher://127.0.0.1/', 'https'],
    ['https://user@example.com/', 'user name'],
    ['https://user:pass@example.com/', 'user name'],
    ['https://', 'absolute'],
  ])('refuses %s and says why', async (url, words) => {
    expect(await guard.refusal(url, 'sandbox')).toContain(words)
  })

  it('requires https in live, and allows http in the sandbox', async () => {
    expect(await guard.refusal('http://example.com/', 'live')).toContain('https://')
    expect(await guard.refusal('http://example.com/', 'sandbox')).toBeNull()
    expect(await guard.refusal('https://example.com:8443/a?b=c', 'live')).toBeNull()
  })

  it('allows networks for the sandbox, and never for live endpoints', async () => {
    for (const url of ['http://127.0.0.1:9/', 'https://[::1]:9/', 'https://127.0.0.1/']) {
      expect(await guard.refusal(url, 'sandbox')).toBeNull()
      expect(await guard.refusal(url, 'live')).toContain('public address')
    }
    expect(await guard.refusal('http://10.0.0.1/', 'sandbox')).toContain('public address')
  })

  it('allows them in live too for targets of the operator', async () => {
    const operators = new TargetGuard({ allowCidrs: ['127.0.0.0/8'], chosenBy: 'operator' })
    expect(await operators.refusal('http://127.0.0.1:9/', 'live')).toBeNull()
    expect(await operators.refusal('https://93.184.216.34:9000/', 'live')).toBeNull()
    expect(await operators.refusal('http://10.0.0.1/', 'live')).toContain('public address')
    expect(await operators.refusal('http://93.184.216.34/', 'live')).toContain('https://')
  })

  it.each([22, 25, 6379, 8080, 444])(
    'refuses port %d of a public address, and names those that may be',
    async (unlisted) => {
      for (const host of ['example.com', '93.184.216.34'])
        for (const environment of ['sandbox', 'live'] as const)
          expect(await guard.refusal(`https://${host}:${unlisted}/`, environment)).toBe(
            'The port of the URL must be one of 80, 443, 8443.',
          )
      const unknown = new TargetGuard({ allowCidrs: [], resolve: () => Promise.reject(new Error('no')) })
      expect(await unknown.refusal(`https://later.example:${unlisted}/`, 'live')).toContain('must be one of')
    },
  )

  it('accepts only the ports that the operator has set', async () => {
    const own = new TargetGuard({ allowCidrs: [], ports: [444], resolve: resolving('93.184.216.34') })
    expect(await own.refusal('https://example.com:444/', 'live')).toBeNull()
    expect(await own.refusal('https://example.com/', 'live')).toContain('must be one of 444.')
  })

  it('blocks http in live at delivery if the name is not of an allowed address', async () => {
    expect(await post('http://example.com/', guard, 'live')).toMatchObject({ error: 'blocked_address' })
  })
})

describe('at delivery', () => {
  it('a port that is not listed is not reached at a public address', async () => {
    const guard = new TargetGuard({ allowCidrs: [], resolve: resolving('93.184.216.34') })
    for (const host of ['example.com', '93.184.216.34'])
      expect(await post(`http://${host}:${port}/`, guard)).toMatchObject({ error: 'blocked_address', response: null })
  })

  it('a live endpoint that was registered while its network was allowed is not reached', async () => {
    const guard = new TargetGuard({
      allowCidrs: ['127.0.0.0/8', '::1'],
      ports: [port],
      resolve: resolving('127.0.0.1'),
    })
    for (const url of [`http://127.0.0.1:${port}/`, `https://[::1]:${port}/`, `https://rebind.example:${port}/`])
      expect(await post(url, guard, 'live')).toMatchObject({ error: 'blocked_address' })
    expect(trapped).toBe(0)
  })

  it('a name with two addresses is connected to at the allowed one if its port is not listed', async () => {
    const guard = new TargetGuard({ allowCidrs: ['127.0.0.2/32'], resolve: resolving('93.184.216.34', '127.0.0.2') })
    expect(await post(`http://both.example:${port}/`, guard)).toMatchObject({ status: 200 })
    trapped = 0
  })
})

describe('AddressPolicy', () => {
  const closed = new AddressPolicy([])

  it.each(['8.8.8.8', '1.1.1.1', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
    'lets %s pass as public',
    (address) => expect(closed.isPublic(address)).toBe(true),
  )

  it.each([
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '203.0.113.9',
    '2001:db8::1',
    '2001::1',
    '3fff::1',
    'ff02::1',
  ])('closes %s', (address) => expect(closed.isPublic(address)).toBe(false))

  it('allows a range also in its IPv6-mapped form, and nothing else', () => {
    const policy = new AddressPolicy(['127.0.0.0/8'])
    expect(policy.isOpened('127.9.9.9')).toBe(true)
    expect(policy.isOpened('::ffff:127.0.0.1')).toBe(true)
    expect(policy.isOpened('10.0.0.1')).toBe(false)
    expect(policy.isOpened('::1')).toBe(false)
  })

  it.each(['127.0.0.0/33', 'localhost', '::1/129', '10.0.0.0/8/8', '10.0.0.0/', ''])('refuses the range %j', (cidr) => {
    expect(() => new AddressPolicy([cidr])).toThrow('not an address range')
  })
})
