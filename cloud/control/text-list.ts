// Operations on text messages of a restaurant, and on numbers that get none: their inputs and answers.
import { z } from 'zod'
import { e164 } from '#cloud/receptionist/profile.ts'
import type { SmsOptoutsTable, TextMessagesTable } from '#cloud/storage/schema-texts.ts'
import type { TextId } from '#shared/ids.ts'
import { merchantId } from './input-fields.ts'
import type { NoticeState } from './notice-list.ts'
import { changes, reads } from './operation.ts'

const limit = z.number().int().min(1).max(500).default(50)
const oneNumber = z.strictObject({ merchantId, number: e164 })

export const TEXT_OPERATIONS = {
  'texts.list': reads('Text messages of a restaurant, newest first', z.strictObject({ merchantId, limit }), 'serve'),
  'texts.optouts': reads(
    'Numbers that get no text messages of a restaurant, newest first, by their last four digits',
    z.strictObject({ merchantId, limit }),
    'serve',
  ),
  'texts.put-optout': changes('Send a number no more text messages', oneNumber, 'serve'),
  'texts.remove-optout': changes(
    'Send a number text messages again, where the restaurant or the telephone company had ended them',
    oneNumber,
    'serve',
  ),
}

export interface TextAnswer {
  textId: TextId
  kind: TextMessagesTable['kind']
  /** The order, or the voicemail. */
  subjectId: string
  /** Partly hidden from those who do not see customers; null: it cannot be read under this master key. */
  to: string | null
  /** Null: as above, or hidden from this person. */
  text: string | null
  state: NoticeState
  /** A class such as `country` or `opted_out`; null: nothing went wrong. */
  error: string | null
  attempts: number
  createdAt: string
  /** When it is tried next; null: never. */
  nextAt: string | null
  settledAt: string | null
  /** When the telephone company said that it arrived; null: it has not said so. */
  deliveredAt: string | null
}

export interface OptoutAnswer {
  /** The last four digits: the number itself is not kept. */
  tail: string
  /** `word`: STOP was sent; `person`: somebody of the restaurant did it; `provider`: the telephone company refuses to send. */
  source: SmsOptoutsTable['source']
  since: string
}

export interface TextAnswers {
  'texts.list': TextAnswer[]
  'texts.optouts': OptoutAnswer[]
  'texts.put-optout': { changed: boolean }
  'texts.remove-optout': { changed: boolean }
}

/** That the customer of an order was told that it is ready, and what became of it. */
export interface ToldAnswer {
  by: 'sms' | 'mail'
  state: NoticeState
  error: string | null
  at: string
  /** Of mail always null: nobody tells. */
  deliveredAt: string | null
}
