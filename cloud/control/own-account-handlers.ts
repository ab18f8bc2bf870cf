// Settings of an account itself: what developers, and programs of theirs, see of its live restaurants.
import type { AccountsTable } from '#cloud/storage/schema-accounts.ts'
import { accountOf } from './act.ts'
import type { Handlers } from './handler.ts'
import type { OWN_ACCOUNT_OPERATIONS, OwnAccountAnswer } from './own-account-list.ts'
import { requireAccount } from './require.ts'

export const OWN_ACCOUNT_HANDLERS: Pick<Handlers, keyof typeof OWN_ACCOUNT_OPERATIONS> = {
  'account.get': async (context, doing) => answerOf(await requireAccount(context, accountOf(doing))),

  'account.save': async (context, doing, wanted) => {
    const account = await requireAccount(context, accountOf(doing))
    const before = answerOf(account)
    const { developersSeeCustomers = before.developersSeeCustomers, liveListening = before.liveListening } = wanted
    const after = { developersSeeCustomers, liveListening }
    if (before.developersSeeCustomers === developersSeeCustomers && before.liveListening === liveListening)
      return { answer: after }
    const change = {
      developers_see_customers: developersSeeCustomers ? 1 : 0,
      live_listening: liveListening ? 1 : 0,
    }
    await context.accounts.change(doing.tx, account.id, change)
    return {
      answer: after,
      audit: { accountId: account.id, action: 'account.save', subject: account.id, before, after },
    }
  },
}

function answerOf(account: Pick<AccountsTable, 'developers_see_customers' | 'live_listening'>): OwnAccountAnswer {
  return {
    developersSeeCustomers: account.developers_see_customers === 1,
    liveListening: account.live_listening === 1,
  }
}
