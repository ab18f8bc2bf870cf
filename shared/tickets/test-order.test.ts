// A test order cannot be mistaken for a guest's order on any kind of ticket, and a guest's order cannot be marked as a test.
import { describe, expect, it } from 'vitest'
import { previewOf } from '#shared/escpos/preview.ts'
import { kitchenOrder } from '#shared/order.ts'
import type { PaperType } from '#shared/printer-settings.ts'
import { jobDoc } from '#shared/wire/gateway-link.ts'
import { isTestOrder, type StoredDoc, storedDoc } from './local-doc.ts'
import { profileById } from './printer-profiles.ts'
import { paperOptionsFor } from './profile-paper.ts'
import { renderJobTicket } from './render-job.ts'

const order = kitchenOrder.parse({
  serviceOrderId: 'ord_1',
  orderId: 'TEST-4711',
  merchantId: '',
  locationId: '',
  source: 'TEST',
  queuedAtMs: 0,
  timeZone: 'Europe/Madrid',
  items: [{ umsId: 'test', name: 'Test item', qty: 1 }],
  receipt: { currency: '', totalCents: 0, tipCents: 0 },
})

async function paperOf(doc: StoredDoc, paper: PaperType, kind: 'order' | 'void' = 'order'): Promise<string> {
  const profile = profileById('epson-thermal-203')
  const part = { printerId: 'grill', station: null, items: [0], alsoAt: [], paper }
  const marks = { possibleDuplicate: true, lateSinceMs: null }
  const facts = { printerName: 'Grill', marks, ticketLabel: 'A-1', attempt: 2, nowMs: 0 }
  const { bytes } = await renderJobTicket({ doc, part, kind, ...facts }, profile, null)
  return previewOf(bytes, paperOptionsFor(profile)).text
}

describe('a test order', () => {
  const doc: StoredDoc = { kind: 'order', order, isTest: true }

  it.each(['kitchen', 'label', 'receipt'] as const)('has the mark first on a %s ticket', async (paper) => {
    expect((await paperOf(doc, paper)).trim()).toMatch(/^\*\*\* TEST ORDER \*\*\*\s+DO NOT MAKE\s[\s\S]*DUPLICATE/)
    expect(await paperOf({ kind: 'order', order }, paper)).not.toMatch(/TEST ORDER|DO NOT MAKE/)
  })

  it('has the mark on its VOID slip too', async () => {
    expect(await paperOf(doc, 'kitchen', 'void')).toMatch(/TEST ORDER[\s\S]*VOID/)
  })

  it('keeps the mark after a restart, and cannot get it from the relay', () => {
    const stored = storedDoc.parse(JSON.parse(JSON.stringify(doc)))
    expect(isTestOrder(stored)).toBe(true)
    expect(isTestOrder(jobDoc.parse(doc))).toBe(false)
  })

  it('cannot be imitated by the name of an ordering channel', async () => {
    const feigned = await paperOf({ kind: 'order', order: { ...order, source: 'TEST ORDER' } }, 'kitchen')
    expect(feigned).toContain('via TEST ORDER')
  })
})
