// The effect of Epson's commands on paper, and of Daruma's where they differ. All other commands are reported as not interpreted.
import { epsonCode128, spokenCode128 } from './code-128.ts'
import { alignOf, type CommandRules, first, isOn, nothing, type Player, signedWord, word } from './command-rules.ts'
import { latin1 } from './paper-symbols.ts'
import { pictureOfColumns, pictureOfRows } from './picture.ts'

const STYLES: CommandRules = {
  'ESC E': ({ head }, params) => head.style({ bold: isOn(first(params)) }),
  'ESC G': ({ head }, params) => head.style({ bold: isOn(first(params)) }),
  'ESC -': ({ head }, params) => head.style({ underline: [1, 2].includes(first(params) % 48) }),
  'GS B': ({ head }, params) => head.style({ inverse: isOn(first(params)) }),
  'ESC r': ({ head }, params) => head.style({ red: isOn(first(params)) }),
  'GS !': ({ head }, params) => {
    const n = first(params)
    head.style({ widthScale: ((n >> 4) & 7) + 1, heightScale: (n & 7) + 1 })
  },
  'ESC !': ({ head }, params) => {
    const n = first(params)
    head.modes.fontB = isOn(n)
    head.style({
      bold: (n & 0x08) !== 0,
      underline: (n & 0x80) !== 0,
      heightScale: n & 0x10 ? 2 : 1,
      widthScale: n & 0x20 ? 2 : 1,
    })
  },
  'ESC M': ({ head }, params) => {
    head.modes.fontB = first(params) % 48 === 1
  },
  'ESC SP': ({ head }, params) => {
    head.modes.gapDots = first(params)
  },
  'ESC {': ({ head }, params) => head.upsideDown(isOn(first(params))),
  'ESC t': ({ head }, params) => {
    head.decoding.page = first(params)
  },
  'FS &': ({ head }) => {
    head.decoding.kanji = true
  },
  'FS .': ({ head }) => {
    head.decoding.kanji = false
  },
  'FS C': ({ head }, params) => {
    head.decoding.shiftJis = first(params) % 48 !== 0
  },
  'ESC R': ({ head }, params) => {
    // Character sets of other countries replace # $ @ [ \ ] ^ ` { | } ~.
    if (first(params) !== 0) head.ignore('ESC R')
  },
}

const PLACES: CommandRules = {
  LF: ({ head }) => head.lineFeed(),
  CR: nothing, // On network printers automatic line feed is off.
  HT: ({ head }) => head.tab(),
  'ESC d': ({ head }, params) => head.feedLines(first(params)),
  'ESC J': ({ head }, params) => head.feed(first(params)),
  'ESC a': ({ head }, params) => head.align(alignOf(first(params))),
  'ESC $': ({ head }, params) => head.moveTo(word(params, 0)),
  'ESC \\': ({ head }, params) => head.moveBy(signedWord(params, 0)),
  'ESC D': ({ head }, params) => {
    head.modes.tabs = Array.from(params).filter((stop) => stop > 0)
  },
  'GS L': ({ head }, params) => {
    head.modes.marginDots = Math.min(word(params, 0), head.grid.dots)
  },
  'GS W': ({ head }, params) => {
    head.modes.areaDots = word(params, 0)
  },
  'ESC 2': ({ head }) => head.defaultSpacing(),
  'ESC 3': ({ head }, params) => {
    head.modes.lineSpacingDots = first(params)
  },
  'GS V': ({ head }, params) => {
    const n = first(params)
    head.cut([65, 97, 103].includes(n) || n % 48 === 0 ? 'full' : 'partial', params[1] ?? 0)
  },
  'ESC i': ({ head }) => head.cut('full'),
  'ESC m': ({ head }) => head.cut('partial'),
  // Page mode. ESC FF prints and stays in page mode, FF prints and leaves it. On labels FF feeds to the next one.
  'ESC L': ({ head }) => head.enterPage('ESC L'),
  'ESC S': ({ head }) => head.discardPage(true),
  'ESC FF': ({ head }) => head.printPage(false),
  CAN: ({ head }) => head.discardPage(false),
  FF: ({ head }) => {
    head.printPage(true)
    head.feedToLabel()
  },
  'FS ( L': ({ head }, params) => {
    // fn 65 peel position, 66 cutter, 67 print start: each feeds to the edge of a label.
    if ([65, 66, 67].includes(first(params))) head.feedToLabel()
    else head.ignore('FS ( L')
  },
}

const SYMBOLS: CommandRules = {
  'GS h': ({ symbols }, params) => {
    symbols.barcodeHeightDots = first(params)
  },
  'GS w': ({ symbols }, params) => {
    symbols.barcodeModuleDots = first(params)
  },
  'GS H': ({ symbols }, params) => {
    symbols.isCaptioned = first(params) % 48 !== 0
  },
  'GS f': nothing,
  'GS k': (player, params) => barcode(player, params),
  'GS ( k': (player, params) => qrCode(player, params),
}

/** GS k m data NUL, GS k m n data. 73 is CODE 128. */
function barcode({ head, symbols }: Player, params: Uint8Array): void {
  const m = first(params)
  const data = m <= 6 ? params.subarray(1, -1) : params.subarray(2)
  const values = epsonCode128(data)
  if (m !== 73) head.block(symbols.otherBarcode(latin1(data)))
  else if (values === null) head.ignore('GS k')
  else head.block(symbols.code128(values, spokenCode128(data)))
}

/** GS ( k, cn 49: fn 67 module size, 69 correction level, 80 store, 81 print. */
function qrCode({ head, symbols }: Player, params: Uint8Array): void {
  const [symbol, fn, n = 0] = params
  if (symbol !== 49) {
    head.ignore(`GS ( k ${symbol ?? ''}`.trimEnd())
    return
  }
  if (fn === 67) symbols.qrModuleDots = Math.min(16, Math.max(1, n))
  if (fn === 69) symbols.setLevel(n - 48)
  if (fn === 80) symbols.qrData = params.slice(3)
  if (fn !== 81) return
  const graphic = symbols.qrCode()
  if (graphic === null) head.ignore('GS ( k 49')
  else head.block(graphic)
}

/** m: 1 doubles the width, 2 the height. */
function doubled(m: number): { dotWidth: number; dotHeight: number } {
  return { dotWidth: m & 1 ? 2 : 1, dotHeight: m & 2 ? 2 : 1 }
}

const PICTURES: CommandRules = {
  // m xL xH yL yH data
  'GS v 0': ({ head }, params) => {
    head.picture(
      pictureOfRows(params.subarray(5), {
        rowBytes: word(params, 1),
        mostDots: head.grid.dots,
        size: doubled(first(params)),
      }),
    )
  },
  // m nL nH columns. Modes 0 and 1 have 8 dots a column, 32 and 33 have 24; 0 and 32 have half the horizontal resolution.
  'ESC *': ({ head, isImpact }, params) => {
    const m = first(params)
    const isFine = m >= 32
    const size = { dotWidth: m === 0 || m === 32 ? 2 : 1, dotHeight: isFine ? 1 : isImpact ? 2 : 3 }
    head.inline(pictureOfColumns(params.subarray(3), { columnBytes: isFine ? 3 : 1, mostDots: head.grid.dots, size }))
  },
  'GS ( L': (player, params) => graphics(player, params),
  'GS 8 L': (player, params) => graphics(player, params.subarray(4)),
  // x y data: x * 8 columns of y bytes
  'GS *': ({ head, stored }, params) => {
    const size = { dotWidth: 1, dotHeight: 1 }
    stored.downloaded = pictureOfColumns(params.subarray(2), {
      columnBytes: params[1] ?? 0,
      mostDots: head.grid.dots,
      size,
    })
  },
  'GS /': ({ head, stored }, params) => {
    if (stored.downloaded !== null) head.picture({ ...stored.downloaded, ...doubled(first(params)) })
  },
}

/** m fn ...: 112 stores rows, 113 columns, 50 prints the stored picture. Other functions print pictures from the printer's memory. */
function graphics({ head, stored }: Player, params: Uint8Array): void {
  const fn = params[1] ?? 0
  if (fn === 2 || fn === 50) {
    if (stored.graphics !== null) head.picture(stored.graphics)
    stored.graphics = null
    return
  }
  if (fn !== 112 && fn !== 113) {
    head.ignore('GS ( L')
    return
  }
  const size = { dotWidth: params[3] === 2 ? 2 : 1, dotHeight: params[4] === 2 ? 2 : 1 }
  const { dots } = head.grid
  const data = params.subarray(10)
  const width = word(params, 6)
  const columns = Math.ceil(word(params, 8) / 8)
  const rows =
    fn === 112
      ? pictureOfRows(data, { rowBytes: Math.ceil(width / 8), mostDots: dots, size })
      : pictureOfColumns(data, { columnBytes: columns, mostDots: dots, size })
  stored.graphics = { ...rows, widthDots: Math.min(rows.widthDots, width) }
}

const DEVICES: CommandRules = {
  'ESC p': ({ head }) => {
    head.ticket.drawerPulses++
  },
  'DLE DC4': ({ head }, params) => {
    if (first(params) === 1) head.ticket.drawerPulses++
    if (first(params) === 3) head.ticket.beeps++
  },
  BEL: ({ head }) => {
    head.ticket.beeps++
  },
  'ESC B': ({ head }, params) => {
    head.ticket.beeps += first(params)
  },
  // fn 97: n, times, on, off; fn 48: pattern, times
  'ESC ( A': ({ head }, params) => {
    if ([48, 97].includes(first(params))) head.ticket.beeps += params[2] ?? 1
    else head.ignore('ESC ( A')
  },
  'DLE EOT': nothing,
  'DLE ENQ': nothing,
  'GS r': nothing,
  'GS a': nothing,
  'GS I': nothing,
  'GS ( H': nothing,
  'ESC c': nothing, // Which sensors stop printing, which buttons are enabled.
  'ESC U': nothing, // Prints in one direction only.
  'GS 0xf9': ({ head }, params) => {
    // Bematech: 5 1 selects ESC/POS, for which these rules are.
    if (first(params) !== 0x35 || params[1] !== 0x31) head.ignore('GS 0xf9')
  },
}

/** ESC @ is handled by the interpreter. */
export const EPSON_RULES: CommandRules = { ...STYLES, ...PLACES, ...SYMBOLS, ...PICTURES, ...DEVICES }

export const DARUMA_RULES: CommandRules = {
  ...EPSON_RULES,
  'ESC E': ({ head }) => head.style({ bold: true }),
  'ESC F': ({ head }) => head.style({ bold: false }),
  'ESC w': ({ head }, params) => head.style({ heightScale: isOn(first(params)) ? 2 : 1 }),
  SO: ({ head }) => head.style({ widthScale: 2 }),
  DC4: ({ head }) => head.style({ widthScale: 1 }),
  'ESC j': ({ head }, params) => head.align(alignOf(first(params))),
}
