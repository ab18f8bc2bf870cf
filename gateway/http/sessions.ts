// Sessions of people: begun by a password, known by a cookie, ended by time, sign-out, or another password.
import { randomBytes } from 'node:crypto'
import type { SessionRecord, SessionStore } from '#gateway/storage/session-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'

const HOUR_MS = 3_600_000
export const IDLE_MS = 12 * HOUR_MS
export const LONGEST_MS = 30 * 24 * HOUR_MS
/** Uses closer together than this are one. */
const TOUCH_MS = 5 * 60_000

export class Sessions {
  readonly #store: SessionStore
  readonly #time: TimeSource

  /** @param time relay time: it is kept through restarts of a machine without a clock */
  constructor(store: SessionStore, time: TimeSource) {
    this.#store = store
    this.#time = time
  }

  /**
   * @param kept the form under which the token is kept; default: as it is
   * @returns the new session's token: always another one, whatever the browser sent
   */
  begin(userId: string, kept = (token: string) => token): { token: string; session: SessionRecord } {
    const token = randomBytes(32).toString('base64url')
    this.#store.begin(kept(token), { userId, nowMs: this.#time.now(), idleMs: IDLE_MS, longestMs: LONGEST_MS })
    const session = this.#store.find(kept(token))
    if (!session) throw new Error('a session that was just begun is not there')
    return { token, session }
  }

  /** The session of this token, in its kept form, as it is now: with the user's present name and role. Null when it has ended. */
  find(kept: string | null): SessionRecord | null {
    const session = kept === null ? null : this.#store.find(kept)
    if (!session) return null
    const now = this.#time.now()
    // A clock that was put right may show a session as begun in the future: that one has ended too.
    const age = Math.abs(now - session.createdAtMs)
    if (Math.abs(now - session.seenAtMs) > IDLE_MS || age > LONGEST_MS) return null
    return session
  }

  /** A person used it. */
  used({ sessionId, seenAtMs }: SessionRecord): void {
    const now = this.#time.now()
    if (now - seenAtMs > TOUCH_MS) this.#store.touch(sessionId, now)
  }

  end({ sessionId }: SessionRecord): void {
    this.#store.end(sessionId)
  }
}
