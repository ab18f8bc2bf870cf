// /healthz: the process answers. /readyz: it can take orders now. Monitors ask by GET or HEAD.
import type { App } from './app.ts'

/** One question of /readyz: its name and whether the answer is yes. */
export interface ReadyCheck {
  name: string
  ok: () => boolean | Promise<boolean>
}

export interface HealthDeps {
  checks: readonly ReadyCheck[]
  /** What an operator should fix before a check fails. */
  warnings: () => readonly string[]
}

export function healthRoutes(app: App, deps: HealthDeps): void {
  app.route({
    method: 'GET',
    url: '/healthz',
    exposeHeadRoute: true,
    config: { access: 'public', probe: true },
    handler: (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  })
  app.route({
    method: 'GET',
    url: '/readyz',
    exposeHeadRoute: true,
    config: { access: 'public', probe: true },
    handler: async (_request, reply) => {
      const checks = await Promise.all(deps.checks.map(async (check) => [check.name, await answerOf(check)] as const))
      const ready = checks.every(([, ok]) => ok)
      return reply
        .code(ready ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status: ready ? 'ready' : 'not ready', checks: Object.fromEntries(checks), warnings: deps.warnings() })
    },
  })
}

/** A check that throws counts as failed. */
async function answerOf(check: ReadyCheck): Promise<boolean> {
  try {
    return await check.ok()
  } catch {
    return false
  }
}
