// A box of the kitchen beside a dashboard: a real gateway program with a virtual printer, joined as a technician does it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { type LineResult, runLineOf } from '#test/harness/command-line.ts'
import { gatewayProgram, LOOPBACK_PRINTERS } from '#test/harness/gateway-program.ts'
import { Program } from '#test/harness/program.ts'

export class DashboardBox {
  readonly printer = new VirtualPrinter()
  /** `127.0.0.1:9101`, as somebody types it. */
  address = ''
  readonly #dir = mkdtempSync(join(tmpdir(), 'dashboard-box-'))
  #program: Program | null = null

  /** @param relayUrl where it claims its code */
  async start(relayUrl: string): Promise<void> {
    const { host, port } = await this.printer.start()
    this.address = `${host}:${port}`
    this.#program = new Program('run', { ...this.#env, GATEWAY_RELAY_URL: relayUrl }, false, [], gatewayProgram())
    await this.#program.start()
  }

  get #env(): Record<string, string> {
    return {
      GATEWAY_DATABASE: join(this.#dir, 'gateway.db'),
      GATEWAY_PAIRING_FILE: join(this.#dir, 'pairing.json'),
      GATEWAY_HTTP_PORT: '0',
      GATEWAY_ALLOWED_PRINTERS: LOOPBACK_PRINTERS,
      GATEWAY_CLOUD_PRINTERS: '127.0.0.1/32:1024-65535',
    }
  }

  /** A line of the technician at the box. */
  line(...args: string[]): Promise<LineResult> {
    return runLineOf(this.#env, args, '', gatewayProgram())
  }

  /** The plug is pulled. */
  async pull(): Promise<void> {
    await this.#program?.kill('SIGKILL')
  }

  async stop(): Promise<void> {
    await this.pull()
    await this.printer.stop()
    rmSync(this.#dir, { recursive: true, force: true })
  }
}
