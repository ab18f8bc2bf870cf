// Which character each byte of a printer's code page prints, and Epson's numbers for the pages.
import CodepageEncoder from '@point-of-sale/codepage-encoder'

/** Epson's numbers of ESC t. Other makers number some pages otherwise: windows-1252 = 16 is safe nearly everywhere. */
export const EPSON_CODE_PAGES: ReadonlyMap<number, string> = new Map([
  [0, 'cp437'],
  [1, 'epson/katakana'],
  [2, 'cp850'],
  [3, 'cp860'],
  [4, 'cp863'],
  [5, 'cp865'],
  [11, 'cp851'],
  [12, 'cp853'],
  [13, 'cp857'],
  [14, 'cp737'],
  [15, 'iso8859-7'],
  [16, 'windows1252'],
  [17, 'cp866'],
  [18, 'cp852'],
  [19, 'cp858'],
  [20, 'thai42'],
  [21, 'thai11'],
  [26, 'thai18'],
  [30, 'tcvn3'],
  [32, 'cp720'],
  [33, 'cp775'],
  [34, 'cp855'],
  [35, 'cp861'],
  [36, 'cp862'],
  [37, 'cp864'],
  [38, 'cp869'],
  [39, 'iso8859-2'],
  [40, 'iso8859-15'],
  [41, 'cp1098'],
  [42, 'cp774'],
  [43, 'cp772'],
  [44, 'cp1125'],
  [45, 'windows1250'],
  [46, 'windows1251'],
  [47, 'windows1253'],
  [48, 'windows1254'],
  [49, 'windows1255'],
  [50, 'windows1256'],
  [51, 'windows1257'],
  [52, 'windows1258'],
  [53, 'rk1048'],
])

/** A printed position without a character. */
export const NO_CHARACTER = '\ufffd'

/**
 * The 256 characters of a code page by its name in @point-of-sale/codepage-encoder (`windows1252`, `cp858`).
 * 0x20-0x7E are always ASCII; bytes that are control codes or undefined give U+FFFD. Throws for an unknown name.
 */
export function codePageCharacters(encoding: string): readonly string[] {
  const name = CodepageEncoder.getEncodings().find((known) => known === encoding)
  if (name === undefined) throw new Error(`There is no code page "${encoding}"`)
  const points = CodepageEncoder.getCodepoints(name, true)
  return Array.from({ length: 256 }, (_, byte) => {
    if (byte < 0x20 || byte === 0x7f) return NO_CHARACTER
    if (byte < 0x7f) return String.fromCharCode(byte)
    const point = points[byte]
    // C1 codes stand in some tables where a page defines nothing.
    return point === undefined || point < 0xa0 ? NO_CHARACTER : String.fromCodePoint(point)
  })
}
