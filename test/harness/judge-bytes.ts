// The judge of what a printer would do with a ticket's bytes. It plays the printer and has its own lists: it never asks the output firewall.
import type { CommandFamily } from '#shared/escpos/command-lengths.ts'
import { PaperInterpreter } from '#shared/escpos/paper.ts'
import { tokenize } from '#shared/escpos/tokenize.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { RealTimeScanner } from '#test/doubles/real-time.ts'

/** Commands that only print, style, place, feed, beep or cut. None writes a setting, opens a drawer, stores anything or asks anything. */
const HARMLESS: Readonly<Record<'escpos' | 'star', ReadonlySet<string>>> = {
  escpos: new Set(
    (
      'LF|ESC !|ESC -|ESC E|ESC a|ESC r|ESC t|ESC d|ESC m|ESC B|ESC ( A|ESC *|ESC J|ESC 2|ESC 3|FS &|FS .|FS C|FS ( L|' +
      'GS !|GS B|GS V|GS v 0|GS k|GS ( k|GS h|GS w|GS 0xf9|ESC F|ESC j|ESC w|SO|DC4'
    ).split('|'),
  ),
  star: new Set(
    (
      'LF|ESC E|ESC F|ESC -|ESC 4|ESC 5|ESC SP|ESC z|ESC 0|ESC M|ESC W|ESC h|ESC i|ESC a|ESC d|ESC J|ESC K|ESC k|ESC RS F|' +
      'ESC GS a|ESC GS t|ESC GS S|ESC GS y|ESC GS EM|ESC b|ESC * r|ESC FF|b'
    ).split('|'),
  ),
}

const ONE_CUT: Readonly<Record<PrinterProfile['cut'], boolean>> = {
  'gs-v-66': true,
  'gs-v-1': true,
  'esc-m': true,
  'esc-d': true,
  'star-raster': true,
  label: false,
  none: false,
}

/**
 * What is wrong with the bytes of one ticket, in words; empty when the printer does nothing but print it, beep as often as it was told to,
 * and cut once behind it.
 */
export function faultsOfTicket(bytes: Uint8Array, profile: PrinterProfile, beeps: number): string[] {
  const star = profile.language !== 'escpos'
  const family: CommandFamily = star
    ? profile.language === 'star-raster'
      ? 'star-raster'
      : 'star'
    : profile.dialect === 'eb-daruma'
      ? 'daruma'
      : 'epson'
  const faults: string[] = []
  const { operations, rest } = tokenize(bytes, { family })
  if (rest.length > 0) faults.push('the printer hungers for more')
  for (const operation of operations) {
    if (operation.kind === 'text') continue
    // A beep at a Daruma; at a Star it is the drawer.
    if (operation.name === 'BEL' && family === 'daruma') continue
    if (!operation.known || !HARMLESS[star ? 'star' : 'escpos'].has(operation.name))
      faults.push(`command ${operation.name}`)
  }
  if (new RealTimeScanner().push(bytes).length > 0) faults.push('a real-time command')
  if (star && Buffer.from(bytes).includes(Buffer.from([0x1b, 0x06]))) faults.push("Star's real-time command")
  return [...faults, ...paperFaults(bytes, profile, family, beeps)]
}

function paperFaults(bytes: Uint8Array, profile: PrinterProfile, family: CommandFamily, beeps: number): string[] {
  const paper = new PaperInterpreter({
    columns: profile.columns,
    dots: profile.dots,
    codePages: new Map(profile.codePages.map((entry) => [entry.page, entry.encoding])),
    kanjiAtStart: profile.cancelKanji,
    family,
    isImpact: profile.color === 'red',
  })
  paper.push(Uint8Array.of(0x1b, 0x40, ...(profile.cancelKanji ? [0x1c, 0x2e] : [])))
  paper.push(bytes)
  const faults: string[] = []
  const cuts = paper.tickets.length
  const wanted = ONE_CUT[profile.cut] ? 1 : 0
  if (cuts !== wanted) faults.push(`${cuts} cuts instead of ${wanted}`)
  if (wanted === 1 && paper.current.lines.length > 0) faults.push('paper behind the cut')
  const pieces = [...paper.tickets, paper.current]
  const pulses = pieces.reduce((sum, piece) => sum + piece.drawerPulses, 0)
  if (pulses > 0) faults.push(`${pulses} drawer pulses`)
  const beeped = pieces.reduce((sum, piece) => sum + piece.beeps, 0)
  const told = profile.beep === 'none' ? 0 : Math.min(9, beeps)
  if (beeped !== told) faults.push(`${beeped} beeps instead of ${told}`)
  const ignored = pieces.flatMap((piece) => piece.ignored).filter((name) => name !== 'GS 0xf9')
  if (ignored.length > 0) faults.push(`not understood: ${ignored.join(', ')}`)
  return faults
}
