// Draws text that a printer has no characters for, in any script, with real fonts. resvg draws in a worker.
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import type { Bitmap } from '#shared/tickets/bitmap.ts'
import { graphemes, isEmoji } from '#shared/tickets/display-width.ts'
import type { DrawOptions, RasterRequest, TextRaster } from '#shared/tickets/text-raster.ts'
import { DrawingThread, EngineFailure } from './drawing-thread.ts'
import { FontLibrary, type FontPack } from './font-library.ts'
import type { HanStyle } from './font-packs.ts'
import { hanStyleOf } from './han-style.ts'
import { linePicture } from './line-picture.ts'
import { advanceOf, type FaceOf, fittedPlan, type LinePlan, planLine } from './line-plan.ts'
import { boxOf, type DrawnPiece, keyOf, type Piece, PieceCache, rightOf } from './piece.ts'
import { cutOut, hasOverflow, isCutOff, type Sheet, sheetsOf } from './piece-sheet.ts'

export interface ResvgRasterOptions {
  clock: Clock
  log?: Logger
  /** Folder of installed fonts: .ttf, .otf and .woff files. Null: only the built-in ones. */
  packsFolder?: string | null
  /** Time limit for a sheet in milliseconds. When it is exceeded, the worker is killed. */
  timeoutMs?: number
  /** The worker ends after this time without a drawing, in milliseconds. */
  idleMs?: number
  /** Default: the bundled worker. */
  workerFile?: URL
}

const TIMEOUT_MS = 5_000
const IDLE_MS = 900_000
const CACHE_BYTES = 4_000_000
/** A word that exceeded its slot is measured at a quarter of its width. */
const MEASURING_SQUEEZE = 0.25
/** Each failure starts a new worker. After more failures than this, drawing is considered impossible. */
const MOST_FAILURES = 3

export class ResvgRaster implements TextRaster, Service {
  readonly #log: Logger | undefined
  readonly #library: FontLibrary
  readonly #thread: DrawingThread
  readonly #cache: PieceCache

  constructor({ clock, log, packsFolder = null, ...options }: ResvgRasterOptions) {
    this.#log = log
    this.#library = new FontLibrary(packsFolder)
    this.#cache = new PieceCache(CACHE_BYTES)
    this.#thread = new DrawingThread({
      clock,
      fontFile: (face) => this.#library.take(face),
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      idleMs: options.idleMs ?? IDLE_MS,
      ...(options.workerFile === undefined ? {} : { workerFile: options.workerFile }),
    })
  }

  /** Does nothing yet: the worker starts with the first text to draw, since it takes memory and most kitchens never need it. */
  async start(): Promise<void> {}

  async stop(): Promise<void> {
    await this.#thread.stop()
  }

  /** True while the worker runs, which takes about 60 MB. */
  get isWorkerRunning(): boolean {
    return this.#thread.isRunning
  }

  /** The available fonts. Installed ones are read to check whether they are valid. */
  fontPacks(): Promise<FontPack[]> {
    return this.#library.packs()
  }

  async draw(requests: readonly RasterRequest[], { timeZone }: DrawOptions = {}): Promise<readonly Bitmap[]> {
    try {
      return await this.#draw(requests, hanStyleOf(textsOf(requests), timeZone))
    } catch (error) {
      // The message is from the engine or from us: it contains no text of a ticket.
      this.#log?.error({ err: error }, 'text could not be drawn: this ticket is printed in the nearest letters')
      throw error
    }
  }

  async missing(graphemes: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const asked = new Set(graphemes)
    // The worker will be needed, and its start takes as long as reading the fonts: do both at once.
    if ([...asked].some((grapheme) => this.#library.known(grapheme, 'sc') === undefined)) this.#thread.prepare()
    return this.#library.missing(asked)
  }

  async #draw(requests: readonly RasterRequest[], style: HanStyle): Promise<readonly Bitmap[]> {
    const plans = await this.#plan(requests, style)
    // Kept here too, since the cache may drop them meanwhile.
    const drawn = new Map<string, DrawnPiece>()
    const pieces = plans.flatMap(piecesOf)
    await this.#fill(drawn, pieces)
    const drawnOf = (piece: Piece) => drawn.get(keyOf(piece))
    const isTooWide = (piece: Piece) => {
      const known = drawnOf(piece)
      return known !== undefined && isCutOff(piece, known)
    }
    const narrow = (piece: Piece): Piece => ({ ...piece, squeeze: MEASURING_SQUEEZE })
    await this.#fill(drawn, pieces.filter(isTooWide).map(narrow))

    const naturalWidth = (piece: Piece): number => {
      const measured = isTooWide(piece) ? drawnOf(narrow(piece)) : undefined
      if (measured !== undefined) return advanceOf(piece, measured) / MEASURING_SQUEEZE
      const known = drawnOf(piece)
      return known === undefined ? 0 : piece.kind === 'free' ? advanceOf(piece, known) : rightOf(known)
    }
    const fitted = plans.map((plan) => fittedPlan(plan, naturalWidth))
    await this.#fill(drawn, fitted.flatMap(piecesOf))
    return fitted.map((plan) => linePicture(plan, drawnOf))
  }

  async #plan(requests: readonly RasterRequest[], style: HanStyle): Promise<LinePlan[]> {
    const texts = new Set(textsOf(requests))
    const unknown = [...texts]
      .flatMap(graphemes)
      .filter(({ text }) => text !== ' ' && !this.#library.known(text, style))
    if (unknown.length > 0) {
      // The worker's start takes as long as reading the fonts: do both at once.
      this.#thread.prepare()
      await Promise.all(unknown.map(({ text, width }) => this.#library.find(text, width === 2 && isEmoji(text), style)))
    }
    const plans: LinePlan[] = []
    const faceOf: FaceOf = (text, emoji) => this.#library.known(text, style) ?? this.#library.find(text, emoji, style)
    for (const request of requests) plans.push(await planLine(request, faceOf))
    return plans
  }

  /** Adds the pieces that are not drawn yet, from the cache or from the worker. */
  async #fill(drawn: Map<string, DrawnPiece>, pieces: readonly Piece[]): Promise<void> {
    const missing = new Map<string, Piece>()
    for (const piece of pieces) {
      const key = keyOf(piece)
      if (drawn.has(key)) continue
      const known = this.#cache.get(key)
      if (known === undefined) missing.set(key, piece)
      else drawn.set(key, known)
    }
    for (const sheet of sheetsOf([...missing.values()])) {
      const cut = await this.#drawSheet(sheet)
      sheet.slots.forEach(({ piece }, i) => {
        const result = cut[i]
        if (result === undefined) return
        drawn.set(keyOf(piece), result)
        if (result.isUndrawn !== true) this.#cache.set(keyOf(piece), result)
      })
    }
  }

  /** Draws piece by piece if the engine fails: those that it cannot draw become boxes, the others are not affected. */
  async #drawSheet(sheet: Sheet): Promise<DrawnPiece[]> {
    try {
      return await this.#drawWhole(sheet)
    } catch (error) {
      if (!(error instanceof EngineFailure) || sheet.slots.length === 1) throw error
    }
    const results: DrawnPiece[] = []
    let failures = 0
    for (const { piece } of sheet.slots) {
      try {
        results.push(...(await Promise.all(sheetsOf([piece]).map((alone) => this.#drawWhole(alone)))).flat())
      } catch (error) {
        if (!(error instanceof EngineFailure) || ++failures > MOST_FAILURES) throw error
        this.#log?.error({ err: error }, 'a word could not be drawn: a box is printed in its place')
        results.push(boxOf(piece))
      }
    }
    return results
  }

  async #drawWhole(sheet: Sheet): Promise<DrawnPiece[]> {
    const { svg, faces, framedSvg } = sheet
    const free = await this.#thread.draw({ svg, faces })
    return cutOut(sheet, hasOverflow(sheet, free) ? await this.#thread.draw({ svg: framedSvg(), faces }) : free)
  }
}

function textsOf(requests: readonly RasterRequest[]): string[] {
  return requests.flatMap(({ line }) => line.runs.map((run) => run.text))
}

function piecesOf({ runs }: LinePlan): Piece[] {
  return runs.flatMap(({ items }) => items.flatMap(({ piece }) => piece ?? []))
}
