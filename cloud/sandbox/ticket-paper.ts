// A kept ticket as a person sees it: its bytes are played by the same interpreter that the virtual printer uses. Pure.
import { PaperInterpreter } from '#shared/escpos/paper.ts'
import type { PaperTicket } from '#shared/escpos/paper-ticket.ts'
import { profileById } from '#shared/tickets/printer-profiles.ts'
import { paperOptionsFor } from '#shared/tickets/profile-paper.ts'

const INITIALISE = Uint8Array.of(0x1b, 0x40)
const CANCEL_KANJI = Uint8Array.of(0x1c, 0x2e)

/** All that goes to the printer for one ticket: a printer that gets these bytes on port 9100 prints it. */
export function printerBytes(ticket: { bytes: Uint8Array; profileId: string }): Buffer {
  const { cancelKanji } = profileById(ticket.profileId)
  return Buffer.concat([INITIALISE, cancelKanji ? CANCEL_KANJI : new Uint8Array(), ticket.bytes])
}

/** The paper that came out. */
export function paperOf(ticket: { bytes: Uint8Array; profileId: string }): PaperTicket {
  const profile = profileById(ticket.profileId)
  const paper = new PaperInterpreter({ ...paperOptionsFor(profile), kanjiAtStart: profile.cancelKanji })
  paper.push(printerBytes(ticket))
  return paper.tickets[0] ?? paper.current
}
