// A virtual printer and our transport on both ends of a real socket, with short timeouts: the bench of the transport's tests.
import { pino } from 'pino'
import { type TransportOptions, transportOver } from '#gateway/printers/open-transport.ts'
import { tcpChannelTo } from '#gateway/printers/tcp-channel.ts'
import type { TransportTimeouts } from '#gateway/printers/timeouts.ts'
import type { PrintDocument, SendOutcome } from '#gateway/printers/transport.ts'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import { TransportRig } from './transport-rig.ts'
import { VirtualPrinter, type VirtualPrinterOptions } from './virtual-printer.ts'

export const SHORT: TransportTimeouts = {
  connectMs: 1_000,
  reconnectMs: 300,
  probeMs: 300,
  learnMs: 150,
  learnAgainMs: 40,
  lookAgainEveryMs: 60_000,
  noProgressMs: 500,
  confirmMs: 500,
  confirmSlackMs: 100,
  cutMs: 40,
  blockedMs: 5_000,
  finMs: 300,
  finEvidenceMs: 400,
  lingerMs: 150,
  pollMs: 25,
  announceOfflineMs: 120,
  closeMs: 200,
  stopMs: 80,
  recoverEveryMs: 50,
  discardMs: 200,
  idleLookMs: 60_000,
  lookSoonMs: 60,
  announceBusyMs: 120,
  lookAwayMs: 60_000,
  heartbeatMs: 60_000,
}

export const PROFILE: PrinterProfile = {
  id: 'rig',
  vendor: 'test',
  models: [],
  language: 'escpos',
  dialect: 'ntp-epson',
  columns: 42,
  dots: 512,
  dpi: 180,
  codePages: [{ page: 16, encoding: 'windows1252' }],
  cancelKanji: true,
  kanji: null,
  image: 'raster',
  maxBandRows: 24,
  cut: 'gs-v-66',
  beep: 'none',
  drawer: 'esc-p',
  color: 'none',
  symbols: 'epson',
  media: { kind: 'roll' },
  statusPort: null,
  clearsBuffer: false,
  speed: { mmPerSec: 1_000 },
  paceBytesPerSec: null,
  idleCloseMs: null,
}

/** Everything known, as after the first ticket on an Epson. */
export const KNOWS_ALL: PrinterCapability = {
  dleEot: true,
  asb: true,
  gsParenH: true,
  gsI: true,
  gsR: true,
  learntAtMs: 0,
}

/** Stands on every copy after the first, as the queue would have it. */
export const MARK = 'POSSIBLE DUPLICATE'

/** A ticket with the given name on each of its lines. */
export function ticketDocument(name: string, lines = 6, isMarked = false): PrintDocument {
  const body = Array.from({ length: lines }, (_, i) => `${name} line ${i + 1}\n`).join('')
  const text = isMarked ? `${MARK}\n${body}` : body
  return {
    bytes: Buffer.concat([Buffer.from(text, 'latin1'), Buffer.from([0x1d, 0x56, 0x42, 0x00])]),
    heightMm: lines * 4,
    lines,
  }
}

export interface RigOptions {
  printer?: VirtualPrinterOptions
  capability?: PrinterCapability | null
  profile?: Partial<PrinterProfile>
  timeouts?: Partial<TransportTimeouts>
  /** Made anew for each transport where it is a function. */
  transport?: Partial<TransportOptions> | (() => Partial<TransportOptions>)
}

export class PrinterRig extends TransportRig {
  readonly printer: VirtualPrinter
  readonly #options: RigOptions

  constructor(options: RigOptions = {}) {
    super()
    this.#options = options
    this.printer = new VirtualPrinter({ ...options.printer, clock: this.clock })
  }

  async start(): Promise<this> {
    this.connect(await this.printer.start())
    return this
  }

  /** A new transport, as after a restart of the gateway, which knows of the printer what `known` says; also for an address that is not the rig's printer. */
  connect(address: { host: string; port: number }, known?: PrinterCapability | null): void {
    const { capability = KNOWS_ALL, profile, timeouts, transport } = this.#options
    const more = typeof transport === 'function' ? transport() : transport
    this.clock.start()
    this.use(
      transportOver({
        openChannel: tcpChannelTo(address),
        openStatusPort: null,
        profile: { ...PROFILE, ...profile },
        capability: known === undefined ? capability : known,
        clock: this.clock,
        random: Math.random,
        log: pino({ level: 'silent' }),
        timeouts: { ...SHORT, ...timeouts },
        interrupted: false,
        exclusive: false,
        ...more,
      }),
    )
  }

  send(name: string, lines?: number, signal?: AbortSignal): Promise<SendOutcome> {
    return this.sendDocument(ticketDocument(name, lines), signal)
  }
}
