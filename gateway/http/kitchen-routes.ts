// The kitchen displays' own routes: sign-in by a one-time code, the live feed, acts, signs of life. A display's token reaches nothing else.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kitchen } from '#gateway/kitchen/kitchen.ts'
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { displaySignIn, kitchenActs, kitchenPresence, readFromDisplay } from '#shared/wire/kitchen.ts'
import { KITCHEN_TIMES } from '#shared/wire/kitchen-acts.ts'
import { KitchenFeed } from './kitchen-feed.ts'

export interface KitchenRoutesDeps {
  kitchen: Kitchen
  clock: Clock
}

const COOKIE = 'ticketrail_display'
const TEN_YEARS_S = 315_360_000
const BODY_BYTES = 65_536
/** Wrong codes that all screens together may try in a minute: a code has 40 bits and lives for a quarter of an hour. */
const WRONG_CODES_A_MINUTE = 20

export function kitchenRoutes(app: FastifyInstance, deps: KitchenRoutesDeps): void {
  const { kitchen } = deps
  const feed = new KitchenFeed(deps)
  app.addHook('onClose', async () => feed.close())
  const options = { config: { access: 'display' }, bodyLimit: BODY_BYTES } as const

  const throttle = new WrongCodes(deps.clock)
  app.post('/kitchen/api/sign-in', { ...options, config: { access: 'anyone' } }, async (request, reply) => {
    if (!isOwnWrite(request)) return refuse(reply, 403, FROM_ELSEWHERE)
    const input = read(displaySignIn, request, reply)
    if (!input) return reply
    if (throttle.isShut()) return refuse(reply, 429, 'Too many wrong codes. Wait a minute.')
    const claimed = kitchen.displays.claim(input.code, kitchen.nowMs())
    if (!claimed) {
      throttle.count()
      return refuse(
        reply,
        401,
        'This code is not known, or it was used, or it is older than 15 minutes. Ask for a new one.',
      )
    }
    feed.drop(claimed.display.displayId)
    reply.header(
      'set-cookie',
      `${COOKIE}=${claimed.token}; Path=/kitchen; Max-Age=${TEN_YEARS_S}; HttpOnly; SameSite=Strict`,
    )
    return reply.send({ displayId: claimed.display.displayId, name: claimed.display.name })
  })

  app.get('/kitchen/api/live', options, (request, reply) => {
    const display = displayOf(kitchen, request)
    if (!display) {
      void refuse(reply, 401, NOT_SIGNED_IN)
      return
    }
    feed.open(display, request, reply)
  })

  app.post('/kitchen/api/acts', options, async (request, reply) => {
    const display = writer(kitchen, request, reply)
    const input = display && read(kitchenActs, request, reply)
    if (!display || !input) return reply
    return reply.send({ results: kitchen.act(display, input.acts) })
  })

  app.post('/kitchen/api/here', options, async (request, reply) => {
    const display = writer(kitchen, request, reply)
    const input = display && read(kitchenPresence, request, reply)
    if (!display || !input) return reply
    kitchen.present(display, input)
    return reply.send({ nowMs: kitchen.nowMs(), deadAfterMs: KITCHEN_TIMES.deadAfterMs })
  })
}

const NOT_SIGNED_IN = 'This screen is not signed in. Open the kitchen page with the code of a display.'
const FROM_ELSEWHERE = 'This request comes from another page.'

/** A display that may write: signed in, and from our own page. Null: the answer is on its way. */
function writer(kitchen: Kitchen, request: FastifyRequest, reply: FastifyReply): DisplayRecord | null {
  if (!isOwnWrite(request)) {
    void refuse(reply, 403, FROM_ELSEWHERE)
    return null
  }
  const display = displayOf(kitchen, request)
  if (!display) void refuse(reply, 401, NOT_SIGNED_IN)
  return display
}

/** JSON from a page of this machine. A page elsewhere can send neither without our leave, and we give none. */
function isOwnWrite({ headers }: FastifyRequest): boolean {
  if (!headers['content-type']?.startsWith('application/json')) return false
  if (headers.origin === undefined) return true
  try {
    return new URL(headers.origin).host === headers.host
  } catch {
    return false
  }
}

function displayOf(kitchen: Kitchen, { headers }: FastifyRequest): DisplayRecord | null {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [name, value] = part.trim().split('=')
    if (name === COOKIE && value) return kitchen.displays.byToken(value)
  }
  return null
}

/** Null: the answer is on its way. */
function read<S extends Parameters<typeof readFromDisplay>[0]>(
  schema: S,
  request: FastifyRequest,
  reply: FastifyReply,
): S['_zod']['output'] | null {
  const input = readFromDisplay(schema, request.body)
  if ('data' in input) return input.data
  void refuse(reply, 400, input.fault)
  return null
}

const CODES = {
  400: 'request.invalid',
  401: 'auth.invalid_token',
  403: 'auth.insufficient_scope',
  429: 'rate_limit.exceeded',
} as const satisfies Record<number, ErrorCode>

function refuse(reply: FastifyReply, status: keyof typeof CODES, message: string): FastifyReply {
  return reply.code(status).send({ code: CODES[status], message, status })
}

class WrongCodes {
  readonly #clock: Clock
  #minute = -1
  #wrong = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  isShut(): boolean {
    return this.#current() && this.#wrong >= WRONG_CODES_A_MINUTE
  }

  count(): void {
    if (!this.#current()) this.#wrong = 0
    this.#minute = this.#now()
    this.#wrong++
  }

  #current(): boolean {
    return this.#minute === this.#now()
  }

  #now(): number {
    return Math.floor(this.#clock.monotonicMs() / 60_000)
  }
}
