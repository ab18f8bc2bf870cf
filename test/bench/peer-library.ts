// node-thermal-printer beside us: what a program gets that sends its tickets straight from the library.
import { PrinterTypes, ThermalPrinter } from 'node-thermal-printer'
import type { PrintSystem, Said } from './peer-system.ts'

export class Library implements PrintSystem {
  readonly name = 'node-thermal-printer 4.6.1'
  readonly hasNoQueue = true
  #port = 0
  readonly #said = new Map<string, Said>()

  async start(printerPort: number): Promise<void> {
    this.#port = printerPort
  }

  async submit(token: string, ticket: Uint8Array): Promise<string> {
    const printer = new ThermalPrinter({
      type: PrinterTypes.EPSON,
      interface: `tcp://127.0.0.1:${this.#port}`,
      options: { timeout: 3_000 },
    })
    printer.append(Buffer.from(ticket))
    this.#said.set(token, 'waiting')
    printer.execute().then(
      () => this.#said.set(token, 'printed'),
      () => this.#said.set(token, 'failed'),
    )
    return token
  }

  async says(token: string): Promise<Said> {
    return this.#said.get(token) ?? 'failed'
  }

  /** What it had is gone with its process; there is nothing to start again. */
  async killAndRestart(): Promise<void> {
    this.#said.clear()
  }

  async stop(): Promise<void> {}
}
