// Refusals below the router: what Node's HTTP parser rejects, and what it lets through but we do not.
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyServerOptions } from 'fastify'
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { newId } from '#shared/ids.ts'
import { errorBody } from './error-reply.ts'
import type { RequestQueues } from './one-at-a-time.ts'

type ClientErrorHandler = NonNullable<FastifyServerOptions['clientErrorHandler']>

/**
 * Answers what never became a request: malformed HTTP, headers too large, a request that takes too long. Then closes the socket. A request
 * before it is answered first: its client would take a refusal of what came after it for its own answer.
 */
export function answerClientErrors(
  deps: { clock: Clock; docBase: () => string },
  queues: RequestQueues,
): ClientErrorHandler {
  /** Node's parser repeats an error for each piece that comes after it. */
  const refused = new WeakSet<Duplex>()
  return (error, socket) => {
    // Clients open connections ahead of need. They would take an answer on such a one for the answer to their next request.
    // Nor is an answer readable before TLS has begun.
    if (error.code === 'ECONNRESET' || isTlsFault(error.code) || !socket.writable || socket.bytesRead === 0) {
      socket.destroy()
      return
    }
    if (refused.has(socket)) return
    refused.add(socket)
    queues.refuseLast(socket, () => {
      const refusal = refusalOf(error.code ?? '')
      const requestId = newId('req', deps.clock.now())
      const body = errorBody(refusal, requestId, deps.docBase())
      const head = [
        `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? 'Error'}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${requestId}`,
        'Cache-Control: no-store',
        'Connection: close',
      ]
      socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
    })
  }
}

function isTlsFault(code = ''): boolean {
  return code === 'EPROTO' || /^ERR_(?:SSL|TLS)_/.test(code)
}

function refusalOf(code: string): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW') return new ServiceError('request.headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ServiceError('request.timeout')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new ServiceError('request.too_large')
  return new ServiceError('request.malformed', { message: 'The request is not valid HTTP.' })
}

/**
 * Whether a request leaves HTTP: only a gateway's MQTT over WebSocket does. Node would take every `Upgrade` away from the routes, also the
 * `h2c` that Java's HttpClient sends with each first request over plain http; RFC 9110 §7.8 lets us pass over it.
 */
export function asksForBroker(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket' && request.url?.split('?', 1)[0] === '/mqtt'
}

/** Exactly one Host header (RFC 9112 §3.2): two of them let a proxy and us see different hosts. HTTP/1.0 may leave it out. */
export function hasOneHost(request: IncomingMessage): boolean {
  let hosts = 0
  const raw = request.rawHeaders
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts === 1 || (hosts === 0 && request.httpVersion === '1.0')
}
