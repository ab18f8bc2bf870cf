// People who may use the box's page: name, role, hash of the password. There are none at first.
import { randomUUID } from 'node:crypto'
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import type { GatewayDatabase } from './database.ts'

/** `manager`: printers, jobs, displays. `technician`: everything. */
export type UserRole = 'technician' | 'manager'

export interface UserRecord {
  userId: string
  name: string
  role: UserRole
  createdAtMs: EpochMs
}

export interface NewUser {
  name: string
  role: UserRole
  /** Its hash, as `hashPassword` makes it. */
  password: string
}

export interface UserChange {
  name?: string | undefined
  role?: UserRole | undefined
  password?: string | undefined
}

export type UserRefusal = 'name-taken' | 'unknown-user' | 'last-technician' | 'too-many'
export type UserOutcome = { ok: true; user: UserRecord } | { ok: false; reason: UserRefusal }

interface Row {
  user_id: string
  name: string
  role: string
  password: string
  created_at_ms: number
}

const MOST_USERS = 50

export class UserStore {
  readonly #db: GatewayDatabase
  readonly #all: Statement<[], Row>
  readonly #one: Statement<[string], Row>
  readonly #named: Statement<[string], Row>
  readonly #count: Statement<[], { n: number }>
  readonly #insert: Statement<[Row]>
  readonly #update: Statement<[Row]>
  readonly #remove: Statement<[string]>
  readonly #clear: Statement<[]>
  readonly #endSessions: Statement<[string]>

  constructor(db: GatewayDatabase) {
    this.#db = db
    const sql = db.sqlite
    this.#all = sql.prepare('select * from users order by name')
    this.#one = sql.prepare('select * from users where user_id = ?')
    this.#named = sql.prepare('select * from users where name = ?')
    this.#count = sql.prepare('select count(*) as n from users')
    this.#insert = sql.prepare('insert into users values (@user_id, @name, @role, @password, @created_at_ms)')
    this.#update = sql.prepare(
      'update users set name = @name, role = @role, password = @password, created_at_ms = @created_at_ms where user_id = @user_id',
    )
    this.#remove = sql.prepare('delete from users where user_id = ?')
    this.#clear = sql.prepare('delete from users')
    this.#endSessions = sql.prepare('delete from sessions where user_id = ?')
  }

  all(): UserRecord[] {
    return this.#all.all().map(recordOf)
  }

  /** For a backup: includes the hashes. */
  withPasswords(): NewUser[] {
    return this.#all.all().map((row) => ({ name: row.name, role: recordOf(row).role, password: row.password }))
  }

  count(): number {
    return this.#count.get()?.n ?? 0
  }

  find(userId: string): UserRecord | null {
    const row = this.#one.get(userId)
    return row ? recordOf(row) : null
  }

  /** Includes the hash of the password. Case of the name is ignored. */
  forSignIn(name: string): { user: UserRecord; password: string } | null {
    const row = this.#named.get(name)
    return row ? { user: recordOf(row), password: row.password } : null
  }

  add({ name, role, password }: NewUser, nowMs: EpochMs): UserOutcome {
    return this.#db.transaction((): UserOutcome => {
      if (this.#named.get(name)) return { ok: false, reason: 'name-taken' }
      if (this.count() >= MOST_USERS) return { ok: false, reason: 'too-many' }
      const row = { user_id: `usr_${randomUUID()}`, name, role, password, created_at_ms: nowMs }
      this.#insert.run(row)
      return { ok: true, user: recordOf(row) }
    })
  }

  /** The first technician of a box: only one of two concurrent calls succeeds. */
  addFirst(user: Omit<NewUser, 'role'>, nowMs: EpochMs): UserOutcome {
    return this.#db.transaction(() =>
      this.count() > 0 ? { ok: false, reason: 'name-taken' } : this.add({ ...user, role: 'technician' }, nowMs),
    )
  }

  /** A new password or role ends the user's sessions. */
  update(userId: string, change: UserChange): UserOutcome {
    return this.#db.transaction((): UserOutcome => {
      const old = this.#one.get(userId)
      if (!old) return { ok: false, reason: 'unknown-user' }
      const named = change.name === undefined ? undefined : this.#named.get(change.name)
      if (named && named.user_id !== userId) return { ok: false, reason: 'name-taken' }
      if (change.role === 'manager' && this.#isLastTechnician(old)) return { ok: false, reason: 'last-technician' }
      const row = {
        ...old,
        name: change.name ?? old.name,
        role: change.role ?? old.role,
        password: change.password ?? old.password,
      }
      this.#update.run(row)
      if (row.role !== old.role || row.password !== old.password) this.#endSessions.run(userId)
      return { ok: true, user: recordOf(row) }
    })
  }

  /** Its sessions end with it. */
  remove(userId: string): UserOutcome {
    return this.#db.transaction((): UserOutcome => {
      const row = this.#one.get(userId)
      if (!row) return { ok: false, reason: 'unknown-user' }
      if (this.#isLastTechnician(row)) return { ok: false, reason: 'last-technician' }
      this.#remove.run(userId)
      return { ok: true, user: recordOf(row) }
    })
  }

  /** Nobody may sign in any more: the box asks for a set-up code again. */
  removeAll(): void {
    this.#db.transaction(() => this.#clear.run())
  }

  #isLastTechnician({ role }: Row): boolean {
    return role === 'technician' && this.#all.all().filter((row) => row.role === 'technician').length === 1
  }
}

function recordOf({ user_id, name, role, created_at_ms }: Row): UserRecord {
  return { userId: user_id, name, role: role === 'technician' ? 'technician' : 'manager', createdAtMs: created_at_ms }
}
