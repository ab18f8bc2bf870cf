// /healthz: the process answers. /readyz: it can take orders now.
import type { App } from './app.ts'

/** One question of /readyz: its name and whether the answer is yes. */
export interface ReadyCheck {
  name: string
  ok: () => boolean | Promise<boolean>
}

export function healthRoutes(app: App, deps: { checks: readonly ReadyCheck[] }): void {
  app.route({
    method: 'GET',
    url: '/healthz',
    config: { access: 'public' },
    handler: (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  })
  app.route({
    method: 'GET',
    url: '/readyz',
    config: { access: 'public' },
    handler: async (_request, reply) => {
      const checks = await Promise.all(deps.checks.map(async (check) => [check.name, await answerOf(check)] as const))
      const ready = checks.every(([, ok]) => ok)
      return reply
        .code(ready ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status: ready ? 'ready' : 'not ready', checks: Object.fromEntries(checks) })
    },
  })
}

/** A check that throws says no. */
async function answerOf(check: ReadyCheck): Promise<boolean> {
  try {
    return await check.ok()
  } catch {
    return false
  }
}
