// The set-up ticket on paper: the address of the page to read and to scan, and a code only for those who may have it.
import { describe, expect, it } from 'vitest'
import { previewOf } from '#shared/escpos/preview.ts'
import { storedDoc } from './local-doc.ts'
import { profileById } from './printer-profiles.ts'
import { paperOptionsFor } from './profile-paper.ts'
import { renderJobTicket } from './render-job.ts'
import { type SetupTicketFacts, setupTicket } from './setup-ticket.ts'

const FACTS: SetupTicketFacts = {
  urls: ['http://192.168.1.7/', 'http://kitchen-7f3a.local/'],
  fingerprint: null,
  printerName: 'Grill',
  code: null,
  hasUser: true,
  isPaired: false,
  queuedAtMs: 0,
  timeZone: 'UTC',
}

async function paperOf(change: Partial<SetupTicketFacts>, profileId = 'epson-thermal-203') {
  const profile = profileById(profileId)
  // As read back from disk.
  const doc = storedDoc.parse(JSON.parse(JSON.stringify(setupTicket({ ...FACTS, ...change }))))
  const part = { printerId: 'grill', station: null, items: [], alsoAt: [] }
  const marks = { possibleDuplicate: false, lateSinceMs: null }
  const facts = { printerName: 'Grill', marks, ticketLabel: 'A-1', attempt: 1, nowMs: 0 }
  const { bytes } = await renderJobTicket({ doc, part, kind: doc.kind, ...facts }, profile, null)
  return { ...previewOf(bytes, paperOptionsFor(profile)), bytes: Buffer.from(bytes).toString('latin1') }
}

describe('the set-up ticket', () => {
  it('has the address of the page, also as a QR code, the name of the printer, and how to pair', async () => {
    const { text, bytes, warnings } = await paperOf({})
    expect(text).toMatch(/192\.168\.1\.7[\s\S]*kitchen-7f3a\.local[\s\S]*This printer: Grill[\s\S]*claim code/)
    expect(text).not.toMatch(/code: |once/)
    // The data of a QR code follows its store command.
    expect(bytes).toContain('1P0http://192.168.1.7/')
    expect(warnings).toEqual([])
  })

  it('has the code of the first user after #, which browsers do not send to servers', async () => {
    const { text, bytes } = await paperOf({ code: 'BCDF-GHJK', hasUser: false })
    expect(text).toMatch(/SET UP THIS BOX[\s\S]*Set-up code: BCDF-GHJK[\s\S]*works once/)
    expect(bytes).toContain('1P0http://192.168.1.7/#setup=BCDF-GHJK')
  })

  it('explains where to find the code if it is not printed, and leaves it out of the QR code too', async () => {
    const { text, bytes } = await paperOf({ hasUser: false })
    expect(text).toMatch(/SET UP THIS BOX[\s\S]*the installer's terminal[\s\S]*ticketrail-gateway welcome/)
    expect(bytes).not.toContain('#setup')
  })

  it.each(['epson-thermal-203', 'generic-58'])(
    'says on %s by which beginning of its fingerprint the certificate is known, in one piece a line',
    async (profileId) => {
      const fingerprint = Array.from({ length: 32 }, (_, index) => `${index + 16}`.padStart(2, '0')).join(':')
      const { text } = await paperOf({ fingerprint }, profileId)
      expect(text.replaceAll(/\s+/g, ' ')).toContain('begins with 1617 1819 2021 2223 2425 2627 2829 3031 ')
      expect(text).toMatch(/^ *1617 1819 2021 2223 *$/m)
      expect(text).not.toContain('3233')
      expect((await paperOf({}, profileId)).text).not.toMatch(/certificate|fingerprint/)
    },
  )

  it('does not mention pairing after it is done', async () => {
    expect((await paperOf({ isPaired: true })).text).not.toMatch(/pair/i)
  })

  it('says that the box has no address yet', async () => {
    const { text, bytes } = await paperOf({ urls: [], code: 'BCDF-GHJK' })
    expect(text).toContain('no address in a network yet')
    expect(bytes).not.toContain('#setup')
  })

  it('is readable on a narrow printer', async () => {
    expect((await paperOf({ code: 'BCDF-GHJK' }, 'generic-58')).text).toMatch(
      /http:\/\/192\.168\.1\.7\/[\s\S]*BCDF-GHJK/,
    )
  })
})
