// People at the dashboard, for the rest of the relay: the signed-in person, and their role in an account.
import type { MembershipsTable } from '#cloud/storage/schema-people.ts'
import { StorageRefusal } from '#cloud/storage/storage-refusal.ts'
import type { AccountId, UserId } from '#shared/ids.ts'
import type { PeopleParts } from './parts.ts'
import { findSignedIn, type SignedIn } from './signed-in.ts'

/** Uses closer together than this are one: each written down is a commit. */
const TOUCH_MS = 5 * 60_000

type PeopleDeps = Pick<PeopleParts, 'db' | 'logins' | 'memberships' | 'clock'>

export class People {
  readonly #deps: PeopleDeps

  constructor(deps: PeopleDeps) {
    this.#deps = deps
  }

  /**
   * The person whose browser sent this token; also records that they were here now.
   * @param kept as `storedTokenFrom` reads it from the cookie; null: there is none
   */
  async signedIn(kept: string | null): Promise<SignedIn | null> {
    const found = await findSignedIn(this.#deps, kept)
    if (found !== null) await this.#touch(found)
    return found
  }

  /** A person's role in an account now; null: not a member. */
  membership(userId: UserId, accountId: AccountId): Promise<MembershipsTable['role'] | null> {
    return this.#deps.memberships.role(userId, accountId)
  }

  /** On a full disk people can still read. @throws errors that are no storage refusal */
  async #touch({ sessionId, seenAtMs }: SignedIn): Promise<void> {
    const { db, logins, clock } = this.#deps
    const nowMs = clock.now()
    if (nowMs - seenAtMs <= TOUCH_MS) return
    const touching = db.unit((tx) => logins.change(tx, sessionId, { seen_at: nowMs }), { isBestEffort: true })
    await touching.catch((error: unknown) => {
      if (!(error instanceof StorageRefusal)) throw error
    })
  }
}
