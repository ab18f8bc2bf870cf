// Raw bytes on a real socket: whatever is sent, the answer is an error in the API's form, never 500, and the server continues.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { errorBody } from '#shared/wire/api/errors.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { ANY_CHARACTER } from '#test/harness/any-character.ts'
import { assertProperty } from '#test/harness/property.ts'

let api: RelayApi
let port: number
beforeAll(async () => {
  api = await RelayApi.open({ clock: systemClock, limits: { requestTimeoutMs: 1_500, checkTimeoutsMs: 50 } })
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const address = api.app.server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(() => api.close())

/** Everything that the server writes until it closes, or until the whole first answer is there. */
function exchange(bytes: string | Buffer, options: { untilClosed?: boolean } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host: '127.0.0.1', port })
    let out = ''
    const finish = () => {
      socket.destroy()
      resolve(out)
    }
    socket.on('data', (chunk) => {
      out += chunk.toString('latin1')
      if (!options.untilClosed && isWhole(out)) finish()
    })
    socket.on('close', finish)
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? finish() : reject(error)))
    socket.write(bytes)
  })
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(text)?.[1]
  return end >= 0 && length !== undefined && text.length >= end + 4 + Number(length)
}

function parse(text: string): { status: number; headers: string; body: unknown } {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const json = rest.join('\r\n\r\n')
  return {
    status: Number(head.split(' ')[1]),
    headers: head.toLowerCase(),
    body: json === '' ? null : JSON.parse(json),
  }
}

async function expectRefused(bytes: string | Buffer, status: number, code?: string): Promise<void> {
  const answer = parse(await exchange(bytes))
  const body = errorBody.parse(answer.body)
  expect([answer.status, body.status]).toEqual([status, status])
  if (code !== undefined) expect(body.code).toBe(code)
  expect(answer.headers).toContain(`x-request-id: ${body.requestId}`)
}

const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`
/** @param lines further header lines, at least the length of the body */
const orderHead = (...lines: string[]) =>
  head(
    'POST /v1/order/inject HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${api.account.apiKey}`,
    'Content-Type: application/json',
    ...lines,
  )

describe('malformed HTTP', () => {
  const auth = () => `Authorization: Bearer ${api.account.apiKey}`
  test.each<[string, () => string | Buffer, number]>([
    ['not HTTP', () => 'hello\r\n\r\n', 400],
    ['binary', () => Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, 0x0d, 0x0a]), 400],
    ['an unknown method', () => head('FOO / HTTP/1.1', 'Host: a'), 400],
    ['an unknown version', () => head('GET / HTTP/9.9', 'Host: a'), 400],
    ['no Host', () => head('GET /healthz HTTP/1.1'), 400],
    ['two Hosts', () => head('GET /healthz HTTP/1.1', 'Host: a', 'host: b'), 400],
    ['two equal Hosts', () => head('GET /nope HTTP/1.1', 'Host: a', 'Host: a'), 400],
    [
      'Content-Length and Transfer-Encoding',
      () =>
        head('POST /v1/order/inject HTTP/1.1', 'Host: a', auth(), 'Content-Length: 5', 'Transfer-Encoding: chunked'),
      400,
    ],
    [
      'two Content-Lengths',
      () => head('POST /v1/order/inject HTTP/1.1', 'Host: a', auth(), 'Content-Length: 5', 'Content-Length: 6'),
      400,
    ],
    [
      'a negative Content-Length',
      () => head('POST /v1/order/inject HTTP/1.1', 'Host: a', auth(), 'Content-Length: -1'),
      400,
    ],
    ['a folded header', () => head('GET /healthz HTTP/1.1', 'Host: a', 'X: b', ' c'), 400],
    ['a bare line feed', () => 'GET /healthz HTTP/1.1\nHost: a\n\n', 400],
    ['a NUL in a header', () => head('GET /healthz HTTP/1.1', 'Host: a', 'X: a\0b'), 400],
    ['a space before the colon', () => head('GET /healthz HTTP/1.1', 'Host : a'), 400],
    [
      'a bad chunk size',
      () =>
        `${head('POST /v1/order/inject HTTP/1.1', 'Host: a', auth(), 'Content-Type: application/json', 'Transfer-Encoding: chunked')}zz\r\n`,
      400,
    ],
    ['headers of 20 kB', () => head('GET /healthz HTTP/1.1', 'Host: a', `X: ${'a'.repeat(20_000)}`), 431],
    ['a path of 20 kB', () => head(`GET /${'a'.repeat(20_000)} HTTP/1.1`, 'Host: a'), 431],
    [
      'an unknown expectation',
      () => `${head('POST /v1/order/inject HTTP/1.1', 'Host: a', auth(), 'Expect: 200-maybe', 'Content-Length: 2')}{}`,
      400,
    ],
    [
      'a Content-Length above the limit',
      () =>
        head(
          'POST /v1/order/inject HTTP/1.1',
          'Host: a',
          auth(),
          'Content-Type: application/json',
          'Content-Length: 999999999',
        ),
      413,
    ],
    [
      'another transfer encoding',
      () => head('POST /v1/order/inject HTTP/1.1', 'Host: a', auth(), 'Transfer-Encoding: gzip'),
      400,
    ],
    ['a path with a NUL', () => head('GET /%00 HTTP/1.1', 'Host: a'), 404],
    ['an absolute target', () => head('GET http://evil.example/v1/x HTTP/1.1', 'Host: a'), 404],
    ['a WebDAV method', () => head('PROPFIND /v1/order/inject HTTP/1.1', 'Host: a'), 405],
    ['OPTIONS', () => head('OPTIONS /v1/order/inject HTTP/1.1', 'Host: a'), 405],
  ])('%s', async (_name, bytes, status) => {
    await expectRefused(bytes(), status)
  })

  test('HTTP/1.0 without Host is answered', async () => {
    expect(parse(await exchange(head('GET /healthz HTTP/1.0'))).status).toBe(200)
  })

  test('the second of two pipelined requests is not lost', async () => {
    const one = head('GET /healthz HTTP/1.1', 'Host: a')
    const out = await exchange(one + head('GET /nope HTTP/1.1', 'Host: a', 'Connection: close'), { untilClosed: true })
    expect(out.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404'])
  })

  test.each([
    ['a byte too many', '\0'],
    ['nonsense', 'BAD'],
  ])('an order with %s behind it is answered first', async (_, more) => {
    const orderId = `BEFORE-${more.length}`
    const body = JSON.stringify(api.order({ orderId }))
    const out = await exchange(`${orderHead(`Content-Length: ${body.length}`)}${body}${more}`, { untilClosed: true })
    expect(out.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
    expect(parse(out.slice(0, out.lastIndexOf('HTTP/1.1'))).body).toMatchObject({ status: 'accepted' })
  })

  test.each<[string, string, () => string]>([
    ['two Host headers', 'TWO-HOSTS', () => head('GET /healthz HTTP/1.1', 'Host: a', 'Host: b')],
    [
      'two Host headers and a body',
      'TWO-HOSTS-BODY',
      () => `${head('POST /nope HTTP/1.1', 'Host: a', 'Host: b', 'Content-Length: 2')}{}`,
    ],
    ['an unknown expectation', 'EXPECT', () => head('GET /healthz HTTP/1.1', 'Host: a', 'Expect: 200-maybe')],
    ['a body that is too large', 'TOO-LARGE', () => orderHead('Content-Length: 300000') + ' '.repeat(300_000)],
    ['a body that is no JSON', 'NO-JSON', () => `${orderHead('Connection: close', 'Content-Length: 1')}{`],
  ])(
    'after %s the connection is closed, and an order that was sent after it is not taken',
    async (_, orderId, first) => {
      const body = JSON.stringify(
        api.order({ orderId, items: [{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5 }], total: 12.5 }),
      )
      const out = await exchange(`${first()}${orderHead(`Content-Length: ${body.length}`)}${body}`, {
        untilClosed: true,
      })
      expect(out.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1)
      expect(out.toLowerCase()).toContain('connection: close')
      expect(out).not.toContain('not valid HTTP')
      // Had it been taken, this would be a second one of the same orderId with other items.
      expect((await api.inject({ orderId })).status).toBe(200)
    },
  )
})

describe('a request to switch protocols', () => {
  // As the relay's broker listens for its gateways on the same server.
  const onUpgrade = (_request: unknown, socket: Duplex) =>
    void socket.end('HTTP/1.1 101 Switching Protocols\r\nContent-Length: 0\r\n\r\n')
  beforeAll(() => void api.app.server.on('upgrade', onUpgrade))
  afterAll(() => void api.app.server.off('upgrade', onUpgrade))
  const webSocket = ['Host: a', 'Upgrade: WebSocket', 'Connection: Upgrade']

  test('to HTTP/2, as Java sends it with every first request, is passed over: the order is taken', async () => {
    const body = JSON.stringify(api.order({ orderId: 'h2c' }))
    const request = head(
      'POST /v1/order/inject HTTP/1.1',
      'Host: a',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
      `Authorization: Bearer ${api.account.apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    )
    expect(parse(await exchange(request + body)).status).toBe(200)
  })

  test('to a WebSocket is heard at the gateways’ path only; elsewhere the answer is the usual one', async () => {
    expect(parse(await exchange(head('GET /mqtt HTTP/1.1', ...webSocket))).status).toBe(101)
    await expectRefused(head('GET /nope HTTP/1.1', ...webSocket), 404, 'request.not_found')
    expect(parse(await exchange(head('GET /healthz HTTP/1.1', ...webSocket))).status).toBe(200)
  })
})

describe('a body that is too large', () => {
  const piece = ' '.repeat(20_000)
  const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`
  /** Ends when the kernel has the bytes, and the server has had its turn; fails when the connection does not take them. */
  const send = async (socket: Socket, bytes: string): Promise<void> => {
    await new Promise<void>((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())))
    await setImmediate()
  }

  /** @returns what has come so far */
  const hearing = (socket: Socket): (() => string) => {
    let heard = ''
    socket.on('data', (data) => {
      heard += data.toString('latin1')
    })
    return () => heard
  }

  // A proxy whose request is cut off while it sends treats the relay as unreachable, and answers 502.
  test.each<[string, () => string, string, string, number]>([
    ['with its length', () => orderHead('Content-Length: 400000'), piece, '', 413],
    ['in chunks', () => orderHead('Transfer-Encoding: chunked'), chunk, '0\r\n\r\n', 413],
    [
      'of a stranger who wants the connection closed',
      () => head('POST /v1/order/inject HTTP/1.1', 'Host: a', 'Connection: close', 'Content-Length: 400000'),
      piece,
      '',
      401,
    ],
    ['of HTTP/1.0', () => head('POST /nope HTTP/1.0', 'Content-Length: 400000'), piece, '', 404],
    ['with an unknown Expect', () => orderHead('Expect: 200-maybe', 'Content-Length: 400000'), piece, '', 400],
  ])('%s is read to its end, and the answer goes out', async (_, begin, part, last, status) => {
    const socket = connect({ host: '127.0.0.1', port })
    const closed = once(socket, 'close')
    const heard = hearing(socket)
    await send(socket, begin())
    for (let sent = 0; sent < 20; sent++) await send(socket, part)
    await send(socket, last)
    expect(await closed).toEqual([false])
    const answer = parse(heard())
    expect([answer.status, errorBody.parse(answer.body).status]).toEqual([status, status])
    expect(answer.headers).toContain('connection: close')
  })

  test('and does not arrive is refused as too large, and not as late', async () => {
    await expectRefused(orderHead('Content-Length: 400000'), 413, 'request.too_large')
  })

  test('without an end is read no further than 10 MiB', async () => {
    const socket = connect({ host: '127.0.0.1', port })
    // Each failing write reports that itself.
    socket.on('error', () => undefined)
    await send(socket, orderHead('Transfer-Encoding: chunked'))
    const sendForEver = async () => {
      for (let sent = 0; sent < 1_000; sent++) await send(socket, chunk)
    }
    await expect(sendForEver()).rejects.toThrow(/EPIPE|ECONNRESET|closed|destroyed|ended/)
  })
})

describe('slow clients', () => {
  test('a body that does not arrive is 408 and the connection is closed', async () => {
    const out = parse(await exchange(`${orderHead('Content-Length: 100')}{"merchantId":`, { untilClosed: true }))
    expect([out.status, errorBody.parse(out.body).code]).toEqual([408, 'request.timeout'])
  })

  test('headers that do not arrive are 408 and the connection is closed', async () => {
    const out = parse(await exchange('GET /healthz HTTP/1.1\r\nHost: a\r\nX: ', { untilClosed: true }))
    expect([out.status, errorBody.parse(out.body).code]).toEqual([408, 'request.timeout'])
  })

  test('a connection opened ahead of need is closed without a word, which would pass for the answer to the next request', async () => {
    expect(await exchange('', { untilClosed: true })).toBe('')
  })
})

test('a client that disconnects in the middle of its body harms no other', async () => {
  for (let i = 0; i < 20; i++) {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('error', () => undefined)
    socket.write(`${orderHead('Content-Length: 500')}{"merchantId":`, () => socket.resetAndDestroy())
    await new Promise((resolve) => socket.once('close', resolve))
  }
  expect(parse(await exchange(head('GET /healthz HTTP/1.1', 'Host: a'))).status).toBe(200)
  expect(api.logLines.filter((line) => line.includes('"level":50'))).toEqual([])
})

test('2,000 random bodies are answered in the API’s shape and never with 500', async () => {
  const value = fc.oneof(
    fc.json(),
    fc.string({ unit: ANY_CHARACTER, maxLength: 200 }),
    fc
      .jsonValue()
      .map((v) => JSON.stringify(api.order({ orderId: 'fuzz', [Math.random() > 0.5 ? 'items' : 'customer']: v }))),
    fc
      .tuple(fc.constantFrom('umsId', 'qty', 'price', 'note', 'modifiers', '__proto__'), fc.jsonValue())
      .map(([k, v]) =>
        JSON.stringify(api.order({ items: [{ umsId: 'UMS-BURGER-01', qty: 1, price: 1, [k]: v }], total: 1 })),
      ),
  )
  await assertProperty(
    fc.asyncProperty(value, async (payload) => {
      const answer = await api.call('POST', '/v1/order/inject', { payload })
      if (answer.status === 200) return
      expect([400, 409, 422]).toContain(answer.status)
      errorBody.parse(answer.body)
    }),
    { numRuns: 2_000 },
  )
  expect({}).not.toHaveProperty('polluted')
})
