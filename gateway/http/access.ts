// Access to routes, and the user of a request. Every route declares its access; the guard determines the user.
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { SessionRecord } from '#gateway/storage/session-store.ts'

/**
 * `anyone`: not protected. `sign-in`: anyone, for routes where secrets are typed. `first-user`: only while there is no user. `manager`: any signed-in user; `technician`: technicians.
 * `display`: kitchen screens only.
 */
export type Access = 'anyone' | 'sign-in' | 'first-user' | 'manager' | 'technician' | 'display'

/** A request with the cookies of a session and of a screen is both. */
export interface Asker {
  session: SessionRecord | null
  display: DisplayRecord | null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route without it cannot be registered. */
    openTo?: Access
  }
  interface FastifyRequest {
    asker: Asker
  }
}

export type AccessAnswer = 'granted' | 'signed-out' | 'setup' | 'forbidden'

/** Secrets, and what only a signed-in user may see, are never sent where others can read them. A screen's token opens the board only, and old tablets do not accept a certificate that the box made itself. */
export function needsPrivacy(access: Access): boolean {
  return access !== 'anyone' && access !== 'display'
}

/** @param hasUsers false until the first user is made */
export function accessAnswer(access: Access, { session, display }: Asker, hasUsers: boolean): AccessAnswer {
  switch (access) {
    case 'anyone':
    case 'sign-in':
    // Its own code refuses when there are users.
    case 'first-user':
      return 'granted'
    case 'display':
      return display ? 'granted' : 'signed-out'
    case 'technician':
      if (session?.role === 'manager') return 'forbidden'
      break
    case 'manager':
      break
  }
  if (session) return 'granted'
  // A screen is signed in, but not for this.
  if (display) return 'forbidden'
  return hasUsers ? 'signed-out' : 'setup'
}
