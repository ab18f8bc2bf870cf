// The part of a hostile response that the HTTP parser gets: limited in bytes and lines, whatever form the response has.
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { type PostOutcome, WebhookPoster } from './post-webhook.ts'
import { TargetGuard } from './target-guard.ts'

const HEAD = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`
/** The limits of post-webhook.ts, and the piece that may exceed them. */
const MOST_BYTES = 16_384 + 4_096
const MOST_LINES = 1_024 + 4_096

/** Counts what is read from its sockets, which is what the parser gets. */
class CountingGuard extends TargetGuard {
  bytes = 0
  lines = 0

  override connector(...options: Parameters<TargetGuard['connector']>): ReturnType<TargetGuard['connector']> {
    const connect = super.connector(...options)
    return (target, callback) =>
      connect(target, (...result) => {
        const [, socket] = result
        if (socket) this.#count(socket)
        callback(...result)
      })
  }

  #count(socket: Socket): void {
    const read: (size?: number) => Buffer | null = socket.read.bind(socket)
    socket.read = (size?: number) => {
      const piece = read(size)
      this.bytes += piece?.length ?? 0
      this.lines += piece?.toString('latin1').match(/\n/g)?.length ?? 0
      return piece
    }
  }
}

let guard: CountingGuard
let poster: WebhookPoster
let server: Server
let sockets: Set<Socket>

beforeEach(() => {
  const clock = new ManualClock()
  sockets = new Set()
  guard = new CountingGuard({ allowCidrs: ['127.0.0.0/8'], clock })
  poster = new WebhookPoster({ guard, clock, timeoutMs: 15_000 })
})
afterEach(async () => {
  await poster.close()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

/** @returns a function that posts once to a receiver that runs this for each request */
async function receiver(onRequest: (socket: Socket) => void): Promise<() => Promise<PostOutcome>> {
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', () => onRequest(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}/`
  return () => poster.post({ url, environment: 'sandbox', headers: {}, body: '{}' }, new AbortController().signal)
}

/** Sends it repeatedly, as fast as it is read, until the connection ends. */
function pour(socket: Socket, text: string): void {
  const block = text.repeat(Math.ceil(65_536 / text.length))
  const more = (): void => {
    while (!socket.destroyed && socket.write(block));
  }
  socket.on('drain', more)
  more()
}

/** Sends one byte at a time. */
function drip(socket: Socket, text: string): void {
  socket.setNoDelay(true)
  let at = 0
  const more = (): void => {
    if (socket.destroyed) return
    socket.write(text[at % text.length] ?? '', () => setImmediate(more))
    at += 1
  }
  more()
}

const once = (head: string, text: string) => (socket: Socket) => {
  socket.end(`${head}${text.repeat(Math.ceil(200_000 / text.length))}\r\n`)
}
const endless = (head: string, text: string) => (socket: Socket) => {
  socket.write(head)
  pour(socket, text)
}

describe('the parser gets a limited part of a response', () => {
  const cases: [string, (socket: Socket) => void][] = [
    ['of 40,000 tiny headers', once(HEAD, 'a:b\r\n')],
    ['of 50,000 headers without a value', once(HEAD, 'a:\r\n')],
    ['of one header of 200 kB', once(`${HEAD}a: `, 'b')],
    ['of headers without end', endless(HEAD, 'a:b\r\n')],
    ['of headers that come byte by byte', (socket) => drip(socket, `${HEAD}${'a:b\r\n'.repeat(5_000)}`)],
    ['of one header that comes byte by byte', (socket) => drip(socket, `${HEAD}a: ${'b'.repeat(25_000)}`)],
    ['of a folded header without end', endless(`${HEAD}a: b\r\n`, ' c\r\n')],
    ['of a status line without end', endless('HTTP/1.1 200 ', 'O')],
    ['of interim answers without end', endless('', 'HTTP/1.1 103 \r\n\r\n')],
    ['of interim answers with headers without end', endless('', 'HTTP/1.1 103 \r\na:b\r\n\r\n')],
    ['of 40,000 trailers', once(`${CHUNKED}1\r\nx\r\n0\r\n`, 'a:b\r\n')],
    ['of trailers without end', endless(`${CHUNKED}0\r\n`, 'a:b\r\n')],
    ['of a chunk extension without end', endless(`${CHUNKED}1;`, 'a=b;')],
    ['of chunks of one byte without end', endless(CHUNKED, '1\r\nx\r\n')],
  ]
  it.each(cases)('%s, and the connection is ended', async (_, onRequest) => {
    let closed: Promise<void> = Promise.resolve()
    const post = await receiver((socket) => {
      closed = new Promise((resolve) => socket.once('close', () => resolve()))
      onRequest(socket)
    })
    expect(await post()).toMatchObject({ error: 'invalid_response' })
    await closed
    expect(guard.bytes).toBeLessThanOrEqual(MOST_BYTES)
    expect(guard.lines).toBeLessThanOrEqual(MOST_LINES)
  })
})

describe('a response within the limits', () => {
  it('may have a head of 15 kB', async () => {
    const post = await receiver((socket) => {
      socket.write(`${HEAD}${`a: ${'b'.repeat(45)}\r\n`.repeat(300)}content-length: 2\r\n\r\nok`)
    })
    expect(await post()).toMatchObject({ status: 200, error: null, response: 'ok' })
  })

  it.each(['x', '\n', 'a: b\r\n'])('may have a body of a megabyte of %j, of which one KiB is stored', async (text) => {
    const post = await receiver((socket) => {
      const body = text.repeat(Math.ceil(1_000_000 / text.length))
      socket.write(`${HEAD}content-length: ${body.length}\r\n\r\n${body}`)
    })
    const { error, response } = await post()
    expect([error, response?.length]).toEqual([null, 1_024])
    expect(guard.bytes).toBeLessThanOrEqual(MOST_BYTES)
  })

  it('is counted from each request: a kept-alive connection can have a hundred of them', async () => {
    const answer = `${HEAD}a: ${'b'.repeat(1_000)}\r\n${'c: d\r\n'.repeat(50)}content-length: 2\r\n\r\nok`
    const post = await receiver((socket) => {
      socket.write(answer)
    })
    for (let count = 0; count < 100; count++) expect(await post()).toMatchObject({ status: 200, error: null })
    // undici opens a second one while the first is not idle yet.
    expect(sockets.size).toBeLessThanOrEqual(2)
    expect(guard.bytes).toBe(100 * answer.length)
  })

  it('does not include bytes that were sent before its request', async () => {
    const early = `HTTP/1.1 418 Early\r\na: ${'b'.repeat(6_000)}\r\ncontent-length: 2\r\n\r\nno`
    const post = await receiver((socket) => {
      socket.write(`${HEAD}a: ${'b'.repeat(4_050 - HEAD.length)}\r\ncontent-length: 2\r\n\r\nok${early.repeat(2)}`)
    })
    expect(await post()).toMatchObject({ status: 200 })
    expect(await post()).toMatchObject({ status: 200 })
    expect(sockets.size).toBe(2)
  })
})
