// A virtual Star printer and our transport on both ends of a real socket, with short timeouts: the bench of the Star transport's tests.
import { pino } from 'pino'
import { StarTransport, type StarTransportOptions } from '#gateway/printers/star-transport.ts'
import { tcpChannelTo } from '#gateway/printers/tcp-channel.ts'
import type { TransportTimeouts } from '#gateway/printers/timeouts.ts'
import type { PrintDocument, PrinterHealth, Readiness, SendOutcome } from '#gateway/printers/transport.ts'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import { Signal } from '#shared/signal.ts'
import { PROFILE, SHORT } from './printer-rig.ts'
import { UnhurriedClock } from './unhurried-clock.ts'
import { VirtualStarPrinter, type VirtualStarPrinterOptions } from './virtual-star-printer.ts'

export const STAR_PROFILE: PrinterProfile = {
  ...PROFILE,
  id: 'star-rig',
  language: 'star-line',
  dialect: 'ntp-star',
  columns: 48,
  dots: 576,
  dpi: 203,
  image: 'star-column24',
  cut: 'esc-d',
  drawer: 'bel',
}

const NOTHING_EPSON = { dleEot: false, asb: false, gsParenH: false, gsI: false, gsR: false, learntAtMs: 0 }
export const KNOWS_STATUS: PrinterCapability = {
  ...NOTHING_EPSON,
  starStatus: true,
  starEtb: false,
  starPrintEnd: false,
}
export const KNOWS_ETB: PrinterCapability = { ...KNOWS_STATUS, starEtb: true }
export const KNOWS_PRINT_END: PrinterCapability = { ...KNOWS_ETB, starPrintEnd: true }

/** A ticket with the given name on each of its lines, cut as a Star printer cuts. */
export function starDocument(name: string, lines = 6): PrintDocument {
  const text = Array.from({ length: lines }, (_, i) => `${name} line ${i + 1}\n`).join('')
  return {
    bytes: Buffer.concat([Buffer.from(text, 'latin1'), Buffer.from([0x1b, 0x64, 0x03])]),
    heightMm: lines * 4,
    lines,
  }
}

export interface StarRigOptions {
  printer?: VirtualStarPrinterOptions
  capability?: PrinterCapability | null
  profile?: Partial<PrinterProfile>
  timeouts?: Partial<TransportTimeouts>
  transport?: Partial<StarTransportOptions>
}

export class StarRig {
  readonly clock = new UnhurriedClock()
  readonly printer: VirtualStarPrinter
  readonly health = new Signal<PrinterHealth>()
  readonly healths: PrinterHealth[] = []
  readonly learnt: PrinterCapability[] = []
  readonly #options: StarRigOptions
  readonly #stop = new AbortController()
  #transport: StarTransport | null = null
  #attempts = 0

  constructor(options: StarRigOptions = {}) {
    this.#options = options
    this.printer = new VirtualStarPrinter({ ...options.printer, clock: this.clock })
  }

  get transport(): StarTransport {
    if (!this.#transport) throw new Error('start the rig first')
    return this.#transport
  }

  async start(): Promise<this> {
    this.clock.start()
    await this.printer.start()
    this.connect()
    return this
  }

  /** A new transport, as after a restart of the gateway. */
  connect(interrupted = false): void {
    const { capability = KNOWS_ETB, profile, timeouts, transport } = this.#options
    const { model, address, statusAddress } = this.printer
    this.#transport = new StarTransport({
      openChannel: tcpChannelTo(address),
      openStatusPort: model.statusPort ? tcpChannelTo(statusAddress) : null,
      profile: { ...STAR_PROFILE, ...profile },
      capability,
      clock: this.clock,
      random: Math.random,
      log: pino({ level: 'silent' }),
      timeouts: { ...SHORT, ...timeouts },
      interrupted,
      ...transport,
    })
    this.#transport.onHealth((health) => {
      this.healths.push(health)
      this.health.notify(health)
    })
    this.#transport.onCapability((learnt) => this.learnt.push(learnt))
  }

  send(name: string, lines?: number, signal: AbortSignal = this.#stop.signal): Promise<SendOutcome> {
    return this.transport.send(starDocument(name, lines), `att_${++this.#attempts}`, signal)
  }

  prepare(): Promise<Readiness> {
    return this.transport.prepare(this.#stop.signal)
  }

  papers(): string[] {
    return this.printer.tickets.map((ticket) => ticket.text())
  }

  /** Names of the tickets that stand complete on paper, in order. */
  complete(lines = 6): string[] {
    return this.papers().flatMap((text) => {
      const name = new RegExp(`^(\\S+) line ${lines}$`, 'm').exec(text)?.[1]
      return name && text.includes(`${name} line 1\n`) ? [name] : []
    })
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    this.printer.thaw()
    await this.printer.stop()
    await this.#transport?.close()
    this.clock.stop()
  }
}
