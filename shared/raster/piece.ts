// The unit of drawing: one character of the grid, or one word of a script whose letters vary in width.
import type { TextSize } from './font-box.ts'

/** One thing to draw. Equal pieces look the same, so each is drawn once and cached. */
export interface Piece {
  text: string
  /** Id of the font in the library. */
  face: number
  family: string
  /** `cell`: one column wide. `wide` and `emoji`: two columns. `free`: as wide as it is drawn. */
  kind: 'cell' | 'wide' | 'emoji' | 'free'
  /** Of free pieces: the size at which the font's letters fit the line. */
  size: TextSize
  /** True if all of its text is right-to-left, including signs such as brackets and full stops. */
  isRightToLeft: boolean
  columns: number
  bold: boolean
  /** Printed size of a column and of a line in dots, including scales. */
  columnDots: number
  lineDots: number
  /** 1, or less for a piece that would exceed its space. */
  squeeze: number
}

/** A drawn piece. `left` is the column of its first dot, relative to its position. */
export interface DrawnPiece {
  left: number
  widthDots: number
  heightDots: number
  /** One byte per dot: 1 = black. */
  dots: Uint8Array
  /** Set if it is a box, because the engine cannot draw the text. */
  isUndrawn?: true
}

/** An empty box for a piece that the engine cannot draw. */
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

/** Dots from the start of its position to the end of its ink. */
export function rightOf({ left, widthDots }: DrawnPiece): number {
  return left + widthDots
}

/** A cache of the most recently used pieces, limited in bytes. */
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

/** Size in bytes, including the overhead of a map entry. */
function sizeOf(key: string, piece: DrawnPiece): number {
  return piece.dots.length + key.length * 2 + 200
}
