// Which lines of a ticket are drawn as pictures, because the printer has not all of their characters.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import type { Bitmap } from './bitmap.ts'
import type { CodePages } from './code-page.ts'
import { pictureGrid } from './graphics.ts'
import type { TicketLine } from './line-layout.ts'
import type { DrawOptions, RasterRequest, TextRaster } from './text-raster.ts'

/**
 * The same lines, those with pictures in the place of text that the printer does not have: each as wide as the paper, so it stands left.
 * Rejects when the raster does.
 */
export async function drawLines(
  lines: readonly TicketLine[],
  profile: PrinterProfile,
  { codePages, raster, ...options }: { codePages: CodePages; raster: TextRaster } & DrawOptions,
): Promise<readonly TicketLine[]> {
  const grid = pictureGrid(profile)
  if (grid === null) return lines
  const drawn = linesToDraw(lines, profile, codePages)
  if (drawn.length === 0) return lines
  const { columns } = profile
  const requests = drawn.map((line): RasterRequest => ({ line: inBlack(line, profile), columns, ...grid }))
  const bitmaps = await raster.draw(requests, options)
  const bitmapOf = new Map<TicketLine, Bitmap | undefined>(drawn.map((line, i) => [line, bitmaps[i]]))
  return lines.map((line): TicketLine => {
    const bitmap = bitmapOf.get(line)
    return bitmap === undefined ? line : { ...line, align: 'left', bitmap }
  })
}

/** Those with characters that the printer does not have. */
export function linesToDraw(
  lines: readonly TicketLine[],
  profile: PrinterProfile,
  codePages: CodePages,
): readonly TicketLine[] {
  return lines.filter((line) => isDrawn(line, profile, codePages))
}

function isDrawn({ runs, symbol, bitmap }: TicketLine, profile: PrinterProfile, codePages: CodePages): boolean {
  if (symbol !== undefined || bitmap !== undefined) return false
  const text = runs.map((run) => run.text).join('')
  // Star's raster models have no characters of their own.
  return profile.language === 'star-raster' ? text.trim() !== '' : !codePages.has(text)
}

/** A ribbon of two colours makes alarming text red; elsewhere it is white on black, also when it is drawn. */
function inBlack(line: TicketLine, { color }: PrinterProfile): TicketLine {
  return color === 'red' ? { ...line, runs: line.runs.map((run) => ({ ...run, alarm: false })) } : line
}
