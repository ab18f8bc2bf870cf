// No client can take all HTTP connections of the API, over real sockets. All of 127.0.0.0/8 are addresses of this machine.
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TrustedProxies } from '#cloud/limits/trusted-proxies.ts'
import { systemClock } from '#shared/clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'

const PROXY = '127.0.0.9'
const sockets: Socket[] = []
const upgraded: Duplex[] = []
let api: RelayApi
beforeEach(async () => {
  api = await RelayApi.open({
    clock: systemClock,
    limits: { maxConnections: 6, maxConnectionsOfAddress: 3 },
    server: () => ({ proxies: new TrustedProxies([PROXY]) }),
  })
  await api.app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const socket of upgraded.splice(0)) socket.destroy()
  await api.close()
})

/** A connection that has written this, and what of it became known here. */
async function hold(localAddress: string, text: string): Promise<Socket & { isOver: Promise<void> }> {
  const { port } = api.app.server.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  sockets.push(socket)
  socket.on('error', () => {})
  const isOver = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, 'connect')
  socket.write(text)
  return Object.assign(socket, { isOver })
}

/** Headers that never end. */
const SLOW = 'GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: '
const ASK = 'GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
const STALLED_BODY = () =>
  `POST /v1/order/inject HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.account.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`

/** The first line of what is answered to a new connection of this address. */
async function asks(localAddress: string): Promise<string> {
  const socket = await hold(localAddress, ASK)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await socket.isOver
  return text.split('\r\n', 1)[0] ?? ''
}

test('slow headers of one address take only its own places: each new one ends its oldest', async () => {
  const held = []
  for (let n = 0; n < 5; n++) held.push(await hold('127.0.0.2', SLOW))
  await Promise.all(held.slice(0, 2).map(({ isOver }) => isOver))
  expect(held.map(({ destroyed, readyState }) => destroyed || readyState !== 'open')).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect(await asks('127.0.0.3')).toBe('HTTP/1.1 200 OK')
})

test('when addresses together hold all places, a newcomer still gets in, and the oldest idle connection ends', async () => {
  const held = []
  for (let n = 0; n < 6; n++) held.push(await hold(`127.0.0.${20 + n}`, SLOW))
  expect(await asks('127.0.0.3')).toBe('HTTP/1.1 200 OK')
  await held[0]?.isOver
  expect(held.slice(1).map(({ readyState }) => readyState)).toEqual(new Array(5).fill('open'))
})

test('bodies that never arrive hold no place against a newcomer either', async () => {
  for (let n = 0; n < 6; n++) await hold(`127.0.0.${20 + n}`, STALLED_BODY())
  expect(await asks('127.0.0.3')).toBe('HTTP/1.1 200 OK')
})

test('a trusted proxy may hold as many as there are', async () => {
  const held = []
  for (let n = 0; n < 5; n++) held.push(await hold(PROXY, SLOW))
  expect(await asks(PROXY)).toBe('HTTP/1.1 200 OK')
  expect(held.map(({ readyState }) => readyState)).toEqual(new Array(5).fill('open'))
})

test('gateways at /mqtt hold no place of the API', async () => {
  api.app.server.on('upgrade', (_request, socket) => {
    upgraded.push(socket)
    socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
  })
  const upgrade = 'GET /mqtt HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  for (let n = 0; n < 12; n++) await once(await hold('127.0.0.2', upgrade), 'data')
  expect(await asks('127.0.0.2')).toBe('HTTP/1.1 200 OK')
  expect(upgraded.map(({ destroyed }) => destroyed)).toEqual(new Array(12).fill(false))
})
