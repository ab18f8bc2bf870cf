// The virtual printer of `npm start`: its tickets are shown in the terminal and kept as text and picture.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { frameTicket, type TerminalLook } from '#shared/cli/ticket-frame.ts'
import { toIso } from '#shared/clock.ts'
import { paperToSvg } from '#shared/escpos/svg.ts'
import { VirtualPrinter, type VirtualTicket } from '#test/doubles/virtual-printer.ts'
import type { DataPaths } from './data-folder.ts'
import { findFreePort, isFree } from './free-port.ts'
import type { Address } from './options.ts'
import { readIfThere, writePrivateFile } from './private-file.ts'

const HOST = '127.0.0.1'
/** Tickets that stay in memory; all of them are in the folder. */
const KEPT_TICKETS = 16
const printerFile = z.object({ port: z.number().int().min(1).max(65_535) })

export class PaperTray {
  readonly #paths: DataPaths
  readonly #say: (text: string) => void
  readonly #look: () => TerminalLook
  readonly #printer: VirtualPrinter
  /** Number of the last ticket in the folder. */
  #count: number

  constructor(paths: DataPaths, say: (text: string) => void, look: () => TerminalLook) {
    this.#paths = paths
    this.#say = say
    this.#look = look
    this.#count = 0
    // The gateway waits for the printer's answer, which comes right after the cut: it goes first.
    this.#printer = new VirtualPrinter({ onTicket: (ticket) => setImmediate(() => this.#keep(ticket)) })
  }

  /** Listens on the port of the last start, if it is still free, so that the gateway finds its printer again. */
  async start(taken: readonly number[]): Promise<Address> {
    mkdirSync(this.#paths.paper, { recursive: true })
    this.#count = Math.max(0, ...readdirSync(this.#paths.paper).map((name) => Number(/^(\d+)-/.exec(name)?.[1] ?? 0)))
    const known = this.#knownPort()
    const port = known !== null && (await isFree(known)) ? known : await findFreePort(taken)
    const address = await this.#printer.start(port, HOST)
    writePrivateFile(this.#paths.printer, `${JSON.stringify({ port })}\n`)
    return address
  }

  stop(): Promise<void> {
    return this.#printer.stop()
  }

  #knownPort(): number | null {
    const text = readIfThere(this.#paths.printer)
    if (text === null) return null
    try {
      return printerFile.parse(JSON.parse(text)).port
    } catch {
      // Damaged: another port is as good, because the gateway gets it at each start.
      return null
    }
  }

  #keep(ticket: VirtualTicket): void {
    const number = ++this.#count
    const time = toIso(ticket.cutAtMs).replace(/[:.]/g, '-')
    const file = join(this.#paths.paper, `${String(number).padStart(6, '0')}-${time}`)
    const text = ticket.text()
    writeFileSync(`${file}.txt`, `${text}\n`, { mode: 0o600 })
    if (ticket.paper) writeFileSync(`${file}.svg`, paperToSvg(ticket.paper), { mode: 0o600 })
    this.#say(`${frameTicket(text, `ticket ${number}`, this.#look())}\n  ${relative(this.#paths.root, file)}.txt`)
    this.#printer.tickets.splice(0, this.#printer.tickets.length - KEPT_TICKETS)
  }
}
