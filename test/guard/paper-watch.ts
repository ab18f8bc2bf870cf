// The printer of a measurement: it answers at once, can be switched off and on at the same port, and knows which orders are on paper.
import { BenchPrinter, type PrintedTicket } from '#test/bench/bench-printer.ts'

export class PaperWatch {
  readonly port: number
  readonly tickets = new Map<string, PrintedTicket>()
  #printer: BenchPrinter
  readonly #listeners = new Set<() => void>()

  private constructor(printer: BenchPrinter, port: number) {
    this.#printer = printer
    this.port = port
    this.#listen()
  }

  static async start(): Promise<PaperWatch> {
    const printer = new BenchPrinter()
    return new PaperWatch(printer, await printer.start())
  }

  async switchOff(): Promise<void> {
    await this.#printer.stop()
  }

  async switchOn(): Promise<void> {
    this.#printer = new BenchPrinter()
    this.#listen()
    await this.#printer.start(this.port)
  }

  async stop(): Promise<void> {
    await this.#printer.stop()
  }

  /** How many of these are on paper. */
  countOf(tokens: readonly string[]): number {
    return tokens.reduce((count, token) => count + (this.tickets.has(token) ? 1 : 0), 0)
  }

  /** Resolves in the moment in which it holds, looked at after each ticket, with true; with false after `capMs`. */
  until(holds: () => boolean, capMs: number): Promise<boolean> {
    if (holds()) return Promise.resolve(true)
    return new Promise((resolve) => {
      const end = (isSo: boolean): void => {
        clearTimeout(timer)
        this.#listeners.delete(look)
        resolve(isSo)
      }
      const look = (): void => {
        if (holds()) end(true)
      }
      const timer = setTimeout(() => end(false), capMs)
      this.#listeners.add(look)
    })
  }

  #listen(): void {
    this.#printer.printed.subscribe((ticket) => {
      if (!this.tickets.has(ticket.token)) this.tickets.set(ticket.token, ticket)
      for (const listener of [...this.#listeners]) listener()
    })
  }
}
