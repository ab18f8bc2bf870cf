// Answers a POST exactly once: with an Idempotency-Key the effect and its answer are one commit, and a repetition gets that answer again.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Principal } from '#cloud/auth/api-keys.ts'
import { bodyHash, isHashOf } from '#cloud/orders/body-hash.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import { holdName } from '#cloud/storage/hold.ts'
import type { IdempotencyKey, IdempotencyStore, StoredAnswer } from '#cloud/storage/idempotency-store.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { idempotencyKey } from '#shared/wire/api/fields.ts'
import { principalOf } from './app.ts'

export interface AnswerOnceDeps {
  db: RelayDatabase
  idempotency: IdempotencyStore
  secretBox: SecretBox
  clock: Clock
}

export interface AnswerOptions<T> {
  /** Of a success, now and at every repetition; 200 if absent. */
  status?: number
  /** Checks that use the network, such as a name server: before the transaction, and not for a repetition. It may refuse. */
  before?: () => Promise<void>
  /** The answer shows a secret: it is sealed in the database. */
  secret?: boolean
  /** Headers that follow from the answer, such as `location`. */
  headers?: (answer: T) => Readonly<Record<string, string>>
  /**
   * Of a call without a key that was stored but refused: the same body is taken for its repetition for `REPEATED_MS`, as long as this is true
   * of its answer. A client that tries again after a 503 would do the same thing twice otherwise. Always false if absent.
   */
  stillWaits?: (tx: Tx, answer: T) => Promise<boolean>
}

export type RepeatDeps = Pick<AnswerOnceDeps, 'idempotency' | 'clock'>

type PostRequest = { principal: Principal | null; url: string; headers: IncomingHttpHeaders; body: unknown }

/** How long a key is known. */
const KEEP_MS = 24 * 3_600_000

/** How long a body without a key is remembered: far longer than HTTP clients retry. */
const REPEATED_MS = 600_000

const CALL = { name: 'call' } as const

/**
 * Runs `work` in one unit, fires its wake and answers. The header `Idempotency-Key` is optional: under a key that this account has used
 * at this path with the same body, nothing is done and the first answer is given again, its very text, with `Idempotent-Replayed: true`.
 * A refusal thrown by `work` is not kept. `Effect.refusal` is thrown after the commit; a repetition of such a call gets the answer.
 * The handler is `async (request, reply) => answerOnce(...)`: without `async` its type does not fit.
 * @param work awaits nothing but its own queries (RelayDatabase.unit)
 * @throws ServiceError request.invalid (422): the header; request.idempotency_mismatch (409): the key came with another body before
 */
export async function answerOnce<T>(
  deps: AnswerOnceDeps,
  work: (tx: Tx) => Promise<Effect<T>>,
  { request, reply, ...options }: { request: PostRequest; reply: FastifyReply } & AnswerOptions<T>,
): Promise<FastifyReply> {
  const { status = 200, secret = false, before, stillWaits } = options
  reply.code(status)
  const body = request.body ?? {}
  const key = keyOf(request)
  if (key === null && stillWaits === undefined) {
    await before?.()
    const effect = await deps.db.unit(work, CALL)
    return send(reply, { answer: told(effect), text: reply.serialize(effect.answer), options })
  }
  const hash = bodyHash(body)
  const wanted = key ?? nameOf(request, `without a key: ${hash}`)
  const earlier = key === null ? null : await deps.idempotency.find(key, deps.clock.now())
  if (earlier !== null) return replay(deps, reply, { stored: matching(earlier, body), options })
  await before?.()

  const outcome = await deps.db.unit(async (tx) => {
    const nowMs = deps.clock.now()
    await holdName(tx, 'idempotency', wanted.accountId, wanted.environment, wanted.path, wanted.key)
    const stored = await deps.idempotency.find(wanted, nowMs, tx)
    const isRepeated = stored !== null && (key !== null || (await stillWaits?.(tx, JSON.parse(stored.response) as T)))
    if (isRepeated === true) return { stored: matching(stored, body) }
    const effect = await work(tx)
    const text = String(reply.serialize(effect.answer))
    if (key === null && effect.refusal === undefined) return { effect, text }
    await deps.idempotency.insert(tx, {
      ...rowOf(wanted, nowMs, key === null ? REPEATED_MS : KEEP_MS),
      body_hash: hash,
      status,
      response: secret ? deps.secretBox.seal(text) : text,
      sealed: secret ? 1 : 0,
    })
    return { effect, text }
  }, CALL)
  if ('stored' in outcome) return replay(deps, reply, { stored: outcome.stored, options })
  return send(reply, { answer: told(outcome.effect), text: outcome.text, options })
}

/** Whether `answerOnce` has an answer to this call, or a refusal because its key came with another body: neither stores anything. */
export async function wasAnswered({ idempotency, clock }: RepeatDeps, request: PostRequest): Promise<boolean> {
  const wanted = keyOf(request)
  return wanted !== null && (await idempotency.find(wanted, clock.now())) !== null
}

/**
 * What an `Idempotency-Key` adds to an inject, whose orderId already recognises repetitions: for 24 hours it belongs to one body.
 * @returns what `injectOrder` writes together with the order; undefined without the header
 * @throws ServiceError request.invalid (422): the header; request.idempotency_mismatch (409), also later in the transaction
 */
export async function keyOfInject(
  deps: Pick<AnswerOnceDeps, 'idempotency' | 'clock'>,
  request: PostRequest,
): Promise<((tx: Tx, result: string) => Promise<void>) | undefined> {
  const wanted = keyOf(request)
  if (wanted === null) return undefined
  const earlier = await deps.idempotency.find(wanted, deps.clock.now())
  if (earlier !== null) matching(earlier, request.body)
  return async (tx, result) => {
    const nowMs = deps.clock.now()
    await holdName(tx, 'idempotency', wanted.accountId, wanted.environment, wanted.path, wanted.key)
    const stored = await deps.idempotency.find(wanted, nowMs, tx)
    // Under a key that has been used with this very body the order is taken already, so that body is not stored again.
    if (stored !== null) return void matching(stored, request.body)
    const answer = { body_hash: bodyHash(request.body), status: 200, response: result, sealed: 0 as const }
    await deps.idempotency.insert(tx, { ...rowOf(wanted, nowMs, KEEP_MS), ...answer })
  }
}

/** The transaction is on disk: waiting parts are woken, and the answer, or the refusal that belongs to it, is sent. */
function told<T>({ answer, wake, refusal }: Effect<T>): T {
  wake?.()
  if (refusal !== undefined) throw refusal
  return answer
}

function keyOf(request: PostRequest): IdempotencyKey | null {
  const header = request.headers['idempotency-key']
  if (header === undefined) return null
  const key = idempotencyKey.safeParse(header)
  if (!key.success) {
    const message = key.error.issues[0]?.message ?? 'is not valid'
    throw new ServiceError('request.invalid', { errors: [{ field: 'Idempotency-Key', message }] })
  }
  return nameOf(request, key.data)
}

/** @param key a client's own holds no blank, so one with a blank is never a client's */
function nameOf(request: PostRequest, key: string): IdempotencyKey {
  const { accountId, environment } = principalOf(request)
  return { accountId, environment, path: request.url.split('?', 1)[0] ?? '', key }
}

/** The columns of a stored answer that do not depend on it. */
function rowOf({ accountId, environment, path, key }: IdempotencyKey, nowMs: number, keptMs: number) {
  return { account_id: accountId, environment, path, key, created_at: nowMs, expires_at: nowMs + keptMs }
}

function matching(stored: StoredAnswer, body: unknown): StoredAnswer {
  if (!isHashOf(stored.body_hash, body)) throw new ServiceError('request.idempotency_mismatch')
  return stored
}

function replay<T>(
  deps: AnswerOnceDeps,
  reply: FastifyReply,
  { stored, options }: { stored: StoredAnswer; options: AnswerOptions<T> },
): FastifyReply {
  const text = stored.sealed === 1 ? deps.secretBox.open(stored.response) : stored.response
  reply.code(stored.status).header('idempotent-replayed', 'true')
  return send(reply, { answer: JSON.parse(text) as T, text, options })
}

function send<T>(
  reply: FastifyReply,
  { answer, text, options }: { answer: T; text: string | ArrayBuffer | Buffer; options: AnswerOptions<T> },
): FastifyReply {
  reply.headers({ ...options.headers?.(answer) })
  // Text, not an object: a repetition gives the very bytes of the first answer.
  return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(text)
}
