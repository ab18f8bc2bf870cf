// The bytes of one ticket with every feature, for each printer family, as readable listings: shared/tickets/golden/*.txt. A change there is a change on paper.
import { describe, expect, it } from 'vitest'
import { codePageCharacters } from '#shared/escpos/code-page-characters.ts'
import { PaperInterpreter } from '#shared/escpos/paper.ts'
import { type Operation, tokenize } from '#shared/escpos/tokenize.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { faultsOfTicket } from '#test/harness/judge-bytes.ts'
import type { Bitmap } from './bitmap.ts'
import { CodePages } from './code-page.ts'
import { EscposEncoder } from './escpos-encoder.ts'
import type { TicketLine, TicketRun } from './line-layout.ts'
import { checkDocument } from './output-firewall.ts'
import { PROFILES } from './printer-profiles.ts'
import { paperOptionsFor } from './profile-paper.ts'

/** 24 x 30 dots: a frame, and bytes inside that look like DLE EOT, DLE DC4 and ESC ACK. */
function picture(): Bitmap {
  const rows = Array.from({ length: 30 }, (_, y) => {
    if (y === 0 || y === 29) return [0xff, 0xff, 0xff]
    if (y === 5) return [0x10, 0x14, 0x01]
    if (y === 6) return [0x1b, 0x06, 0x01]
    if (y === 7) return [0x00, 0x00, 0x10]
    if (y === 8) return [0x04, 0x00, 0x01]
    return y > 20 ? [0, 0, 0] : [0x80, 0x00, 0x01]
  })
  return { widthDots: 24, heightDots: 30, rows: Uint8Array.from(rows.flat()) }
}

const line = (align: TicketLine['align'], ...runs: TicketRun[]): TicketLine => ({ align, runs })

const MOST_LETTERS = 3

/** A line for each code page, with characters for which the encoder selects this page: so every number of the profile is in the listing. */
function pageLines(profile: PrinterProfile): TicketLine[] {
  const pages = new CodePages({ ...profile, kanji: null })
  return profile.codePages.map(({ page, encoding }) => {
    const own = codePageCharacters(encoding).filter((character) => character > '~' && pages.pageFor(character) === page)
    const letters = own.filter((character) => /\p{L}/u.test(character))
    const shown = (letters.length > 0 ? letters : own).slice(0, MOST_LETTERS).join('')
    return line('left', { text: `${encoding} ${shown}` })
  })
}

function richTicket(profile: PrinterProfile): TicketLine[] {
  if (profile.language === 'star-raster') {
    return [
      { align: 'center', runs: [], bitmap: picture() },
      line('left'),
      { align: 'right', runs: [], bitmap: picture() },
      { align: 'center', runs: [], symbol: { what: 'barcode', data: 'A1' } },
    ]
  }
  const kanji =
    profile.kanji === null ? [] : [line('left', { text: profile.kanji === 'shift-jis' ? '寿司 x' : '北京 x' })]
  return [
    line('center', { text: '#42', widthScale: 2, heightScale: 2 }),
    line('left', { text: ' VOID ', bold: true, alarm: true, heightScale: 2 }),
    line('left', { text: '2  ', bold: true }, { text: 'Crème brûlée', bold: true, heightScale: 2 }),
    line('left', { text: '   NO nuts ', underline: true }, { text: 'ALLERGY', alarm: true }),
    line('right', { text: 'total', widthScale: 2 }),
    line('left'),
    ...kanji,
    ...(profile.media.kind === 'label' ? [] : pageLines(profile)),
    { align: 'center', runs: [], bitmap: picture() },
    { align: 'center', runs: [], symbol: { what: 'qr', data: 'https://example.com/é' } },
    { align: 'left', runs: [], symbol: { what: 'barcode', data: 'A{1}%' } },
    line('left', { text: 'end' }),
  ]
}

/** One operation per line: text as text, parameters in hex, long ones shortened. Repeated lines are shown once, with their number. */
function listing(operations: readonly Operation[]): string {
  const lines = operations.map((operation) =>
    operation.kind === 'text' ? quoted(operation.bytes) : command(operation),
  )
  const texts: string[] = []
  for (let at = 0; at < lines.length; ) {
    let end = at + 1
    while (end < lines.length && lines[end] === lines[at]) end++
    texts.push(end - at === 1 ? `${lines[at]}\n` : `${lines[at]}  (${end - at} times)\n`)
    at = end
  }
  return texts.join('')
}

function quoted(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) =>
    byte < 0x7f && byte !== 0x5c ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`,
  )
  return `"${text.join('')}"`
}

const MOST_PARTS = 40

function command({ name, params }: Extract<Operation, { kind: 'command' }>): string {
  const parts = hexParts(params)
  const more = parts.length > MOST_PARTS ? ` ... (${params.length} bytes)` : ''
  return `${name} ${parts.slice(0, MOST_PARTS).join(' ')}${more}`.trimEnd()
}

/** `ff`; four or more equal bytes in a row as `00*36`. */
function hexParts(bytes: Uint8Array): string[] {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; ) {
    let end = at + 1
    while (bytes[end] === bytes[at] && end < bytes.length) end++
    const hex = (bytes[at] ?? 0).toString(16).padStart(2, '0')
    parts.push(...(end - at >= 4 ? [`${hex}*${end - at}`] : Array.from({ length: end - at }, () => hex)))
    at = end
  }
  return parts
}

describe('the golden ticket', () => {
  it.each(PROFILES.map((profile) => [profile.id, profile] as const))('%s', async (id, profile) => {
    const encoder = new EscposEncoder(profile)
    const documents = [encoder.encode(richTicket(profile), { beeps: 2 })]
    // A label has no room for the line of each page: they follow on labels of their own.
    if (profile.media.kind === 'label') documents.push(encoder.encode(pageLines(profile), { runsOn: true }))
    for (const document of documents) checkDocument(document, profile, encoder.dialect)
    const { operations, rest } = tokenize(Buffer.concat(documents), { family: encoder.dialect.family })
    expect(rest).toHaveLength(0)
    const text = listing(operations)
    // Prints pictures only.
    if (profile.language !== 'star-raster')
      for (const { page, encoding } of profile.codePages)
        expect(text).toMatch(new RegExp(`ESC (GS )?t ${page.toString(16).padStart(2, '0')}.*\n"${encoding} \\\\x`))
    await expect(text).toMatchFileSnapshot(`golden/${id}.txt`)
  })

  it.each(PROFILES.map((profile) => [profile.id, profile] as const))('prints on paper as planned: %s', (_, profile) => {
    const bytes = new EscposEncoder(profile).encode(richTicket(profile), { beeps: 2 })
    expect(faultsOfTicket(bytes, profile, 2)).toEqual([])
    const paper = new PaperInterpreter(paperOptionsFor(profile))
    paper.push(bytes)
    const ticket = paper.tickets[0] ?? paper.current
    // Prints pictures only. On a label: the part that fits, with dots for the rest.
    if (profile.language === 'star-raster') return expect(ticket.text()).toMatch(/^\s*\[raster/)
    if (profile.media.kind === 'label')
      return expect(ticket.text()).toMatch(/#42[\s\S]*VOID[\s\S]*2 {2}Crème brûlée.*[\s\S]*\.\.\./)
    const graphics = profile.image === 'none' ? '' : '\\[raster \\d+x\\d+\\]'
    expect(ticket.text()).toMatch(
      new RegExp(
        `#42[\\s\\S]*VOID[\\s\\S]*2 {2}Crème brûlée[\\s\\S]*NO nuts ALLERGY[\\s\\S]*total[\\s\\S]*${graphics}[\\s\\S]*end`,
      ),
    )
    const runs = ticket.lines.flatMap((each) => (each.kind === 'text' ? each.runs : []))
    const run = (text: string) => runs.find((each) => each.text.includes(text))
    expect(run('#42')).toMatchObject({ widthScale: 2, heightScale: 2 })
    expect(run('Crème')).toMatchObject({ heightScale: 2, bold: true })
    // A Daruma has neither colour nor inverse, so alarming lines look as the layout prints them there.
    if (profile.dialect !== 'eb-daruma') {
      expect(run('ALLERGY')).toMatchObject(profile.color === 'red' ? { red: true } : { inverse: true })
    }
    for (const { runs } of pageLines(profile)) expect(ticket.text()).toContain(runs[0]?.text)
    if (profile.kanji !== null) expect(ticket.text()).toContain(profile.kanji === 'shift-jis' ? '寿司 x' : '北京 x')
  })
})
