// /status: how the relay does, for everybody; and /status.rss: days on which it missed a target. No sign-in, no figure of one account.
import type { FastifyRequest } from 'fastify'
import { relayStatus } from '#cloud/control/status.ts'
import type { LatencyStore } from '#cloud/storage/latency-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { App } from './app.ts'
import { PAGE_POLICY } from './openapi/page-frame.ts'
import { statusFeed, statusPage } from './status-page.ts'
import { type StatusLanguage, statusLanguage } from './status-words.ts'

export interface StatusDeps {
  latency: LatencyStore
  clock: Clock
  /** The relay's address as clients see it. */
  docBase: () => string
}

/** So long an answer is kept: the figures come once a minute, and strangers ask. */
const KEPT_MS = 60_000

export function statusRoutes(app: App, deps: StatusDeps): void {
  const status = kept(deps, () => relayStatus(deps))
  const headers = {
    'content-security-policy': PAGE_POLICY,
    'referrer-policy': 'no-referrer',
    'cache-control': 'public, max-age=60',
    vary: 'accept-language',
  }
  app.route({
    method: 'GET',
    url: '/status',
    exposeHeadRoute: true,
    config: { access: 'public' },
    handler: async (request, reply) => {
      const page = statusPage(await status(), { language: languageOf(request), nowMs: deps.clock.now() })
      return reply.headers(headers).type('text/html; charset=utf-8').send(page)
    },
  })
  app.route({
    method: 'GET',
    url: '/status.rss',
    exposeHeadRoute: true,
    config: { access: 'public' },
    handler: async (request, reply) => {
      const feed = statusFeed(await status(), { language: languageOf(request), base: deps.docBase() })
      return reply.headers(headers).type('application/rss+xml; charset=utf-8').send(feed)
    },
  })
}

/** `?lang=` first, then the browser's languages. */
function languageOf({ query, headers }: FastifyRequest): StatusLanguage {
  const { lang } = query as { lang?: unknown }
  return statusLanguage(typeof lang === 'string' ? lang : (headers['accept-language'] ?? ''))
}

function kept<T>({ clock }: { clock: Clock }, make: () => Promise<T>): () => Promise<T> {
  let last: { atMs: number; value: Promise<T> } | null = null
  return () => {
    const nowMs = clock.monotonicMs()
    if (last !== null && nowMs - last.atMs < KEPT_MS) return last.value
    const value = make()
    last = { atMs: nowMs, value }
    // What failed is asked for again.
    value.catch(() => {
      last = null
    })
    return value
  }
}
