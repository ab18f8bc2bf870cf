// The set-up ticket on paper: the way to the page to read and to scan, and a code only for whom it is meant.
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
  // As it comes back from the disk.
  const doc = storedDoc.parse(JSON.parse(JSON.stringify(setupTicket({ ...FACTS, ...change }))))
  const part = { printerId: 'grill', station: null, items: [], alsoAt: [] }
  const marks = { possibleDuplicate: false, lateSinceMs: null }
  const facts = { printerName: 'Grill', marks, ticketLabel: 'A-1', attempt: 1, nowMs: 0 }
  const { bytes } = await renderJobTicket({ doc, part, kind: doc.kind, ...facts }, profile, null)
  return { ...previewOf(bytes, paperOptionsFor(profile)), bytes: Buffer.from(bytes).toString('latin1') }
}

describe('the set-up ticket', () => {
  it('says where the page is, also to a camera, which printer this is and how to pair', async () => {
    const { text, bytes, warnings } = await paperOf({})
    expect(text).toMatch(/192\.168\.1\.7[\s\S]*kitchen-7f3a\.local[\s\S]*This printer: Grill[\s\S]*claim code/)
    expect(text).not.toMatch(/code: |once/)
    // The data of a QR code stand in the bytes behind its store command.
    expect(bytes).toContain('1P0http://192.168.1.7/')
    expect(warnings).toEqual([])
  })

  it('carries the code of the first user behind #, which no server sees', async () => {
    const { text, bytes } = await paperOf({ code: 'BCDF-GHJK', hasUser: false })
    expect(text).toMatch(/SET UP THIS BOX[\s\S]*Set-up code: BCDF-GHJK[\s\S]*works once/)
    expect(bytes).toContain('1P0http://192.168.1.7/#setup=BCDF-GHJK')
  })

  it('tells who stands before it without a code where the code is, and keeps it from the camera too', async () => {
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

  it('says nothing of pairing once that is done', async () => {
    expect((await paperOf({ isPaired: true })).text).not.toMatch(/pair/i)
  })

  it('is honest before the box has an address', async () => {
    const { text, bytes } = await paperOf({ urls: [], code: 'BCDF-GHJK' })
    expect(text).toContain('no address in a network yet')
    expect(bytes).not.toContain('#setup')
  })

  it('reads on a narrow printer as well', async () => {
    expect((await paperOf({ code: 'BCDF-GHJK' }, 'generic-58')).text).toMatch(
      /http:\/\/192\.168\.1\.7\/[\s\S]*BCDF-GHJK/,
    )
  })
})
