// Proof of print: what we know about the paper of an order, in its events and in the order itself.
import { z } from 'zod'
import { confirmation, confirmMethod } from '#shared/print-job.ts'

/** What we know about the paper. `confirmation` is the weakest of all tickets of the order. */
export const printFacts = z
  .object({
    confirmation,
    method: confirmMethod,
    /** When the last ticket was confirmed, ISO 8601 UTC. */
    printedAt: z.string(),
    attempts: z.number().int(),
    possibleDuplicate: z.boolean(),
    /** Of all tickets together. */
    unprintable: z.number().int().min(0).optional(),
    printers: z.array(
      z.object({
        printerId: z.string(),
        name: z.string(),
        /** Id of the printer that it was meant for, when this one has stood in for it. */
        movedFrom: z.string().optional(),
        confirmation,
        method: confirmMethod,
        firstByteAt: z.string().nullable(),
        printedAt: z.string(),
        attempts: z.number().int(),
        possibleDuplicate: z.boolean(),
        unprintable: z.number().int().min(0).optional(),
      }),
    ),
  })
  .meta({ id: 'PrintFacts' })
export type PrintFacts = z.infer<typeof printFacts>
