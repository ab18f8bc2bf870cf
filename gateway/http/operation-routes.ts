// The operations of the control socket for the page: the same list, the same words, each for the role that it names.
import type { FastifyInstance } from 'fastify'
import type { Control } from '#gateway/control/control.ts'
import { OPERATIONS } from '#gateway/control/operations.ts'

export interface OperationRoutesOptions {
  control: Pick<Control, 'perform'>
  /** Somebody's session may have ended. */
  sessionsEnded: () => void
}

/** A logo or a backup in base64, or 200 routing rules. */
const BODY_LIMIT = 1_048_576

export function operationRoutes(app: FastifyInstance, { control, sessionsEnded }: OperationRoutesOptions): void {
  for (const [name, { role }] of Object.entries(OPERATIONS)) {
    if (role === 'console') continue
    app.post(`/api/v1/${name}`, { config: { openTo: role }, bodyLimit: BODY_LIMIT }, async ({ body, asker }) => {
      const who = asker.session ? `${asker.session.name} (${asker.session.role})` : 'page'
      const result = (await control.perform(name, body, who)) ?? null
      if (name.startsWith('users.')) sessionsEnded()
      return { result }
    })
  }
}
