// How a ticket looks on paper: its bytes are made again and read by the interpreter.
import { inOwnZone } from '#gateway/queue/own-zone.ts'
import { ticketInput } from '#gateway/queue/ticket-input.ts'
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import { previewOf } from '#shared/escpos/preview.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { PROFILES, profileFor } from '#shared/tickets/printer-profiles.ts'
import { paperOptionsFor } from '#shared/tickets/profile-paper.ts'
import { renderJobTicket } from '#shared/tickets/render-job.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'

export function previewOperations({
  contents,
  printers,
  receiptLogo,
  raster,
  site,
  time,
}: ControlContext): Pick<ControlHandlers, 'jobs.preview'> {
  return {
    'jobs.preview': async ({ ticketId, profileId }) => {
      const stored = contents.find(ticketId)
      if (!stored)
        throw new ControlRefusal(
          'not-found',
          `There is no ticket ${ticketId}, or it is damaged. Give the value of the TICKET column of jobs list, not that of ORDER.`,
          { said: { key: 'ticket.unknown-ticket' } },
        )
      const { ticket, content, sentAtMs } = stored
      // Its code is to be read off the paper.
      if (content.doc.kind === 'test') throw new ControlRefusal('refused', 'A test ticket is looked at on paper.')
      const printer = printers.find(ticket.printerId)
      if (!printer)
        throw new ControlRefusal('refused', 'The printer of this ticket is no longer set up.', {
          said: { key: 'ticket.unknown-printer' },
        })
      const profile = profileOf(printer, profileId)
      const logo = content.part.paper === 'receipt' ? await receiptLogo.bitmap(profile) : null
      // As of the moment when it was printed.
      const input = ticketInput(ticket, { content: inOwnZone(content, site), printer, nowMs: sentAtMs ?? time.now() })
      const { bytes, unprintable } = await renderJobTicket({ ...input, ...(logo ? { logo } : {}) }, profile, raster)
      const { text, svg, operations, warnings } = previewOf(bytes, paperOptionsFor(profile))
      return { profileId: profile.id, text, svg, operations: [...operations], warnings: [...warnings], unprintable }
    },
  }
}

function profileOf({ profileId, settings }: PrinterRecord, asked: string | undefined): PrinterProfile {
  if (asked === undefined) return profileFor(profileId, settings)
  const found = PROFILES.find(({ id }) => id === asked)
  if (!found) throw new ControlRefusal('invalid', `profileId: there is no profile ${asked}`)
  return found
}
