// Operations of operators on accounts, and the plans: their inputs and answers.
import { z } from 'zod'
import type { Plan, PlanOverrides } from '#cloud/billing/plans.ts'
import { planOverrides } from '#cloud/billing/plans.ts'
import type { AccountId, KeyId } from '#shared/ids.ts'
import type { PlanName } from '#shared/wire/api/account.ts'
import { text } from '#shared/wire/api/fields.ts'
import { PAID_PLANS } from '#shared/wire/paid-plans.ts'
import { idField, pageOfList } from './input-fields.ts'
import { changes, reads } from './operation.ts'

const accountId = idField('acc', 'an account')
const plan = z.enum(PAID_PLANS)

export const ACCOUNT_OPERATIONS = {
  'op.accounts': reads(
    'All accounts, newest first, or those that wait for an answer, the last to ask first; with what they ask for',
    z.strictObject({
      /** Only those that wait for an answer. */
      waiting: z.boolean().default(false),
      ...pageOfList,
    }),
    'operator',
  ),
  'op.account': reads(
    'One account with its plan and what a contract changes of it',
    z.strictObject({ accountId }),
    'operator',
  ),
  'op.create': changes(
    'A new account with a sandbox key and its own copy of the test merchants',
    z.strictObject({ name: text(120) }),
    { right: 'operator', isSecret: true },
  ),
  'op.approve': changes(
    'Let an account have live keys, on this plan: billing begins',
    z.strictObject({ accountId, plan }),
    { right: 'operator', stepUp: true },
  ),
  'op.withdraw': changes(
    'End the live approval of an account and revoke its live keys at once',
    z.strictObject({ accountId }),
    { right: 'operator', stepUp: true },
  ),
  'op.refuse': changes(
    'Say no to what an account asks for; it may ask again',
    z.strictObject({ accountId }),
    'operator',
  ),
  'op.plan': changes(
    "Change an account's plan (once it is approved for live), or what its contract changes, from the next call on",
    z.strictObject({
      accountId,
      plan: plan.optional(),
      /** Fields given here are changed; the rest stays. */
      contract: planOverrides.optional(),
      /** First forget what the contract changed so far. */
      reset: z.boolean().default(false),
    }),
    { right: 'operator', stepUp: true },
  ),
  'plans.list': reads('What each plan includes and costs', z.strictObject({}), 'member'),
  'plans.ask': changes(
    'Ask those who run the relay for another plan',
    z.strictObject({ plan, text: text(1_000).optional() }),
    'govern',
  ),
}

export interface AccountAnswer {
  accountId: AccountId
  name: string
  plan: PlanName
  liveApprovedAt: string | null
  createdAt: string
}

/** What an account waits for. */
export interface AccountRequest {
  /** `live`: live keys for the first time; otherwise the requested plan. */
  wants: 'live' | PlanName
  text: string
  askedAt: string
}

export interface ListedAccount extends AccountAnswer {
  /** Merchants by environment, and the calls of the current month, live and in the sandbox. */
  liveMerchants: number
  callsThisMonth: number
  requests: AccountRequest[]
}

export interface AccountAnswers {
  'op.accounts': { data: ListedAccount[]; nextCursor: string | null }
  'op.account': { account: AccountAnswer; overrides: PlanOverrides; live: Plan }
  /** `apiKey` is shown this once. */
  'op.create': { accountId: AccountId; name: string; apiKey: string; merchants: string[] }
  'op.approve': AccountAnswer
  'op.withdraw': AccountAnswer & { revokedKeys: KeyId[] }
  'op.refuse': { accountId: AccountId; refused: number }
  'op.plan': { accountId: AccountId; plan: PlanName; overrides: PlanOverrides; live: Plan }
  'plans.list': Plan[]
  'plans.ask': { plan: PlanName; askedAt: string }
}
