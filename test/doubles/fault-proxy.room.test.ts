// The proxy that breaks connections, over real sockets: a fault that does not bite would make every test behind it green.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FaultProxy } from './fault-proxy.ts'
import { ManualClock } from './manual-clock.ts'

let echo: Server
let proxy: FaultProxy
let clock: ManualClock
let port: number
const clients: Socket[] = []

beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const address = echo.address()
  clock = new ManualClock()
  proxy = new FaultProxy(clock)
  port = (await proxy.start({ host: '127.0.0.1', port: typeof address === 'object' ? (address?.port ?? 0) : 0 })).port
})

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await proxy.stop()
  await new Promise((resolve) => echo.close(resolve))
})

async function dial(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  clients.push(socket)
  await once(socket, 'connect')
  return socket
}

async function says(socket: Socket, text: string): Promise<string> {
  socket.write(text)
  let answer = ''
  while (answer.length < text.length) answer += String((await once(socket, 'data'))[0])
  return answer
}

test('without a fault bytes pass', async () => {
  expect(await says(await dial(), 'hello')).toBe('hello')
})

test('a cut resets what stands and lets new connections in', async () => {
  const socket = await dial()
  await says(socket, 'x')
  const broken = once(socket, 'error')
  proxy.cutAll()
  expect((await broken)[0]).toMatchObject({ code: 'ECONNRESET' })
  expect(await says(await dial(), 'again')).toBe('again')
})

test('a black hole keeps bytes back until it is lifted, and says nothing', async () => {
  const socket = await dial()
  await says(socket, 'x')
  proxy.blackHole(true)
  socket.write('later')
  const answer = once(socket, 'data')
  const first = await Promise.race([answer.then(() => 'data'), new Promise((done) => setTimeout(done, 50, 'silence'))])
  expect(first).toBe('silence')
  proxy.blackHole(false)
  expect(String((await answer)[0])).toBe('later')
})

test('a deaf direction swallows for good', async () => {
  const socket = await dial()
  await says(socket, 'x')
  proxy.deafen('toTarget', true)
  socket.write('lost')
  while (proxy.swallowed < 4) await new Promise((resolve) => setImmediate(resolve))
  proxy.deafen('toTarget', false)
  expect(await says(socket, 'kept')).toBe('kept')
})

test('a refused port refuses, and is the same port afterwards', async () => {
  await proxy.refuse(true)
  const socket = connect(port, '127.0.0.1')
  expect((await once(socket, 'error'))[0]).toMatchObject({ code: 'ECONNREFUSED' })
  await proxy.refuse(false)
  expect(await says(await dial(), 'back')).toBe('back')
})

test('a delay holds each chunk up and keeps the order', async () => {
  proxy.delayMs = 40
  const socket = await dial()
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk
  })
  socket.write('slow')
  // To the target, and back.
  for (let way = 1; way <= 2; way++) {
    await expect.poll(() => proxy.lagging).toBe(1)
    await clock.advance(39)
    expect([heard, proxy.lagging]).toEqual(['', 1])
    await clock.advance(1)
  }
  await expect.poll(() => heard).toBe('slow')
})

test('a connection is cut after so many bytes', async () => {
  proxy.cutAfterBytes = 6
  const socket = await dial()
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  const broken = once(socket, 'error')
  socket.write('0123456789')
  await broken
  expect('012345'.startsWith(received)).toBe(true)
})

test('a throttle passes so many bytes a second', async () => {
  const socket = await dial()
  await says(socket, 'x')
  proxy.throttleBytesPerSecond = 10_000
  let answer = ''
  void says(socket, 'y'.repeat(1_000)).then((text) => {
    answer = text
  })
  while (answer === '') {
    if (proxy.lagging > 0) await clock.advance(1)
    else await new Promise((resolve) => setImmediate(resolve))
  }
  // A tenth of a second each way; the second may begin with a part of it.
  expect(clock.monotonicMs()).toBeGreaterThan(150)
  expect(answer).toBe('y'.repeat(1_000))
})
