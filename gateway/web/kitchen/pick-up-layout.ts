// The size of the numbers on the guests' board: as large as possible so that all fit, but never too small to read across the room. Pure.

export interface Box {
  widthPx: number
  heightPx: number
}

export interface NumberSize {
  /** Font size. */
  fontPx: number
  columns: number
  /** Number of rows that are shown; the others are counted. */
  shown: number
}

/** Sizes change in steps, so that they do not change with each order. */
const SMALLEST_PX = 24
const FONTS_PX = [240, 190, 150, 120, 96, 76, 60, 48, 38, 30, SMALLEST_PX] as const
/** Minimum size as a share of the shorter side of the screen: readable from five metres on a screen of the usual size for such boards. */
const LEAST_SHARE = 0.055
/** The widest of digits and capital letters, as a share of the font size. */
const LETTER_EM = 0.66
const PADDING_EM = 0.5
const ROW_EM = 1.5
/** Row height with a name below the number, in smaller letters; longer names are cut. */
const NAMED_ROW_EM = 1.9
const NAME_LETTER_EM = 0.25
const MOST_NAME_LETTERS = 12
/** A few numbers need not fill the whole screen. */
const MOST_SHARE = 0.24

/**
 * Computes the font size and the number of rows.
 * @param letters length of the longest number
 * @param nameLetters length of the longest name; 0: no names are shown
 * @param box area for the numbers
 * @param screen the whole screen
 */
export function numberSize(
  { count, letters, nameLetters }: { count: number; letters: number; nameLetters: number },
  box: Box,
  screen: Box,
): NumberSize {
  const shorter = Math.min(screen.widthPx, screen.heightPx)
  const nameEm = Math.min(nameLetters, MOST_NAME_LETTERS) * NAME_LETTER_EM
  const cellEm = Math.max(letters * LETTER_EM, nameEm) + PADDING_EM
  const rowEm = nameLetters > 0 ? NAMED_ROW_EM : ROW_EM
  const placesAt = (fontPx: number): Omit<NumberSize, 'shown'> & { places: number } => {
    const columns = Math.floor(box.widthPx / (fontPx * cellEm))
    const rows = Math.floor(box.heightPx / (fontPx * rowEm))
    return { fontPx, columns, places: columns * rows }
  }
  const sizes = FONTS_PX.filter((fontPx) => fontPx <= shorter * MOST_SHARE).map(placesAt)
  const readable = sizes.filter(({ fontPx, columns }) => fontPx >= shorter * LEAST_SHARE && columns > 0)
  const fits = readable.find(({ places }) => places >= count)
  const chosen = fits ?? readable[readable.length - 1] ?? { ...placesAt(SMALLEST_PX), columns: 1 }
  // The last place shows how many more there are.
  const shown = chosen.places >= count ? count : Math.max(1, chosen.places - 1)
  return { fontPx: chosen.fontPx, columns: Math.max(1, chosen.columns), shown: Math.min(shown, count) }
}
