// A reason that an older relay does not support is replaced by an older one: it would refuse the whole status.
import { expect, it } from 'vitest'
import { CAP_ANOTHER_PRINTER, CAP_KITCHEN, type PrinterReport } from '#shared/wire/gateway-link.ts'
import { reportsFor } from './link-session.ts'

const facts = { printerId: 'grill', name: 'Grill', stations: [], isDefault: true, queued: 0 }
const grill: PrinterReport = { ...facts, state: 'offline', reasons: ['another-printer', 'media-low'] }

it('reports another printer at the address only to a relay that knows that reason', () => {
  expect(reportsFor([CAP_KITCHEN, CAP_ANOTHER_PRINTER], [grill])).toEqual([grill])
  expect(reportsFor([CAP_KITCHEN], [grill])).toEqual([{ ...grill, reasons: ['not-responding', 'media-low'] }])
})
