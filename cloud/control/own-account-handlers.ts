// Settings of an account itself: whether its developers see customers of live restaurants.
import { accountOf } from './act.ts'
import type { Handlers } from './handler.ts'
import type { OWN_ACCOUNT_OPERATIONS } from './own-account-list.ts'
import { requireAccount } from './require.ts'

export const OWN_ACCOUNT_HANDLERS: Pick<Handlers, keyof typeof OWN_ACCOUNT_OPERATIONS> = {
  'account.get': async (context, doing) => {
    const { developers_see_customers } = await requireAccount(context, accountOf(doing))
    return { developersSeeCustomers: developers_see_customers === 1 }
  },

  'account.save': async (context, doing, answer) => {
    const account = await requireAccount(context, accountOf(doing))
    const before = { developersSeeCustomers: account.developers_see_customers === 1 }
    if (before.developersSeeCustomers === answer.developersSeeCustomers) return { answer }
    const change = { developers_see_customers: answer.developersSeeCustomers ? 1 : 0 }
    await context.accounts.change(doing.tx, account.id, change)
    return {
      answer,
      audit: { accountId: account.id, action: 'account.save', subject: account.id, before, after: answer },
    }
  },
}
