// Clients that send requests and do not read, over real sockets: their cost is limited, and they keep nobody out.
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { StrangerBudget } from './stranger-budget.ts'

/** More than a kernel keeps for a client that does not read. */
const LARGE = Buffer.alloc(16_000_000, 'x')

let api: RelayApi
let clock: ManualClock
let strangers: StrangerBudget
let worked: number
/** The answers of /later that were not made yet. */
let later: (() => void)[]
const sockets: Socket[] = []
beforeEach(async () => {
  clock = new ManualClock()
  worked = 0
  later = []
  api = await RelayApi.open({
    clock,
    limits: {
      ...{ maxConnections: 6, maxConnectionsOfAddress: 3, answerTimeoutMs: 60_000 },
      ...{ requestTimeoutMs: 3_000, checkTimeoutsMs: 50 },
    },
    server: (stores) => {
      strangers = new StrangerBudget(stores)
      return { strangers }
    },
    routes: (app) => {
      app.route({
        method: 'GET',
        url: '/large',
        // So that its bytes are not counted.
        config: { access: 'public', probe: true },
        handler: (_request, reply) => {
          worked++
          return reply.send(LARGE)
        },
      })
      app.route({
        method: 'GET',
        url: '/later',
        config: { access: 'public' },
        handler: async () => {
          worked++
          await new Promise<void>((resolve) => later.push(resolve))
          return { n: worked }
        },
      })
    },
  })
  await api.app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const answer of later) answer()
  await api.close()
})

/** For as long as the test may take: no time is judged. */
const until = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: 120_000, interval: 5 })
const server = (): Server => api.app.server as Server
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

/** @returns how many responses have not been closed, of the requests from now on */
function countOpen(): () => number {
  let open = 0
  server().prependListener('request', (_request, response) => {
    open++
    response.once('close', () => open--)
  })
  return () => open
}

/** A connection that has written this and reads nothing. */
async function silent(localAddress: string, text: string): Promise<Socket & { isOver: Promise<void> }> {
  const socket = connect({ host: '127.0.0.1', port: (server().address() as AddressInfo).port, localAddress })
  sockets.push(socket)
  socket.on('error', () => {}).pause()
  const isOver = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, 'connect')
  socket.write(text)
  return Object.assign(socket, { isOver })
}

/** All that comes until there is so much, or until the connection ends. */
async function read(socket: Socket, isEnough: (text: string) => boolean): Promise<string> {
  let text = ''
  for await (const chunk of socket) {
    text += String(chunk)
    if (isEnough(text)) break
  }
  return text
}

test('requests sent ahead are worked on one after the other, in their order', async () => {
  const socket = await silent('127.0.0.2', get('/later').repeat(3))
  for (let n = 1; n <= 3; n++) {
    await until(() => later.length === n)
    expect(worked).toBe(n)
    later[n - 1]?.()
  }
  const text = await read(socket, (all) => all.includes('"n":3'))
  expect([...text.matchAll(/"n":(\d)/g)].map(([, n]) => n)).toEqual(['1', '2', '3'])
})

test('none is worked on while the answer before it is not read', async () => {
  const socket = await silent('127.0.0.2', get('/large').repeat(3))
  await until(() => worked === 1)
  // A new request is answered, so the relay has processed the others too.
  const other = await silent('127.0.0.3', get('/healthz'))
  expect(await read(other, (text) => text.includes('ok'))).toContain('200 OK')
  expect(worked).toBe(1)
  let bytes = 0
  socket.on('data', (chunk) => {
    bytes += chunk.length
  })
  socket.resume()
  await until(() => bytes >= 3 * LARGE.length)
  expect(worked).toBe(3)
})

test('four requests may be sent ahead: they are all answered', async () => {
  const socket = await silent('127.0.0.2', get('/later').repeat(5))
  for (let n = 1; n <= 5; n++) {
    await until(() => later.length === n)
    later[n - 1]?.()
  }
  expect(await read(socket, (all) => all.includes('"n":5'))).toContain('"n":5')
})

test('the fifth that is sent ahead closes the connection: none but the one in work is worked on', async () => {
  const socket = await silent('127.0.0.2', get('/later').repeat(6))
  socket.resume()
  await until(() => worked === 1)
  // A new request is answered, so the relay has read the others too.
  const other = await silent('127.0.0.3', get('/healthz'))
  await read(other, (text) => text.includes('ok'))
  later[0]?.()
  await until(() => socket.closed || worked > 1)
  expect([socket.closed, worked]).toEqual([true, 1])
})

test('a connection that sends a thousand requests ahead is closed after the one that is in work', async () => {
  const socket = await silent('127.0.0.2', get('/later').repeat(1_000))
  socket.resume()
  await socket.isOver
  expect(worked).toBe(1)
})

test('a connection that leaves HTTP while requests wait on it leaves none of them open', async () => {
  const open = countOpen()
  const socket = await silent('127.0.0.2', `${get('/later').repeat(5)}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`)
  socket.resume()
  await socket.isOver
  await until(() => open() === 0)
  expect(worked).toBe(1)
})

test('nothing is taken behind a request that arrived too slowly, and it stays open no longer than its connection', async () => {
  const open = countOpen()
  const slow = 'POST /nosuch HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{'
  const tooLate = once(server(), 'clientError')
  const socket = await silent('127.0.0.2', `${get('/later')}${slow}`)
  await until(() => later.length === 1)
  await tooLate
  socket.write(`}${get('/later')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`)
  await read(await silent('127.0.0.3', get('/healthz')), (text) => text.includes('ok'))
  later[0]?.()
  expect((await read(socket, () => false)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 408'])
  await until(() => open() === 0)
  expect(worked).toBe(1)
})

test('a request whose body is no HTTP is refused after the one before it has been answered', async () => {
  const chunked = 'POST /nosuch HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'
  const socket = await silent('127.0.0.2', `${get('/later')}${chunked}`)
  await until(() => later.length === 1)
  later[0]?.()
  const text = await read(socket, () => false)
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
})

test.each([
  ['calls', get('/nosuch')],
  ['calls with an unknown expectation', 'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n'],
])('of a thousand %s that are sent ahead in one piece hardly more are read than may be', async (_, call) => {
  let seen = 0
  server().prependListener('request', () => seen++)
  const socket = await silent('127.0.0.2', call.repeat(1_000))
  socket.resume()
  await socket.isOver
  expect(seen).toBe(6)
})

test.each([
  ['two Host headers', 'GET /docs/errors HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['an unknown expectation', 'GET /docs/errors HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n'],
  ['an invalid URL', get('/%zz')],
])("a call with %s counts as a stranger's", async (_, call) => {
  const budget = { address: '127.0.0.2', countedAs: '127.0.0.2' }
  while (strangers.take(budget, 'call') === null);
  const socket = await silent('127.0.0.2', call)
  expect(await read(socket, (text) => text.includes('}'))).toContain('HTTP/1.1 429')
})

test('an answer that is not read within a minute ends its connection; one that is being made does not', async () => {
  const slow = await silent('127.0.0.2', get('/large'))
  await until(() => worked === 1)
  const waiting = await silent('127.0.0.3', get('/later'))
  await until(() => worked === 2)
  await clock.advance(60_000)
  expect(slow.readyState).toBe('open')
  await clock.advance(5_000)
  slow.resume()
  await slow.isOver
  later[0]?.()
  expect(await read(waiting, (text) => text.includes('"n":2'))).toContain('200 OK')
})

test.each([
  ['their address', '127.0.0.2'],
  ['another', '127.0.0.9'],
])('connections whose answers are not read keep no newcomer of %s out: the oldest goes', async (_whose, address) => {
  const held = []
  for (let n = 0; n < 6; n++) held.push(await silent(n < 3 ? '127.0.0.2' : '127.0.0.3', get('/large')))
  await until(() => worked === 6)
  const newcomer = await silent(address, get('/healthz'))
  expect(await read(newcomer, (text) => text.includes('ok'))).toContain('200 OK')
  held[0]?.resume()
  await held[0]?.isOver
})

test('a refusal that is held back keeps no newcomer of its address out', async () => {
  const asking = await silent('127.0.0.2', '')
  const answers = (async () => {
    let refused = 0
    for await (const chunk of asking) {
      refused += String(chunk).split('HTTP/1.1 429').length - 1
      if (refused === 60) return
      asking.write(get('/nosuch'))
    }
  })()
  asking.write(get('/nosuch'))
  await answers
  const held = []
  for (let n = 0; n < 3; n++) held.push(await silent('127.0.0.2', get('/nosuch')))
  const newcomer = await silent('127.0.0.2', get('/healthz'))
  expect(await read(newcomer, (text) => text.includes('ok'))).toContain('200 OK')
})
