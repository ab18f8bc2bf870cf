// The restaurants of an account.
import { accountOf } from './act.ts'
import type { Handlers } from './handler.ts'
import { MOST_MERCHANTS, type WORKSPACE_OPERATIONS } from './workspace-list.ts'

export const WORKSPACE_HANDLERS: Pick<Handlers, keyof typeof WORKSPACE_OPERATIONS> = {
  'workspace.get': async ({ merchants }, doing) => {
    const accountId = accountOf(doing)
    const found = await merchants.reachable(accountId, MOST_MERCHANTS + 1)
    return {
      merchants: found.slice(0, MOST_MERCHANTS).map((merchant) => ({
        merchantId: merchant.public_id,
        name: merchant.name,
        environment: merchant.environment,
        timeZone: merchant.time_zone,
        currency: merchant.currency,
        isGranted: merchant.account_id !== accountId,
      })),
      isMore: found.length > MOST_MERCHANTS,
    }
  },
}
