// Operations on the settings of an account itself: their inputs and answers.
import { z } from 'zod'
import { changes, reads } from './operation.ts'

export const OWN_ACCOUNT_OPERATIONS = {
  'account.get': reads('What an account says of itself', z.strictObject({}), 'member'),
  'account.save': changes(
    'Let developers of the account see customers of live restaurants, or not',
    z.strictObject({ developersSeeCustomers: z.boolean() }),
    { right: 'govern', stepUp: true },
  ),
}

export interface OwnAccountAnswer {
  developersSeeCustomers: boolean
}

export interface OwnAccountAnswers {
  'account.get': OwnAccountAnswer
  'account.save': OwnAccountAnswer
}
