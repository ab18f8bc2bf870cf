// A request to switch protocols behind other requests of its connection, over plain sockets and TLS.
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import type { ServedCertificate } from '#cloud/certificate/served-certificate.ts'
import { systemClock } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { SELF_SIGNED } from '#test/fixtures/self-signed.ts'

const HOST = { host: '127.0.0.1' }
const get = (path: string, ...more: string[]) => `GET ${path} HTTP/1.1\r\n${['Host: a', ...more].join('\r\n')}\r\n\r\n`
const UPGRADE = get('/mqtt', 'Connection: Upgrade', 'Upgrade: websocket')

let api: RelayApi
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await api.close()
})

async function open(way: 'http' | 'https'): Promise<{ port: number; newSocket: () => Promise<Socket> }> {
  const certificate = { options: SELF_SIGNED, changed: new Signal() } as unknown as ServedCertificate
  api = await RelayApi.open({
    clock: systemClock,
    server: () => ({ certificate: way === 'https' ? certificate : null }),
    routes: (app) => {
      const config = { access: 'public', probe: true } as const
      app.route({ method: 'GET', url: '/soon', config, handler: () => setTimeout(2, 'ok') })
      // More than a kernel keeps for a client that does not read.
      app.route({ method: 'GET', url: '/large', config, handler: () => 'x'.repeat(16_000_000) })
      app.route({
        method: 'GET',
        url: '/large-and-last',
        config,
        handler: (_request, reply) => reply.header('connection', 'close').send('x'.repeat(16_000_000)),
      })
    },
  })
  // As the relay's broker listens for its gateways on the same server.
  api.app.server.on('upgrade', (_request: unknown, socket: Duplex) => {
    socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n')
  })
  await api.app.listen({ ...HOST, port: 0 })
  const { port } = api.app.server.address() as AddressInfo
  const newSocket = async () => {
    const at = { ...HOST, port, rejectUnauthorized: false }
    const socket = way === 'https' ? connectTls(at) : connect(at)
    sockets.push(socket)
    await once(socket, way === 'https' ? 'secureConnect' : 'connect')
    return socket
  }
  return { port, newSocket }
}

/** @returns the statuses of all answers until the connection closes, and which of them had `Connection: close` */
async function statuses(socket: Socket): Promise<string[]> {
  let heard = ''
  for await (const chunk of socket) heard += String(chunk)
  return heard.match(/(?<=HTTP\/1\.1 )\d+|connection: close/gi) ?? []
}

/** In a thread of its own, so that it sends while the relay is still busy with the answer that it has. Posts the first line of each last answer. */
const CLIENT = `
const { once } = require('node:events')
const { parentPort, workerData: { at, isTls, before, last } } = require('node:worker_threads')
const connect = isTls ? require('node:tls').connect : require('node:net').connect
const answerOf = async (socket, bytes) => {
  socket.write(bytes)
  return String((await once(socket, 'data'))[0]).split('\\r\\n')[0]
}
async function rounds() {
  const answers = []
  for (let n = 0; n < 25; n++) {
    const socket = connect({ ...at, rejectUnauthorized: false, noDelay: true })
    await once(socket, isTls ? 'secureConnect' : 'connect')
    for (let m = 0; m < 4; m++) await answerOf(socket, before)
    answers.push(await answerOf(socket, last))
    socket.destroy()
  }
  return answers
}
Promise.all(Array.from({ length: 4 }, rounds)).then((all) => parentPort.postMessage(all.flat()))
`

test.each(['http', 'https'] as const)('is taken as soon as the previous answer has arrived, over %s', async (way) => {
  const { port } = await open(way)
  const busy = setInterval(() => {
    for (const until = performance.now() + 2; performance.now() < until; );
  }, 3)
  const workerData = { at: { ...HOST, port }, isTls: way === 'https', before: get('/soon'), last: UPGRADE }
  const client = new Worker(CLIENT, { eval: true, workerData })
  const [answers] = await once(client, 'message')
  clearInterval(busy)
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 101 Switching Protocols']))
})

test.each(['http', 'https'] as const)(
  'sent ahead is refused, and what is behind it is not worked on, over %s',
  async (way) => {
    const { newSocket } = await open(way)
    const socket = await newSocket()
    socket.write(get('/healthz') + UPGRADE + get('/healthz'))
    expect(await statuses(socket)).toEqual(['200', '404', 'Connection: close'])
  },
)

test.each([
  ['a request that waits', '/large', ['200', '200', '404', 'Connection: close'], get('/healthz')],
  ['an answer that closes the connection', '/large-and-last', ['200', 'connection: close'], ''],
])('behind %s is not taken while the client has not read what came before', async (_, path, answers, waits) => {
  const { newSocket } = await open('http')
  const socket = await newSocket()
  socket.write(get(path))
  await once(socket, 'readable')
  for (const bytes of [waits, UPGRADE]) if (bytes !== '') await new Promise((resolve) => socket.write(bytes, resolve))
  expect(await statuses(socket)).toEqual(answers)
})
