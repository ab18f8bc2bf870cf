// The body of every refusal, and the further fields of those that have some.
import { z } from 'zod'
import type { ErrorCode } from '#shared/errors.ts'
import { ORDER_STATUSES } from '#shared/order.ts'
import { fireResult, orderResult } from './orders.ts'
import { PRINT_JOB_STATES, printJobResult } from './printing.ts'

export const errorBody = z
  .looseObject({
    code: z.string(),
    message: z.string(),
    status: z.number().int(),
    requestId: z.string(),
    docUrl: z.string(),
    errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Error' })

const orderStatus = z.object({ orderStatus: z.enum(ORDER_STATUSES) })

/** The fields of a code's body beyond those that all have. */
export const ERROR_DETAILS: Readonly<Partial<Record<ErrorCode, z.ZodObject>>> = {
  'order.total_mismatch': z.object({ expected: z.number(), received: z.number() }),
  /** Of the first order with this orderId. */
  'order.duplicate_id': z.object({ serviceOrderId: z.string() }),
  /** What was stored all the same: the order of an inject, the print job, or the course that was fired. */
  'printer.offline': z.object({
    order: orderResult.optional(),
    printJob: printJobResult.optional(),
    fired: fireResult.optional(),
  }),
  'order.not_voidable': orderStatus,
  'order.not_refundable': orderStatus,
  'order.invalid_transition': orderStatus,
  'print_job.not_cancellable': z.object({ printJobState: z.enum(PRINT_JOB_STATES) }),
  /** What is left. */
  'order.refund_exceeds_balance': z.object({ refundable: z.number() }),
}
