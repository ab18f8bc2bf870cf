// Receivers that attack the relay: at the TCP level, in the first bytes, in TLS. Each costs at most 15 s of one place and a few kilobytes.
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { SELF_SIGNED } from '#test/fixtures/self-signed.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'

let clock: ManualClock
let site: WebhookSite
let server: Server
let sockets: Set<Socket>
let timers: Set<NodeJS.Timeout>

beforeEach(async () => {
  clock = new ManualClock()
  sockets = new Set()
  timers = new Set()
  site = await WebhookSite.open({ clock })
})
afterEach(async () => {
  for (const timer of timers) clearInterval(timer)
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
  await site.close()
})

/** Serves raw bytes. @returns its port, and a promise that resolves when a client has connected and sent something */
const serve = async (
  onData: (socket: Socket) => void,
  make: (onConnection: (socket: Socket) => void) => Server = createServer,
) => {
  let seen = (): void => {}
  const reached = new Promise<void>((resolve) => {
    seen = resolve
  })
  server = make((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      onData(socket)
      seen()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { port: address.port, reached }
}
const each = (ms: number, fn: () => void) => timers.add(setInterval(fn, ms))
const attempt = async (url: string) => {
  await site.listen(url)
  await site.worker().start()
  await site.record()
}
const outcome = async () => {
  await site.settled(1)
  const [row] = await site.rows()
  expect(row).toMatchObject({ state: 'retrying', attempts: 1 })
  return (await site.attempts())[0]
}

describe('a receiver that never ends its response', () => {
  const cases: [string, (socket: Socket) => void][] = [
    [
      'drips its status line',
      (socket) => {
        // The text after the status code may have any length.
        socket.write('HTTP/1.1 200 ')
        each(20, () => socket.write('O'))
      },
    ],
    [
      'drips header after header',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        each(20, () => socket.write('a: b\r\n'))
      },
    ],
    [
      'sends one interim answer after the other',
      (socket) => each(20, () => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n')),
    ],
    [
      'drips chunks of one byte',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
        each(20, () => socket.write('1\r\nx\r\n'))
      },
    ],
    [
      'promises a body and holds it back',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nonly'),
    ],
  ]
  it.each(cases)('and %s is given up after 15 s in total', async (_, onData) => {
    const { port, reached } = await serve(onData)
    await attempt(`http://127.0.0.1:${port}/`)
    await reached
    await clock.advance(14_900)
    expect(await site.attempts()).toEqual([])
    await clock.advance(200)
    expect((await outcome())?.error).toBe('timeout')
  })

  it('and is silent in the TLS handshake is given up after 15 s', async () => {
    const { port, reached } = await serve(() => {})
    await attempt(`https://127.0.0.1:${port}/`)
    await reached
    await clock.advance(15_100)
    expect(await outcome()).toMatchObject({ status: null, error: 'timeout', ms: 15_000 })
  })

  it('and is silent in the TLS handshake does not delay the end of the program', async () => {
    const { port, reached } = await serve(() => {})
    await site.listen(`https://127.0.0.1:${port}/`)
    const worker = site.worker()
    await worker.start()
    await site.record()
    await reached
    const stopped = worker.stop()
    await clock.advance(2_000)
    await stopped
    expect(await site.rows()).toMatchObject([{ state: 'pending', attempts: 0, lease_until: null }])
  })

  it('and sends endless headers is cut off at the limit', async () => {
    const { port } = await serve((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const line = `x: ${'y'.repeat(1_000)}\r\n`
      const pour = (): void => {
        while (!socket.destroyed && socket.write(line));
      }
      socket.on('drain', pour)
      pour()
    })
    await attempt(`http://127.0.0.1:${port}/`)
    expect(await outcome()).toMatchObject({ status: null, error: 'invalid_response' })
  })
})

describe('an incomplete response', () => {
  it('that ends in the middle of its body is not a success', async () => {
    const { port } = await serve((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nonly'))
    await attempt(`http://127.0.0.1:${port}/`)
    expect((await outcome())?.error).toMatch(/^(reset|invalid_response)$/)
  })

  it('with bytes that are no text is stored as text', async () => {
    const { port } = await serve((socket) =>
      socket.end(Buffer.concat([Buffer.from('HTTP/1.1 500 X\r\n\r\n'), Buffer.from([0, 0xff, 0xc3, 0x28, 0x1b])])),
    )
    await attempt(`http://127.0.0.1:${port}/`)
    const { status, response } = (await outcome()) ?? {}
    expect([status, JSON.parse(JSON.stringify(response))]).toEqual([500, response])
    expect(response?.isWellFormed()).toBe(true)
  })
})

describe('over TLS', () => {
  it('an untrusted certificate is refused before anything is sent', async () => {
    let bytes = 0
    const { port } = await serve(
      (socket) => {
        bytes += 1
        socket.end('HTTP/1.1 200 OK\r\n\r\n')
      },
      (onConnection) => createTlsServer(SELF_SIGNED, onConnection),
    )
    await attempt(`https://127.0.0.1:${port}/`)
    expect(await outcome()).toMatchObject({ status: null, error: 'tls', response: null })
    expect(bytes).toBe(0)
  })

  it('a receiver with plain HTTP is refused', async () => {
    const { port } = await serve((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await attempt(`https://127.0.0.1:${port}/`)
    expect(await outcome()).toMatchObject({ status: null, error: 'tls' })
  })
})

describe('a body that is compressed', () => {
  it('is not decompressed', async () => {
    const { port } = await serve((socket) =>
      socket.end('HTTP/1.1 500 X\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nabcd'),
    )
    await attempt(`http://127.0.0.1:${port}/`)
    expect(await outcome()).toMatchObject({ status: 500, response: 'abcd' })
  })
})

describe('twenty of them at once', () => {
  it('do not block the deliveries of another endpoint', async () => {
    const { port } = await serve(() => {})
    const healthy = new WebhookReceiver()
    await healthy.start()
    for (let i = 0; i < 19; i++) await site.listen(`http://127.0.0.1:${port}/${i}`)
    await site.listen(healthy.url)
    await site.worker().start()
    for (let i = 0; i < 10; i++) await site.record()
    await healthy.waitFor(10)
    await healthy.stop()
  })
})
