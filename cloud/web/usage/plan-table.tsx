// The plans side by side: what each includes and costs; the account's own is marked.

import type { OperationAnswers } from '#cloud/control/answers.ts'
import { useLocale } from '#cloud/web/locale.ts'
import { usageWords } from '#cloud/web/messages/usage.ts'
import { ScrollFrame } from '#cloud/web/parts/scroll-frame.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { dollars } from './money.ts'

type Plan = OperationAnswers['plans.list'][number]

export function PlanTable({ plans, own }: { plans: readonly Plan[]; own: string }) {
  const t = usePageWords(usageWords)
  const { formats } = useSpeech()
  const locale = useLocale()
  const money = (cents: number | null) => dollars(cents === null ? null : cents / 100, locale, t.byContract)
  const most = (plan: Plan, count: number | null) =>
    count === null ? (plan.name === 'enterprise' ? t.byContract : t.noLimit) : formats.number(count)
  const rows: readonly [string, (plan: Plan) => string][] = [
    [t.fee, ({ feeCents }) => money(feeCents)],
    [t.calls0, (plan) => most(plan, plan.includedCalls)],
    [t.each0, ({ overageCents }) => money(overageCents)],
    [t.locations, (plan) => most(plan, plan.locations)],
    [t.perHour, (plan) => most(plan, plan.webhookEventsPerHour)],
    [t.steady, ({ steadyPerMinute }) => formats.number(steadyPerMinute)],
  ]
  return (
    <ScrollFrame label={t.plan}>
      <table aria-label={t.plan}>
        <thead>
          <tr>
            <td />
            {plans.map(({ name }) => (
              <th key={name} scope="col" className="end">
                {t.plans[name]} {name === own && <Mark tone="ok">{t.yours}</Mark>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, words]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {plans.map((plan) => (
                <td key={plan.name} className="number end">
                  {words(plan)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  )
}
