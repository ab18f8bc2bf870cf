// The drawing of a paper (SVG) to a picture of dots: white paper, black, red and pale grey. The same drawing gives the same dots on every machine.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { FontLibrary } from '#shared/raster/font-library.ts'
import { readFont, writeFont } from '#shared/raster/sfnt.ts'
import { graphemes, isEmoji } from '#shared/tickets/display-width.ts'
import { type PaletteImage, type Rgb, writePalettePng } from './palette-png.ts'

const PAPER: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
const RED: Rgb = [193, 18, 31]
const PALE: Rgb = [170, 170, 170]
const PALETTE = [PAPER, BLACK, RED, PALE] as const

const require = createRequire(import.meta.url)
const FONT_FOLDER = dirname(require.resolve('@fontsource/noto-sans-mono/package.json'))
const PARTS = ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese']
const FAMILY = 'TicketMono'

/** Draws with the built-in fonts; those of other scripts only for text that needs them. */
export class PaperPictures {
  readonly #library = new FontLibrary(null)
  readonly #others = new Map<number, Uint8Array>()
  #mono: Promise<Uint8Array[]> | null = null

  /** @param svg of `papersToSvg`; a dot of it is a dot of the picture */
  async draw(svg: string): Promise<PaletteImage> {
    this.#mono ??= startEngine().then(monoFonts)
    const fontBuffers = [...(await this.#mono), ...(await this.#fontsFor(textOf(svg)))]
    const options = { fontBuffers, loadSystemFonts: false, defaultFontFamily: FAMILY, monospaceFamily: FAMILY }
    const resvg = new Resvg(withBoldStrokes(svg), { font: options })
    const image = resvg.render()
    try {
      const { width, height, pixels } = image
      return { width, height, dots: dotsOf(pixels), palette: PALETTE }
    } finally {
      image.free()
      resvg.free()
    }
  }

  async png(svg: string): Promise<Uint8Array> {
    return writePalettePng(await this.draw(svg))
  }

  /** For what a printer has in a font of its own, such as Chinese. */
  async #fontsFor(text: string): Promise<Uint8Array[]> {
    const fonts = new Map<number, Uint8Array>()
    for (const { text: letter, width } of graphemes(text)) {
      if (letter <= '~') continue
      const { face } = await this.#library.find(letter, width === 2 && isEmoji(letter), 'sc')
      const { id } = face
      if (face.isMonospaced) continue
      const file = this.#others.get(id) ?? (await this.#library.take(id))
      this.#others.set(id, file)
      fonts.set(id, file)
    }
    return [...fonts.values()]
  }
}

// The engine can be started once in a program.
let engine: Promise<void> | null = null

function startEngine(): Promise<void> {
  engine ??= initWasm(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')))
  return engine
}

function monoFonts(): Promise<Uint8Array[]> {
  const files = PARTS.map((part) => `noto-sans-mono-${part}-400-normal.woff`)
  return Promise.all(
    files.map(async (file) => writeFont(await readFont(readFileSync(join(FONT_FOLDER, 'files', file))), FAMILY)),
  )
}

/** Bold as print heads make it, with thicker strokes: not every script has a bold font here. */
function withBoldStrokes(svg: string): string {
  return svg.replace(/fill="([^"]+)" font-weight="bold"/g, 'fill="$1" stroke="$1" stroke-width="1.1"')
}

/** The letters in the drawing. */
function textOf(svg: string): string {
  return [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text ?? '').join('')
}

/** Each dot to the nearest colour: edges of letters become black or white, as a print head makes them. */
function dotsOf(pixels: Uint8Array): Uint8Array {
  const dots = new Uint8Array(pixels.length / 4)
  for (let i = 0; i < dots.length; i++) {
    const [red, green, blue] = [pixels[i * 4] ?? 0, pixels[i * 4 + 1] ?? 0, pixels[i * 4 + 2] ?? 0]
    let nearest = Number.POSITIVE_INFINITY
    PALETTE.forEach(([r, g, b], colour) => {
      const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
      if (distance >= nearest) return
      nearest = distance
      dots[i] = colour
    })
  }
  return dots
}
