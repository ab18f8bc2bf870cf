// How long and how much is read of a refused body, over real sockets, with a clock that is moved by hand.
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'

const CLOSES = 'Connection: close'
/** The most that is read of one is 10 MiB. */
const TEN_MIB = 'Content-Length: 10485760'
const FOUR_MIB = 'Content-Length: 4194304'

let clock: ManualClock
let api: RelayApi
const sockets: Socket[] = []
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  await api.app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await api.close()
})

interface Begun {
  socket: Socket
  heard: () => string
}

/** Ends when the kernel has the bytes, and the relay has had its turn. */
async function send(socket: Socket, bytes: string): Promise<void> {
  await new Promise<void>((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())))
  await setImmediate()
}

/** Sends the head of a request without a key. @param lines further header lines */
async function begin(lines: string[], localAddress = '127.0.0.2', what = 'POST /v1/order/inject'): Promise<Begun> {
  const port = (api.app.server.address() as AddressInfo).port
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  sockets.push(socket)
  socket.on('error', () => undefined)
  let text = ''
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  await send(socket, `${[`${what} HTTP/1.1`, 'Host: a', ...lines].join('\r\n')}\r\n\r\n`)
  return { socket, heard: () => text }
}

/** A new request is answered, so the relay has read what came before. */
async function hasRead(): Promise<void> {
  const { heard } = await begin([], '127.0.0.8', 'GET /healthz')
  await expect.poll(heard).toContain('HTTP/1.1 200')
}

const refused = ({ heard }: Begun) => expect.poll(heard).toContain('HTTP/1.1 401')

test.each([
  ['when the connection stays open', ['Content-Length: 1000']],
  ['when it has more than 10 MiB', ['Content-Length: 10485761', CLOSES]],
])('it is not waited for %s', async (_, lines) => {
  await refused(await begin(lines))
})

test('nor is the body of a call that succeeds', async () => {
  const { heard } = await begin(['Content-Length: 10', CLOSES], '127.0.0.2', 'GET /healthz')
  await expect.poll(heard).toContain('HTTP/1.1 200')
})

test('it is waited for to its last byte', async () => {
  const { socket, heard } = await begin([TEN_MIB, CLOSES])
  await send(socket, ' '.repeat(10_485_759))
  await hasRead()
  expect(heard()).toBe('')
  await send(socket, ' ')
  await once(socket, 'close')
  expect(heard()).toContain('HTTP/1.1 401')
})

test('it is waited for 5 s and no longer', async () => {
  const begun = await begin([FOUR_MIB, CLOSES])
  await hasRead()
  await clock.advance(4_999)
  await hasRead()
  expect(begun.heard()).toBe('')
  await clock.advance(1)
  await refused(begun)
})

test('an address has 16 MB of them: afterwards its refusals are sent at once and close', async () => {
  for (let n = 0; n < 4; n++) {
    const kept = await begin([FOUR_MIB])
    await refused(kept)
    expect(kept.heard().toLowerCase()).not.toContain('connection: close')
  }
  await refused(await begin([FOUR_MIB, CLOSES]))
  const kept = await begin([FOUR_MIB])
  await refused(kept)
  expect(kept.heard().toLowerCase()).toContain('connection: close')
  const other = await begin([FOUR_MIB, CLOSES], '127.0.0.3')
  await hasRead()
  expect(other.heard()).toBe('')
})

test('received bytes count: after three of 4 MiB the fourth is not read to its end', async () => {
  for (let n = 0; n < 3; n++) {
    const { socket } = await begin([FOUR_MIB, CLOSES])
    await send(socket, ' '.repeat(4_194_304))
    await once(socket, 'close')
  }
  const fourth = await begin([FOUR_MIB, CLOSES])
  fourth.socket.write(' '.repeat(3_200_000))
  await refused(fourth)
})

test('a byte in a chunk of its own counts as 512', async () => {
  const begun = await begin(['Transfer-Encoding: chunked'])
  begun.socket.write('1\r\n \r\n'.repeat(32_000))
  await refused(begun)
})

test.each([
  ['that is answered well', 'GET /healthz', 200],
  ['with an invalid URL', 'POST /%zz', 400],
])('of a call %s a body in chunks closes the connection', async (_, what, status) => {
  const { heard, socket } = await begin(['Transfer-Encoding: chunked'], '127.0.0.2', what)
  await hasRead()
  await clock.advance(5_000)
  await expect.poll(heard).toContain(`HTTP/1.1 ${status}`)
  await expect.poll(() => socket.closed).toBe(true)
  expect(heard().toLowerCase()).toContain('connection: close')
})

test('257 of them are not waited for at one time', async () => {
  for (let n = 0; n < 256; n++) await begin(['Content-Length: 10', CLOSES], `127.0.1.${n % 32}`)
  await hasRead()
  const one = await begin(['Content-Length: 10', CLOSES])
  await refused(one)
  await clock.advance(5_000)
  const next = await begin(['Content-Length: 10', CLOSES])
  await hasRead()
  expect(next.heard()).toBe('')
})
