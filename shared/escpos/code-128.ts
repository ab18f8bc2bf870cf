// CODE 128 as bar widths, for Epson's `{A {B {C` data and Star's `%` data. Source: ISO/IEC 15417.

// Widths of bars and spaces in turn for values 0 to 105; 106 is the stop.
// biome-ignore format: a table reads better in rows
const PATTERNS = (
  '212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231113222123122123221' +
  '223211221132221231213212223112312131311222321122321221312212322112322211212123212321232121111323131123131321' +
  '112313132113132311211313231113231311112133112331132131113123113321133121313121211331231131213113213311213131' +
  '311123311321331121312113312311332111314111221411431111111224111422121124121421141122141221112214112412122114' +
  '122411142112142211241211221114413111241112134111111242121142121241114212124112124211411212421112421211212141' +
  '214121412121111143111341131141114113114311411113411311113141114131311141411131211412211214211232'
).match(/.{6}/g) ?? []
const STOP = '2331112'
const START = { A: 103, B: 104, C: 105 } as const
const SWITCH = { A: 101, B: 100, C: 99 } as const
const SHIFT = 98
const FNC: Readonly<Record<string, number>> = { '1': 102, '2': 97, '3': 96 }

type CodeSet = 'A' | 'B' | 'C'

/**
 * Alternating widths of bars and spaces in modules for these symbol values, which start with the start symbol. Check and stop symbols are
 * added.
 */
export function barsOf(values: readonly number[]): number[] {
  const [start = 0, ...data] = values
  const check = data.reduce((sum, value, i) => sum + value * (i + 1), start) % 103
  const patterns = [...values, check].map((value) => PATTERNS[value] ?? '')
  return Array.from(patterns.join('') + STOP, Number)
}

/**
 * Symbol values of Epson's data. It begins with `{A`, `{B` or `{C`; `{{` is a brace, `{S` a shift, `{1`-`{4` functions. Null for data that
 * a printer refuses: it prints nothing then.
 */
export function epsonCode128(data: Uint8Array): number[] | null {
  const first = codeSet(data[1])
  if (data[0] !== 0x7b || first === null) return null
  const values: number[] = [START[first]]
  let set: CodeSet = first
  for (let i = 2; i < data.length; i++) {
    const byte = data[i] ?? 0
    if (byte !== 0x7b) {
      const value = valueIn(set, byte)
      if (value === null) return null
      values.push(value)
      continue
    }
    const code = data[++i]
    const next = codeSet(code)
    const special = next !== null ? SWITCH[next] : specialValue(set, code)
    if (special === null) return null
    values.push(special)
    set = next ?? set
  }
  return values.length > 1 ? values : null
}

/**
 * Symbol values of plain text in code set B. Star printers choose the sets themselves, which changes the width but not the content. Null if
 * the text is not ASCII.
 */
export function plainCode128(text: string): number[] | null {
  const values = Array.from(text, (character) => valueIn('B', character.codePointAt(0) ?? 0))
  return values.length > 0 && values.every((value) => value !== null) ? [START.B, ...values] : null
}

function codeSet(byte: number | undefined): CodeSet | null {
  return byte === 0x41 ? 'A' : byte === 0x42 ? 'B' : byte === 0x43 ? 'C' : null
}

function specialValue(set: CodeSet, code: number | undefined): number | null {
  if (code === 0x7b) return valueIn(set, code)
  if (code === 0x53) return SHIFT
  if (code === 0x34) return set === 'A' ? 101 : 100
  return FNC[String.fromCharCode(code ?? 0)] ?? null
}

/** Set C takes a pair of digits as one byte, 0 to 99. */
function valueIn(set: CodeSet, byte: number): number | null {
  if (set === 'C') return byte <= 99 ? byte : null
  if (set === 'A') return byte <= 0x1f ? byte + 64 : byte >= 0x20 && byte <= 0x5f ? byte - 0x20 : null
  return byte >= 0x20 && byte <= 0x7f ? byte - 0x20 : null
}

/** The text that a scanner reads from Epson's data: the characters without the code set switches. */
export function spokenCode128(data: Uint8Array): string {
  let text = ''
  let set = codeSet(data[1])
  for (let i = 2; i < data.length; i++) {
    const byte = data[i] ?? 0
    if (byte !== 0x7b) {
      text += set === 'C' ? String(byte).padStart(2, '0') : String.fromCharCode(byte)
      continue
    }
    const code = data[++i]
    if (code === 0x7b) text += '{'
    set = codeSet(code) ?? set
  }
  return text
}
