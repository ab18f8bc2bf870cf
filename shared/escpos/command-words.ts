// Descriptions of commands, for people who read a print job byte by byte.
import type { CommandOperation } from './tokenize.ts'

type Words = string | ((params: Uint8Array) => string)

const onOff =
  (what: string) =>
  ([n = 0]: Uint8Array): string =>
    `${what} ${n & 1 ? 'on' : 'off'}`
const number =
  (before: string, after = '') =>
  ([n = 0]: Uint8Array): string =>
    `${before} ${n}${after === '' ? '' : ` ${after}`}`
const word = (params: Uint8Array, at: number): number => (params[at] ?? 0) + (params[at + 1] ?? 0) * 256
const place =
  (what: string) =>
  (params: Uint8Array): string =>
    `${what} ${word(params, 0)} dots`
const align = ([n = 0]: Uint8Array): string => `align ${['left', 'centre', 'right'][n % 48] ?? n}`
const picture =
  (at: number) =>
  (params: Uint8Array): string =>
    `picture ${word(params, at) * 8}x${word(params, at + 2)}`
const columns = (params: Uint8Array): string => `picture ${word(params, params.length > 2 ? 1 : 0)} columns`
const size = ([n = 0]: Uint8Array): string => `size ${((n >> 4) & 7) + 1} wide, ${(n & 7) + 1} high`
const DLE_EOT = ['', 'printer', 'offline cause', 'error cause', 'paper']
const QR: Readonly<Record<number, string>> = {
  65: 'model',
  67: 'module size',
  69: 'error correction',
  80: 'data',
  81: 'print',
}

const SHARED: Readonly<Record<string, Words>> = {
  NUL: 'nothing',
  LF: 'print the line',
  CR: 'carriage return: nothing',
  HT: 'tab',
  FF: 'end of the page or label',
  'ESC @': 'initialise: styles, page and unprinted text are forgotten',
  'ESC SP': number('space between characters', 'dots'),
}

const EPSON: Readonly<Record<string, Words>> = {
  ...SHARED,
  'ESC !': ([n = 0]) =>
    `style:${n & 8 ? ' bold' : ''}${n & 16 ? ' tall' : ''}${n & 32 ? ' wide' : ''}${n & 128 ? ' underlined' : ''}${n & 0xb8 ? '' : ' plain'}`,
  'ESC -': ([n = 0]) => `underline ${n % 48 === 0 ? 'off' : 'on'}`,
  'ESC E': onOff('bold'),
  'ESC G': onOff('double strike'),
  'ESC M': number('font'),
  'ESC r': ([n = 0]) => `colour ${n & 1 ? 'red' : 'black'}`,
  'ESC {': onOff('upside down'),
  'ESC a': align,
  'ESC t': number('code page'),
  'ESC R': number('international character set'),
  'ESC 2': 'normal line spacing',
  'ESC 3': number('line spacing', 'dots'),
  'ESC d': number('print and feed', 'lines'),
  'ESC J': number('print and feed', 'dots'),
  'ESC $': place('go to'),
  'ESC i': 'full cut',
  'ESC m': 'partial cut',
  'ESC p': ([n = 0]) => `OPENS CASH DRAWER ${n % 48 === 1 ? 2 : 1}`,
  'ESC B': number('beep', 'times'),
  'ESC ( A': ([, , n = 0]) => `beep ${n} times`,
  'ESC L': 'page mode',
  'ESC S': 'standard mode',
  'ESC *': columns,
  'GS !': size,
  'GS B': onOff('white on black'),
  'GS L': place('left margin'),
  'GS W': place('print area'),
  'GS V': ([n = 0]) =>
    `${[65, 97, 103].includes(n) || n % 48 === 0 ? 'full' : 'partial'} cut${n >= 65 ? ', fed to the cutter' : ''}`,
  'GS v 0': picture(1),
  'GS k': 'barcode',
  'GS h': number('barcode height', 'dots'),
  'GS w': number('barcode module', 'dots'),
  'GS H': number('characters at the barcode'),
  'GS ( k': ([symbol, fn = 0]) => (symbol === 49 ? `QR code: ${QR[fn] ?? fn}` : `symbol ${symbol ?? ''}`),
  'GS ( H': 'answer when all this is printed',
  'GS ( L': 'graphics',
  'GS 8 L': 'graphics',
  'GS I': 'ask maker or model',
  'GS a': number('automatic status'),
  'GS r': 'ask for status',
  'FS &': 'characters of two bytes on',
  'FS .': 'characters of two bytes off',
  'FS C': number('Kanji code system'),
  'FS ( L': 'labels: move to an edge',
  BEL: 'beep',
  'DLE EOT': ([n = 0]) => `ask at once: ${DLE_EOT[n] ?? n}`,
  'DLE ENQ': ([n = 0]) => (n === 2 ? 'recover, buffers emptied' : 'recover'),
  'DLE DC4': ([n = 0]) => (n === 1 ? 'OPENS CASH DRAWER at once' : n === 8 ? 'empty all buffers' : `real-time ${n}`),
}

const STAR: Readonly<Record<string, Words>> = {
  ...SHARED,
  'ESC E': 'bold on',
  'ESC F': 'bold off',
  'ESC -': onOff('underline'),
  'ESC 4': 'white on black, or red: on',
  'ESC 5': 'white on black, or red: off',
  'ESC i': ([height = 0, width = 0]) => `size ${(width % 48) + 1} wide, ${(height % 48) + 1} high`,
  'ESC W': ([n = 0]) => `${(n % 48) + 1} wide`,
  'ESC h': ([n = 0]) => `${(n % 48) + 1} high`,
  SO: 'double width on',
  DC4: 'double width off',
  SI: 'upside down on',
  DC2: 'upside down off',
  'ESC GS t': number('code page'),
  'ESC GS a': align,
  'ESC GS A': place('go to'),
  'ESC RS F': number('font'),
  'ESC RS a': number('automatic status'),
  'ESC a': number('print and feed', 'lines'),
  'ESC J': number('print and feed', 'quarter millimetres'),
  'ESC I': number('print and feed', 'eighth millimetres'),
  'ESC z': number('line spacing'),
  'ESC 0': 'narrow line spacing',
  'ESC d': ([n = 0]) => `${n & 1 ? 'partial' : 'full'} cut${n % 48 >= 2 ? ', fed to the cutter' : ''}`,
  'ESC k': (params) => `picture ${word(params, 0) * 8}x24`,
  'ESC X': columns,
  'ESC K': columns,
  'ESC L': columns,
  'ESC GS S': picture(1),
  'ESC GS y': ([fn = 0]) => `QR code: ${fn === 0x50 ? 'print' : fn === 0x44 ? 'data' : 'setting'}`,
  'ESC b': 'barcode',
  'ESC GS EM': ([n = 0]) => (n === 0x12 ? 'beep' : 'buzzer setting'),
  'ESC GS BEL': 'beep',
  'ESC GS ETX': 'begin or end of the document',
  'ESC ACK': 'ask for status at once',
  'ESC FF': ([n = 0]) => (n === 4 ? 'end of the document' : 'form feed, with its cut'),
  'ESC * r': rasterWords,
  b: ([low = 0, high = 0]) => `a row of ${low + high * 256} bytes`,
  k: ([low = 0, high = 0]) => `a row of ${low + high * 256} bytes, staying on it`,
  BEL: 'OPENS CASH DRAWER 1',
  FS: 'OPENS CASH DRAWER 1 at once',
  EM: 'OPENS CASH DRAWER 2',
  SUB: 'OPENS CASH DRAWER 2 at once',
  ETB: 'count when this is printed',
}

const RASTER: Readonly<Record<string, string>> = {
  A: 'raster mode begins',
  B: 'raster mode ends',
  C: 'clear the page',
  D: 'OPENS CASH DRAWER',
  E: 'what the end of the document does',
  F: 'what form feed does',
  P: 'page length',
  Q: 'print quality',
  R: 'initialise raster mode',
  Y: 'move down',
}

function rasterWords(params: Uint8Array): string {
  const [letter = 0, ...rest] = params
  const digits = String.fromCharCode(...rest.slice(0, 12)).replace(/\D/g, '')
  return `${RASTER[String.fromCharCode(letter)] ?? 'raster setting'} ${digits}`.trimEnd()
}

/** A short description of a command. Empty if there is none. */
export function describeCommand({ name, params, known }: CommandOperation, isStar: boolean): string {
  if (!known) return 'unknown'
  const words = (isStar ? STAR : EPSON)[name]
  return typeof words === 'function' ? words(params) : (words ?? '')
}
