// The operations of the control socket for the page: the same list, the same words, each for the role that it names.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Control, checkedInput } from '#gateway/control/control.ts'
import { ControlRefusal } from '#gateway/control/control-refusal.ts'
import { withOwnPassword } from '#gateway/control/operation-fields.ts'
import { ASKS_OWN_PASSWORD, CONSOLE_FIELDS, OPERATIONS } from '#gateway/control/operations.ts'
import { type PasswordCheck, requireOwnPassword } from './own-password.ts'

export interface OperationRoutesOptions extends PasswordCheck {
  control: Pick<Control, 'perform'>
  /** A session may have ended. */
  sessionsEnded: () => void
}

/** A logo or a backup in base64, or 200 routing rules. */
const BODY_LIMIT = 1_048_576

export function operationRoutes(app: FastifyInstance, options: OperationRoutesOptions): void {
  const { control, sessionsEnded } = options
  for (const [name, { role }] of Object.entries(OPERATIONS)) {
    if (role === 'console') continue
    const asksPassword = ASKS_OWN_PASSWORD.some((one) => one === name)
    app.post(`/api/v1/${name}`, { config: { openTo: role }, bodyLimit: BODY_LIMIT }, async (request, reply) => {
      const { asker } = request
      refuseConsoleFields(request.body)
      const { ownPassword: typed, ...input } = asksPassword
        ? checkedInput(withOwnPassword, request.body)
        : { ownPassword: '' }
      if (asksPassword && !(await requireOwnPassword(options, request, { typed, reply, field: 'ownPassword' })))
        return reply
      const who = asker.session ? { name: asker.session.name, role: asker.session.role } : 'page'
      const result =
        (await control.perform(name, asksPassword ? input : request.body, { asker: who, signal: goneSignal(reply) })) ??
        null
      if (name.startsWith('users.')) sessionsEnded()
      return { result }
    })
  }
}

/** Aborted when the connection ends before the answer. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => raw.writableFinished || gone.abort())
  return gone.signal
}

/** @throws ControlRefusal */
function refuseConsoleFields(body: unknown): void {
  const given = typeof body === 'object' && body !== null ? body : {}
  const field = CONSOLE_FIELDS.find((name) => Object.hasOwn(given, name))
  if (field === undefined) return
  throw new ControlRefusal('refused', `${field}: only the command line on the box itself may say so.`, {
    said: { key: 'console.only' },
  })
}
