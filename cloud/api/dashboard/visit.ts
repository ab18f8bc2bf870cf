// The browser of a call, in the form for sign-in.
import type { FastifyRequest } from 'fastify'
import type { Visit } from '#cloud/people/parts.ts'
import { storedForm, storedTokenFrom, tokenFrom } from '#shared/pages/cookies.ts'
import { type Browser, SESSION_COOKIE } from './browser.ts'

/** Gives no access: it lets its owner try a password while others guess, and distinguishes a known browser from a new one. */
export const DEVICE_COOKIE = 'ticketrail-device'

export function visitOf(request: FastifyRequest): Visit & { keptBefore: string | null } {
  const browser = browserOfCall(request)
  const { client, person, headers } = request
  return {
    address: client.address,
    countedAs: client.countedAs ?? client.address,
    agent: headers['user-agent'] ?? '',
    kept: (token) => storedForm(browser, token),
    device: tokenFrom(browser, DEVICE_COOKIE),
    before: person === null ? null : { sessionId: person.sessionId, userId: person.userId },
    keptBefore: storedTokenFrom(browser, SESSION_COOKIE),
  }
}

/** @throws Error where the route is none of the dashboard: a bug in the route */
export function browserOfCall({ browser }: FastifyRequest): Browser {
  if (browser === null) throw new Error('this is no call of the dashboard')
  return browser
}
