// How large the numbers of the guests' board can be: as large as all of them fit, never smaller than one can read across the room. Pure.

export interface Box {
  widthPx: number
  heightPx: number
}

export interface NumberSize {
  /** Of the letters. */
  fontPx: number
  columns: number
  /** How many of them are shown; the others are counted. */
  shown: number
}

/** Steps, so that the numbers do not change their size with each order. */
const SMALLEST_PX = 24
const FONTS_PX = [240, 190, 150, 120, 96, 76, 60, 48, 38, 30, SMALLEST_PX] as const
/** Of the shorter side of the screen: what one can read from five metres, where the screen is as large as such boards are. */
const LEAST_SHARE = 0.055
/** Widest of digits and capital letters, in parts of the font's size. */
const LETTER_EM = 0.66
const PADDING_EM = 0.5
const ROW_EM = 1.5
/** With a name below the number, in smaller letters; longer names are cut. */
const NAMED_ROW_EM = 1.9
const NAME_LETTER_EM = 0.25
const MOST_NAME_LETTERS = 12
/** A few numbers need not fill the whole wall. */
const MOST_SHARE = 0.24

/**
 * @param letters of the longest number
 * @param nameLetters of the longest name; 0: no names are shown
 * @param box where the numbers stand
 * @param screen the whole of it
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
  // The last place says how many more there are.
  const shown = chosen.places >= count ? count : Math.max(1, chosen.places - 1)
  return { fontPx: chosen.fontPx, columns: Math.max(1, chosen.columns), shown: Math.min(shown, count) }
}
