// What is drawn at a time: one character of the grid, or one word of a script whose letters have widths of their own.
import type { TextSize } from './font-box.ts'

/** One thing to draw. Equal pieces look the same, so each is drawn once and kept. */
export interface Piece {
  text: string
  /** Font by its id in the library. */
  face: number
  family: string
  /** `cell`: one column wide by its font. `wide` and `emoji`: two columns. `free`: as wide as it comes out. */
  kind: 'cell' | 'wide' | 'emoji' | 'free'
  /** Of free pieces: as large as their font's letters fit the line. */
  size: TextSize
  /** Its text is written from right to left, signs such as brackets and full stops included. */
  isRightToLeft: boolean
  columns: number
  bold: boolean
  /** Dots of a column and of a line as they are printed, scales included. */
  columnDots: number
  lineDots: number
  /** 1, or less for a piece that would be wider than its place. */
  squeeze: number
}

/** A piece as dots: what is black of it, column `left` of its place being the first. */
export interface DrawnPiece {
  left: number
  widthDots: number
  heightDots: number
  /** One byte a dot: 1 = black. */
  dots: Uint8Array
  /** It is a box: the engine cannot draw the text. */
  isUndrawn?: true
}

/** An empty box in the place of a piece that the engine cannot draw. */
export function boxOf({ columns, columnDots, lineDots }: Piece): DrawnPiece {
  const [widthDots, heightDots] = [Math.max(4, Math.floor(columns * columnDots) - 2), Math.ceil(lineDots / 2)]
  const top = Math.ceil(lineDots / 4)
  const dots = new Uint8Array(widthDots * (top + heightDots))
  const isEdge = (at: number, last: number) => at === 0 || at === last
  for (let row = 0; row < heightDots; row++)
    for (let column = 0; column < widthDots; column++)
      if (isEdge(row, heightDots - 1) || isEdge(column, widthDots - 1)) dots[(top + row) * widthDots + column] = 1
  return { left: 0, widthDots, heightDots: top + heightDots, dots, isUndrawn: true }
}

export function keyOf(piece: Piece): string {
  const { text, face, kind, isRightToLeft, bold, columnDots, lineDots, squeeze } = piece
  return `${face} ${kind} ${Number(isRightToLeft)}${Number(bold)} ${columnDots} ${lineDots} ${squeeze} ${text}`
}

/** Dots from the beginning of its place to the end of its ink. */
export function rightOf({ left, widthDots }: DrawnPiece): number {
  return left + widthDots
}

/** Keeps what was used last, up to a number of bytes. */
export class PieceCache {
  readonly #pieces = new Map<string, DrawnPiece>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): DrawnPiece | undefined {
    const piece = this.#pieces.get(key)
    if (piece === undefined) return undefined
    this.#pieces.delete(key)
    this.#pieces.set(key, piece)
    return piece
  }

  set(key: string, piece: DrawnPiece): void {
    this.#drop(key)
    this.#pieces.set(key, piece)
    this.#bytes += sizeOf(key, piece)
    for (const oldest of this.#pieces.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const piece = this.#pieces.get(key)
    if (piece === undefined) return
    this.#pieces.delete(key)
    this.#bytes -= sizeOf(key, piece)
  }
}

/** With what an entry of a map costs. */
function sizeOf(key: string, piece: DrawnPiece): number {
  return piece.dots.length + key.length * 2 + 200
}
