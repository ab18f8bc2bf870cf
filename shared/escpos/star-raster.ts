// Star's raster mode: rows of dots are collected on a page, which the form feed prints and cuts as selected. Source: Star Line Mode specifications.
import type { CommandRules, Player } from './command-rules.ts'
import { MOST_ROWS } from './picture.ts'
import { DEFAULT_END_MODE } from './raster-page.ts'

const FULL_CUTS: ReadonlySet<number> = new Set([8, 9, 36, 37])
const NO_CUTS: ReadonlySet<number> = new Set([1, 2, 3])

/** Prints the page, then feeds and cuts as `mode` selects. */
function end({ head, raster }: Player, mode: number): void {
  if (!raster.blank) head.picture(raster.take(head.grid.dots))
  if (NO_CUTS.has(mode)) return
  head.cut(FULL_CUTS.has(mode) ? 'full' : 'partial')
}

/** ESC * r x [n NUL]. */
function control(player: Player, params: Uint8Array): void {
  const { head, raster } = player
  const letter = String.fromCharCode(params[0] ?? 0)
  const n = decimal(params.subarray(1))
  switch (letter) {
    case 'A':
      head.endLine()
      raster.initialise()
      return
    case 'R':
      raster.initialise()
      return
    case 'B':
      // Leaving raster mode prints the rest, as the end of the document does.
      if (!raster.blank) end(player, raster.documentEndMode)
      return
    case 'C':
      raster.clear()
      return
    case 'D':
      if (n > 0) head.ticket.drawerPulses++
      return
    case 'E':
      raster.documentEndMode = n === 0 ? DEFAULT_END_MODE : n
      return
    case 'F':
      raster.formFeedMode = n === 0 ? DEFAULT_END_MODE : n
      return
    case 'Y':
      raster.move(Math.min(n, MOST_ROWS))
      return
    case 'V':
      head.ticket.beeps++
      return
    case 'P':
    case 'Q':
    case 'T':
      return // Page length, quality, top margin: no effect on a preview.
    default: // margins, colour, discarded bytes
      if (n > 0) head.ignore(`ESC * r ${letter}`)
  }
}

/** The digits until NUL. Bytes after it are not read. */
function decimal(bytes: Uint8Array): number {
  const text = Array.from(bytes.subarray(0, 12), (byte) => String.fromCharCode(byte)).join('')
  return Number.parseInt(/\d+/.exec(text)?.[0] ?? '0', 10)
}

export const STAR_RASTER_RULES: CommandRules = {
  'ESC * r': control,
  // nL nH data
  b: ({ raster }, params) => raster.row(params.subarray(2)),
  k: ({ raster }, params) => raster.overlay(params.subarray(2)),
  // NUL: form feed. EOT: end of the document.
  'ESC FF': (player, params) => {
    const { raster } = player
    if (params[0] === 0) end(player, raster.formFeedMode)
    else if (params[0] === 4) end(player, raster.documentEndMode)
    else player.head.ignore('ESC FF')
  },
}
