// Counts the claims of tickets, and those that ended without one, in the transaction of each, so that anything that an older image would
// wrongly print means a higher number. Holds claims back while the disk is in doubt.
import type { Statement } from 'better-sqlite3'
import { Signal } from '#shared/signal.ts'
import type { GatewayDatabase } from './database.ts'

export class ClaimCount {
  /** The count that is on disk now, before the claimed ticket is handed out. */
  readonly counted = new Signal<number>()
  readonly #db: GatewayDatabase
  readonly #add: Statement<[], { value: string }>
  readonly #get: Statement<[], { value: string }>
  #isHeld = false

  constructor(db: GatewayDatabase) {
    this.#db = db
    this.#add = db.sqlite.prepare(
      "update meta set value = cast(cast(value as integer) + 1 as text) where key = 'claims' returning value",
    )
    this.#get = db.sqlite.prepare("select value from meta where key = 'claims'")
  }

  /** True: no worker gets a ticket until TicketDoor's `releaseClaims`. */
  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Since the database was made. */
  total(): number {
    return Number(this.#get.get()?.value ?? 0)
  }

  /** Call it in the transaction of the claim, or of the end. */
  add(): void {
    const total = Number(this.#add.get()?.value ?? 0)
    this.#db.afterCommit(() => this.counted.notify(total))
  }

  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
  }
}
