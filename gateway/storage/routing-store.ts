// The restaurant's routing rules, as one JSON document.
import { Signal } from '#shared/signal.ts'
import type { RoutingRule } from '#shared/tickets/routing-rules.ts'
import type { GatewayDatabase } from './database.ts'
import { MetaValues } from './meta-values.ts'
import { readRules } from './printer-references.ts'

export class RoutingStore {
  /** Other rules apply from now on. */
  readonly changed = new Signal()
  readonly #db: GatewayDatabase
  readonly #values: MetaValues<'routing'>
  #cache: readonly RoutingRule[] | null = null

  constructor(db: GatewayDatabase) {
    this.#db = db
    this.#values = new MetaValues(db)
    const readAgain = (): void => {
      this.#cache = null
    }
    db.rolledBack.subscribe(readAgain)
    db.overwritten.subscribe(() => {
      readAgain()
      db.afterCommit(() => this.changed.notify())
    })
  }

  /** In the order in which they are applied. Empty if they cannot be read: stations and the default printer remain. */
  rules(): readonly RoutingRule[] {
    this.#cache ??= readRules(this.#values.get('routing') ?? '[]')
    return this.#cache
  }

  /** Replaces all of them. They apply to later jobs; what waits is not moved. */
  save(rules: readonly RoutingRule[]): void {
    this.#db.transaction(() => this.#values.put('routing', JSON.stringify(rules)))
    this.#cache = rules
    this.#db.afterCommit(() => this.changed.notify())
  }
}
