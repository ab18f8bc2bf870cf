// Operations on the settings of an account itself: their inputs and answers.
import { z } from 'zod'
import { changes, reads } from './operation.ts'

export const OWN_ACCOUNT_OPERATIONS = {
  'account.get': reads('What an account says of itself', z.strictObject({}), 'member'),
  'account.save': changes(
    'Let developers of the account see customers of live restaurants, and programs listen to live events, or not',
    z.strictObject({ developersSeeCustomers: z.boolean().optional(), liveListening: z.boolean().optional() }),
    { right: 'govern', stepUp: true },
  ),
}

export interface OwnAccountAnswer {
  developersSeeCustomers: boolean
  /** Programs may listen to events of live restaurants (`ticketrail listen`). */
  liveListening: boolean
}

export interface OwnAccountAnswers {
  'account.get': OwnAccountAnswer
  'account.save': OwnAccountAnswer
}
