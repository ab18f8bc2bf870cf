// Plays the printer: interprets ESC/POS bytes and keeps the paper, cut into tickets. The one interpreter of previews, tests and the virtual printer.
import { EPSON_CODE_PAGES } from './code-page-characters.ts'
import type { CommandFamily } from './command-lengths.ts'
import { GRAPHIC_COMMANDS, SymbolStore } from './paper-graphics.ts'
import { TextDecoding } from './paper-text.ts'
import { type PaperAlign, type PaperRun, type PaperStyle, PaperTicket } from './paper-ticket.ts'
import { type CommandOperation, EscposTokenizer, type Operation } from './tokenize.ts'

export interface PaperOptions {
  /** Characters a line in font A; longer lines wrap as on the printer. Default 48. */
  columns?: number
  /** Printable dots a line. Default 12 per column. */
  dots?: number
  /** Encoding for each number of ESC t. Default: Epson's numbers. */
  codePages?: ReadonlyMap<number, string>
  /** The page after power-on and ESC @. Default 0. */
  defaultPage?: number
  /** Clones start in Kanji mode: accents print as Chinese until FS . is sent. */
  kanjiAtStart?: boolean
  family?: CommandFamily
}

const PLAIN: PaperStyle = {
  bold: false,
  underline: false,
  inverse: false,
  red: false,
  widthScale: 1,
  heightScale: 1,
}
const DOTS_PER_COLUMN = 12
const CHARACTER_HEIGHT_DOTS = 24
const DEFAULT_LINE_SPACING_DOTS = 30
const TAB_COLUMNS = 8

interface Modes {
  style: PaperStyle
  align: PaperAlign
  upsideDown: boolean
  lineSpacingDots: number
}

function initialModes(): Modes {
  return { style: PLAIN, align: 'left', upsideDown: false, lineSpacingDots: DEFAULT_LINE_SPACING_DOTS }
}

export class PaperInterpreter {
  readonly #tokenizer: EscposTokenizer
  readonly #columns: number
  readonly #dots: number
  readonly #decoding: TextDecoding
  readonly #symbols = new SymbolStore()
  readonly #tickets: PaperTicket[] = []
  #current: PaperTicket
  #modes: Modes = initialModes()
  #runs: PaperRun[] = []
  #lineColumns = 0
  #wrapped = false

  constructor(options: PaperOptions = {}) {
    this.#columns = options.columns ?? 48
    this.#dots = options.dots ?? this.#columns * DOTS_PER_COLUMN
    this.#tokenizer = new EscposTokenizer({ family: options.family ?? 'epson' })
    this.#decoding = new TextDecoding(
      options.codePages ?? EPSON_CODE_PAGES,
      options.defaultPage ?? 0,
      options.kanjiAtStart ?? false,
    )
    this.#current = new PaperTicket(this.#columns)
  }

  /** Tickets that were cut off, oldest first. */
  get tickets(): readonly PaperTicket[] {
    return this.#tickets
  }

  /** The paper since the last cut. Text that waits for its line feed is not on it yet. */
  get current(): PaperTicket {
    return this.#current
  }

  /** Bytes of a command that is not complete: the printer is hungry for more. */
  get pendingBytes(): number {
    return this.#tokenizer.pendingBytes
  }

  push(chunk: Uint8Array): void {
    for (const operation of this.#tokenizer.push(chunk)) this.apply(operation)
  }

  /** Obeys one operation, for callers that run the tokenizer themselves. */
  apply(operation: Operation): void {
    if (operation.kind === 'text') this.#print(operation.bytes)
    else this.#obey(operation)
  }

  /** As when power fails: modes and whatever is not on paper yet are lost, the paper stays. */
  powerOff(): void {
    this.#tokenizer.reset()
    this.#initialise()
  }

  #obey(command: CommandOperation): void {
    const { name, params } = command
    if (name === 'NUL') return
    this.#decoding.endRun()
    if (this.#obeyStyle(name, params[0] ?? 1) || this.#obeyPaper(name, params) || this.#obeyOther(name, params)) return
    const graphic = GRAPHIC_COMMANDS[name]?.(params, this.#symbols)
    if (graphic === undefined) this.#current.ignored.push(command.known ? name : `${name}?`)
    else if (graphic !== null) {
      this.#endLine()
      this.#current.lines.push({ kind: 'graphic', align: this.#modes.align, ...graphic })
    }
  }

  #style(change: Partial<PaperStyle>): true {
    this.#modes.style = { ...this.#modes.style, ...change }
    return true
  }

  #obeyStyle(name: string, n: number): boolean {
    switch (name) {
      case 'ESC E':
        return this.#style({ bold: (n & 1) === 1 })
      case 'ESC G':
        return this.#style({ bold: (n & 1) === 1 })
      case 'ESC -':
        return this.#style({ underline: n % 48 > 0 && n % 48 <= 2 })
      case 'GS B':
        return this.#style({ inverse: (n & 1) === 1 })
      case 'ESC r':
        return this.#style({ red: (n & 1) === 1 })
      case 'GS !':
        return this.#style({ widthScale: ((n >> 4) & 7) + 1, heightScale: (n & 7) + 1 })
      case 'ESC !':
        return this.#style({
          bold: (n & 0x08) !== 0,
          underline: (n & 0x80) !== 0,
          heightScale: n & 0x10 ? 2 : 1,
          widthScale: n & 0x20 ? 2 : 1,
        })
      case 'ESC w': // Daruma: double height
        return this.#style({ heightScale: n & 1 ? 2 : 1 })
      case 'SO': // Daruma: double width
        return this.#style({ widthScale: 2 })
      case 'DC4':
        return this.#style({ widthScale: 1 })
      case 'ESC F': // Daruma: bold off; its ESC E has no parameter and arrives as 1
        return this.#style({ bold: false })
      default:
        return false
    }
  }

  #obeyPaper(name: string, params: Uint8Array): boolean {
    const n = params[0] ?? 0
    switch (name) {
      case 'LF':
        this.#endLine(true)
        return true
      case 'ESC d':
        this.#feedLines(n)
        return true
      case 'ESC J':
        this.#endLine()
        this.#current.lines.push({ kind: 'feed', heightDots: n })
        return true
      case 'CR': // ignored by network printers: automatic line feed is off
        return true
      case 'HT':
        return this.#moveTo((Math.floor(this.#lineColumns / TAB_COLUMNS) + 1) * TAB_COLUMNS)
      case 'ESC $':
        return this.#moveTo(Math.ceil((n + (params[1] ?? 0) * 256) / DOTS_PER_COLUMN))
      case 'GS V':
        return this.#cut(n % 48 === 0 || n === 65 || n === 97 || n === 103 ? 'full' : 'partial', params[1] ?? 0)
      case 'ESC i':
        return this.#cut('full', 0)
      case 'ESC m':
        return this.#cut('partial', 0)
      default:
        return false
    }
  }

  #obeyOther(name: string, params: Uint8Array): boolean {
    const n = params[0] ?? 0
    switch (name) {
      case 'ESC @':
        this.#initialise()
        return true
      case 'ESC t':
        this.#decoding.page = n
        return true
      case 'FS &':
      case 'FS .':
        this.#decoding.kanji = name === 'FS &'
        return true
      case 'ESC a':
      case 'ESC j': // Daruma: justification
        this.#modes.align = n % 48 === 1 ? 'center' : n % 48 === 2 ? 'right' : 'left'
        return true
      case 'ESC {':
        this.#modes.upsideDown = (n & 1) === 1
        return true
      case 'ESC 2':
        this.#modes.lineSpacingDots = DEFAULT_LINE_SPACING_DOTS
        return true
      case 'ESC 3':
        this.#modes.lineSpacingDots = n
        return true
      case 'ESC p':
        this.#current.drawerPulses++
        return true
      case 'DLE DC4':
        if (n === 1) this.#current.drawerPulses++
        if (n === 3) this.#current.beeps++
        return true
      case 'BEL':
      case 'ESC B':
        this.#current.beeps += name === 'BEL' ? 1 : n
        return true
      case 'ESC ( A':
        if (n === 97 || n === 48) this.#current.beeps += n === 97 ? (params[2] ?? 1) : 1
        return true
      case 'DLE EOT':
      case 'DLE ENQ':
      case 'GS r':
      case 'GS a':
      case 'GS I':
      case 'GS ( H':
        return true // status: the printer's business, nothing on paper
      default:
        return false
    }
  }

  #print(bytes: Uint8Array): void {
    for (const character of this.#decoding.decode(bytes)) {
      this.#put(character.text, character.columns * this.#modes.style.widthScale)
    }
  }

  #put(text: string, columns: number): void {
    if (this.#lineColumns + columns > this.#columns && this.#lineColumns > 0) {
      this.#endLine()
      this.#wrapped = true
    }
    const last = this.#runs.at(-1)
    if (last !== undefined && sameStyle(last, this.#modes.style)) last.text += text
    else this.#runs.push({ ...this.#modes.style, text })
    this.#lineColumns += columns
  }

  #moveTo(column: number): true {
    const gap = Math.min(column, this.#columns) - this.#lineColumns
    for (let i = 0; i < gap; i++) this.#put(' ', 1)
    return true
  }

  /** Puts the waiting text on paper. `evenEmpty`: a line feed moves the paper also without text. */
  #endLine(evenEmpty = false): void {
    if (this.#runs.length === 0 && !evenEmpty) return
    const tallest = this.#runs.reduce((most, run) => Math.max(most, run.heightScale), 1)
    this.#current.lines.push({
      kind: 'text',
      align: this.#modes.align,
      upsideDown: this.#modes.upsideDown,
      runs: this.#runs,
      columns: this.#lineColumns,
      wrapped: this.#wrapped,
      heightDots: Math.max(this.#modes.lineSpacingDots, tallest * CHARACTER_HEIGHT_DOTS),
    })
    this.#runs = []
    this.#lineColumns = 0
    this.#wrapped = false
  }

  #feedLines(count: number): void {
    // The first line is the one that carries the waiting text.
    const blank = this.#runs.length > 0 ? count - 1 : count
    this.#endLine()
    if (blank > 0) this.#current.lines.push({ kind: 'feed', heightDots: blank * this.#modes.lineSpacingDots })
  }

  #cut(how: 'full' | 'partial', feedDots: number): true {
    this.#endLine()
    if (feedDots > 0) this.#current.lines.push({ kind: 'feed', heightDots: feedDots })
    this.#current.cut = how
    this.#tickets.push(this.#current)
    this.#current = new PaperTicket(this.#columns)
    return true
  }

  /** ESC @: modes as at power-on; text that waits for its line feed is thrown away. */
  #initialise(): void {
    this.#modes = initialModes()
    this.#decoding.reset()
    this.#symbols.clear()
    this.#runs = []
    this.#lineColumns = 0
    this.#wrapped = false
  }

  /** Printable dots a line. */
  get dots(): number {
    return this.#dots
  }
}

function sameStyle(a: PaperStyle, b: PaperStyle): boolean {
  return (
    a.bold === b.bold &&
    a.underline === b.underline &&
    a.inverse === b.inverse &&
    a.red === b.red &&
    a.widthScale === b.widthScale &&
    a.heightScale === b.heightScale
  )
}
