// The kitchen displays' own routes: sign-in by a one-time code, the live feed, actions, heartbeats. A display's token opens nothing else.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kitchen } from '#gateway/kitchen/kitchen.ts'
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { Clock } from '#shared/clock.ts'
import { cookieFor, storedForm } from '#shared/pages/cookies.ts'
import { displaySignIn, kitchenActs, kitchenPresence, readFromDisplay } from '#shared/wire/kitchen.ts'
import { DISPLAY_COOKIE } from './cookie-names.ts'
import { KitchenFeed } from './kitchen-feed.ts'
import { refuse } from './refusal.ts'

export interface KitchenRoutesDeps {
  kitchen: Kitchen
  clock: Clock
}

const TEN_YEARS_MS = 315_360_000_000
const BODY_BYTES = 65_536
/** Wrong codes in a minute from one address: guesses must not lock out other screens. */
const WRONG_CODES_A_MINUTE = 20
/** From all addresses together: a code has 40 bits and is valid for a quarter of an hour, so it cannot be guessed. */
const ALL_WRONG_CODES_A_MINUTE = 2_000

/** Host, origin and token were checked by the guard. */
export function kitchenRoutes(app: FastifyInstance, deps: KitchenRoutesDeps): void {
  const { kitchen } = deps
  const feed = new KitchenFeed(deps)
  app.addHook('onClose', async () => feed.close())
  signInRoute(app, deps, feed)
  const options = { config: { openTo: 'display' }, bodyLimit: BODY_BYTES } as const

  app.get('/kitchen/api/live', options, async (request, reply) => {
    const display = displayOf(request, reply)
    if (display) await feed.open(display, reply)
    return reply
  })

  app.post('/kitchen/api/acts', options, async (request, reply) => {
    const display = displayOf(request, reply)
    const input = display && read(kitchenActs, request, reply)
    if (!display || !input) return reply
    await kitchen.board.catchUp()
    return reply.send({ results: kitchen.act(display, input.acts) })
  })

  app.post('/kitchen/api/here', options, async (request, reply) => {
    const display = displayOf(request, reply)
    const input = display && read(kitchenPresence, request, reply)
    if (!display || !input) return reply
    // It counts as connected, however long the board takes.
    kitchen.presence.heard(display.displayId, input.onShift)
    await kitchen.board.catchUp()
    // What only runners or guests have seen, no cook has seen.
    kitchen.present(display, display.kind === 'kitchen' ? input : { ...input, rendered: [], noticed: [] })
    return reply.send({ nowMs: kitchen.nowMs() })
  })
}

function signInRoute(app: FastifyInstance, { kitchen, clock }: KitchenRoutesDeps, feed: KitchenFeed): void {
  const throttle = new WrongCodes(clock)
  app.post('/kitchen/api/sign-in', { config: { openTo: 'anyone' }, bodyLimit: BODY_BYTES }, async (request, reply) => {
    const input = read(displaySignIn, request, reply)
    if (!input) return reply
    if (throttle.isShut(request.ip)) return refuse(reply.code(429), 'throttled', 'Too many wrong codes. Wait a minute.')
    const claimed = kitchen.displays.claim(input.code, kitchen.nowMs(), (token) => storedForm(request, token))
    if (!claimed) {
      throttle.count(request.ip)
      return refuse(
        reply.code(401),
        'wrong-code',
        'This code is not known, or it was used, or it is older than 15 minutes. Ask for a new one.',
      )
    }
    const { displayId, name } = claimed.display
    feed.drop(displayId)
    reply.header(
      'set-cookie',
      cookieFor(request, { name: DISPLAY_COOKIE, token: claimed.token, maxAgeMs: TEN_YEARS_MS }),
    )
    return reply.send({ displayId, name })
  })
}

/** Null: the answer is on its way. */
function displayOf({ asker }: FastifyRequest, reply: FastifyReply): DisplayRecord | null {
  if (!asker.display)
    refuse(reply.code(401), 'signed-out', 'This screen is not signed in. Open it with the code of a display.')
  return asker.display
}

/** Null: the answer is on its way. */
function read<S extends Parameters<typeof readFromDisplay>[0]>(
  schema: S,
  request: FastifyRequest,
  reply: FastifyReply,
): S['_zod']['output'] | null {
  const input = readFromDisplay(schema, request.body)
  if ('data' in input) return input.data
  refuse(reply.code(400), 'invalid', input.fault)
  return null
}

class WrongCodes {
  readonly #clock: Clock
  #minute = -1
  #all = 0
  readonly #byAddress = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  isShut(address: string): boolean {
    this.#turn()
    return this.#all >= ALL_WRONG_CODES_A_MINUTE || (this.#byAddress.get(address) ?? 0) >= WRONG_CODES_A_MINUTE
  }

  count(address: string): void {
    this.#turn()
    this.#all++
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1)
  }

  #turn(): void {
    const minute = Math.floor(this.#clock.monotonicMs() / 60_000)
    if (minute === this.#minute) return
    this.#minute = minute
    this.#all = 0
    this.#byAddress.clear()
  }
}
