// Operations on everything that is kept of one telephone number: to give it to the person who asks, or to erase it.
import { z } from 'zod'
import type { ErasedNumber, ExportedCaller } from '#cloud/receptionist/erase-number.ts'
import { e164 } from '#cloud/receptionist/profile.ts'
import { merchantId } from './input-fields.ts'
import { changes } from './operation.ts'

const caller = z.strictObject({ merchantId, number: e164 })

export const CALLER_OPERATIONS = {
  // It changes nothing but the audit log: who got the words of a caller is written down.
  'callers.export': changes('Everything that a restaurant keeps of a telephone number', caller, {
    right: 'audit',
    stepUp: 'live',
  }),
  'callers.erase': changes('Erase everything that a restaurant keeps of a telephone number', caller, {
    right: 'audit',
    stepUp: 'live',
  }),
}

export interface CallerAnswers {
  'callers.export': ExportedCaller
  /** How much there was. */
  'callers.erase': ErasedNumber
}
