// GET /Receptionist/Webhooks/active-calls: the calls of a restaurant that go on now, for keys that may read them and for people who have signed in.
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type App, principalOf } from '#cloud/api/app.ts'
import type { Authorize } from '#cloud/auth/authorize.ts'
import { RECEPTIONIST_SCOPE } from '#cloud/auth/scopes.ts'
import { seesCustomers } from '#cloud/control/customer-mask.ts'
import { liveTopicsFor } from '#cloud/control/live-rights.ts'
import { KeyedBuckets } from '#cloud/limits/keyed-buckets.ts'
import type { Rates } from '#cloud/limits/token-bucket.ts'
import type { SignedIn } from '#cloud/people/signed-in.ts'
import { activeCallOf, MOST_ACTIVE } from '#cloud/receptionist/active-calls.ts'
import type { AccountStore } from '#cloud/storage/account-store.ts'
import type { CallStore } from '#cloud/storage/call-store.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { GrantStore } from '#cloud/storage/grant-store.ts'
import type { MembershipStore } from '#cloud/storage/membership-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { activeCalls } from '#shared/wire/active-calls.ts'
import { merchantIdField } from '#shared/wire/api/fields.ts'

export interface ActiveCallsDeps {
  db: RelayDatabase
  calls: CallStore
  accounts: AccountStore
  memberships: Pick<MembershipStore, 'ofUser'>
  grants: Pick<GrantStore, 'find'>
  authorize: Authorize
  secretBox: SecretBox
  clock: Clock
}

const ACTIVE_CALLS = '/Receptionist/Webhooks/active-calls'

/** Of a key or a session. */
const OF_A_CALLER: Rates = { steadyPerMinute: 60, burstPerMinute: 120 }

const query = z.object({ merchantId: merchantIdField })

interface Allowed {
  merchant: MerchantRecord
  isMasked: boolean
}

export function activeCallsRoutes(app: App, deps: ActiveCallsDeps): void {
  const { calls, secretBox, clock } = deps
  const buckets = new KeyedBuckets({ clock, rates: OF_A_CALLER })
  app.route({
    method: 'GET',
    url: ACTIVE_CALLS,
    exposeHeadRoute: true,
    config: { access: 'calls', unmetered: true },
    // Before its parameters are looked at: also a wrong call counts.
    preValidation: async (request) => {
      const { ok, retryAfterSeconds } = buckets.take(request.person?.sessionId ?? principalOf(request).keyId)
      if (!ok) throw new ServiceError('rate_limit.exceeded', { retryAfterSeconds })
    },
    schema: { querystring: query, response: { 200: activeCalls } },
    handler: async (request, reply) => {
      const { merchant, isMasked } = await allowed(request, request.query.merchantId, deps)
      const nowMs = clock.now()
      const rows = await calls.active(merchant.key, MOST_ACTIVE)
      const active = rows.map((row) => activeCallOf(row, { secretBox, nowMs, isMasked }))
      return reply
        .header('cache-control', 'no-store')
        .send({ merchantId: merchant.publicId, asOf: toIso(nowMs), count: active.length, calls: active })
    },
  })
}

/** @throws ServiceError merchant.not_found, merchant.not_authorized */
async function allowed(
  request: Pick<FastifyRequest, 'person' | 'principal'>,
  merchantId: string,
  deps: ActiveCallsDeps,
): Promise<Allowed> {
  if (request.person !== null) return toPerson(request.person, merchantId, deps)
  const principal = principalOf(request)
  const merchant = await deps.authorize(principal, merchantId)
  const scopes = await grantOf(merchant, deps)
  if (scopes !== null && !scopes.includes(RECEPTIONIST_SCOPE)) throw grantLacks()
  return { merchant, isMasked: false }
}

/** In the first of their accounts, by name, where the person may see calls of this merchant. */
async function toPerson({ userId }: SignedIn, merchantId: string, deps: ActiveCallsDeps): Promise<Allowed> {
  const environment = merchantId.startsWith('M-TEST-') ? 'sandbox' : 'live'
  let refusal: unknown = new ServiceError('merchant.not_found')
  for (const { id: accountId, role } of await deps.memberships.ofUser(userId)) {
    try {
      const merchant = await deps.authorize({ accountId, environment, wanted: null }, merchantId)
      const topics = liveTopicsFor(role, { environment, scopes: await grantOf(merchant, deps) })
      if (topics.includes('calls')) {
        const sees = await seesCustomers(deps, { by: 'person', role, accountId })
        return { merchant, isMasked: environment === 'live' && !sees }
      }
      refusal = new ServiceError('merchant.not_authorized', { message: 'Your role does not see calls.' })
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.code.startsWith('merchant.')) throw error
      if (error.code !== 'merchant.not_found') refusal = error
    }
  }
  throw refusal
}

/** Names of scopes; null: all, or the account's own merchant. */
async function grantOf(
  { accountId, ownerAccountId, key: merchantKey }: MerchantRecord,
  { db, grants }: ActiveCallsDeps,
): Promise<readonly string[] | null> {
  if (accountId === ownerAccountId) return null
  return (await grants.find(db.read, { accountId, merchantKey }))?.scopes ?? null
}

function grantLacks(): ServiceError {
  return new ServiceError('merchant.not_authorized', {
    message: `The grant on this merchant lacks the scope ${RECEPTIONIST_SCOPE} that the call needs. The restaurant's owner can add it.`,
  })
}
