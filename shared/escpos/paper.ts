// Simulates a printer: interprets ESC/POS and Star bytes and returns the paper, split into tickets. Used for previews, tests and the virtual printer.
import { EPSON_CODE_PAGES, STAR_CODE_PAGES } from './code-page-characters.ts'
import { type CommandFamily, isStar } from './command-lengths.ts'
import type { CommandRules, Player } from './command-rules.ts'
import { DARUMA_RULES, EPSON_RULES } from './epson-rules.ts'
import { SymbolStore } from './paper-symbols.ts'
import { type DoubleByteSet, TextDecoding } from './paper-text.ts'
import type { PaperGrid, PaperTicket } from './paper-ticket.ts'
import { PrintHead } from './print-head.ts'
import { RasterPage } from './raster-page.ts'
import { STAR_RULES } from './star-rules.ts'
import { type CommandOperation, EscposTokenizer, type Operation } from './tokenize.ts'

export interface PaperOptions {
  /** Characters per line in font A. Longer lines wrap, as on the printer. Default 48. */
  columns?: number
  /** Printable dots per line. Default 12 per column. */
  dots?: number
  /** Encoding of each number of ESC t (Star: ESC GS t). Default: the maker's numbers. */
  codePages?: ReadonlyMap<number, string>
  /** The page after power-on and ESC @. Default 0. */
  defaultPage?: number
  /** Clones start in Kanji mode: accents print as Chinese until FS . is sent. */
  kanjiAtStart?: boolean
  /** Two-byte character set of the model. Default GB18030, as in clones. */
  kanji?: DoubleByteSet
  family?: CommandFamily
  /** 9-pin head: letters of 9 dots, pictures of 72 rows per inch, a red ribbon. Default: thermal. */
  isImpact?: boolean
  /** Height of die-cut labels in dots; null for a roll. */
  labelDots?: number | null
  /** False if paper is torn or peeled off by hand, so that paper without a cut is normal. Default true. */
  hasCutter?: boolean
}

const DOTS_PER_COLUMN = 12
const THERMAL = { cellHeight: 24, smallCell: { width: 9, height: 17 }, lineSpacing: 30, starLineSpacing: 32 } as const
/** Half dots across, 1/144 inch down: letters of 9 rows, 9 and 7 dots wide; lines of 1/6 inch. */
const IMPACT = { cellHeight: 18, smallCell: { width: 10, height: 18 }, lineSpacing: 24, starLineSpacing: 24 } as const

const RULES: Readonly<Record<CommandFamily, CommandRules>> = {
  epson: EPSON_RULES,
  daruma: DARUMA_RULES,
  star: STAR_RULES,
  'star-raster': STAR_RULES,
}

export class PaperInterpreter {
  readonly #tokenizer: EscposTokenizer
  readonly #family: CommandFamily
  readonly #player: Player

  constructor(options: PaperOptions = {}) {
    const family = options.family ?? 'epson'
    const isImpact = options.isImpact ?? false
    const mechanism = isImpact ? IMPACT : THERMAL
    const decoding = new TextDecoding({
      codePages: options.codePages ?? (isStar(family) ? STAR_CODE_PAGES : EPSON_CODE_PAGES),
      defaultPage: options.defaultPage ?? 0,
      doubleByte: options.kanji ?? 'gb18030',
      kanjiAtStart: options.kanjiAtStart ?? false,
    })
    const spacing = isStar(family) ? mechanism.starLineSpacing : mechanism.lineSpacing
    this.#family = family
    this.#tokenizer = new EscposTokenizer({ family })
    this.#player = {
      head: new PrintHead(gridOf(options, mechanism), decoding, spacing),
      symbols: new SymbolStore(),
      isImpact,
      stored: { graphics: null, downloaded: null },
      raster: new RasterPage(),
      etbs: 0,
    }
  }

  /** Tickets that were cut, oldest first. */
  get tickets(): readonly PaperTicket[] {
    return this.#player.head.tickets
  }

  /** The paper since the last cut. Text without a line feed is not printed yet. */
  get current(): PaperTicket {
    return this.#player.head.ticket
  }

  /** Printable dots per line. */
  get dots(): number {
    return this.#player.head.grid.dots
  }

  /** Star: number of marks (ETB) that were processed. */
  get etbs(): number {
    return this.#player.etbs
  }

  /** Bytes of an incomplete command, for which the printer waits. */
  get pendingBytes(): number {
    return this.#tokenizer.pendingBytes
  }

  push(chunk: Uint8Array): void {
    for (const operation of this.#tokenizer.push(chunk)) this.apply(operation)
  }

  /** Interprets one operation, for callers that run the tokenizer themselves. */
  apply(operation: Operation): void {
    if (operation.kind === 'command') this.#obey(operation)
    // A printer without characters prints nothing.
    else if (this.#family === 'star-raster') this.#player.head.ignore('text')
    else this.#player.head.print(operation.bytes)
  }

  /** The characters that these text bytes would print now, without printing them. */
  readable(bytes: Uint8Array): string {
    return this.#player.head.decoding.peek(bytes)
  }

  /** Simulates a power failure: modes and unprinted content are lost, the paper stays. */
  powerOff(): void {
    this.#tokenizer.reset()
    this.#initialise()
  }

  #obey(command: CommandOperation): void {
    const { name, params, known } = command
    if (name === 'NUL') return
    const { head } = this.#player
    head.decoding.endRun()
    const rule = known ? RULES[this.#family][name] : undefined
    if (name === 'ESC @') this.#initialise()
    else if (rule === undefined) head.ignore(known ? name : `${name}?`)
    else rule(this.#player, params)
  }

  /** Resets the modes to those after power-on and discards unprinted text. */
  #initialise(): void {
    this.#player.head.initialise()
    this.#player.symbols.clear()
    this.#player.raster.initialise()
    this.#player.stored = { graphics: null, downloaded: null }
  }
}

function gridOf(
  options: PaperOptions,
  { cellHeight, smallCell }: Pick<PaperGrid, 'cellHeight' | 'smallCell'>,
): PaperGrid {
  const columns = options.columns ?? 48
  const dots = options.dots ?? columns * DOTS_PER_COLUMN
  const cellWidth = Math.max(1, Math.floor(dots / columns))
  return { columns, dots, cellWidth, cellHeight, smallCell, labelDots: options.labelDots ?? null }
}
