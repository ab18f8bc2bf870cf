// Operations on paper that is no new order: a note for the kitchen, tickets again, taking a job back.
import { z } from 'zod'
import { merchantIdField, note, text } from '#shared/wire/api/fields.ts'
import type { PrintJobResource, PrintJobResult } from '#shared/wire/api/printing.ts'
import { PRINT_CONTENT_LIMITS } from '#shared/wire/print-doc.ts'
import { idField } from './input-fields.ts'
import { changes } from './operation.ts'
import { orderRef } from './order-list.ts'

/** The printer itself, or the first that serves the station; neither: by the kitchen's own rules. */
const target = { printerId: text(64).optional(), station: text(64).optional() }
const oneTarget = { error: 'must be absent when printerId names the printer', path: ['station'] }
const named = ({ printerId, station }: { printerId?: string | undefined; station?: string | undefined }) =>
  printerId === undefined || station === undefined

export const PRINT_OPERATIONS = {
  'notes.print': changes(
    'Print a note in the kitchen',
    z
      .strictObject({
        merchantId: merchantIdField,
        title: text(120).optional(),
        text: note(PRINT_CONTENT_LIMITS.characters).min(1),
        locationId: text(64).optional(),
        ...target,
      })
      .refine(named, oneTarget),
    { right: 'money', scope: 'printers:control' },
  ),
  'jobs.reprint': changes(
    'Print the tickets of an order again, marked REPRINT',
    z
      .strictObject({ ...orderRef, copies: z.number().int().min(1).max(10).default(1), ...target })
      .refine(named, oneTarget),
    { right: 'serve', scope: 'printers:control' },
  ),
  'jobs.cancel': changes(
    'Take a print job back that is no order of its own',
    z.strictObject({ merchantId: merchantIdField, printJobId: idField('pj', 'a print job') }),
    { right: 'serve', scope: 'printers:control' },
  ),
}

/** A job that was taken. */
export interface QueuedJobAnswer extends PrintJobResult {
  /** The printers are known to be away: it prints when they are back. */
  isOffline: boolean
}

export interface PrintAnswers {
  'notes.print': QueuedJobAnswer
  'jobs.reprint': QueuedJobAnswer
  'jobs.cancel': PrintJobResource
}
