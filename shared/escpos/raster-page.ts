// The page of a printer in Star's raster mode: rows of dots that wait for the form feed.
import { MOST_ROWS, type Picture } from './picture.ts'

/** Default effect of ESC FF NUL (form feed) and ESC FF EOT (end of document): feed to the cutter and cut partially. */
export const DEFAULT_END_MODE = 13

export class RasterPage {
  #rows: Uint8Array[] = []
  /** Dots that `k` drew on the current row, which stays the current row. */
  #overlay: Uint8Array | null = null
  formFeedMode = DEFAULT_END_MODE
  documentEndMode = DEFAULT_END_MODE

  get blank(): boolean {
    return this.#rows.length === 0 && this.#overlay === null
  }

  initialise(): void {
    this.clear()
    this.formFeedMode = DEFAULT_END_MODE
    this.documentEndMode = DEFAULT_END_MODE
  }

  clear(): void {
    this.#rows = []
    this.#overlay = null
  }

  row(dots: Uint8Array): void {
    if (this.#rows.length >= MOST_ROWS) return
    this.#rows.push(this.#overlay === null ? dots : merged(this.#overlay, dots))
    this.#overlay = null
  }

  overlay(dots: Uint8Array): void {
    this.#overlay = this.#overlay === null ? dots : merged(this.#overlay, dots)
  }

  move(rows: number): void {
    const empty = new Uint8Array(0)
    for (let i = 0; i < rows && this.#rows.length < MOST_ROWS; i++) this.row(empty)
  }

  /** Returns the page as a picture, at most as wide as the paper, and starts an empty page. */
  take(mostDots: number): Picture {
    if (this.#overlay !== null) this.row(new Uint8Array(0))
    const widest = this.#rows.reduce((most, row) => Math.max(most, row.length), 0)
    const rowBytes = Math.min(widest, Math.ceil(mostDots / 8))
    const rows = new Uint8Array(rowBytes * this.#rows.length)
    this.#rows.forEach((row, y) => {
      rows.set(row.subarray(0, rowBytes), y * rowBytes)
    })
    const heightDots = this.#rows.length
    this.clear()
    return { widthDots: Math.min(rowBytes * 8, mostDots), heightDots, rows, rowBytes, dotWidth: 1, dotHeight: 1 }
  }
}

function merged(a: Uint8Array, b: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: Math.max(a.length, b.length) }, (_, i) => (a[i] ?? 0) | (b[i] ?? 0))
}
