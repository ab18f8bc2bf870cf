// Signed-in browsers. Only the hash of a session's token is stored, so the file alone opens no page.
import { createHash } from 'node:crypto'
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import type { GatewayDatabase } from './database.ts'
import type { UserRole } from './user-store.ts'

export interface SessionRecord {
  /** Identifies the session, but cannot be used to sign in. */
  sessionId: string
  userId: string
  name: string
  role: UserRole
  createdAtMs: EpochMs
  seenAtMs: EpochMs
}

interface Row {
  token_hash: string
  user_id: string
  name: string
  role: string
  created_at_ms: number
  seen_at_ms: number
}

/** Per user; the one unused for longest is deleted. */
const MOST_PER_USER = 20

export class SessionStore {
  readonly #db: GatewayDatabase
  readonly #find: Statement<[string], Row>
  readonly #insert: Statement<[string, string, number, number]>
  readonly #touch: Statement<[number, string]>
  readonly #end: Statement<[string]>
  readonly #prune: Statement<[number, number]>
  readonly #crowd: Statement<[string, string, number]>

  constructor(db: GatewayDatabase) {
    this.#db = db
    const sql = db.sqlite
    this.#find = sql.prepare(
      'select s.*, u.name, u.role from sessions s join users u on u.user_id = s.user_id where s.token_hash = ?',
    )
    this.#insert = sql.prepare('insert into sessions values (?, ?, ?, ?)')
    this.#touch = sql.prepare('update sessions set seen_at_ms = ? where token_hash = ?')
    this.#end = sql.prepare('delete from sessions where token_hash = ?')
    this.#prune = sql.prepare('delete from sessions where seen_at_ms < ? or created_at_ms < ?')
    this.#crowd = sql.prepare(
      `delete from sessions where user_id = ? and token_hash not in
         (select token_hash from sessions where user_id = ? order by seen_at_ms desc limit ?)`,
    )
  }

  find(token: string): SessionRecord | null {
    const row = this.#find.get(hashOf(token))
    if (!row) return null
    const { token_hash, user_id, name, role, created_at_ms, seen_at_ms } = row
    return {
      sessionId: token_hash,
      userId: user_id,
      name,
      role: role === 'technician' ? 'technician' : 'manager',
      createdAtMs: created_at_ms,
      seenAtMs: seen_at_ms,
    }
  }

  /** Also deletes expired sessions, and this user's oldest if there are too many. */
  begin(
    token: string,
    { userId, nowMs, ...limits }: { userId: string; nowMs: EpochMs; idleMs: number; longestMs: number },
  ): void {
    this.#db.transaction(() => {
      this.#prune.run(nowMs - limits.idleMs, nowMs - limits.longestMs)
      this.#insert.run(hashOf(token), userId, nowMs, nowMs)
      this.#crowd.run(userId, userId, MOST_PER_USER)
    })
  }

  /** Records that it is in use. Written with the next transaction: reading pages must not wear out a card. */
  touch(sessionId: string, nowMs: EpochMs): void {
    this.#db.rideAlong(() => this.#touch.run(nowMs, sessionId))
  }

  end(sessionId: string): void {
    this.#db.transaction(() => this.#end.run(sessionId))
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
