// The proxy that breaks connections, over real sockets: a fault that does not bite would make every test behind it green.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { seededRandom } from '#test/harness/random.ts'
import { type Direction, FaultProxy } from './fault-proxy.ts'
import { ManualClock } from './manual-clock.ts'

let echo: Server
/** The connections that the target has. */
let atTarget: Socket[]
let proxy: FaultProxy
let clock: ManualClock
let port: number
const clients: Socket[] = []

beforeEach(async () => {
  atTarget = []
  echo = createServer((socket) => {
    atTarget.push(socket)
    socket.on('error', () => {}).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const address = echo.address()
  clock = new ManualClock()
  proxy = new FaultProxy(clock, seededRandom(7))
  port = (await proxy.start({ host: '127.0.0.1', port: typeof address === 'object' ? (address?.port ?? 0) : 0 })).port
})

afterEach(async () => {
  for (const socket of [...clients.splice(0), ...atTarget]) socket.destroy()
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

test('a cut resets open connections and lets new connections in', async () => {
  const socket = await dial()
  await says(socket, 'x')
  const broken = once(socket, 'error')
  proxy.cutAll()
  expect((await broken)[0]).toMatchObject({ code: 'ECONNRESET' })
  expect(await says(await dial(), 'again')).toBe('again')
})

test('a black hole holds bytes back until it is lifted, and sends nothing', async () => {
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

/** How many bits differ, and how many bytes they are in. */
function differences(one: Buffer, other: Buffer): { bits: number; bytes: number } {
  const counts = [...one].map((byte, at) => (byte ^ (other[at] ?? 0)).toString(2).replaceAll('0', '').length)
  return { bits: counts.reduce((sum, n) => sum + n, 0), bytes: counts.filter((n) => n > 0).length }
}

test.each<Direction>(['toTarget', 'toClient'])('a corrupt chunk %s has one wrong bit', async (direction) => {
  const socket = await dial()
  await says(socket, 'x')
  proxy.corrupt[direction] = 1
  const text = 'the quick brown fox jumps over the lazy dog'
  socket.write(text)
  const answer: Buffer[] = []
  while (Buffer.concat(answer).length < text.length) answer.push((await once(socket, 'data'))[0] as Buffer)
  // A busy machine may make several chunks of it.
  expect(differences(Buffer.from(text), Buffer.concat(answer))).toEqual({ bits: proxy.flipped, bytes: proxy.flipped })
  expect(proxy.flipped).toBeGreaterThan(0)
  proxy.corrupt[direction] = 0
  expect(await says(socket, 'whole again')).toBe('whole again')
})

test('so large a share of the chunks is corrupt, the same ones with the same seed', async () => {
  const wrongOf = async (seed: number): Promise<number[]> => {
    const another = new FaultProxy(clock, seededRandom(seed))
    const address = echo.address()
    const target = { host: '127.0.0.1', port: typeof address === 'object' ? (address?.port ?? 0) : 0 }
    const socket = connect((await another.start(target)).port, '127.0.0.1')
    clients.push(socket)
    await once(socket, 'connect')
    another.corrupt.toTarget = 0.15
    const wrong: number[] = []
    for (let n = 0; n < 200; n++) if ((await says(socket, 'x')) !== 'x') wrong.push(n)
    socket.destroy()
    await another.stop()
    return wrong
  }
  const wrong = await wrongOf(1)
  expect(wrong.length).toBeGreaterThan(10)
  expect(wrong.length).toBeLessThan(60)
  expect(await wrongOf(1)).toEqual(wrong)
  expect(await wrongOf(2)).not.toEqual(wrong)
})

test('of a half-open connection one side is notified that it is gone, and the other sends into the void', async () => {
  const socket = await dial()
  await says(socket, 'x')
  const [other] = atTarget
  const gone = once(other as Socket, 'error')
  proxy.halfOpen('target')
  expect((await gone)[0]).toMatchObject({ code: 'ECONNRESET' })
  socket.write('lost')
  while (proxy.swallowed < 4) await new Promise((resolve) => setImmediate(resolve))
  expect([socket.destroyed, proxy.open]).toEqual([false, 1])
  expect(await says(await dial(), 'a new one')).toBe('a new one')
  socket.end()
  await once(socket, 'close')
  await expect.poll(() => proxy.open).toBe(1)
})
