// Which plan an account is to have.
import { operatorWords } from '#cloud/web/messages/operator.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { ChoiceField } from '#shared/ui/parts/fields.tsx'
import { PAID_PLANS, type PaidPlan } from '#shared/wire/paid-plans.ts'

export function PlanChoice({ value, set }: { value: PaidPlan; set: (plan: PaidPlan) => void }) {
  const t = usePageWords(operatorWords)
  return (
    <ChoiceField
      name="plan"
      label={t.plan}
      value={value}
      set={set}
      choices={PAID_PLANS.map((plan) => [plan, t.plans[plan]] as const)}
    />
  )
}
