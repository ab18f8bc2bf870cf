// A balancer for TCP in front of several relays: each connection goes to one that takes it, the next in turn. It can be flipped to one of them.

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'

export class Balancer {
  readonly #ports: readonly number[]
  readonly #server: Server
  readonly #open = new Set<Socket>()
  #turn = 0
  #only: number | null = null

  private constructor(ports: readonly number[]) {
    this.#ports = ports
    this.#server = createServer({ allowHalfOpen: false }, (socket) => this.#take(socket, this.#turn++, ports.length))
  }

  /** @param ports of the relays, on loopback */
  static async start(ports: readonly number[]): Promise<Balancer> {
    const balancer = new Balancer(ports)
    await new Promise<void>((resolve) => balancer.#server.listen(0, '127.0.0.1', resolve))
    return balancer
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** From now on everybody goes to this one, and whoever is connected loses the connection; null: to each in turn. */
  flip(only: number | null): void {
    this.#only = only
    for (const socket of this.#open) socket.destroy()
  }

  /** As `flip`, and whoever is connected stays where he is. */
  direct(only: number | null): void {
    this.#only = only
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #take(socket: Socket, turn: number, triesLeft: number): void {
    const at = this.#only ?? turn % this.#ports.length
    const relay = connect({ port: this.#ports[at] ?? 0, host: '127.0.0.1', noDelay: true })
    const end = (): void => {
      socket.destroy()
      relay.destroy()
    }
    const failed = (): void => {
      relay.destroy()
      // Nobody has said anything yet: the next one may take it.
      if (triesLeft > 1 && !socket.destroyed) this.#take(socket, turn + 1, triesLeft - 1)
      else socket.destroy()
    }
    relay.once('error', failed)
    relay.once('connect', () => {
      relay.off('error', failed)
      for (const side of [socket, relay]) {
        this.#open.add(side)
        side.on('error', end)
        side.on('close', () => {
          this.#open.delete(side)
          end()
        })
      }
      socket.pipe(relay).pipe(socket)
    })
    socket.on('error', () => relay.destroy())
  }
}
