// Closes connections whose clients do not read: an answer that is read slowly would be kept for as long as they like.
import type { ServerResponse } from 'node:http'
import type { Clock } from '#shared/clock.ts'
import type { App } from './app.ts'

const LOOK_EVERY_MS = 5_000

/** An answer that has begun must be sent within this time (and one more check), or its connection is closed. */
export function closeUnread(app: App, { clock, withinMs }: { clock: Clock; withinMs: number }): void {
  /** When each was first seen to have begun; null until then. */
  const open = new Map<ServerResponse, number | null>()
  app.server.prependListener('request', (_request, response) => {
    open.set(response, null)
    response.once('close', () => open.delete(response))
  })
  const cancel = clock.every(LOOK_EVERY_MS, () => {
    const nowMs = clock.monotonicMs()
    for (const [response, begunMs] of open) {
      if (!response.headersSent) continue
      if (begunMs === null) open.set(response, nowMs)
      else if (nowMs - begunMs >= withinMs) response.socket?.destroy()
    }
  })
  // Events of a feed may stay unread for hours: the feed's owner disconnects it (shared/pages/event-stream.ts).
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config?.isFeed === true) open.delete(reply.raw)
    done()
  })
  app.addHook('onClose', async () => cancel())
}
