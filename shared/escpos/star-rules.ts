// The effect of Star's commands on paper, in Line Mode and StarPRNT. All other commands are reported as not interpreted.
import { plainCode128 } from './code-128.ts'
import { alignOf, type CommandRules, first, isOn, nothing, type Player, signedWord, word } from './command-rules.ts'
import { latin1 } from './paper-symbols.ts'
import { pictureOfColumns, pictureOfRows } from './picture.ts'
import { STAR_RASTER_RULES } from './star-raster.ts'

/** 8 dots per millimetre. */
const LINE_3_MM_DOTS = 24
const LINE_4_MM_DOTS = 32
/** Impact: units of 1/144 inch. */
const LINE_1_8_INCH_DOTS = 18
const LINE_1_6_INCH_DOTS = 24
const LINE_1_12_INCH_DOTS = 12
const CODE_128 = 6

/** n = 0 to 5, or the digits: one to six times. */
function scale(n: number): number {
  return Math.min(5, n >= 48 ? n - 48 : n) + 1
}

function inverse(on: boolean) {
  // With a two-colour ribbon red, with one-colour paper white on black.
  return ({ head, isImpact }: Player): void => head.style(isImpact ? { red: on } : { inverse: on })
}

const STYLES: CommandRules = {
  'ESC E': ({ head }) => head.style({ bold: true }),
  'ESC F': ({ head }) => head.style({ bold: false }),
  'ESC -': ({ head }, params) => head.style({ underline: isOn(first(params)) }),
  'ESC 4': inverse(true),
  'ESC 5': inverse(false),
  'ESC i': ({ head }, params) => head.style({ heightScale: scale(first(params)), widthScale: scale(params[1] ?? 0) }),
  'ESC W': ({ head }, params) => head.style({ widthScale: scale(first(params)) }),
  'ESC h': ({ head }, params) => head.style({ heightScale: scale(first(params)) }),
  SO: ({ head }) => head.style({ widthScale: 2 }),
  DC4: ({ head }) => head.style({ widthScale: 1 }),
  'ESC SO': ({ head }) => head.style({ heightScale: 2 }),
  'ESC DC4': ({ head }) => head.style({ heightScale: 1 }),
  SI: ({ head }) => head.upsideDown(true),
  DC2: ({ head }) => head.upsideDown(false),
  'ESC M': nothing, // The font that ESC @ selects.
  'ESC RS F': ({ head }, params) => {
    head.modes.fontB = first(params) % 48 === 1
  },
  'ESC SP': ({ head }, params) => {
    head.modes.gapDots = first(params) % 48
  },
  'ESC s': ({ head }, params) => {
    if (params.some((n) => n % 48 !== 0)) head.ignore('ESC s')
  },
  'ESC GS t': ({ head }, params) => {
    head.decoding.page = first(params)
  },
  'ESC $': ({ head }, params) => {
    head.decoding.shiftJis = isOn(first(params))
  },
  'ESC p': ({ head }) => {
    head.decoding.kanji = true
  },
  'ESC q': ({ head }) => {
    head.decoding.kanji = false
  },
  'ESC R': ({ head }, params) => {
    if (first(params) !== 0) head.ignore('ESC R')
  },
}

const PLACES: CommandRules = {
  LF: ({ head }) => head.lineFeed(),
  CR: nothing, // Set by memory switch, off by default.
  HT: ({ head }) => head.tab(),
  'ESC D': ({ head }, params) => {
    head.modes.tabs = Array.from(params).filter((stop) => stop > 0)
  },
  'ESC a': ({ head }, params) => head.feedLines(first(params)),
  // n/4 and n/8 mm; on impact printers n/72 and n/144 inch.
  'ESC J': ({ head }, params) => head.feed(first(params) * 2),
  'ESC I': ({ head }, params) => head.feed(first(params)),
  'ESC 0': ({ head, isImpact }) => {
    head.modes.lineSpacingDots = isImpact ? LINE_1_8_INCH_DOTS : LINE_3_MM_DOTS
  },
  'ESC z': ({ head, isImpact }, params) => {
    const wide = isOn(first(params))
    if (isImpact) head.modes.lineSpacingDots = wide ? LINE_1_6_INCH_DOTS : LINE_1_12_INCH_DOTS
    else head.modes.lineSpacingDots = wide ? LINE_4_MM_DOTS : LINE_3_MM_DOTS
  },
  'ESC GS a': ({ head }, params) => head.align(alignOf(first(params))),
  'ESC GS A': ({ head }, params) => head.moveTo(word(params, 0)),
  'ESC GS R': ({ head }, params) => head.moveBy(signedWord(params, 0)),
  // Margins in columns from the left edge
  'ESC l': ({ head }, params) => {
    head.modes.marginDots = Math.min(head.grid.dots, first(params) * head.grid.cellWidth)
  },
  'ESC Q': ({ head }, params) => {
    head.modes.areaDots = Math.max(0, first(params) * head.grid.cellWidth - head.modes.marginDots)
  },
  // 0 and 1 cut at the current position, 2 and 3 feed to the cutter first. Odd values cut partially.
  'ESC d': ({ head }, params) => head.cut(isOn(first(params)) ? 'partial' : 'full'),
  FF: ({ head }) => head.feedToLabel(),
  CAN: ({ head }) => head.initialise(),
  'ESC GS P': (player, params) => pageMode(player, String.fromCharCode(first(params))),
}

/** 0 enters, 1 leaves, 6 and 7 print (7 also leaves), 8 discards. The others set positions on the page. */
function pageMode({ head }: Player, n: string): void {
  if (n === '0') head.enterPage('ESC GS P')
  if (n === '1') head.discardPage(true)
  if (n === '6') head.printPage(false)
  if (n === '7') head.printPage(true)
  if (n === '8') head.discardPage(false)
}

const PICTURES: CommandRules = {
  // n1 n2 and 24 rows of so many bytes
  'ESC k': ({ head }, params) => {
    const size = { dotWidth: 1, dotHeight: 1 }
    head.inline(pictureOfRows(params.subarray(2), { rowBytes: word(params, 0), mostDots: head.grid.dots, size }))
  },
  // n1 n2 columns of 24 dots
  'ESC X': ({ head }, params) => {
    head.inline(
      pictureOfColumns(params.subarray(2), {
        columnBytes: 3,
        mostDots: head.grid.dots,
        size: { dotWidth: 1, dotHeight: 1 },
      }),
    )
  },
  // n1 n2 columns of 8 dots, three times as large on thermal paper.
  'ESC K': ({ head, isImpact }, params) => {
    const size = isImpact ? { dotWidth: 2, dotHeight: 2 } : { dotWidth: 3, dotHeight: 3 }
    head.inline(pictureOfColumns(params.subarray(2), { columnBytes: 1, mostDots: head.grid.dots, size }))
  },
  'ESC L': ({ head, isImpact }, params) => {
    const size = { dotWidth: 1, dotHeight: isImpact ? 2 : 3 }
    head.inline(pictureOfColumns(params.subarray(2), { columnBytes: 1, mostDots: head.grid.dots, size }))
  },
  // m xL xH yL yH n data
  'ESC GS S': ({ head }, params) => {
    const size = { dotWidth: 1, dotHeight: 1 }
    head.picture(pictureOfRows(params.subarray(6), { rowBytes: word(params, 1), mostDots: head.grid.dots, size }))
  },
}

const SYMBOLS: CommandRules = {
  // S 0 model, S 1 level, S 2 size; D 1 m nL nH data; P
  'ESC GS y': ({ head, symbols }, params) => {
    const [fn, sub, n = 0] = params
    if (fn === 0x53 && sub === 0x31) symbols.setLevel(n)
    if (fn === 0x53 && sub === 0x32) symbols.qrModuleDots = Math.min(8, Math.max(1, n))
    if (fn === 0x44 && sub === 0x31) symbols.qrData = params.slice(5)
    if (fn !== 0x50) return
    const graphic = symbols.qrCode()
    if (graphic === null) head.ignore('ESC GS y')
    else head.block(graphic)
  },
  // n1 kind, n2 characters below, n3 width, n4 height, data RS
  'ESC b': (player, params) => barcode(player, params),
}

function barcode({ head, symbols }: Player, params: Uint8Array): void {
  const [kind = 0, below = 0, width = 0, height = 0] = params
  const data = latin1(params.subarray(4, -1))
  symbols.barcodeHeightDots = height
  symbols.barcodeModuleDots = 1 + Math.min(3, Math.max(1, width % 48))
  symbols.isCaptioned = below % 2 === 0
  if (kind % 48 !== CODE_128) {
    head.block(symbols.otherBarcode(data))
    return
  }
  // In CODE 128 a percent sign begins a control code; %0 is the percent sign.
  const text = data.replaceAll('%0', '%')
  const values = plainCode128(text)
  if (values === null) head.ignore('ESC b')
  else head.block(symbols.code128(values, text))
}

const drawer = ({ head }: Player): void => {
  head.ticket.drawerPulses++
}
const beep = ({ head }: Player): void => {
  head.ticket.beeps++
}

const DEVICES: CommandRules = {
  // External device 1: BEL in sequence, FS at once. Device 2: EM and SUB. Each is a drawer, or a buzzer instead.
  BEL: drawer,
  FS: drawer,
  EM: drawer,
  SUB: drawer,
  RS: beep,
  'ESC GS BEL': beep,
  // DC1 configures the buzzer, DC2 m n1 n2 sounds it n1 times.
  'ESC GS EM': ({ head }, params) => {
    if (first(params) === 0x12) head.ticket.beeps += Math.max(1, params[2] ?? 1)
  },
  ETB: (player) => {
    player.etbs++
  },
  'ESC RS E': (player) => {
    player.etbs = 0
  },
  'ESC RS a': nothing,
  'ESC RS r': nothing,
  'ESC RS d': nothing,
  'ESC BEL': nothing, // Length of the pulse.
  'ESC ACK': nothing,
  'ESC GS ETX': nothing, // Begin or end of a document.
  ENQ: nothing,
  EOT: nothing,
  'ESC U': nothing,
}

/** ESC @ is handled by the interpreter. */
export const STAR_RULES: CommandRules = {
  ...STYLES,
  ...PLACES,
  ...PICTURES,
  ...SYMBOLS,
  ...DEVICES,
  ...STAR_RASTER_RULES,
}
