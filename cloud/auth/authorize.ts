// The only place that decides whether a key may act on a merchant. Stores take the MerchantRecord that it returns.
import type { GrantedMerchant, MerchantRecord, MerchantStore } from '#cloud/storage/merchant-store.ts'
import { ServiceError } from '#shared/errors.ts'
import type { Principal } from './api-keys.ts'
import type { Scope } from './scopes.ts'

/** The actor: a key, or a person in an account. */
export type Acting = Pick<Principal, 'accountId' | 'environment' | 'wanted'>

/** Finds the merchant that the principal may act on; bound to the stores in cloud.ts. */
export type Authorize = (principal: Acting, merchantId: string) => Promise<MerchantRecord>

/**
 * A key acts on merchants of its environment: those of its own account, and live ones that its account was granted. Each sandbox account
 * has its own copy of the M-TEST merchants, so one of another account does not exist for this one. The record's `accountId` is the key's
 * account; a grant that is taken back or narrowed counts from the next request on.
 * @throws ServiceError merchant.not_found (404): unknown; merchant.not_authorized (403): of the other environment, a live merchant of
 * others, or a grant that lacks the scope of the call
 */
export async function authorize(
  deps: { merchants: MerchantStore },
  principal: Acting,
  merchantId: string,
): Promise<MerchantRecord> {
  const environment = environmentOf(merchantId)
  if (environment === null) throw new ServiceError('merchant.not_found')
  if (environment !== principal.environment) {
    throw new ServiceError('merchant.not_authorized', {
      message: `A ${principal.environment} key may not act on a ${environment} merchant.`,
    })
  }
  const own = await deps.merchants.find(principal.accountId, merchantId)
  if (own !== null && own.environment === environment) return own
  if (environment === 'live') {
    const granted = await deps.merchants.findGranted(principal.accountId, merchantId)
    if (granted !== null) return withScope(granted, principal.wanted)
    if (await deps.merchants.exists(merchantId)) throw new ServiceError('merchant.not_authorized')
  }
  throw new ServiceError('merchant.not_found')
}

/** A grant that is narrower than the call. */
export class GrantLacksScope extends ServiceError {
  readonly scope: Scope

  constructor(scope: Scope) {
    super('merchant.not_authorized', {
      message: `The grant on this merchant lacks the scope ${scope} that the call needs. The restaurant's owner can add it.`,
    })
    this.scope = scope
  }
}

/** @throws GrantLacksScope */
function withScope({ grantScopes, ...merchant }: GrantedMerchant, wanted: Scope | null): MerchantRecord {
  if (grantScopes === null || wanted === null || grantScopes.includes(wanted)) return merchant
  throw new GrantLacksScope(wanted)
}

function environmentOf(merchantId: string): 'sandbox' | 'live' | null {
  if (merchantId.startsWith('M-TEST-')) return 'sandbox'
  return merchantId.startsWith('M-PROD-') ? 'live' : null
}
