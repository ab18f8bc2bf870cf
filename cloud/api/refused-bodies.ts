// Reads the rest of a refused body before an answer that closes the connection: one that is closed with bytes unread is reset, and a client or proxy that is still sending loses the answer.
import type { IncomingMessage } from 'node:http'
import type { Clock } from '#shared/clock.ts'
import type { App } from './app.ts'

/** More than this is read of no body. */
const MOST_BYTES = 4_194_304

export interface BodyPatience {
  clock: Clock
  /** A body that has not come to its end by then is waited for no longer: the answer must go out before the request's own time is over. */
  withinMs: number
}

/** An answer after which the connection closes, because it says so itself or the client wants it so, goes out when the body has been read. */
export function readRefusedBodies(app: App, patience: BodyPatience): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const closes = reply.getHeader('connection') === 'close' || !reply.raw.shouldKeepAlive
    if (closes) whenBodyIsRead(request.raw, patience, done)
    else done()
  })
}

/** Calls `goOn` once: when the body has come to its end or was cut off, or when it is too long or too late to be waited for. */
export function whenBodyIsRead(body: IncomingMessage, { clock, withinMs }: BodyPatience, goOn: () => void): void {
  const isOver = body.complete || body.readableEnded || body.destroyed
  if (isOver || Number(body.headers['content-length']) > MOST_BYTES) {
    goOn()
    return
  }
  let bytes = 0
  const count = (chunk: Buffer): void => {
    bytes += chunk.length
    if (bytes > MOST_BYTES) stop()
  }
  const stop = (): void => {
    cancel()
    body.off('data', count).off('end', stop).off('close', stop)
    goOn()
  }
  const cancel = clock.after(withinMs, stop)
  body.on('data', count).once('end', stop).once('close', stop).resume()
}
