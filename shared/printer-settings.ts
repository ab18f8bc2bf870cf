// What a restaurant decides about one printer: what it gets, what happens when it fails. Stored by the gateway as one JSON document.
import { z } from 'zod'

/** The purpose of a ticket. An order always makes kitchen tickets; receipts and labels only where a printer or a rule requests them. */
export const paperType = z.enum(['kitchen', 'receipt', 'label'])
export type PaperType = z.infer<typeof paperType>

const minutes = (least: number, most: number) =>
  z
    .number()
    .int()
    .min(least * 60_000)
    .max(most * 60_000)

export const printerSettings = z
  .strictObject({
    /** Kinds of paper of an order that it prints besides what stations and rules send there. Default: kitchen only. */
    papers: z.array(paperType).max(3).default(['kitchen']),
    /** `per-item`: one ticket for each line of the order. Labels are always one for each piece. */
    split: z.enum(['consolidated', 'per-item']).default('consolidated'),
    copies: z.number().int().min(1).max(5).default(1),
    /** After a doubtful attempt: print again with the mark, or wait until a person has checked. */
    doubt: z.enum(['reprint', 'hold']).default('reprint'),
    /** Takes over while this printer cannot print. */
    backupPrinterId: z.string().min(1).max(64).nullable().default(null),
    /** Not one byte could be sent for so long, milliseconds. */
    backupAfterMs: z.number().int().min(5_000).max(600_000).default(20_000),
    /** Stopped in the middle of a ticket, or in doubt, for so long. */
    backupWhenDoubtfulAfterMs: z.number().int().min(5_000).max(600_000).default(45_000),
    /** After an outage, tickets older than this wait for a person behind one summary slip. Null: they all print. */
    staleAfterMs: minutes(5, 24 * 60)
      .nullable()
      .default(null),
    /** The same, when more than so many wait. */
    staleAboveTickets: z.number().int().min(2).max(1_000).nullable().default(null),
    /** Takes nothing off its queue until a person lets it. */
    paused: z.boolean().default(false),
    /** `exclusive`: the connection stays open; for printers that no other program uses. */
    connection: z.enum(['shared', 'exclusive']).default('shared'),
    /** Beeps before each kitchen ticket, 0 to 9. */
    beeps: z.number().int().min(0).max(9).default(0),
    /** Rows that the technician picked on the code page sheet, in order; null: the profile's. */
    codePages: z
      .array(z.object({ page: z.number().int().min(0).max(255), encoding: z.string().max(40) }))
      .min(1)
      .max(16)
      .nullable()
      .default(null),
    /** Columns that the technician measured; null: the profile's. */
    columns: z.number().int().min(24).max(64).nullable().default(null),
    /** Hardware address, lower case with colons, by which it is found again when its IP address changed. */
    mac: z
      .string()
      .regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/)
      .nullable()
      .default(null),
    /** When a person typed in the code of its test ticket: what the probe learnt was seen on paper. Epoch milliseconds. */
    testedAtMs: z.number().int().nullable().default(null),
  })
  .meta({ id: 'PrinterSettings' })
export type PrinterSettings = z.infer<typeof printerSettings>

export const DEFAULT_PRINTER_SETTINGS: PrinterSettings = printerSettings.parse({})
