// Notes, receipts, labels, reprints and VOID slips on paper. None of their text or codes can become a printer command.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import type { ContentLine, PrintDoc } from '#shared/wire/print-doc.ts'
import { AT_THE_GRILL, ORDERED_MS, readyPaper, webOrder } from '#test/fixtures/kitchen-orders.ts'
import { ANY_CHARACTER } from '#test/harness/any-character.ts'
import { assertProperty } from '#test/harness/property.ts'
import { PROFILES, profileById } from './printer-profiles.ts'
import { type JobTicketInput, renderJobTicket } from './render-job.ts'
import { routeJob } from './route-job.ts'

const grill = { printerId: 'grill', name: 'Grill', stations: ['grill'], isDefault: true }
const text = (words: string, style: object = {}): ContentLine => ({ type: 'text', text: words, ...style })

function print(content: ContentLine[], change: Partial<PrintDoc> = {}): PrintDoc {
  return {
    merchantId: 'M-1',
    locationId: 'loc_1',
    title: null,
    content,
    target: { printerId: null, station: null, copies: 1 },
    queuedAtMs: ORDERED_MS,
    timeZone: 'Europe/Madrid',
    ...change,
  }
}

const order = webOrder([{ umsId: 'u', name: 'Cheeseburger', qty: 2, station: 'grill' }])

async function paperOf(doc: JobDoc, change: Partial<JobTicketInput> = {}, profileId = 'epson-thermal-203') {
  const profile = profileById(profileId)
  const paper = readyPaper(profile)
  const part = routeJob(doc, [grill])[0]!
  const input: JobTicketInput = { doc, part, kind: doc.kind, ...AT_THE_GRILL, ...change }
  const rendered = await renderJobTicket(input, profile, null)
  paper.push(rendered.bytes)
  return {
    text: (paper.tickets[0] ?? paper.current).text(),
    lines: (paper.tickets[0] ?? paper.current).lines,
    rendered,
  }
}

describe('a kitchen note', () => {
  it('has a title and a time, so that it cannot be mistaken for an order, and ends with the job id', async () => {
    const doc: JobDoc = { kind: 'note', print: print([text('86 salmon')], { title: 'Attention' }) }
    const words = (await paperOf(doc)).text
    expect(words).toContain('KITCHEN NOTE 18:02')
    expect(words).toMatch(/Attention[\s\S]*-{48}[\s\S]*86 salmon[\s\S]*-{48}[\s\S]*job 8F3A-1 Grill try 1 18:02:31/)
  })

  it('is marked if it may be a duplicate, if it is late and if it was cancelled', async () => {
    const doc: JobDoc = { kind: 'note', print: print([text('86 salmon')]) }
    expect((await paperOf(doc, { marks: { possibleDuplicate: true, lateSinceMs: ORDERED_MS } })).text).toMatch(
      /POSSIBLE DUPLICATE[\s\S]*CHECK RAIL[\s\S]*LATE: sent 18:02[\s\S]*KITCHEN NOTE/,
    )
    expect((await paperOf(doc, { kind: 'void' })).text).toMatch(
      /\*\*\* VOID \*\*\*[\s\S]*DISREGARD THIS NOTE[\s\S]*86 salmon/,
    )
  })
})

describe('a receipt or a label', () => {
  it('prints what the client wrote: columns keep their spaces, lines are left-aligned, centred and right-aligned', async () => {
    const content = [
      text('2 x Burger        25.00'),
      { type: 'rule' } as const,
      text('Total', { align: 'center', bold: true }),
      text('25.00', { align: 'right', size: 'large' }),
      text(''),
    ]
    const { text: words } = await paperOf({ kind: 'receipt', print: print(content, { title: 'Bistro' }) })
    const rows = words.split('\n').map((row) => row.trimEnd())
    expect(rows.some((row) => row === '2 x Burger        25.00')).toBe(true)
    expect(words).not.toMatch(/NOTE|job |try/)
    expect(words.trim().startsWith('Bistro')).toBe(true)
  })

  it('wraps a long line between words', async () => {
    const { text: words } = await paperOf({ kind: 'label', print: print([text('word '.repeat(40))]) })
    expect(Math.max(...words.split('\n').map((row) => row.length))).toBeLessThanOrEqual(48)
    expect(words.match(/word/g)).toHaveLength(40)
  })

  it('draws codes where the printer can, and writes their data where it cannot', async () => {
    const content: ContentLine[] = [
      { type: 'qr', data: 'https://example.com/ñ' },
      { type: 'barcode', data: 'WEB-{1042}' },
    ]
    const doc: JobDoc = { kind: 'label', print: print(content) }
    expect((await paperOf(doc)).text).toMatch(/\[qr "https:\/\/example\.com\/.*\s*\[barcode "WEB-\{1042\}"/)
    for (const profileId of ['epson-impact', 'daruma'])
      expect((await paperOf(doc, {}, profileId)).text).toMatch(/https:\/\/example\.com\/.*[\s\S]*WEB-\{1042\}/)
    const tooWide: JobDoc = { kind: 'label', print: print([{ type: 'barcode', data: 'x'.repeat(40) }]) }
    expect((await paperOf(tooWide)).text).toContain('x'.repeat(40))
    const tooHigh: JobDoc = { kind: 'receipt', print: print([{ type: 'qr', data: 'https://example.com/'.repeat(3) }]) }
    expect((await paperOf(tooHigh, {}, 'epson-label-60')).text).toContain('[qr')
    expect((await paperOf(tooHigh, {}, 'epson-label-25')).text).not.toContain('[qr')
    expect((await paperOf(doc)).rendered.heightMm).toBeGreaterThan(
      (await paperOf({ kind: 'label', print: print([text('a')]) })).rendered.heightMm + 20,
    )
  })
})

describe('a reprint of an order', () => {
  it('is marked REPRINT, and has the order unchanged', async () => {
    const doc: JobDoc = { kind: 'reprint', order, target: { printerId: null, station: null, copies: 1 } }
    expect((await paperOf(doc)).text).toMatch(
      /\*\*\* REPRINT \*\*\*[\s\S]*CHECK RAIL[\s\S]*#42[\s\S]*2 {3}Cheeseburger/,
    )
    expect((await paperOf({ kind: 'order', order })).text).not.toContain('REPRINT')
  })

  it('is marked VOID if the order was called off', async () => {
    expect((await paperOf({ kind: 'order', order }, { kind: 'void' })).text).toMatch(
      /VOID[\s\S]*DO NOT MAKE[\s\S]*Cheeseburger/,
    )
  })
})

describe('text of a client', () => {
  const anyText = fc.oneof(fc.string({ unit: ANY_CHARACTER, maxLength: 500 }), fc.string({ maxLength: 60 }))
  const anyLine = fc.oneof(
    fc.record({
      type: fc.constant('text' as const),
      text: anyText,
      size: fc.constantFrom('normal' as const, 'large' as const),
    }),
    fc.record({
      type: fc.constant('qr' as const),
      data: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 500 }),
    }),
    fc.record({ type: fc.constant('barcode' as const), data: fc.stringMatching(/^[\x20-\x7e]{1,40}$/) }),
  )

  it('never becomes a command, on any printer', async () => {
    const kinds = ['note', 'receipt', 'label'] as const
    await assertProperty(
      fc.asyncProperty(
        fc.array(anyLine, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(...kinds),
        // A printer that prints pictures only needs a raster, so it is left out.
        fc.constantFrom(...PROFILES.filter(({ language }) => language !== 'star-raster')),
        async (content, kind, profile) => {
          // The output firewall throws for a command that is not ours, and for DLE EOT, ENQ or DC4 anywhere, including lengths.
          const { rendered } = await paperOf({ kind, print: print(content) }, {}, profile.id)
          expect(rendered.bytes.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('never makes a length that printers execute as a real-time command', async () => {
    for (let bytes = 1_000; bytes <= 1_320; bytes++) {
      const data = 'é'.repeat(bytes / 2) + (bytes % 2 ? 'x' : '')
      await paperOf({ kind: 'label', print: print([{ type: 'qr', data }]) })
    }
  })
})
