// Which plan an account is to have.
import { operatorWords } from '#cloud/web/messages/operator.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { ChoiceField } from '#shared/ui/parts/fields.tsx'

export const PAID = ['starter', 'growth', 'enterprise'] as const
export type PaidPlan = (typeof PAID)[number]

export function PlanChoice({ value, set }: { value: PaidPlan; set: (plan: PaidPlan) => void }) {
  const t = usePageWords(operatorWords)
  return (
    <ChoiceField
      name="plan"
      label={t.plan}
      value={value}
      set={set}
      choices={PAID.map((plan) => [plan, t.plans[plan]] as const)}
    />
  )
}
