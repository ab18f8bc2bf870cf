// What counts as a call, over real sockets: each answered one once, also when its client did not wait for the answer.
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AnsweredCall } from '#cloud/billing/usage-meter.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'

let api: RelayApi
let port: number
let counted: number[]
/** Resolves with the next status that is counted. */
let nextCount: () => Promise<number>
/** Resolves when the held handler runs. */
let arrived: Promise<void>
/** Lets the held handler end once its client is gone. */
let letGo: () => void
const sockets = new Set<Socket>()

beforeEach(async () => {
  counted = []
  const waiting: ((status: number) => void)[] = []
  nextCount = () => new Promise((resolve) => waiting.push(resolve))
  const arrival = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  arrived = arrival.promise
  letGo = release.resolve
  const count = ({ status }: AnsweredCall) => {
    counted.push(status)
    waiting.shift()?.(status)
  }
  api = await RelayApi.open({
    server: () => ({ meter: { count } }),
    routes: (app) => {
      app.get('/held', { config: { access: 'any-key' } }, async (_request, reply) => {
        arrival.resolve()
        const closed = new Promise((resolve) => reply.raw.once('close', resolve))
        await Promise.all([release.promise, closed])
        return { done: true }
      })
    },
  })
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const address = api.app.server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await api.close()
})

function send(head: string, body = ''): Socket {
  const socket = connect(port, '127.0.0.1')
  sockets.add(socket)
  socket.on('error', () => undefined)
  socket.write(`${head}\r\nHost: relay.test\r\nAuthorization: Bearer ${api.account.apiKey}\r\n${body}`)
  return socket
}

test('a client that hangs up before its answer is counted once, because the work was done', async () => {
  const next = nextCount()
  const socket = send('GET /held HTTP/1.1', '\r\n')
  await arrived
  socket.destroy()
  letGo()
  expect(await next).toBe(200)
  await api.app.close()
  expect(counted).toEqual([200])
})

test('a client that hangs up in the middle of its body made no call', async () => {
  const closed = new Promise<void>((resolve) =>
    api.app.server.once('request', (_request, response) => response.once('close', resolve)),
  )
  const requested = new Promise<void>((resolve) => api.app.server.once('request', () => resolve()))
  const socket = send(
    'POST /v1/order/inject HTTP/1.1',
    'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"m',
  )
  await requested
  socket.destroy()
  await closed
  await api.app.close()
  expect(counted).toEqual([])
})

test('calls of one connection are counted once each, refusals too', async () => {
  const first = nextCount()
  const socket = send('GET /v1/order/ord_unknown HTTP/1.1', '\r\n')
  const closed = new Promise((resolve) => socket.resume().once('close', resolve))
  await first
  const second = nextCount()
  const head = ['Host: relay.test', `Authorization: Bearer ${api.account.apiKey}`, 'Connection: close', '', '']
  socket.write(`GET /v1/order/ord_unknown?merchantId=M-TEST-001 HTTP/1.1\r\n${head.join('\r\n')}`)
  await Promise.all([second, closed])
  await api.app.close()
  expect(counted).toEqual([422, 404])
})
