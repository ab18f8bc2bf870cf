// Commands of Bematech, Elgin and Daruma printers, read once from the profiles of escpos-buffer. Its `generic` profile is not used.
import { Align, type Connection, Model, Style } from 'escpos-buffer'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { type Dialect, EPSON_STYLE_COMMANDS, selectCodePage } from './dialect.ts'

type BrazilianName = Extract<PrinterProfile['dialect'], `eb-${string}`>

const MODELS = { 'eb-bematech': 'MP-4200 TH', 'eb-elgin': 'I9', 'eb-daruma': 'DR800' } as const

/** On a Bematech, GS 0xf9 5 n selects its own command set or ESC/POS. */
const STYLE_COMMANDS: Readonly<Record<BrazilianName, readonly string[]>> = {
  'eb-bematech': [...EPSON_STYLE_COMMANDS, 'GS 0xf9'],
  'eb-elgin': EPSON_STYLE_COMMANDS,
  'eb-daruma': ['ESC -', 'ESC E', 'ESC F', 'ESC j', 'ESC t', 'ESC w', 'SO', 'DC4'],
}

/** Collects the bytes that a profile writes. */
class ByteCollector implements Connection {
  #parts: Buffer[] = []

  async open(): Promise<void> {}

  async write(data: Buffer): Promise<void> {
    this.#parts.push(data)
  }

  async close(): Promise<void> {}

  take(): Uint8Array {
    const bytes = Uint8Array.from(Buffer.concat(this.#parts))
    this.#parts = []
    return bytes
  }
}

/** The dialects `eb-*`. */
export function brazilianDialect(profile: PrinterProfile): Dialect {
  const { dialect } = profile
  if (!isBrazilian(dialect)) throw new Error(`${dialect} is not a dialect of escpos-buffer`)
  const commands = readCommands(dialect)
  const nothing = new Uint8Array(0)
  const daruma = dialect === 'eb-daruma'
  return {
    family: daruma ? 'daruma' : 'epson',
    start: commands.start,
    bold: (on) => (on ? commands.boldOn : commands.boldOff),
    underline: (on) => (on ? commands.underlineOn : commands.underlineOff),
    // GS B is missing in the library. A Daruma does not support it.
    inverse: (on) => (daruma ? nothing : Uint8Array.of(0x1d, 0x42, on ? 1 : 0)),
    red: () => nothing,
    size: (width, height) =>
      daruma
        ? Uint8Array.of(
            // Height first: after code page number 0x10 (DLE), the byte 0x14 (DC4) would be read as a real-time command.
            ...(height === 2 ? commands.tallOn : commands.tallOff),
            ...(width === 2 ? commands.wideOn : commands.wideOff),
          )
        : Uint8Array.of(0x1d, 0x21, ((width - 1) << 4) | (height - 1)),
    sizeResetsStyle: false,
    align: (align) => commands[align],
    codePage: selectCodePage,
    kanji: null,
    drawsSymbols: profile.symbols !== 'none',
    commands: STYLE_COMMANDS[dialect],
  }
}

function isBrazilian(dialect: PrinterProfile['dialect']): dialect is BrazilianName {
  return dialect in MODELS
}

/**
 * The library's methods are async, but those used here write before their first `await`, so the bytes are complete when the call returns.
 * Golden tests check that. Bracket access reaches the style commands, which are protected.
 */
function readCommands(name: BrazilianName) {
  const profile = new Model(MODELS[name]).profile
  const connection = new ByteCollector()
  profile.connection = connection
  // Size commands fail without a font, and the first call only stores it. Zero columns select font A: with another font a Bematech leaves
  // ESC/POS. The columns that the technician set do not matter here.
  void profile.setColumns(0)
  connection.take()
  const take = (write: () => Promise<void>): Uint8Array => {
    void write()
    const bytes = connection.take()
    if (bytes.length === 0) throw new Error(`escpos-buffer wrote no command for ${MODELS[name]}`)
    return bytes
  }
  const daruma = name === 'eb-daruma'
  const optional = (write: () => Promise<void>): Uint8Array => (daruma ? take(write) : new Uint8Array(0))
  return {
    // Bematech starts in its own command set; choosing font A selects ESC/POS.
    start: name === 'eb-bematech' ? take(() => profile['fontChanged'](profile.font, profile.font)) : new Uint8Array(0),
    boldOn: take(() => profile['setStyle'](Style.Bold, true)),
    boldOff: take(() => profile['setStyle'](Style.Bold, false)),
    underlineOn: take(() => profile['setStyle'](Style.Underline, true)),
    underlineOff: take(() => profile['setStyle'](Style.Underline, false)),
    left: take(() => profile.setAlignment(Align.Left)),
    center: take(() => profile.setAlignment(Align.Center)),
    right: take(() => profile.setAlignment(Align.Right)),
    wideOn: optional(() => profile['setMode'](Style.DoubleWidth, true)),
    wideOff: optional(() => profile['setMode'](Style.DoubleWidth, false)),
    tallOn: optional(() => profile['setMode'](Style.DoubleHeight, true)),
    tallOff: optional(() => profile['setMode'](Style.DoubleHeight, false)),
  }
}
