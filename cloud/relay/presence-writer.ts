// Writes which gateways are online, in batches: changes during one write go into the next, as one transaction and one statement.
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { GatewayStore, PresenceChange } from '#cloud/storage/gateway-store.ts'
import type { GatewayId } from '#shared/ids.ts'

/** Changes in one unit: orders wait for the writer no longer than this takes. */
const MOST_IN_A_UNIT = 256

export class PresenceWriter {
  readonly #deps: { db: RelayDatabase; gateways: Pick<GatewayStore, 'setPresence'> }
  /** The newest of each gateway. */
  readonly #waiting = new Map<GatewayId, PresenceChange>()
  #pass: Promise<void> | null = null

  constructor(deps: { db: RelayDatabase; gateways: Pick<GatewayStore, 'setPresence'> }) {
    this.#deps = deps
  }

  /** Takes the place of what was noted of this gateway and is not written yet. Written by the next `flush`. */
  note(change: PresenceChange): void {
    this.#waiting.set(change.gatewayId, change)
  }

  /** Resolves when everything that was noted is on disk. What could not be written stays noted. */
  flush(): Promise<void> {
    this.#pass ??= this.#writeAll().finally(() => {
      this.#pass = null
    })
    return this.#pass
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const piece = [...this.#waiting.values()].slice(0, MOST_IN_A_UNIT)
      for (const { gatewayId } of piece) this.#waiting.delete(gatewayId)
      try {
        await this.#deps.db.unit((tx) => this.#deps.gateways.setPresence(tx, ...piece))
      } catch (error) {
        for (const change of piece)
          if (!this.#waiting.has(change.gatewayId)) this.#waiting.set(change.gatewayId, change)
        throw error
      }
    }
  }
}
