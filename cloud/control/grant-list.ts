// Operations on grants, with which an account may act on a live merchant of another account: their inputs and answers.
import { z } from 'zod'
import { SCOPES, type Scope } from '#cloud/auth/scopes.ts'
import type { AccountId } from '#shared/ids.ts'
import { text } from '#shared/wire/api/fields.ts'
import { idField, pageOfList } from './input-fields.ts'
import { changes, reads } from './operation.ts'

export const ONLY_LIVE = 'Only live merchants are granted: every sandbox account has its own test merchants.'

const merchantId = text(64).refine((id) => !id.startsWith('M-TEST-'), { error: ONLY_LIVE })
const accountId = idField('acc', 'an account')
const scopes = z.array(z.enum(SCOPES)).min(1).max(SCOPES.length)

export const GRANT_OPERATIONS = {
  'grants.list': reads(
    'Grants on your own merchants (`given`), or those that you hold at merchants of others (`held`), newest first',
    z.strictObject({ side: z.enum(['given', 'held']), ...pageOfList }),
    'build',
  ),
  'grants.requests': reads(
    'Requests for a grant that wait for an answer, of others at your merchants (`received`) or your own (`sent`), newest first',
    z.strictObject({ side: z.enum(['received', 'sent']), ...pageOfList }),
    'build',
  ),
  'grants.ask': changes(
    'Ask the owner of a live merchant for a grant; asking again replaces what was asked',
    z.strictObject({
      /** Not `merchantId`: the account may not act on it yet. */
      restaurant: merchantId,
      scopes,
      text: text(500).optional(),
    }),
    'build',
  ),
  'grants.approve': changes(
    "Let another account's live keys act on a live merchant; each sees only its own orders",
    z.strictObject({
      merchantId,
      accountId,
      /** Null: all. Without it the requested ones, in addition to the existing ones; if nothing was requested, a new grant has all and an existing one stays. */
      scopes: scopes.nullable().optional(),
    }),
    { right: 'govern', stepUp: true },
  ),
  'grants.decline': changes(
    'Say no to a request for a grant; the account may ask again',
    z.strictObject({ merchantId, accountId }),
    'govern',
  ),
  'grants.narrow': changes(
    'Take scopes from a grant, from the next request on',
    z.strictObject({ merchantId, accountId, scopes }),
    { right: 'govern', stepUp: true },
  ),
  'grants.remove': changes('Take the grant back, from the next request on', z.strictObject({ merchantId, accountId }), {
    right: 'govern',
    stepUp: true,
  }),
  'op.grants': reads(
    'Which accounts may act on live merchants of others, newest first',
    z.strictObject({ accountId: accountId.optional(), merchantId: merchantId.optional(), ...pageOfList }),
    'operator',
  ),
}

export interface GrantAnswer {
  merchantId: string
  merchantName: string
  /** The account that was granted. */
  accountId: AccountId
  accountName: string
  /** Null: every scope that the key has. */
  scopes: Scope[] | null
  grantedAt: string
  /** Its orders at this merchant in the last 30 days; `more`: there are more than the number. */
  orders: { count: number; more: boolean; lastAt: string | null }
}

export interface GrantRequestAnswer {
  merchantId: string
  /** Null for the requesting account: the name of a restaurant is not revealed for its id. */
  merchantName: string | null
  accountId: AccountId
  accountName: string
  scopes: Scope[]
  text: string
  askedAt: string
}

export interface GrantAnswers {
  'grants.list': { data: GrantAnswer[]; nextCursor: string | null }
  'grants.requests': { data: GrantRequestAnswer[]; nextCursor: string | null }
  'grants.ask': { merchantId: string; askedAt: string }
  'grants.approve': { merchantId: string; accountId: AccountId; scopes: Scope[] | null; changed: boolean }
  'grants.decline': { merchantId: string; accountId: AccountId }
  'grants.narrow': { merchantId: string; accountId: AccountId; scopes: Scope[] }
  'grants.remove': { merchantId: string; accountId: AccountId; changed: boolean }
  'op.grants': { data: Omit<GrantAnswer, 'merchantName' | 'orders'>[]; nextCursor: string | null }
}
