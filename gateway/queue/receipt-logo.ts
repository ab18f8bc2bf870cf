// The restaurant's logo as dots for the paper of each printer. Converted again only after the file has changed.
import type { LogoFile } from '#gateway/storage/logo-file.ts'
import type { Logger } from '#shared/log.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { logoBitmap } from '#shared/raster/logo.ts'
import type { Bitmap } from '#shared/tickets/bitmap.ts'
import { pictureGrid } from '#shared/tickets/graphics.ts'

export class ReceiptLogo {
  readonly #file: Pick<LogoFile, 'read'>
  readonly #log: Logger
  #png: Uint8Array | null = null
  /** By maximum width in dots. */
  readonly #drawn = new Map<number, Promise<Bitmap>>()

  constructor(file: Pick<LogoFile, 'read'>, log: Logger) {
    this.#file = file
    this.#log = log
  }

  /**
   * Null without a logo, for a printer without pictures or with coarse ones (8-pin heads), and if it cannot be converted: a receipt never
   * waits for it.
   */
  async bitmap(profile: Pick<PrinterProfile, 'image' | 'dots' | 'columns'>): Promise<Bitmap | null> {
    const grid = profile.image === 'column8' ? null : pictureGrid(profile)
    const png = grid === null ? null : this.#file.read()
    if (grid === null || png === null) return null
    if (this.#png === null || Buffer.compare(this.#png, png) !== 0) {
      this.#png = png
      this.#drawn.clear()
    }
    const drawn = this.#drawn.get(grid.dots) ?? logoBitmap(png, grid.dots)
    this.#drawn.set(grid.dots, drawn)
    try {
      return await drawn
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown'
      this.#log.warn({ error: name }, 'the logo cannot be drawn; receipts are printed without it')
      return null
    }
  }
}
