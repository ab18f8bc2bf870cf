// What a virtual printer is and feels: which questions its model answers, the state of paper, cover and cutter, and the status bytes that tell it.

/** Which questions the model understands. The default is a current Epson with all of them. */
export interface PrinterModel {
  dleEot: boolean
  asb: boolean
  gsR: boolean
  gsI: boolean
  gsParenH: boolean
  dleEnq: boolean
  dleDc4: boolean
  /** Answers to GS I 66, 67 and 68; a model without a serial number answers nothing to the last. */
  maker: string
  name: string
  serial: string | null
}

export const EPSON: PrinterModel = {
  dleEot: true,
  asb: true,
  gsR: true,
  gsI: true,
  gsParenH: true,
  dleEnq: true,
  dleDc4: true,
  maker: 'EPSON',
  name: 'TM-T88VI',
  serial: 'X2AB012345',
}

/** A printer that takes bytes and never says a word. */
export const MUTE: PrinterModel = {
  ...EPSON,
  dleEot: false,
  asb: false,
  gsR: false,
  gsI: false,
  gsParenH: false,
  dleEnq: false,
  dleDc4: false,
}

/** How a virtual printer departs from good manners. Change any of it while it runs. */
export interface Manners {
  /** Reads, never answers: also a printer that did answer before. */
  mute: boolean
  /** Its ASB is always 00 00 00 00 (the emulator escpos-netprinter): looks like four GS r answers. */
  zeroAsb: boolean
  /** Each answer carries the value of the same question before. */
  previousStatus: boolean
  /** GS ( H brings back somebody else's id. */
  foreignProcessId: boolean
  /** Sent when a client connects. */
  greeting: string
  /** Sent after the client's FIN, before our own. */
  trailer: string
  /** Each answer takes this long, one after the other. */
  answerMs: number
  /** One byte a segment. */
  splitReplies: boolean
  /** Everything of 5 ms in one segment. */
  glueReplies: boolean
  /**
   * A second answer waits until the client has sent something after the first: as of a printer without TCP_NODELAY, whose kernel holds small
   * segments back until the one before is acknowledged, at a client whose kernel acknowledges only with its own data.
   */
  holdsAnswers: boolean
  /** Pushes its status when the client has half-closed: a client that has gone meanwhile makes the kernel reset. */
  asbAfterFin: boolean
  rstAfterFin: boolean
  neverFin: boolean
  /** Closes its side only when everything of this client is printed; otherwise when it is received. */
  finWhenPrinted: boolean
  /** Resets a client that is silent this long; null never does. */
  rstAfterIdleMs: number | null
}

export const GOOD_MANNERS: Manners = {
  mute: false,
  zeroAsb: false,
  previousStatus: false,
  foreignProcessId: false,
  greeting: '',
  trailer: '',
  answerMs: 0,
  splitReplies: false,
  glueReplies: false,
  holdsAnswers: false,
  asbAfterFin: false,
  rstAfterFin: false,
  neverFin: false,
  finWhenPrinted: false,
  rstAfterIdleMs: null,
}

/** The state of the parts. `jam`: paper stuck in the cutter now; `cutterError`: the printer noticed and stopped. */
export class PrinterParts {
  paper: 'ok' | 'near-end' | 'out' = 'ok'
  coverOpen = false
  jam: 'none' | 'recoverable' | 'unrecoverable' = 'none'
  cutterError: 'none' | 'recoverable' | 'unrecoverable' = 'none'
  /** Print head too hot: goes on by itself. */
  hot = false

  get offline(): boolean {
    return this.paper === 'out' || this.coverOpen || this.cutterError !== 'none' || this.hot
  }

  /** Answer to DLE EOT n. */
  realTime(n: number): number {
    const error = this.cutterError !== 'none' || this.hot
    switch (n) {
      case 1:
        return 0x12 | bit(this.offline, 0x08) | bit(this.cutterError === 'recoverable', 0x20)
      case 2:
        return 0x12 | bit(this.coverOpen, 0x04) | bit(this.paper === 'out', 0x20) | bit(error, 0x40)
      case 3:
        return (
          0x12 |
          bit(this.cutterError !== 'none', 0x08) |
          bit(this.cutterError === 'unrecoverable', 0x20) |
          bit(this.hot, 0x40)
        )
      default:
        return 0x12 | bit(this.paper !== 'ok', 0x0c) | bit(this.paper === 'out', 0x60)
    }
  }

  asb(): Uint8Array {
    return Uint8Array.of(
      0x10 | bit(this.offline, 0x08) | bit(this.coverOpen, 0x20),
      bit(this.cutterError !== 'none', 0x08) | bit(this.cutterError === 'unrecoverable', 0x20) | bit(this.hot, 0x40),
      this.paperSensor(),
      0x00,
    )
  }

  /** Answer to GS r 1. */
  paperSensor(): number {
    return bit(this.paper !== 'ok', 0x03) | bit(this.paper === 'out', 0x0c)
  }
}

function bit(on: boolean, bits: number): number {
  return on ? bits : 0
}
