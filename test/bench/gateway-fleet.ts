// A process of simulated gateways, as its parent has it in hand.
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { FleetCounts } from '#test/harness/simulated-fleet.ts'
import type { DriverAsk, DriverStart } from './fleet-driver.ts'
import { killAtExit } from './until-exit.ts'

export class GatewayFleet {
  /** When the job of an order came to its gateway, ms since 1970 on the clock that all processes share, by the client's order id. */
  readonly arrived = new Map<string, number>()
  readonly #process: ChildProcess

  constructor() {
    this.#process = fork(join(import.meta.dirname, 'fleet-driver.ts'))
    killAtExit(this.#process)
    this.#process.on('message', (message: { orderId?: string; atMs?: number }) => {
      if (message.orderId !== undefined && message.atMs !== undefined) this.arrived.set(message.orderId, message.atMs)
    })
  }

  connect(start: DriverStart): void {
    this.#process.send(start)
  }

  ask(what: DriverAsk): Promise<FleetCounts> {
    return new Promise((resolve) => {
      const listen = ({ counts }: { counts?: FleetCounts }): void => {
        if (counts === undefined) return
        this.#process.off('message', listen)
        resolve(counts)
      }
      this.#process.on('message', listen)
      this.#process.send(what)
    })
  }

  end(): void {
    this.#process.kill('SIGKILL')
  }
}
