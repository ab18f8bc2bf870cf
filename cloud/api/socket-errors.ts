// Refusals below the router: what Node's HTTP parser rejects, and what it lets through but we do not.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { FastifyServerOptions } from 'fastify'
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { newId } from '#shared/ids.ts'
import type { App } from './app.ts'
import { errorBody } from './error-reply.ts'
import { type BodyPatience, whenBodyIsRead } from './refused-bodies.ts'

type ClientErrorHandler = NonNullable<FastifyServerOptions['clientErrorHandler']>

/** Answers what never became a request: malformed HTTP, headers too large, a request that takes too long. Then closes the socket. */
export function answerClientErrors(deps: { clock: Clock; docBase: () => string }): ClientErrorHandler {
  return (error, socket) => {
    // Clients open connections ahead of need. They would take words on such a one for the answer to the request that they send next.
    // Nor does anybody hear words for whom TLS has not begun.
    if (error.code === 'ECONNRESET' || isTlsFault(error.code) || !socket.writable || socket.bytesRead === 0) {
      socket.destroy()
      return
    }
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
 * Node answers an unknown `Expect` with an empty 417 of its own; here it is refused in the API's shape.
 * The Host header is looked at in `hasOneHost`, because Node answers a missing one with an empty 400.
 */
export function refuseExpectations(
  app: App,
  deps: { clock: Clock; docBase: () => string },
  patience: BodyPatience,
): void {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const requestId = newId('req', deps.clock.now())
    const refusal = new ServiceError('request.malformed', { message: 'The Expect header cannot be met.' })
    const body = errorBody(refusal, requestId, deps.docBase())
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': requestId,
      Connection: 'close',
    }
    whenBodyIsRead(request, patience, () => response.writeHead(refusal.status, headers).end(body))
  })
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
