// How a ticket looks on paper: its bytes are made anew and played by the one interpreter.
import type { StoredTicket } from '#gateway/storage/ticket-content-store.ts'
import { previewOf } from '#shared/escpos/preview.ts'
import { PROFILES, profileFor } from '#shared/tickets/printer-profiles.ts'
import { paperOptionsFor } from '#shared/tickets/profile-paper.ts'
import { renderJobTicket } from '#shared/tickets/render-job.ts'
import type { ControlContext } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'

export function previewOperations(context: ControlContext): Pick<ControlHandlers, 'jobs.preview'> {
  return {
    'jobs.preview': async ({ ticketId, profileId }) => {
      const stored = context.contents.find(ticketId)
      if (!stored) throw new ControlRefusal('not-found', `There is no ticket ${ticketId}, or it is damaged.`)
      // Its code is to be read off the paper.
      if (stored.doc.kind === 'test') throw new ControlRefusal('refused', 'A test ticket is looked at on paper.')
      const profile = profileOf(context, stored, profileId)
      const { bytes } = await renderJobTicket(inputOf(context, stored), profile, context.raster)
      const { text, svg, operations, warnings } = previewOf(bytes, paperOptionsFor(profile))
      return { profileId: profile.id, text, svg, operations: [...operations], warnings: [...warnings] }
    },
  }
}

function profileOf({ printers }: ControlContext, { part }: StoredTicket, profileId: string | undefined) {
  const asked = profileId === undefined ? undefined : PROFILES.find(({ id }) => id === profileId)
  if (profileId !== undefined && !asked)
    throw new ControlRefusal('invalid', `profileId: there is no profile ${profileId}`)
  if (asked) return asked
  const printer = printers.all().find(({ printerId }) => printerId === part.printerId)
  return profileFor(printer?.profileId ?? '', printer?.settings ?? { columns: null, codePages: null })
}

function inputOf({ printers, time }: ControlContext, stored: StoredTicket): Parameters<typeof renderJobTicket>[0] {
  const { doc, part, kind, ticketId, jobId, attempt, possibleDuplicate, backupFrom } = stored
  const printerName = printers.all().find(({ printerId }) => printerId === part.printerId)?.name ?? ''
  return {
    doc,
    part,
    kind: kind === 'void' ? 'void' : doc.kind,
    printerName,
    marks: { possibleDuplicate, lateSinceMs: null, backupFrom, isReprint: kind === 'reprint' },
    ticketLabel: `${jobId.slice(-4)}${ticketId.slice(jobId.length)}`.toUpperCase(),
    attempt,
    nowMs: time.now(),
  }
}
