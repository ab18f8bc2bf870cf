// Notes, reprints and cancelled print jobs: the same functions as behind /v1.

import { cancelPrintJob } from '#cloud/orders/print-jobs.ts'
import { submitPrintJob } from '#cloud/orders/submit-print-job.ts'
import type { AuditAction } from '#cloud/storage/audit-actions.ts'
import type { SubmitPrintJob } from '#shared/wire/api/printing.ts'
import type { ControlContext } from './context.ts'
import { type Changed, type Changing, type Handlers, merchantOf } from './handler.ts'
import type { PRINT_OPERATIONS, QueuedJobAnswer } from './print-list.ts'

export const PRINT_HANDLERS: Pick<Handlers, keyof typeof PRINT_OPERATIONS> = {
  'notes.print': (context, doing, { merchantId: _merchantId, ...body }) =>
    submitted(context, doing, { action: 'note.print', body: { ...body, type: 'kitchen', copies: 1 } }),

  'jobs.reprint': (context, doing, { merchantId: _merchantId, ...body }) =>
    submitted(context, doing, { action: 'order.reprint', body: { ...body, type: 'kitchen' } }),

  'jobs.cancel': async (context, doing, { printJobId }) => {
    const merchant = merchantOf(doing)
    const effect = await cancelPrintJob(doing.tx, context, { merchant, printJobId })
    return { ...effect, audit: { accountId: merchant.accountId, action: 'job.cancel', subject: printJobId } }
  },
}

/** An offline kitchen is no refusal here: the job is accepted, and the answer shows that it waits. */
async function submitted(
  context: ControlContext,
  doing: Changing,
  { action, body }: { action: AuditAction; body: Omit<SubmitPrintJob, 'merchantId'> },
): Promise<Changed<QueuedJobAnswer>> {
  const merchant = merchantOf(doing)
  const { answer, wake, refusal } = await submitPrintJob(doing.tx, context, {
    merchant,
    body: { ...body, merchantId: merchant.publicId },
  })
  const { serviceOrderId } = body
  return {
    answer: { ...answer, isOffline: refusal !== undefined },
    ...(wake && { wake }),
    audit: {
      accountId: merchant.accountId,
      action,
      subject: answer.printJobId,
      after: { merchantId: merchant.publicId, serviceOrderId },
    },
  }
}
