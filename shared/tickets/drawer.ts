// The document that opens the cash drawer: one pulse and nothing else. It is only printed by a job that a person requested.
import type { PrinterProfile } from '#shared/printer-profile.ts'

/** Pulse of ESC p: 100 ms on, 500 ms off, in units of 2 ms. */
const PULSE_ON = 50
const PULSE_OFF = 250

/** One pulse at the first drawer. Null for a printer without a drawer. The transport initializes the printer first, as always. */
export function drawerBytes(profile: Pick<PrinterProfile, 'drawer' | 'dialect'>): Uint8Array | null {
  switch (profile.drawer) {
    case 'esc-p': // A Daruma's has no parameters: they would be printed.
      return profile.dialect === 'eb-daruma'
        ? Uint8Array.of(0x1b, 0x70)
        : Uint8Array.of(0x1b, 0x70, 0, PULSE_ON, PULSE_OFF)
    case 'bel': // Star: external device 1, with the pulse that is set at the printer (200 ms from the factory)
      return Uint8Array.of(0x07)
    case 'none':
      return null
  }
}
