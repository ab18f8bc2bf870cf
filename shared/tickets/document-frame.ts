// The bytes around the text of a document, in any dialect: beeps, the position of a label, the cut.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { isStar } from './dialect.ts'

const ESC = 0x1b
const FS = 0x1c
const GS = 0x1d
const LF = 0x0a

// Lines between the print head and the cutter or the tear bar.
const FEED_TO_CUTTER_LINES = 5
const FEED_TO_TEAR_BAR_LINES = 6

/** n of FS ( L: 67 feeds to the print start of a die-cut label, 65 to the peel position. m = 48: no feed if the paper is already there. */
const LABEL_START = [FS, 0x28, 0x4c, 2, 0, 67, 48] as const
const LABEL_PEEL = [FS, 0x28, 0x4c, 2, 0, 65, 48] as const

type Framed = Pick<PrinterProfile, 'language' | 'dialect' | 'cut' | 'beep' | 'media'>

/** Feeds to the start of a label. Empty on a roll. */
export function mediaStartBytes({ media }: Framed): Uint8Array {
  return media.kind === 'label' ? Uint8Array.of(...LABEL_START) : new Uint8Array(0)
}

/**
 * The end of a ticket: feeds the last line out and cuts. The cuts of the libraries are not used: one sends ESC @ after it, the other does
 * not feed.
 */
export function cutBytes(profile: Framed): Uint8Array {
  switch (profile.cut) {
    case 'gs-v-66': // GS V 66 0: feed to the cutter and cut, one command
      return Uint8Array.of(GS, 0x56, 66, 0)
    case 'gs-v-1':
      return Uint8Array.of(ESC, 0x64, FEED_TO_CUTTER_LINES, GS, 0x56, 1)
    case 'esc-m': // escpos-buffer feeds a Daruma by line ends, for want of ESC d
      return profile.dialect === 'eb-daruma'
        ? Uint8Array.of(...new Uint8Array(FEED_TO_CUTTER_LINES).fill(LF), ESC, 0x6d)
        : Uint8Array.of(ESC, 0x64, FEED_TO_CUTTER_LINES, ESC, 0x6d)
    case 'esc-d': // Star: ESC d 3, feed to the cutter and cut partially
      return Uint8Array.of(ESC, 0x64, 3)
    case 'star-raster': // ESC FF NUL: end of page, feeds and cuts; ESC * r B: leaves raster mode
      return Uint8Array.of(ESC, 0x0c, 0, ESC, 0x2a, 0x72, 0x42)
    case 'label':
      return Uint8Array.of(...LABEL_PEEL)
    case 'none': // ESC d n; at a Star that would be a cut, and ESC a n feeds
      return Uint8Array.of(ESC, isStar(profile) ? 0x61 : 0x64, FEED_TO_TEAR_BAR_LINES)
  }
}

/** Beeps of 100 ms, at most nine. Empty for zero, and for a printer without a buzzer. */
export function beepBytes({ beep }: Pick<PrinterProfile, 'beep'>, times: number): Uint8Array {
  if (times <= 0) return new Uint8Array(0)
  const count = Math.min(9, times)
  switch (beep) {
    case 'esc-paren-a': // ESC ( A fn 97: n = 100 selects the buzzer, then times, on and off in 100 ms
      return Uint8Array.of(ESC, 0x28, 0x41, 5, 0, 97, 100, count, 1, 1)
    case 'esc-b':
      return Uint8Array.of(ESC, 0x42, count, 2)
    case 'esc-paren-a-48': // ESC ( A fn 48: pattern 55, n times
      return Uint8Array.of(ESC, 0x28, 0x41, 4, 0, 48, 55, count, 10)
    case 'bel':
      return new Uint8Array(count).fill(0x07)
    case 'star-em': // ESC GS EM DC1 1 on off in 20 ms, then ESC GS EM DC2 1 times 0: as Star's own CUPS drivers send them
      return Uint8Array.of(ESC, GS, 0x19, 0x11, 0x31, 5, 5, ESC, GS, 0x19, 0x12, 0x31, count, 0)
    case 'none':
      return new Uint8Array(0)
  }
}

const BEEP_COMMANDS: Readonly<Record<PrinterProfile['beep'], readonly string[]>> = {
  'esc-paren-a': ['ESC ( A'],
  'esc-paren-a-48': ['ESC ( A'],
  'esc-b': ['ESC B'],
  bel: ['BEL'],
  'star-em': ['ESC GS EM'],
  none: [],
}

const CUT_COMMANDS: Readonly<Record<PrinterProfile['cut'], readonly string[]>> = {
  'gs-v-66': ['GS V'],
  'gs-v-1': ['ESC d', 'GS V'],
  'esc-m': ['ESC d', 'ESC m'],
  'esc-d': ['ESC d'],
  'star-raster': ['ESC FF', 'ESC * r'],
  label: ['FS ( L'],
  none: ['ESC d'],
}

/** Names of the commands that this file writes, for the output firewall. */
export function frameCommands(profile: Framed): readonly string[] {
  const feed = profile.cut === 'none' && isStar(profile) ? ['ESC a'] : CUT_COMMANDS[profile.cut]
  return ['LF', ...feed, ...BEEP_COMMANDS[profile.beep]]
}
