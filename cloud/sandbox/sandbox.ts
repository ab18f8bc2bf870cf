// The sandbox as one service: at the start every account gets the test merchants that it lacks, then the simulated kitchen prints.

import type { Service } from '#shared/service.ts'
import { addMissingFixtures, type FixtureDeps } from './fixtures.ts'
import { SimulatedKitchen, type SimulatedKitchenDeps } from './simulated-kitchen.ts'

export type SandboxDeps = SimulatedKitchenDeps & FixtureDeps

export class Sandbox implements Service {
  readonly #deps: SandboxDeps
  readonly #kitchen: SimulatedKitchen

  constructor(deps: SandboxDeps) {
    this.#deps = deps
    this.#kitchen = new SimulatedKitchen(deps)
  }

  async start(): Promise<void> {
    const accounts = await addMissingFixtures(this.#deps)
    if (accounts > 0) this.#deps.log.info({ accounts }, 'accounts got the test merchants that they lacked')
    await this.#kitchen.start()
  }

  async stop(): Promise<void> {
    await this.#kitchen.stop()
  }
}
