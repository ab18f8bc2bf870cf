// Reads the rest of a refused body before an answer that closes the connection: one that is closed with bytes unread is reset, and a client or proxy that is still sending loses the answer.
import type { App } from './app.ts'

/** More than this is read of no body. The time is that of every request. */
const MOST_BYTES = 4_194_304

/** An answer with `Connection: close` begins when the body of its request has come to its end; at once if that is too far. */
export function readRefusedBodies(app: App): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const body = request.raw
    if (reply.getHeader('connection') !== 'close' || body.complete || body.readableEnded || body.destroyed)
      return done()
    if (Number(body.headers['content-length']) > MOST_BYTES) return done()
    let bytes = 0
    const count = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > MOST_BYTES) goOn()
    }
    const goOn = (): void => {
      body.off('data', count).off('end', goOn).off('close', goOn)
      done()
    }
    body.on('data', count).once('end', goOn).once('close', goOn).resume()
  })
}
