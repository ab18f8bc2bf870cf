// Print jobs and printers of the /v1 API, and the sandbox's paper.
import { z } from 'zod'
import { printerReason, printerState } from '#shared/print-job.ts'
import { contentLine, PRINT_CONTENT_LIMITS } from '#shared/wire/print-doc.ts'
import { isoTime, merchantIdField, note, printPending, text } from './fields.ts'
import { kitchenFields } from './kitchen-fields.ts'

/** Stand large at the top of a kitchen note. */
const { orderType, table, server, allergens } = kitchenFields
const headFields = { orderType, table, server, allergens }

/** Exactly one of `text`, `content` and `serviceOrderId` (a reprint of that order's kitchen tickets, under a REPRINT mark). */
export const submitPrintJob = z
  .strictObject({
    merchantId: merchantIdField,
    type: z.enum(['kitchen', 'receipt', 'label']),
    title: text(120).optional(),
    text: note(PRINT_CONTENT_LIMITS.characters).min(1).optional(),
    content: z.array(contentLine).min(1).max(PRINT_CONTENT_LIMITS.lines).optional(),
    serviceOrderId: text(64).optional(),
    station: text(64).optional(),
    printerId: text(64).optional(),
    copies: z.number().int().min(1).max(10).default(1),
    locationId: text(64).optional(),
    ...headFields,
  })
  .superRefine((job, context) => {
    const wanted = [job.text, job.content, job.serviceOrderId].filter((part) => part !== undefined).length
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    if (wanted !== 1) refuse('text', 'exactly one of text, content and serviceOrderId is required')
    if (job.serviceOrderId !== undefined && job.type !== 'kitchen')
      refuse('type', 'must be kitchen when serviceOrderId asks for a reprint')
    if (job.serviceOrderId !== undefined && job.title !== undefined)
      refuse('title', 'must be absent when serviceOrderId asks for a reprint')
    if (job.serviceOrderId !== undefined && job.locationId !== undefined)
      refuse('locationId', 'must be absent when serviceOrderId asks for a reprint: the order has its location')
    for (const field of ['orderType', 'table', 'server', 'allergens'] as const) {
      if (job[field] === undefined) continue
      if (job.type !== 'kitchen') refuse(field, 'must be absent unless type is kitchen')
      else if (job.serviceOrderId !== undefined)
        refuse(field, 'must be absent when serviceOrderId asks for a reprint: the order has its own')
    }
    if (job.printerId !== undefined && job.station !== undefined)
      refuse('station', 'must be absent when printerId names the printer')
    const characters = job.content?.reduce((sum, line) => sum + ('text' in line ? line.text.length : 0), 0) ?? 0
    if (characters > PRINT_CONTENT_LIMITS.characters)
      refuse('content', `must not have more than ${PRINT_CONTENT_LIMITS.characters} characters of text`)
  })
  .meta({ id: 'SubmitPrintJob' })
export type SubmitPrintJob = z.output<typeof submitPrintJob>

/** The printer of a print job. Before the gateway has chosen, the printers that it will choose from. */
const printerOfJob = z.object({ printerId: z.string(), name: z.string() }).meta({ id: 'PrinterOfJob' })

export const printJobResult = z
  .object({
    status: z.literal('queued'),
    printJobId: z.string(),
    merchantId: z.string(),
    queuedAt: isoTime,
    printers: z.array(printerOfJob),
    printPending,
  })
  .meta({ id: 'PrintJobResult' })
export type PrintJobResult = z.infer<typeof printJobResult>

/** `accepted` by the gateway is told as `sent`: to a client it makes no difference. */
export const PRINT_JOB_STATES = ['queued', 'sent', 'printed', 'failed', 'uncertain', 'cancelled', 'expired'] as const

export const printJobResource = z
  .object({
    printJobId: z.string(),
    merchantId: z.string(),
    /** `order`: the tickets of an injected order. `fire`: those of a course of it that was fired. */
    type: z.enum(['order', 'kitchen', 'receipt', 'label', 'reprint', 'fire']),
    state: z.enum(PRINT_JOB_STATES),
    queuedAt: isoTime,
    printedAt: isoTime.nullable(),
    attempts: z.number().int(),
    printers: z.array(
      printerOfJob.extend({
        state: z.enum(PRINT_JOB_STATES),
        printedAt: isoTime.nullable(),
        attempts: z.number().int(),
        confirmation: z.enum(['confirmed', 'assumed']).nullable(),
        possibleDuplicate: z.boolean(),
        unprintable: z.number().int().min(0).optional(),
        reason: z.string().nullable(),
      }),
    ),
    serviceOrderId: z.string().nullable(),
  })
  .meta({ id: 'PrintJob' })
export type PrintJobResource = z.infer<typeof printJobResource>

export const printJobParams = z.object({ printJobId: z.string() }).meta({ id: 'PrintJobParams' })

export const printersQuery = z
  .strictObject({ merchantId: merchantIdField, locationId: text(64).optional() })
  .meta({ id: 'PrintersQuery' })
export const printerResource = z
  .object({
    printerId: z.string(),
    name: z.string(),
    locationId: z.string(),
    stations: z.array(z.string()),
    isDefault: z.boolean(),
    state: printerState,
    /** Why, in IPP's words; `none` is left out. */
    detail: z.array(printerReason),
    /** The printerId of the backup that prints its tickets now; null: none is known. */
    standIn: z.string().nullable(),
    lastSeenAt: isoTime.nullable(),
  })
  .meta({ id: 'Printer' })
export type PrinterResource = z.infer<typeof printerResource>
export const printersList = z.object({ data: z.array(printerResource) }).meta({ id: 'PrintersList' })

// ---- sandbox: what the simulated kitchen has printed

export const sandboxTicket = z
  .object({
    ticketId: z.string(),
    printJobId: z.string(),
    printerId: z.string(),
    printerName: z.string(),
    kind: z.enum(['order', 'void', 'fire', 'reprint', 'note', 'receipt', 'label']),
    printedAt: isoTime,
    /** The paper as plain text, line by line. */
    text: z.string(),
  })
  .meta({ id: 'SandboxTicket' })
export type SandboxTicket = z.infer<typeof sandboxTicket>
export const sandboxTickets = z.object({ data: z.array(sandboxTicket) }).meta({ id: 'SandboxTickets' })

export const sandboxTicketParams = z
  .object({ printJobId: z.string(), ticketId: z.string() })
  .meta({ id: 'SandboxTicketParams' })
/** text/plain, image/svg+xml or application/octet-stream (the ESC/POS bytes). */
export const sandboxTicketQuery = z
  .strictObject({ merchantId: merchantIdField, format: z.enum(['text', 'svg', 'escpos']).default('text') })
  .meta({ id: 'SandboxTicketQuery' })
