// How the page's routes refuse: a code for the page, words for people.
import type { FastifyReply } from 'fastify'
import {
  type ControlRefusal,
  type FieldRefusal,
  REFUSAL_STATUS,
  type RefusalKind,
  type Said,
} from '#gateway/control/control-refusal.ts'

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

// Which field of a form a refusal is about, so that the page can show it there. Pure.
const BY_CASE: Readonly<Record<string, string>> = {
  'printer.name-taken': 'name',
  'printer.wrong-number': 'code',
  'printer.no-number': 'code',
  'printer.unknown-backup': 'backupPrinterId',
  'printer.backup-is-itself': 'backupPrinterId',
  'address.itself': 'host',
  'address.link-local': 'host',
  'address.group': 'host',
  'address.nobody': 'host',
  'address.elsewhere': 'host',
  'address.port': 'port',
  'user.name-taken': 'name',
  'user.last-technician': 'role',
  'display.name-taken': 'name',
  'pairing.bad-code': 'code',
  'pairing.code-refused': 'code',
  'pairing.no-relay': 'relayUrl',
  'test-order.numbers-gone': 'number',
  'test-order.unknown-number': 'number',
  'test-order.other-printer': 'code',
  'backup.needs-passphrase': 'passphrase',
  'backup.wrong-passphrase': 'passphrase',
  'backup.unknown-person': 'people',
  'backup.plain-people': 'people',
  'report.days': 'to',
}

const BY_CODE: Readonly<Record<string, string>> = { 'wrong-code': 'code', 'wrong-password': 'password' }

/** @param code of the refusal @param key of the very case, where there is one @returns the name of the field as it is sent; null: it is about no single field */
export function refusedField(code: string, key: string | undefined): string | null {
  if (key !== undefined) return entry(BY_CASE, key)
  return entry(BY_CODE, code)
}

function entry(table: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(table, key) ? (table[key] ?? null) : null
}
