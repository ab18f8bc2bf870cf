// Health for supervisors, status for programs, and the plain status page: for everybody on the local network, without customers' data, read only.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { statusPage } from './page.ts'
import { SCRIPT, STYLE } from './page-assets.ts'
import { type StatusSource, statusBody } from './status-view.ts'

/** @param atRoot the status page is the box's page, because no other was built */
export function statusRoutes(app: FastifyInstance, source: StatusSource, { atRoot }: { atRoot: boolean }): void {
  const anyone = { config: { openTo: 'anyone' } } as const
  const page = (reply: FastifyReply) => reply.type('text/html; charset=utf-8').send(statusPage(source))
  app.get('/healthz', anyone, async () => ({ status: 'ok' }))
  // The relay out of reach does not make it unready: it still prints.
  app.get('/readyz', anyone, async (_request, reply) => {
    const ready = source.isReady()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', link: source.link().state })
  })
  app.get('/api/status', anyone, async () => statusBody(source))
  app.get('/status', anyone, async (_request, reply) => page(reply))
  if (atRoot) app.get('/', anyone, async (_request, reply) => page(reply))
  app.get('/app.js', anyone, async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(SCRIPT))
  app.get('/app.css', anyone, async (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLE))
}
