// Sessions of the page: creating the first user, sign-in, sign-out, another password.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BoxAccess } from '#gateway/control/box-access.ts'
import { checkedInput } from '#gateway/control/control.ts'
import { firstUser, passwordChange, signIn as signInFields } from '#gateway/control/operation-fields.ts'
import { refuseWeakPassword } from '#gateway/control/password-rules.ts'
import type { SessionRecord } from '#gateway/storage/session-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import { toIso } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { cookieFor, storedForm, tokenFrom } from '#shared/pages/cookies.ts'
import { isDeviceToken, newDeviceToken } from '#shared/pages/device-token.ts'
import { isPasswordHash } from '#shared/pages/passwords.ts'
import type { SignInThrottle } from '#shared/pages/sign-in-throttle.ts'
import { DEVICE_COOKIE, SESSION_COOKIE } from './cookie-names.ts'
import { refuseIfThrottled, requireOwnPassword } from './own-password.ts'
import { refuse } from './refusal.ts'
import { LONGEST_MS, type Sessions } from './sessions.ts'

export interface SessionRoutesOptions {
  access: BoxAccess
  sessions: Sessions
  throttle: SignInThrottle
  about: () => { app: string; gatewayId: string; merchantName: string }
  time: TimeSource
  log: Logger
  /** A session has ended. */
  sessionsEnded: () => void
}

/** What the page asks first. */
export interface SessionAnswer {
  state: 'setup' | 'signed-out' | 'signed-in'
  user: { userId: string; name: string; role: 'technician' | 'manager' } | null
  box: { name: string; language: string; app: string; gatewayId: string; merchantName: string }
  time: string
}

const BODY_LIMIT = 4_096
/** In place of a name, where none is asked for. */
const SETUP = 'set-up code'
const DEVICE_MS = 365 * 24 * 3_600_000

export function sessionRoutes(app: FastifyInstance, options: SessionRoutesOptions): void {
  const { sessions, sessionsEnded, log } = options
  const signIn = { config: { openTo: 'sign-in' }, bodyLimit: BODY_LIMIT } as const

  app.get('/api/v1/session', signIn, async ({ asker }) => answer(options, asker.session))

  app.post('/api/v1/setup', { ...signIn, config: { openTo: 'first-user' } }, (request, reply) =>
    setUp(options, request, reply),
  )

  app.post('/api/v1/session', signIn, (request, reply) => enter(options, request, reply))

  app.delete('/api/v1/session', signIn, async (request, reply) => {
    const { session } = request.asker
    if (session) {
      sessions.end(session)
      sessionsEnded()
      log.info({ who: session.name }, 'signed out')
    }
    reply.header('set-cookie', cookieFor(request, { name: SESSION_COOKIE, token: '', maxAgeMs: 0 }))
    return answer(options, null)
  })

  app.post('/api/v1/session/password', { ...signIn, config: { openTo: 'manager' } }, (request, reply) =>
    changePassword(options, request, reply),
  )
}

async function setUp(options: SessionRoutesOptions, request: FastifyRequest, reply: FastifyReply) {
  const { access, throttle, time, log } = options
  const { users, setupCode, passwords } = access
  const taken = () =>
    refuse(reply.code(409), 'refused', {
      message: 'This box has its first user already: sign in, or ask a technician.',
      said: { key: 'setup.taken' },
    })
  if (users.count() > 0) return taken()
  const { code, name, password } = checkedInput(firstUser, request.body)
  const trier = { address: request.ip, name: SETUP, device: null }
  const waiting = refuseIfThrottled(options, trier, reply)
  if (waiting) return waiting
  throttle.begun(trier)
  const typed = setupCode.check(code)
  if (typed !== 'right') {
    log.warn({ address: request.ip }, 'a wrong set-up code was typed')
    const message =
      typed === 'wrong'
        ? 'That is not the set-up code. Look again.'
        : 'There is no set-up code, or it was typed wrong too often: have a new one made on the box (admin setup-code).'
    return refuse(reply.code(403), 'wrong-code', message)
  }
  throttle.succeeded(trier)
  await refuseWeakPassword('password', password, [...knownWords(options, name), code])
  const added = users.addFirst({ name, password: await passwords.hash(password) }, time.now())
  if (!added.ok) return taken()
  setupCode.used()
  log.info({ who: added.user.name }, 'the first user was made')
  return welcome(options, { request, reply, userId: added.user.userId })
}

async function enter(options: SessionRoutesOptions, request: FastifyRequest, reply: FastifyReply) {
  const { access, throttle, log } = options
  const { users, passwords } = access
  const { name, password } = checkedInput(signInFields, request.body)
  if (users.count() === 0) return refuse(reply.code(401), 'setup', 'This box has no user yet: type in the set-up code.')
  const known = users.forSignIn(name.trim())
  const trier = { address: request.ip, name, device: deviceOf(request, known?.password) }
  const waiting = refuseIfThrottled(options, trier, reply)
  if (waiting) return waiting
  throttle.begun(trier)
  if (known && !isPasswordHash(known.password))
    log.warn({ userId: known.user.userId }, 'a stored password cannot be checked: a technician must set a new one')
  if (!(await passwords.matches(password, known?.password ?? null)) || !known) {
    // Not the name: people type passwords there.
    log.warn({ address: request.ip }, 'a sign-in was refused')
    return refuse(reply.code(403), 'wrong-password', 'Name or password is wrong.')
  }
  throttle.succeeded(trier)
  log.info({ who: known.user.name, address: request.ip }, 'signed in')
  return welcome(options, { request, reply, userId: known.user.userId })
}

async function changePassword(options: SessionRoutesOptions, request: FastifyRequest, reply: FastifyReply) {
  const { access, sessionsEnded, log } = options
  const { users, passwords } = access
  const { session } = request.asker
  if (!session) return refuse(reply.code(401), 'signed-out', 'Sign in first.')
  const { current, password } = checkedInput(passwordChange, request.body)
  if (!(await requireOwnPassword(options, request, { typed: current, reply, field: 'current' }))) return reply
  await refuseWeakPassword('password', password, knownWords(options, session.name))
  // Ends every session of this user, except that this one continues with a new token.
  const changed = users.update(session.userId, { password: await passwords.hash(password) })
  if (!changed.ok) return refuse(reply.code(401), 'signed-out', 'This user is no longer there.')
  log.info({ who: session.name }, 'password changed')
  const welcomed = welcome(options, { request, reply, userId: session.userId })
  sessionsEnded()
  return welcomed
}

/** Names that others know, and would try first. */
function knownWords({ access, about }: SessionRoutesOptions, name: string): string[] {
  return [name, access.box.settings().name, about().merchantName]
}

/** Its token when this browser is one of the user's own; null otherwise. */
function deviceOf(request: FastifyRequest, stored: string | undefined): string | null {
  const token = tokenFrom(request, DEVICE_COOKIE)
  return token !== null && stored !== undefined && isDeviceToken(token, stored) ? token : null
}

/** Signs in with a new session; the one that the browser had is gone. */
function welcome(
  options: SessionRoutesOptions,
  { request, reply, userId }: { request: FastifyRequest; reply: FastifyReply; userId: string },
) {
  const { sessions, access } = options
  if (request.asker.session) sessions.end(request.asker.session)
  const { token, session } = sessions.begin(userId, (fresh) => storedForm(request, fresh))
  reply.header('set-cookie', cookieFor(request, { name: SESSION_COOKIE, token, maxAgeMs: LONGEST_MS }))
  const stored = access.users.forSignIn(session.name)?.password
  if (stored !== undefined)
    reply.header(
      'set-cookie',
      cookieFor(request, { name: DEVICE_COOKIE, token: newDeviceToken(stored), maxAgeMs: DEVICE_MS }),
    )
  return answer(options, session)
}

function answer(
  { access, about, time }: SessionRoutesOptions,
  session: SessionRecord | null,
): { result: SessionAnswer } {
  const { name, language } = access.box.settings()
  const { app, gatewayId, merchantName } = about()
  const signedOut = access.users.count() === 0 ? 'setup' : 'signed-out'
  return {
    result: {
      state: session ? 'signed-in' : signedOut,
      user: session && { userId: session.userId, name: session.name, role: session.role },
      box: { name, language, app, gatewayId, merchantName },
      time: toIso(time.now()),
    },
  }
}
