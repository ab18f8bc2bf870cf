// How the page's routes refuse: a code for the page, words for people.
import type { FastifyReply } from 'fastify'
import {
  type ControlRefusal,
  type FieldRefusal,
  REFUSAL_STATUS,
  type RefusalKind,
  type Said,
} from '#gateway/control/control-refusal.ts'
import { refusedField } from './refused-field.ts'

export type RefusalCode =
  | RefusalKind
  | 'signed-out'
  | 'setup'
  | 'forbidden'
  | 'origin'
  | 'throttled'
  | 'wrong-password'
  | 'wrong-code'
  | 'internal'
  | 'busy'
  | 'host'
  | 'https'
  | 'method'

export interface RefusalExtra {
  errors?: readonly FieldRefusal[]
  /** For pages in other languages than English. */
  said?: Said
  retryAfterSeconds?: number
  /** The field that it is about, unless the key has it already (refused-field.ts). */
  field?: string
}

/**
 * @param reply has its status already: `reply.code(403)`
 * @param said the sentence, with more fields if there are any
 */
export function refuse(
  reply: FastifyReply,
  code: RefusalCode,
  said: string | ({ message: string } & RefusalExtra),
): FastifyReply {
  const extra: { message: string } & RefusalExtra = typeof said === 'string' ? { message: said } : said
  const field = extra.field ?? refusedField(code, extra.said?.key)
  if (extra.retryAfterSeconds !== undefined) reply.header('retry-after', String(extra.retryAfterSeconds))
  return reply.type('application/json; charset=utf-8').send({ code, ...extra, ...(field !== null && { field }) })
}

/** As the control socket refuses it. */
export function refuseOperation(reply: FastifyReply, { kind, message, errors, said }: ControlRefusal): FastifyReply {
  const again = kind === 'busy' && { retryAfterSeconds: 5 }
  return refuse(reply.code(REFUSAL_STATUS[kind]), kind, { message, errors, ...(said && { said }), ...again })
}
