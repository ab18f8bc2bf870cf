// The character of each byte of a printer's code page, and the makers' numbers for the pages.
import CodepageEncoder from '@point-of-sale/codepage-encoder'

/** Epson's numbers of ESC t. Other makers use different numbers for some pages; windows-1252 = 16 is the same nearly everywhere. */
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

/** Star's numbers of ESC GS t. Source: Star Line Mode specifications. */
export const STAR_CODE_PAGES: ReadonlyMap<number, string> = new Map([
  [0, 'star/standard'],
  [1, 'cp437'],
  [2, 'star/katakana'],
  [3, 'cp437'],
  [4, 'cp858'],
  [5, 'cp852'],
  [6, 'cp860'],
  [7, 'cp861'],
  [8, 'cp863'],
  [9, 'cp865'],
  [10, 'cp866'],
  [11, 'cp855'],
  [12, 'cp857'],
  [13, 'cp862'],
  [14, 'cp864'],
  [15, 'cp737'],
  [16, 'cp851'],
  [17, 'cp869'],
  [18, 'star/cp928'],
  [19, 'cp772'],
  [20, 'cp774'],
  [21, 'star/cp874'],
  [32, 'windows1252'],
  [33, 'windows1250'],
  [34, 'windows1251'],
  [64, 'cp3840'],
  [65, 'cp3841'],
  [66, 'cp3843'],
  [67, 'cp3844'],
  [68, 'cp3845'],
  [69, 'cp3846'],
  [70, 'cp3847'],
  [71, 'cp3848'],
  [72, 'cp1001'],
  [74, 'cp3001'],
  [75, 'cp3002'],
  [76, 'cp3011'],
  [77, 'cp3012'],
  [78, 'cp3021'],
  [79, 'cp3041'],
  [96, 'thai42'],
  [97, 'thai11'],
  [98, 'thai13'],
  [99, 'thai14'],
  [100, 'thai16'],
  [102, 'thai18'],
])

/** A printable position without a character. */
export const NO_CHARACTER = '\ufffd'

/**
 * The 256 characters of a code page by its name in @point-of-sale/codepage-encoder (`windows1252`, `cp858`). 0x20-0x7E are always ASCII.
 * Control codes and undefined bytes give U+FFFD.
 * @throws Error for an unknown name
 */
export function codePageCharacters(encoding: string): readonly string[] {
  const name = CodepageEncoder.getEncodings().find((known) => known === encoding)
  if (name === undefined) throw new Error(`There is no code page "${encoding}"`)
  const points = CodepageEncoder.getCodepoints(name, true)
  return Array.from({ length: 256 }, (_, byte) => {
    if (byte < 0x20 || byte === 0x7f) return NO_CHARACTER
    if (byte < 0x7f) return String.fromCharCode(byte)
    const point = points[byte]
    // Some tables have C1 control codes where a page defines nothing.
    return point === undefined || point < 0xa0 ? NO_CHARACTER : String.fromCodePoint(point)
  })
}
