// Operations on the telephone numbers of a restaurant, and on calls that are tried out: their inputs and answers.
import { z } from 'zod'
import { e164 } from '#cloud/receptionist/profile.ts'
import type { CallPlace } from '#cloud/telephony/simulated/simulated-call.ts'
import type { Provider } from '#cloud/telephony/telephony.ts'
import type { CallId, PhoneNumberId } from '#shared/ids.ts'
import { text } from '#shared/wire/api/fields.ts'
import { idField, merchantId } from './input-fields.ts'
import { changes, reads } from './operation.ts'

const numberId = idField('num', 'a telephone number')

const areaCode = z.string().regex(/^[2-9]\d{2}$/, { error: 'must be an area code of three digits, such as 212' })

/** What a caller does at the simulated telephone, and what the person does to whom a call is passed. */
const act = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('dial'), from: e164.nullable().default(null) }),
  z.strictObject({ do: z.literal('say'), words: text(500) }),
  z.strictObject({ do: z.literal('press'), digits: z.string().regex(/^[\d*#]{1,16}$/) }),
  z.strictObject({ do: z.literal('quiet') }),
  z.strictObject({
    do: z.literal('message'),
    words: text(500),
    seconds: z.number().int().min(1).max(120).default(4),
  }),
  z.strictObject({ do: z.literal('pick-up') }),
  z.strictObject({ do: z.literal('person-ends') }),
  z.strictObject({ do: z.literal('hang-up') }),
])

export const NUMBER_OPERATIONS = {
  'numbers.list': reads('The telephone numbers of a restaurant', z.strictObject({ merchantId }), 'serve'),
  'numbers.simulate': changes(
    'Give a test restaurant a number that nobody outside can call, for trying calls',
    z.strictObject({ merchantId }),
    'kitchen',
  ),
  'numbers.want': changes(
    'Buy a telephone number',
    z.strictObject({ merchantId, wanted: z.strictObject({ areaCode }) }),
    { right: 'govern', stepUp: true },
  ),
  // Any number of the operator's account: only the operator knows which of them are free for this restaurant.
  'numbers.attach': changes(
    'Connect a number that the operator has at the telephone company to a restaurant of any account',
    z.strictObject({ merchantId, number: e164 }),
    { right: 'operator', stepUp: true },
  ),
  'numbers.retry': changes('Try again to connect a number', z.strictObject({ merchantId, numberId }), 'kitchen'),
  'numbers.unwire': changes('Give a telephone number up', z.strictObject({ merchantId, numberId }), {
    right: 'govern',
    stepUp: 'live',
  }),
  'receptionist.simulate': changes(
    'Try a call at a test restaurant: what the caller does, and what comes back',
    z.strictObject({
      merchantId,
      /** As the last answer gave it; null with `dial`. */
      call: z.string().max(20_000).nullable(),
      act,
    }),
    'serve',
  ),
}

export interface NumberAnswer {
  numberId: PhoneNumberId
  provider: Provider
  /** Null until it is known. */
  e164: string | null
  /** What was asked for. */
  wanted: { areaCode: string } | { number: string }
  state: 'wanted' | 'wiring' | 'wired' | 'failed' | 'unwiring'
  /** A class such as `no_number`; null: nothing went wrong. */
  error: string | null
  /** It is being worked on, or is tried again by itself. */
  isTried: boolean
}

export interface NumbersAnswer {
  numbers: NumberAnswer[]
  /** The telephone company of this restaurant; null: this relay has none. */
  provider: Provider | null
}

export interface SimulateAnswer {
  /** Sealed: give it back with the next act. */
  call: string
  /** Null: the receptionist knows no call of it. */
  callId: CallId | null
  /** What the caller heard, in order; with `pick-up` what the person heard. */
  heard: string[]
  /** BCP 47, of what was heard. */
  language: string
  /** What the caller can do now. */
  now: CallPlace['now']
  /** Keys are listened to. */
  takesDigits: boolean
  /** The number that rings, or where the caller speaks with a person. */
  to: string | null
}

export interface NumberAnswers {
  'numbers.list': NumbersAnswer
  'numbers.simulate': NumberAnswer
  'numbers.want': NumberAnswer
  'numbers.attach': NumberAnswer
  'numbers.retry': { changed: boolean }
  'numbers.unwire': { changed: boolean }
  'receptionist.simulate': SimulateAnswer
}
