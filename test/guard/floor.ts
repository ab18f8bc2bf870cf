// The floor as a side of the comparison: the bench's bare relay and gateway.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchChild, childWithPorts } from '#test/bench/child.ts'
import { folderUntilExit } from '#test/bench/until-exit.ts'
import type { Side } from './load.ts'
import { PaperWatch } from './paper-watch.ts'
import { cpuMsOf } from './process-cpu.ts'

/** As long as one of our orders is on its way. */
const TEXT = 'x'.repeat(400)

export class Floor implements Side {
  readonly path = '/inject'
  readonly headers = {}
  readonly paper: PaperWatch
  readonly #dir: string
  readonly #relay: BenchChild
  readonly #gateway: BenchChild
  #sent = 0

  private constructor(dir: string, paper: PaperWatch, relay: BenchChild, gateway: BenchChild) {
    this.#dir = dir
    this.paper = paper
    this.#relay = relay
    this.#gateway = gateway
  }

  static async start(): Promise<Floor> {
    const dir = folderUntilExit('ticketrail-floor-')
    const paper = await PaperWatch.start()
    const relay = await childWithPorts('floor-relay.ts', [join(dir, 'relay.db')])
    const ports = [String(relay.ports['mqtt']), String(paper.port)]
    const gateway = await childWithPorts('floor-gateway.ts', [join(dir, 'gateway.db'), ...ports])
    return new Floor(dir, paper, relay, gateway)
  }

  get url(): string {
    return `http://127.0.0.1:${this.#relay.ports['http']}`
  }

  get gateway(): Side['gateway'] {
    return { cpuMs: () => cpuMsOf(this.#gateway.pid) }
  }

  get relay(): Side['relay'] {
    return { cpuMs: () => cpuMsOf(this.#relay.pid) }
  }

  body(token: string): string {
    this.#sent++
    return JSON.stringify({ token, text: TEXT })
  }

  /** It does not say: what was sent arrives within the time that the measurement waits anyway. */
  async waiting(): Promise<number> {
    return this.#sent - this.paper.tickets.size
  }

  async stop(): Promise<void> {
    await Promise.all([this.#relay.stop(), this.#gateway.stop()])
    await this.paper.stop()
    rmSync(this.#dir, { recursive: true, force: true })
  }
}
