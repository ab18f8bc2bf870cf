// A virtual Star printer and our transport on both ends of a real socket, with short timeouts: the bench of the Star transport's tests.
import { pino } from 'pino'
import { transportOver } from '#gateway/printers/open-transport.ts'
import { tcpChannelTo } from '#gateway/printers/tcp-channel.ts'
import type { TransportTimeouts } from '#gateway/printers/timeouts.ts'
import type { PrintDocument, SendOutcome } from '#gateway/printers/transport.ts'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import { PROFILE, SHORT } from './printer-rig.ts'
import { TransportRig } from './transport-rig.ts'
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
  transport?: { exclusive?: boolean }
}

export class StarRig extends TransportRig {
  readonly printer: VirtualStarPrinter
  readonly #options: StarRigOptions

  constructor(options: StarRigOptions = {}) {
    super()
    this.#options = options
    this.printer = new VirtualStarPrinter({ ...options.printer, clock: this.clock })
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
    this.use(
      transportOver({
        openChannel: tcpChannelTo(address),
        openStatusPort: model.statusPort ? tcpChannelTo(statusAddress) : null,
        profile: { ...STAR_PROFILE, ...profile },
        capability,
        clock: this.clock,
        random: Math.random,
        log: pino({ level: 'silent' }),
        timeouts: { ...SHORT, ...timeouts },
        interrupted,
        exclusive: false,
        ...transport,
      }),
    )
  }

  send(name: string, lines?: number, signal?: AbortSignal): Promise<SendOutcome> {
    return this.sendDocument(starDocument(name, lines), signal)
  }
}
