// Which connections each gateway has at the embedded broker: one, or two while it moves from one to the other.
import type { Client } from 'aedes'
import type { GatewayId } from '#shared/ids.ts'

/** What the will of a CONNECT contains about its sender. It proves nothing. */
export interface Introduced {
  /** The machine of the box; null: not sent. */
  machine: string | null
  /** The id of the program's start; null: an older gateway does not send it. */
  bootId: string | null
  /** Null: it has no will. */
  epoch: number | null
  /** It requests to be a second connection beside the first. */
  isBeside: boolean
}

/** A gateway's connection, and how to write to it. */
export interface GatewayConnection extends Introduced {
  client: Pick<Client, 'closed' | 'close' | 'connected'> & object
  write(bytes: Buffer): void
}

/** The end of a connection that was not replaced before. */
export interface ConnectionEnd {
  gatewayId: GatewayId
  /** Its own, while the gateway has another connection; null: it was its last. */
  epoch: number | null
}

export class GatewayConnections<C extends GatewayConnection = GatewayConnection> {
  /** Of each gateway one or two. The first has the gateway's place. */
  readonly #of = new Map<string, readonly C[]>()

  /** Of all gateways. */
  get count(): number {
    let count = 0
    for (const connections of this.#of.values()) count += connections.length
    return count
  }

  of(gatewayId: string): readonly C[] {
    return this.#of.get(gatewayId) ?? []
  }

  all(): Iterable<C> {
    return [...this.#of.values()].flat()
  }

  has(gatewayId: string): boolean {
    return this.#of.has(gatewayId)
  }

  /** The gateway's current connection; null: none is open. */
  living(gatewayId: string): C | null {
    return this.of(gatewayId).find(({ client }) => !client.closed) ?? null
  }

  isOf(gatewayId: string, client: C['client']): boolean {
    return this.of(gatewayId).some((connection) => connection.client === client)
  }

  /**
   * Whether it may be open beside the gateway's current connection: it requests that, and is of the same start of one program, so of the same
   * box. Two boxes with one identity never are.
   */
  mayStandBeside(gatewayId: string, { isBeside, bootId, machine }: Introduced): boolean {
    const living = this.living(gatewayId)
    return isBeside && living !== null && bootId !== null && living.bootId === bootId && living.machine === machine
  }

  /**
   * Accepts a connection: beside the gateway's current one where that is allowed, otherwise in place of all others.
   * @returns the connections that it replaced: close them, and ignore their messages
   */
  enter(gatewayId: string, connection: C): C[] {
    const before = this.of(gatewayId)
    const stays = this.mayStandBeside(gatewayId, connection) ? this.living(gatewayId) : null
    this.#of.set(gatewayId, stays ? [stays, connection] : [connection])
    return before.filter((one) => one !== stays)
  }

  /** The gateway was welcomed on the connection of this epoch: it is the current one now, and an earlier one is about to end. */
  welcomed(gatewayId: string, epoch: number): void {
    const connections = this.of(gatewayId)
    const first = connections.find((one) => one.epoch === epoch)
    if (first && first !== connections[0])
      this.#of.set(gatewayId, [first, ...connections.filter((one) => one !== first)])
  }

  /** A connection has ended. @returns null: another one had its place already */
  left(gatewayId: GatewayId, client: C['client']): ConnectionEnd | null {
    const before = this.of(gatewayId)
    const gone = before.find((connection) => connection.client === client)
    if (!gone) return null
    const rest = before.filter((connection) => connection !== gone)
    if (rest.length === 0) {
      this.#of.delete(gatewayId)
      return { gatewayId, epoch: null }
    }
    this.#of.set(gatewayId, rest)
    return { gatewayId, epoch: gone.epoch }
  }

  clear(): void {
    this.#of.clear()
  }
}
