// What an operator may do with an account: approve live access, change its plan, revoke its live keys.
import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import type { ListedAccount } from '#cloud/control/account-list.ts'
import { operatorWords } from '#cloud/web/messages/operator.ts'
import { useChange } from '#cloud/web/operations.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { PAID_PLANS, type PaidPlan } from '#shared/wire/paid-plans.ts'
import { PlanChoice } from './plan-choice.tsx'

export function AccountActs({ account }: { account: ListedAccount }) {
  const t = usePageWords(operatorWords)
  const say = useNotice()
  const { accountId, name } = account
  const withdraw = useChange('op.withdraw', () => say(t.withdrawn))
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <Problem error={withdraw.error} />
      <ChangePlan account={account} />
      {account.liveApprovedAt !== null && (
        <AskButton
          size="xs"
          label={t.withdraw}
          aria-label={`${t.withdraw}, ${name}`}
          color="red"
          question={t.withdrawAsk(name)}
          loading={withdraw.isPending}
          act={() => withdraw.mutate({ accountId })}
        />
      )}
    </Group>
  )
}

function ChangePlan({ account }: { account: ListedAccount }) {
  const t = usePageWords(operatorWords)
  const say = useNotice()
  const { accountId, name, liveApprovedAt } = account
  const isLive = liveApprovedAt !== null
  const [isOpen, setOpen] = useState(false)
  const [plan, setPlan] = useState<PaidPlan>(PAID_PLANS.find((one) => one === account.plan) ?? 'starter')
  const [fee, setFee] = useState('')
  const done = () => {
    say(t.approved(name, t.plans[plan]))
    setOpen(false)
  }
  const approve = useChange('op.approve', done)
  const change = useChange('op.plan', done)
  const save = () => {
    if (!isLive) return approve.mutate({ accountId, plan })
    const contract = fee === '' ? {} : { contract: { feeCents: Math.round(Number(fee) * 100) } }
    change.mutate({ accountId, plan, ...contract })
  }
  const label = isLive ? t.changePlan : t.approve
  return (
    <>
      <Button variant="default" size="xs" aria-label={`${label}, ${name}`} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t.changePlanTitle(name)}>
        <Form label={t.save} change={isLive ? change : approve} act={save}>
          <PlanChoice value={plan} set={setPlan} />
          {isLive && (
            <TextField
              name="contract.feeCents"
              label={t.fee}
              description={t.feeHint}
              inputMode="decimal"
              pattern="[0-9]{1,7}(\.[0-9]{1,2})?"
              value={fee}
              set={setFee}
            />
          )}
        </Form>
      </Modal>
    </>
  )
}
