// All checks for alerts, and those about an account or the relay itself.
import { monthOf } from '#cloud/billing/months.ts'
import { planOf } from '#cloud/billing/plans.ts'
import { type AlertFactStore, MOST_FACTS } from '#cloud/storage/alert-fact-store.ts'
import type { BacklogStore } from '#cloud/storage/backlog-store.ts'
import type { FoundAlert } from './alert-changes.ts'
import type { AlertLook } from './alert-look.ts'
import { kitchenLooks } from './kitchen-looks.ts'

interface LookDeps {
  alertFacts: AlertFactStore
  backlog: Pick<BacklogStore, 'oldestDelivery'>
}

const OLD_MS = 10 * 60_000

/**
 * Statements in a minute at most: boxes 1, printers 1, clocks 1, tickets 2, endpoints 2, outboxes 2 and what finds the oldest webhook; for
 * each of the six checks its open alerts and the rules of their accounts (one for 500), and for those of boxes that ended whether the box is
 * connected (one for 500). Usage is read every 15 minutes. All read partial indexes that contain only what is wrong.
 */
export function alertLooks(deps: LookDeps): AlertLook[] {
  const { alertFacts } = deps
  return [...kitchenLooks(alertFacts), badEndpoints(alertFacts), highUsage(alertFacts), oldOutboxes(deps)]
}

function badEndpoints(alertFacts: AlertFactStore): AlertLook {
  return {
    kinds: ['endpoint-failing', 'endpoint-failing-long', 'endpoint-disabled'],
    everyMinutes: 1,
    find: async () => {
      const rows = await alertFacts.badEndpoints()
      const alerts = rows.flatMap(({ isDisabled, ...row }) => {
        const kinds = isDisabled
          ? (['endpoint-disabled'] as const)
          : (['endpoint-failing', 'endpoint-failing-long'] as const)
        return kinds.map(
          (kind): FoundAlert => ({
            accountId: row.accountId,
            merchantKey: row.merchantKey,
            environment: row.environment,
            fact: { kind, values: { site: URL.parse(row.url)?.host ?? '' } },
            subject: row.endpointId,
            sinceMs: row.failingSinceMs,
          }),
        )
      })
      return { alerts, isWhole: rows.length < MOST_FACTS }
    },
  }
}

function highUsage(alertFacts: AlertFactStore): AlertLook {
  return {
    kinds: ['usage-high', 'usage-full'],
    everyMinutes: 15,
    find: async (nowMs) => {
      const month = monthOf(nowMs)
      const rows = await alertFacts.usage(month)
      const alerts = rows.flatMap(({ calls, ...account }): FoundAlert[] => {
        const { includedCalls } = planOf(account, 'live')
        const percent = includedCalls === null || includedCalls === 0 ? 0 : Math.floor((calls / includedCalls) * 100)
        if (percent < 80) return []
        // In the words as it was when it began: they do not change with each call.
        const kinds = percent < 100 ? (['usage-high'] as const) : (['usage-high', 'usage-full'] as const)
        return kinds.map((kind) => ({
          ...{ accountId: account.id, merchantKey: null, environment: 'live', sinceMs: null },
          fact: { kind, values: { percent: kind === 'usage-high' ? 80 : 100, month } },
          subject: `${account.id} ${month}`,
        }))
      })
      return { alerts, isWhole: true }
    },
  }
}

function oldOutboxes({ alertFacts, backlog }: LookDeps): AlertLook {
  return {
    kinds: ['outbox-old'],
    everyMinutes: 1,
    find: async (nowMs) => {
      const { mail, channels } = await alertFacts.overdue(nowMs - OLD_MS)
      const webhooks = await backlog.oldestDelivery(nowMs)
      const late =
        webhooks.sinceMs !== null && webhooks.sinceMs < nowMs - OLD_MS ? webhooks : { waiting: 0, sinceMs: null }
      const alerts = Object.entries({ mail, channels, webhooks: late }).flatMap(([what, { waiting, sinceMs }]) => {
        if (sinceMs === null) return []
        const values = { what: what as 'mail' | 'channels' | 'webhooks', waiting }
        const fact: FoundAlert['fact'] = { kind: 'outbox-old', values }
        const of = { accountId: null, merchantKey: null, environment: 'live' } as const
        return [{ ...of, fact, subject: what, sinceMs }]
      })
      return { alerts, isWhole: true }
    },
  }
}
