// One delivery to a real server of the developer: what is sent, and that the relay accepts every possible result.
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { afterEach, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { listenerResult } from '#shared/wire/api/listeners.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { postToTarget, type Target } from './post-to-target.ts'

let server: Server | null = null
const sockets = new Set<Socket>()
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)))
  server = null
})

/** A server that calls `answer` for each complete request. */
async function serverThat(answer: (socket: Socket, request: string) => void): Promise<string> {
  const listening = createServer((socket) => {
    sockets.add(socket)
    let request = ''
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        request += chunk.toString('latin1')
        const [head = '', ...body] = request.split('\r\n\r\n')
        const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1])
        if (body.join('\r\n\r\n').length >= length) answer(socket, request)
      })
  }).listen(0, '127.0.0.1')
  server = listening
  await once(listening, 'listening')
  const { port } = listening.address() as { port: number }
  return `http://127.0.0.1:${port}/hooks?a=b`
}

const whole = (status: number, body: string, headers = '') =>
  `HTTP/1.1 ${status} Said\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

const EVENT = { headers: { 'content-type': 'application/json', 'Webhook-Id': 'evt_1' }, body: '{"name":"Zoë 🍔"}' }

/** Parsed with the relay's schema: an invalid result fails the test. */
async function post(url: string, around: Partial<Target> = {}, delivery = EVENT) {
  const target = { url, timeoutMs: 60_000, clock: systemClock, stopped: new AbortController().signal, ...around }
  const result = await postToTarget(target, delivery)
  const { deliveryId: _, number: __, ...told } = listenerResult.parse({ deliveryId: 'dlv_1', number: 1, ...result })
  return told
}

it('sends exactly the body and headers, and follows no redirect', async () => {
  const asked: string[] = []
  const url = await serverThat((socket, request) => {
    asked.push(request)
    socket.end(whole(302, 'there', 'Location: /elsewhere\r\n'))
  })
  expect(await post(url)).toEqual({ status: 302, response: 'there', ms: expect.any(Number) })
  const [head = '', body = ''] = asked[0]?.split('\r\n\r\n') ?? []
  expect([asked.length, Buffer.from(body, 'latin1').toString()]).toEqual([1, EVENT.body])
  const [line, ...headers] = head.split('\r\n')
  expect(line).toBe('POST /hooks?a=b HTTP/1.1')
  expect(headers.map((header) => header.split(':')[0]).sort()).toEqual(
    ['Connection', 'Host', 'Webhook-Id', 'content-length', 'content-type']
      .map((name) => (name === 'Connection' ? 'connection' : name))
      .sort(),
  )
})

it('sends no header that is not of a webhook, whatever the relay names', async () => {
  const asked: string[] = []
  const url = await serverThat((socket, request) => {
    asked.push(request)
    socket.end(whole(200, ''))
  })
  const strange = { 'Transfer-Encoding': 'chunked', Host: 'evil.example', Cookie: 'a=b', Authorization: 'Bearer x' }
  const headers = { ...EVENT.headers, ...strange, 'Content-Length': '1', Upgrade: 'h2c' }
  expect(await post(url, {}, { ...EVENT, headers })).toMatchObject({ status: 200 })
  const [, ...sent] = asked[0]?.split('\r\n\r\n')[0]?.split('\r\n') ?? []
  expect(sent.sort()).toEqual([
    `Host: ${new URL(url).host}`,
    'Webhook-Id: evt_1',
    'connection: close',
    `content-length: ${Buffer.byteLength(EVENT.body)}`,
    'content-type: application/json',
  ])
})

it.each([1_023, 1_022, 1_021])('leaves out an emoji that is cut after %i bytes', async (bytes) => {
  const url = await serverThat((socket) => socket.end(whole(200, `${'a'.repeat(bytes)}🍔${'b'.repeat(5_000)}`)))
  expect(await post(url)).toMatchObject({ status: 200, response: 'a'.repeat(bytes) })
})

it('accepts bytes that are no text, an invalid status, and an answer that is not HTTP', async () => {
  let answer = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\xff\xfe', 'latin1')
  const url = await serverThat((socket) => socket.end(answer))
  expect(await post(url)).toMatchObject({ status: 200, response: '\ufffd\ufffd' })
  answer = Buffer.from(whole(999, 'so'))
  expect(await post(url)).toMatchObject({ error: 'invalid_response', response: 'so' })
  answer = Buffer.from('what?\r\n\r\n')
  expect(await post(url)).toMatchObject({ error: 'invalid_response' })
  answer = Buffer.from('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')
  expect(await post(url)).toMatchObject({ error: expect.any(String) })
  answer = Buffer.from('')
  expect(await post(url)).toMatchObject({ error: 'reset' })
})

it('reports a closed port', async () => {
  const url = await serverThat(() => {})
  await new Promise((resolve) => server?.close(resolve))
  expect(await post(url)).toMatchObject({ error: 'refused' })
})

it('waits for the given timeout, not for the one of fetch', async () => {
  const before = getGlobalDispatcher()
  setGlobalDispatcher(new Agent({ headersTimeout: 1 }))
  try {
    const url = await serverThat((socket) => void setTimeout(() => socket.end(whole(204, '')), 100))
    expect(await post(url)).toMatchObject({ status: 204 })
  } finally {
    await getGlobalDispatcher().close()
    setGlobalDispatcher(before)
  }
})

it('gives up after the timeout, also within an answer, and reports no longer time than the relay accepts', async () => {
  const clock = new ManualClock()
  const asked = Promise.withResolvers<void>()
  const url = await serverThat((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n')
    asked.resolve()
  })
  const posted = post(url, { clock, timeoutMs: 7_200_000 })
  await asked.promise
  await clock.advance(7_200_000)
  expect(await posted).toEqual({ error: 'timeout', ms: 3_600_000 })
})

it('ends at once when it is stopped', async () => {
  const stop = new AbortController()
  const url = await serverThat(() => stop.abort())
  expect(await post(url, { stopped: stop.signal })).toMatchObject({ error: expect.any(String) })
})
