// The parameters that our own commands may have. The output firewall refuses all others. One rule for each command; a command without a rule has none.
import type { CommandOperation } from '#shared/escpos/tokenize.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { pictureGrid } from './graphics.ts'

type Rule = (params: Uint8Array, profile: PrinterProfile) => boolean

/** Off or on, as a number or as a digit. */
const isSwitch: Rule = ([n = 0]) => n <= 1 || n === 0x30 || n === 0x31
const isAlignment: Rule = ([n = 0]) => n <= 2 || (n >= 0x30 && n <= 0x32)
const isPage: Rule = ([n], { codePages }) => codePages.some((entry) => entry.page === n)
const isOneOf =
  (...values: readonly number[]): Rule =>
  ([n = -1]) =>
    values.includes(n)
const startsWith = (params: Uint8Array, ...bytes: readonly number[]): boolean =>
  bytes.every((byte, i) => params[i] === byte)

/** A longer feed wastes paper. */
const MAX_FEED_LINES = 10
const MAX_FEED_DOTS = 48
/** Blank rows in a star-raster document, with the longest number allowed. */
const RASTER_FEED = /^Y\d{1,4}\0$/

const word = (params: Uint8Array, at: number): number => (params[at] ?? 0) + (params[at + 1] ?? 0) * 256

function pictureWidth(profile: PrinterProfile): number {
  return pictureGrid(profile)?.dots ?? 0
}

/** Maximum bytes in a row. */
function pictureBytes(profile: PrinterProfile): number {
  return Math.ceil(pictureWidth(profile) / 8)
}

const RULES: Readonly<Record<string, Rule>> = {
  'ESC !': ([n = 0]) => (n & ~0xb9) === 0,
  'ESC -': isSwitch,
  'ESC E': isSwitch,
  'ESC M': isOneOf(0),
  'ESC a': (params, profile) =>
    profile.language === 'escpos' ? isAlignment(params, profile) : (params[0] ?? 0) <= MAX_FEED_LINES,
  'ESC d': (params, profile) => (profile.language === 'escpos' ? (params[0] ?? 0) <= MAX_FEED_LINES : params[0] === 3),
  'ESC j': isAlignment,
  'ESC r': isSwitch,
  'ESC t': isPage,
  'ESC w': isSwitch,
  'ESC 3': isOneOf(16),
  'ESC J': ([n = 0]) => n <= MAX_FEED_DOTS,
  'ESC B': ([n = 0, t = 0]) => n >= 1 && n <= 9 && t === 2,
  // fn 97 and 48: the buzzer. No other function of this group is allowed.
  'ESC ( A': (params) =>
    (params.length === 5 && startsWith(params, 97, 100)) || (params.length === 4 && startsWith(params, 48, 55)),
  'GS !': isOneOf(0x00, 0x01, 0x10, 0x11),
  'GS B': isSwitch,
  'GS V': (params) => startsWith(params, 66, 0) || (params.length === 1 && params[0] === 1),
  // Bematech: 5 1 selects ESC/POS. Other values change stored settings.
  'GS 0xf9': (params) => startsWith(params, 0x35, 0x31),
  // Labels: feed to the print start, or to the peel position.
  'FS ( L': (params) => params.length === 2 && (params[0] === 67 || params[0] === 65) && params[1] === 48,
  'FS C': isOneOf(0, 1),
  'GS h': isOneOf(80),
  'GS w': isOneOf(2, 3),
  // CODE 128, code set B, printable data only.
  'GS k': (params) => startsWith(params, 73) && startsWith(params.subarray(2), 0x7b, 0x42) && isPrintable(params, 4),
  // A QR code: model, size, correction, store, print.
  'GS ( k': ([cn = 0, fn = 0]) => cn === 49 && [65, 67, 69, 80, 81].includes(fn),
  // The parameters are 0, m, width in bytes, height in rows. At most as wide as the paper, and one band high.
  'GS v 0': (params, profile) =>
    startsWith(params, 0) && word(params, 1) <= pictureBytes(profile) && word(params, 3) <= profile.maxBandRows,
  'ESC *': (params, profile) =>
    params[0] === (profile.image === 'column24' ? 33 : 0) && word(params, 1) <= pictureWidth(profile),
  'ESC K': (params, profile) => word(params, 0) <= pictureWidth(profile),
  'ESC k': (params, profile) => word(params, 0) <= pictureBytes(profile),
  'ESC GS S': (params, profile) =>
    params[0] === 1 && word(params, 1) <= pictureBytes(profile) && word(params, 3) <= profile.maxBandRows,
  b: (params, profile) => word(params, 0) <= pictureBytes(profile),
  'ESC FF': isOneOf(0),
  'ESC * r': (params) => {
    const text = String.fromCharCode(...params)
    return text === 'A' || text === 'B' || text === 'P0\0' || RASTER_FEED.test(text)
  },
  'ESC GS a': isAlignment,
  'ESC GS t': isPage,
  'ESC RS F': isOneOf(0),
  'ESC SP': isOneOf(0),
  'ESC z': isOneOf(1),
  'ESC W': isSwitch,
  'ESC h': isSwitch,
  'ESC i': ([height = 0, width = 0]) => height <= 1 && width <= 1,
  'ESC GS EM': (params) => startsWith(params, 0x11, 0x31, 5, 5) || startsWith(params, 0x12, 0x31),
  // QR: S 0 model 2, S 1 correction M, S 2 size, D 1 data, P.
  'ESC GS y': (params) =>
    startsWith(params, 0x53, 0x30, 2) ||
    startsWith(params, 0x53, 0x31, 1) ||
    startsWith(params, 0x53, 0x32) ||
    startsWith(params, 0x44, 0x31, 0) ||
    (params.length === 1 && params[0] === 0x50),
  'ESC b': (params) => startsWith(params, 0x36, 0x31) && isPrintable(params.subarray(0, -1), 4),
}

function isPrintable(params: Uint8Array, from: number): boolean {
  return params.subarray(from).every((byte) => byte >= 0x20 && byte < 0x7f)
}

/** Returns whether the command has parameters that we write. A command without a rule must have none. */
export function hasKnownParameters({ name, params }: CommandOperation, profile: PrinterProfile): boolean {
  const rule = RULES[name]
  if (rule !== undefined) return params.length === 0 ? isBare(name, profile) : rule(params, profile)
  return params.length === 0
}

/** ESC E of Daruma and Star has no parameter. */
function isBare(name: string, { language, dialect }: PrinterProfile): boolean {
  return name === 'ESC E' ? language !== 'escpos' || dialect === 'eb-daruma' : name === 'ESC M' && language !== 'escpos'
}
