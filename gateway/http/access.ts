// Who may use a route, and who asks. Every route says the first; the guard finds out the second.
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { SessionRecord } from '#gateway/storage/session-store.ts'

/**
 * `anyone`: nothing to be guarded. `sign-in`: anyone, where secrets are typed or the page for it is. `first-user`: only while there is no user. `manager`: whoever is signed in; `technician`: technicians.
 * `display`: screens of the kitchen only.
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

/** Secrets, and what only who has typed one may see, go neither way where they can be read along. A screen's token opens the board only, and old tablets take no certificate of the box's own making. */
export function needsPrivacy(access: Access): boolean {
  return access !== 'anyone' && access !== 'display'
}

/** @param hasUsers false until the first user is made */
export function accessAnswer(access: Access, { session, display }: Asker, hasUsers: boolean): AccessAnswer {
  switch (access) {
    case 'anyone':
    case 'sign-in':
    // Its own code says why not, when there are users.
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
