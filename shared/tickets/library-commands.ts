// The style commands that Epson and Star printers have in common, read from node-thermal-printer once per profile. The library never gets text, a socket or a cut.
import { type PrinterTypes, ThermalPrinter } from 'node-thermal-printer'

/** A character's size: doubled in width and height, or not. */
export type CharacterSize = 'normal' | 'tall' | 'wide' | 'quad'

export function characterSize(width: number, height: number): CharacterSize {
  if (width === 1) return height === 1 ? 'normal' : 'tall'
  return height === 1 ? 'wide' : 'quad'
}

/** The bytes that the library writes for each style on this type of printer. `columns`: width of a line. */
export function libraryCommands(type: PrinterTypes, columns: number) {
  // The library's types require an interface. Without one it only collects bytes (since 4.6.1), which is all that we need.
  const config = { type, width: columns } as ConstructorParameters<typeof ThermalPrinter>[0]
  const printer = new ThermalPrinter(config)
  const take = (write: () => void): Uint8Array => {
    printer.clear()
    write()
    return Uint8Array.from(printer.getBuffer())
  }
  return {
    boldOn: take(() => printer.bold(true)),
    boldOff: take(() => printer.bold(false)),
    underlineOn: take(() => printer.underline(true)),
    underlineOff: take(() => printer.underline(false)),
    inverseOn: take(() => printer.invert(true)),
    inverseOff: take(() => printer.invert(false)),
    left: take(() => printer.alignLeft()),
    center: take(() => printer.alignCenter()),
    right: take(() => printer.alignRight()),
    sizes: {
      normal: take(() => printer.setTextNormal()),
      tall: take(() => printer.setTextDoubleHeight()),
      wide: take(() => printer.setTextDoubleWidth()),
      quad: take(() => printer.setTextQuadArea()),
    },
  }
}
