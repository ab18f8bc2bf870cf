// The restaurant's routing rules, as one JSON document.
import type { Statement } from 'better-sqlite3'
import { type RoutingRule, routingRules } from '#shared/tickets/routing-rules.ts'
import type { GatewayDatabase } from './database.ts'

export class RoutingStore {
  readonly #db: GatewayDatabase
  readonly #get: Statement<[], { value: string }>
  readonly #put: Statement<[string]>
  #cache: readonly RoutingRule[] | null = null

  constructor(db: GatewayDatabase) {
    this.#db = db
    this.#get = db.sqlite.prepare(`select value from meta where key = 'routing'`)
    this.#put = db.sqlite.prepare(`update meta set value = ? where key = 'routing'`)
  }

  /** In the order in which they are asked. None when what is stored cannot be read: stations and the default printer remain. */
  rules(): readonly RoutingRule[] {
    this.#cache ??= readRules(this.#get.get()?.value ?? '[]')
    return this.#cache
  }

  /** Replaces all of them. Later jobs are routed by them; what waits stays where it is. */
  save(rules: readonly RoutingRule[]): void {
    this.#db.transaction(() => this.#put.run(JSON.stringify(rules)))
    this.#cache = rules
  }
}

function readRules(text: string): readonly RoutingRule[] {
  try {
    return routingRules.parse(JSON.parse(text))
  } catch {
    return []
  }
}
