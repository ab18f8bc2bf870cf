// The two-byte character sets in the fonts of printers with Kanji mode: which bytes print which character.
import type { KanjiMode } from '#shared/printer-profile.ts'
import { displayWidth } from './display-width.ts'

interface ByteRange {
  from: number
  to: number
}

interface TwoByteSet {
  /** The label for TextDecoder. */
  label: string
  lead: readonly ByteRange[]
  trail: readonly ByteRange[]
}

// Only what printers' fonts contain: no four-byte codes of GB18030, no vendor extensions of Shift-JIS, no UHC, no HKSCS.
const SETS: Readonly<Record<KanjiMode, TwoByteSet>> = {
  gb18030: {
    label: 'gb18030',
    lead: [{ from: 0x81, to: 0xfe }],
    trail: [
      { from: 0x40, to: 0x7e },
      { from: 0x80, to: 0xfe },
    ],
  },
  big5: {
    label: 'big5',
    lead: [{ from: 0xa1, to: 0xf9 }],
    trail: [
      { from: 0x40, to: 0x7e },
      { from: 0xa1, to: 0xfe },
    ],
  },
  'shift-jis': {
    label: 'shift_jis',
    lead: [
      { from: 0x81, to: 0x84 },
      { from: 0x88, to: 0x9f },
      { from: 0xe0, to: 0xea },
    ],
    trail: [
      { from: 0x40, to: 0x7e },
      { from: 0x80, to: 0xfc },
    ],
  },
  'euc-kr': { label: 'euc-kr', lead: [{ from: 0xa1, to: 0xfe }], trail: [{ from: 0xa1, to: 0xfe }] },
}

// Tables, built on first use (some milliseconds) and cached.
const tables = new Map<KanjiMode, ReadonlyMap<string, number>>()

/** The two bytes (high byte first) of each two-column character of this set. */
export function twoColumnCharacters(mode: KanjiMode): ReadonlyMap<string, number> {
  const known = tables.get(mode)
  if (known !== undefined) return known
  const table = readTable(SETS[mode])
  tables.set(mode, table)
  return table
}

function readTable({ label, lead, trail }: TwoByteSet): Map<string, number> {
  const table = new Map<string, number>()
  const decoder = new TextDecoder(label)
  const trails = trail.flatMap(bytesOf)
  for (const high of lead.flatMap(bytesOf)) {
    // A line feed after each pair, so that an invalid pair cannot consume the next one.
    const row = decoder.decode(Uint8Array.from(trails.flatMap((low) => [high, low, 0x0a]))).split('\n')
    trails.forEach((low, i) => {
      const character = row[i] ?? ''
      if (isOneCharacter(character) && displayWidth(character) === 2 && !table.has(character))
        table.set(character, high * 256 + low)
    })
  }
  return table
}

function isOneCharacter(text: string): boolean {
  const point = text.codePointAt(0)
  return point !== undefined && point !== 0xfffd && text.length === (point > 0xffff ? 2 : 1)
}

function bytesOf({ from, to }: ByteRange): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}
