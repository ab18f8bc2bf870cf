// Who may use a route, and who asks. Every route says the first; the guard finds out the second.
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { SessionRecord } from '#gateway/storage/session-store.ts'

/**
 * `anyone`: nothing to be guarded. `first-user`: only while there is no user. `manager`: whoever is signed in; `technician`: technicians.
 * `display`: screens of the kitchen only.
 */
export type Access = 'anyone' | 'first-user' | 'manager' | 'technician' | 'display'

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

/** @param hasUsers false until the first user is made */
export function accessAnswer(access: Access, { session, display }: Asker, hasUsers: boolean): AccessAnswer {
  switch (access) {
    case 'anyone':
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
