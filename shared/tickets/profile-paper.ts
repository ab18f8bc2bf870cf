// Options of the paper interpreter for a printer profile, for previews, tests and virtual printers.
import type { CommandFamily } from '#shared/escpos/command-lengths.ts'
import type { PaperOptions } from '#shared/escpos/paper.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'

const MM_PER_INCH = 25.4

/**
 * The state in which a document finds a printer of this family: initialized by the transport, and therefore not in Kanji mode. For a
 * printer that was just switched on, set `kanjiAtStart` to the profile's `cancelKanji`.
 */
export function paperOptionsFor(profile: PrinterProfile): PaperOptions {
  const { media } = profile
  return {
    columns: profile.columns,
    dots: profile.dots,
    codePages: new Map(profile.codePages.map(({ page, encoding }) => [page, encoding])),
    family: familyOf(profile),
    hasCutter: profile.cut !== 'none' && profile.cut !== 'label',
    isImpact: profile.color === 'red',
    labelDots: media.kind === 'label' ? Math.round((media.heightMm / MM_PER_INCH) * profile.dpi) : null,
    ...(profile.kanji === null ? {} : { kanji: profile.kanji }),
  }
}

function familyOf({ language, dialect }: PrinterProfile): CommandFamily {
  if (language === 'star-raster') return 'star-raster'
  if (language !== 'escpos') return 'star'
  return dialect === 'eb-daruma' ? 'daruma' : 'epson'
}
