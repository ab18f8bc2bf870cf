// The hooks that telephone companies call: every request is verified by its signature over our own address before anything in it is used. Size, type and number of fields are checked first.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { ZodError, z } from 'zod'
import type { App } from '#cloud/api/app.ts'
import { isCallable } from '#cloud/receptionist/allowed-numbers.ts'
import type { HookNumber, HookSinks } from '#cloud/receptionist/hook-sinks.ts'
import { sorry } from '#cloud/receptionist/moves.ts'
import { type CallHook, inputKeyOf, type Receptionist } from '#cloud/receptionist/receptionist.ts'
import { wordsIn } from '#cloud/receptionist/words/words-in.ts'
import type { CallStore, HookLook } from '#cloud/storage/call-store.ts'
import { HOOKS_PATH, hooksOf } from '#cloud/telephony/hook-address.ts'
import type { Telephones } from '#cloud/telephony/telephones.ts'
import {
  type CallStep,
  HOOK_STEPS,
  type HookAnswer,
  type HookNews,
  type HookRequest,
  type HookStep,
  type Telephony,
} from '#cloud/telephony/telephony.ts'
import type { Clock } from '#shared/clock.ts'
import { E164 } from '#shared/e164.ts'
import { ServiceError } from '#shared/errors.ts'

export interface HookRouteDeps {
  calls: Pick<CallStore, 'look'>
  answers: Pick<Receptionist, 'take'>
  sinks: HookSinks
  telephony: Pick<Telephones, 'verified'>
  /** The address that companies were told to call, without a slash at the end; known once the relay listens. */
  receptionistUrl: () => string
  /** Codes such as `+1`: CLOUD_SMS_COUNTRIES. */
  countries: readonly string[]
  clock: Clock
}

declare module 'fastify' {
  interface FastifyRequest {
    /** On hooks that were verified: from whom it is, and its form. */
    hook: { telephony: Telephony; request: HookRequest } | null
  }
}

/** What companies send; an order is never sent here. */
const BODY_BYTES = 65_536
/** A company sends 40. Each further one costs a stranger nothing and us its parsing and sorting: a body has room for 32,000. */
const MOST_FIELDS = 200
const WRONG_TYPE = 'Send the body as application/x-www-form-urlencoded or application/json.'
const NO_MORE: readonly CallStep[] = []
const UTF8 = new TextDecoder('utf-8', { fatal: true })

const params = z.object({ numberId: z.string().max(64) })
/** Of the fallback: what it needs to know stands in its address, because it is asked when the database cannot be. */
const fallbackQuery = z.object({
  to: z.string().regex(E164).optional().catch(undefined),
  language: z.enum(['en', 'es']).catch('en'),
})

export function hookRoutes(app: App, deps: HookRouteDeps): void {
  app.decorateRequest('hook', null)
  // A scope of its own: nothing else of the relay reads forms, and hooks are nothing else.
  app.register((scope: App, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'application/json'],
      { parseAs: 'buffer' },
      (request, body, read) => {
        const bytes = body as Buffer
        request.bodyBytes = bytes.length
        try {
          read(null, textOf(bytes, request))
        } catch (refusal) {
          read(refusal as Error)
        }
      },
    )
    scope.addContentTypeParser('*', (_request, _body, read) => {
      read(new ServiceError('request.unsupported_media_type', { message: WRONG_TYPE }))
    })
    for (const step of HOOK_STEPS) {
      scope.route({
        method: 'POST',
        url: `${HOOKS_PATH}/:numberId/${step}`,
        bodyLimit: BODY_BYTES,
        config: { access: 'provider', isGenuine: (request) => verify(request, deps) },
        schema: { params },
        handler: (request, reply) => answer(step, request, { reply, deps, numberId: request.params.numberId }),
      })
    }
    done()
  })
}

/** @throws ServiceError request.malformed (400): no UTF-8, or a form of more fields than a hook has */
function textOf(bytes: Buffer, request: FastifyRequest): string {
  let text: string
  try {
    text = UTF8.decode(bytes)
  } catch {
    throw new ServiceError('request.malformed', { message: 'The body is not valid UTF-8.' })
  }
  if (isForm(request) && text.split('&', MOST_FIELDS + 1).length > MOST_FIELDS)
    throw new ServiceError('request.malformed', { message: `A hook has at most ${MOST_FIELDS} fields.` })
  return text
}

function isForm({ headers }: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '')
}

function verify(request: FastifyRequest, { telephony, receptionistUrl, clock }: HookRouteDeps): boolean {
  const body = typeof request.body === 'string' ? request.body : ''
  const asked: HookRequest = {
    url: `${receptionistUrl()}${request.url}`,
    headers: request.headers,
    body,
    form: isForm(request) ? [...new URLSearchParams(body)] : [],
    nowMs: clock.now(),
  }
  const company = telephony.verified(asked)
  if (company !== null) request.hook = { telephony: company, request: asked }
  return company !== null
}

async function answer(
  step: HookStep,
  { hook, query }: FastifyRequest,
  { reply, deps, numberId }: { reply: FastifyReply; deps: HookRouteDeps; numberId: string },
): Promise<FastifyReply> {
  if (hook === null) throw new Error('a hook was not verified')
  const { telephony, request } = hook
  const hooks = hooksOf(deps.receptionistUrl(), numberId)
  const plain = (steps: readonly CallStep[], language: 'en' | 'es' = 'en'): HookAnswer =>
    telephony.render(steps, { hooks, speech: { language: wordsIn(language).tag, voice: null }, turn: 0 })
  if (step === 'fallback') {
    const { to, language } = fallbackQuery.parse(query)
    // It was allowed when the company was told the address: the operator may have narrowed the countries since.
    const called = to !== undefined && isCallable(to, deps.countries) ? to : null
    return send(reply, plain(sorry(language, called), language))
  }
  const news = readNews(telephony, step, request)
  const input = news?.about === 'call' ? inputKeyOf(step, news.call) : null
  const look = await deps.calls.look(numberId, input)
  // A number of another company, or of none any more: nobody but them knows that it was there.
  if (look === null || look.provider !== telephony.provider)
    throw new ServiceError('request.not_found', { message: 'No telephone number has this id.' })
  if (news?.about === 'call') {
    const told: CallHook = { step, call: news.call, look, hooks, telephony }
    return send(reply, await deps.answers.take(told))
  }
  if (news?.about === 'recording') await deps.sinks.recording(numberOf(look), news.recording)
  if (news?.about === 'text') await deps.sinks.text(numberOf(look), news.text)
  return send(reply, plain(NO_MORE))
}

/** @throws ServiceError request.invalid (422): the company sends another form than it documents */
function readNews(telephony: Telephony, step: HookStep, request: HookRequest): HookNews | null {
  try {
    return telephony.read(step, request)
  } catch (error) {
    if (!(error instanceof ZodError)) throw error
    const fields = error.issues.map(({ path, message }) => ({ field: path.join('.') || 'body', message }))
    throw new ServiceError('request.invalid', { errors: fields })
  }
}

const numberOf = ({ numberId: id, merchantKey, e164 }: HookLook): HookNumber => ({ id, merchantKey, e164 })

function send(reply: FastifyReply, { status, type, body }: HookAnswer): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').type(type).send(body)
}
