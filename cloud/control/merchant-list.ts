// Operations on merchants, their locations and their point of sale: their inputs and what they answer.
import { z } from 'zod'
import type { PosTest } from '#cloud/orders/test-pos.ts'
import { CUSTOMER_LANGUAGES, type CustomerLanguage } from '#cloud/texts/ready-text.ts'
import type { AccountId, LocationId } from '#shared/ids.ts'
import { locationId } from './gateway-list.ts'
import { currency, idField, merchantId, plainName, timeZone } from './input-fields.ts'
import { changes, reads } from './operation.ts'

export const NOTIFY_READY = ['off', 'sms', 'mail', 'both'] as const
export const MOST_PREP_MINUTES = 600
export const MOST_DAYS_AHEAD = 365
export const livePublicId = z
  .string()
  .regex(/^M-PROD-[A-Z0-9][A-Z0-9-]{0,56}$/, { error: 'must be M-PROD- and capital letters, digits or hyphens' })

const prepMinutes = z.number().int().min(0).max(MOST_PREP_MINUTES)
const fireAheadDays = z.number().int().min(0).max(MOST_DAYS_AHEAD)
const one = z.strictObject({ merchantId })

const settings = z.strictObject({
  name: plainName,
  timeZone,
  currency,
  prepMinutes,
  /** How many days ahead an order may be scheduled (fireAt). */
  fireAheadDays,
  /** Stock at 0 silences an item everywhere. */
  autoSilence: z.boolean(),
  /** How customers hear that an order is ready to be picked up. */
  notifyReady: z.enum(NOTIFY_READY),
  /** Of messages to customers. */
  notifyLanguage: z.enum(CUSTOMER_LANGUAGES),
})

export const MERCHANT_OPERATIONS = {
  'merchants.create': changes(
    'A live merchant of an approved account, with its first location',
    z.strictObject({
      accountId: idField('acc', 'an account'),
      name: plainName,
      timeZone,
      currency: currency.default('USD'),
      location: plainName.default('Main'),
      /** Its public id; without it a random one. */
      id: livePublicId.optional(),
      prepMinutes: prepMinutes.default(15),
    }),
    'operator',
  ),
  'merchant.get': reads('What is said of a merchant', one, { right: 'kitchen', scope: 'menu:read' }),
  'merchant.save': changes(
    'Change what is said of a merchant; what is not named stays',
    settings.partial().extend({
      merchantId,
      /** Values as the person saw them: refused when one of them has changed since. */
      seen: z
        .strictObject({
          name: z.string(),
          timeZone: z.string(),
          currency: z.string(),
          prepMinutes: z.number(),
          fireAheadDays: z.number(),
          autoSilence: z.boolean(),
          notifyReady: z.string(),
          notifyLanguage: z.string(),
        })
        .partial()
        .optional(),
    }),
    'kitchen',
  ),
  'locations.list': reads("A merchant's locations, the default one first", one, {
    right: 'kitchen',
    scope: 'menu:read',
  }),
  'locations.add': changes(
    'One more location of a merchant, within the plan',
    one.extend({ name: plainName }),
    'kitchen',
  ),
  'locations.rename': changes(
    'Another name for a location',
    one.extend({ locationId, name: plainName, seen: z.strictObject({ name: z.string() }).optional() }),
    'kitchen',
  ),
  'pos.connect': changes(
    'Tell orders, voids and refunds to an outside point of sale from now on; shows its secret once',
    one.extend({ url: z.string().max(2_048) }),
    { right: 'kitchen', isSecret: true, stepUp: 'live' },
  ),
  'pos.register': changes(
    'Go back to the built-in register; what the outside one has not heard yet is still told to it',
    one,
    'kitchen',
  ),
  'pos.test': changes('Send a test message to the outside point of sale, and say what it answers', one, 'kitchen'),
}

export interface MerchantAnswer {
  merchantId: string
  environment: 'sandbox' | 'live'
  accountId: AccountId
  name: string
  timeZone: string
  currency: string
  prepMinutes: number
  fireAheadDays: number
  autoSilence: boolean
  notifyReady: (typeof NOTIFY_READY)[number]
  notifyLanguage: CustomerLanguage
  pos: 'register' | 'http'
}

export interface MerchantDetail extends MerchantAnswer {
  /** Address of the outside point of sale without its path; null: there is none. */
  posSite: string | null
  /** As `locations.list` answers them. */
  locations: LocationAnswer[]
}

export interface LocationAnswer {
  locationId: LocationId
  name: string
  isDefault: boolean
  /** `simulated`: the sandbox prints here itself. */
  kitchen: 'gateway' | 'simulated'
  createdAt: string
}

export interface MerchantAnswers {
  'merchants.create': { merchantId: string; name: string; accountId: AccountId; locationId: LocationId }
  'merchant.get': MerchantDetail
  'merchant.save': MerchantAnswer
  'locations.list': LocationAnswer[]
  'locations.add': { locationId: LocationId; name: string; merchantId: string }
  'locations.rename': { locationId: LocationId; name: string }
  /** `secret` is shown this once. */
  'pos.connect': { merchantId: string; pos: 'http'; url: string; secret: string }
  'pos.register': { merchantId: string; pos: 'register' }
  'pos.test': PosTest
}
