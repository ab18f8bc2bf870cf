// Before an operation that gives others access, or changes the own password, a signed-in user types their password again: the browser may have been left open.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BoxAccess } from '#gateway/control/box-access.ts'
import type { SignInThrottle, Trier } from '#shared/pages/sign-in-throttle.ts'
import { refuse } from './refusal.ts'

export interface PasswordCheck {
  access: BoxAccess
  throttle: SignInThrottle
}

/** Checks the signed-in user's password. @param field its name in the request @returns false after sending the refusal; not the reply, which is thenable: awaiting it would lose it. */
export async function requireOwnPassword(
  check: PasswordCheck,
  request: FastifyRequest,
  { typed, reply, field }: { typed: string; reply: FastifyReply; field: string },
): Promise<boolean> {
  const { session } = request.asker
  if (!session) {
    refuse(reply.code(401), 'signed-out', 'Sign in first.')
    return false
  }
  // Already signed in: counted separately from guesses of the name elsewhere.
  const trier = { address: request.ip, name: session.name, device: session.sessionId }
  if (refuseIfThrottled(check, trier, reply)) return false
  const { access, throttle } = check
  throttle.begun(trier)
  if (await access.passwords.matches(typed, access.users.forSignIn(session.name)?.password ?? null)) {
    throttle.succeeded(trier)
    return true
  }
  const said = { key: 'password.not-yours' }
  refuse(reply.code(403), 'wrong-password', { message: 'That is not your present password.', said, field })
  return false
}

/** A wait after wrong passwords, or too many sign-ins at once. Null: it may be tried. */
export function refuseIfThrottled(
  { throttle, access }: PasswordCheck,
  trier: Trier,
  reply: FastifyReply,
): FastifyReply | null {
  const seconds = Math.ceil(throttle.waitMs(trier) / 1_000)
  if (seconds > 0)
    return refuse(reply.code(429), 'throttled', {
      message: `Too many wrong ones: wait ${seconds} s.`,
      retryAfterSeconds: seconds,
    })
  // Many guesses at once must not lock out users who signed in here before.
  if (access.passwords.isBusy && !throttle.knows(trier))
    return refuse(reply.code(503), 'busy', {
      message: 'Others are signing in: try again in a moment.',
      retryAfterSeconds: 2,
    })
  return null
}
