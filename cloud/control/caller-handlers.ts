// Gives out or erases everything that a restaurant keeps of one telephone number. The audit log has the keyed hash of the number.
import { type CallerDeps, eraseNumber, exportCaller } from '#cloud/receptionist/erase-number.ts'
import type { AuditAction } from '#cloud/storage/audit-actions.ts'
import { numberMac } from '#cloud/texts/write-text.ts'
import type { CALLER_OPERATIONS } from './caller-list.ts'
import { audited, type ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'
import { refuseWayToCustomers } from './customer-mask.ts'
import { type Doing, type Handlers, merchantOf } from './handler.ts'
import { requireSecretBox } from './secrets.ts'

export const CALLER_HANDLERS: Pick<Handlers, keyof typeof CALLER_OPERATIONS> = {
  'callers.export': {
    // Not in the unit of a change: that keeps its answer for repetitions, and this one has the caller's words.
    alone: async (context, doing, { number }) => {
      refuseWayToCustomers(doing, merchantOf(doing).environment)
      await writeDown(context, doing, { action: 'caller.export', number })
      return exportCaller(depsOf(context), { merchantKey: merchantOf(doing).key, number })
    },
  },

  'callers.erase': {
    // In pieces, each a unit of its own: orders wait for each. A repetition erases what is left.
    alone: async (context, doing, { number }) => {
      const merchantKey = merchantOf(doing).key
      const deps = depsOf(context)
      if (await context.callerData.isCalling(merchantKey, numberMac(deps.secretBox, number))) throw callsNow()
      // Before it: a power cut leaves no erasure that nobody asked for.
      await writeDown(context, doing, { action: 'caller.erase', number })
      const erased = await eraseNumber(deps, { merchantKey, number })
      // It has begun since.
      if (erased === null) throw callsNow()
      if (erased.calls > 0) context.calls.changed.notify(merchantKey)
      return erased
    },
  },
}

function callsNow(): ControlRefusal {
  return new ControlRefusal('refused', 'This number is on the telephone now: erase it when the call is over.', {
    said: { key: 'caller.calls-now' },
  })
}

function depsOf(context: ControlContext): CallerDeps {
  return { ...context, secretBox: requireSecretBox(context), media: context.running?.media ?? null }
}

function writeDown(
  context: ControlContext,
  doing: Doing,
  { action, number }: { action: Extract<AuditAction, `caller.${string}`>; number: string },
): Promise<void> {
  const merchant = merchantOf(doing)
  const caller = numberMac(requireSecretBox(context), number)
  return context.db.unit((tx) =>
    audited(tx, context, {
      ...{ act: doing, accountId: merchant.ownerAccountId, action, subject: merchant.publicId },
      after: { caller },
    }),
  )
}
