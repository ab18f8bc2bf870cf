// Accounts that wait for live keys or another plan, each with a button to approve or decline.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { AccountRequest, ListedAccount } from '#cloud/control/account-list.ts'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import { useNow } from '#cloud/web/live.tsx'
import { operatorWords } from '#cloud/web/messages/operator.ts'
import { useChange } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { Paged } from '#cloud/web/parts/paged.tsx'
import { usePages } from '#cloud/web/parts/use-pages.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { focusHeading, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { PAID_PLANS, type PaidPlan } from '#shared/wire/paid-plans.ts'
import { PlanChoice } from './plan-choice.tsx'

const PAGES = {
  page: ({ data, nextCursor }: OperationAnswers['op.accounts']) => ({ rows: data, next: nextCursor }),
  after: (cursor: string) => ({ cursor }),
  keyOf: ({ accountId }: ListedAccount) => accountId,
  everyMs: 30_000,
}

export function Waiting() {
  const t = usePageWords(operatorWords)
  const pages = usePages('op.accounts', { waiting: true }, PAGES)
  return (
    <Part title={t.waiting}>
      <Answer of={pages.answer} rows={2}>
        {() => (
          <Paged pages={pages}>
            {pages.rows?.length === 0 && <Empty words={t.noneWaiting} />}
            {pages.rows?.map((account) =>
              account.requests.map((request) => (
                <Request key={`${account.accountId} ${request.wants}`} account={account} request={request} />
              )),
            )}
          </Paged>
        )}
      </Answer>
    </Part>
  )
}

function Request({ account, request }: { account: ListedAccount; request: AccountRequest }) {
  const t = usePageWords(operatorWords)
  const { formats } = useSpeech()
  const now = useNow()
  const say = useNotice()
  const { accountId, name } = account
  const { wants, text, askedAt } = request
  const [plan, setPlan] = useState<PaidPlan>(PAID_PLANS.find((one) => one === wants) ?? 'starter')
  const done = (words: string) => () => {
    say(words)
    focusHeading()
  }
  const approve = useChange('op.approve', done(t.approved(name, t.plans[plan])))
  const change = useChange('op.plan', done(t.approved(name, t.plans[plan])))
  const refuse = useChange('op.refuse', done(t.refused))
  const words = wants === 'live' ? t.wantsLive(name) : t.wantsPlan(name, t.plans[wants])
  return (
    <section className="card stack" aria-label={words}>
      <h3>{words}</h3>
      <p className="soft">
        <code>{accountId}</code> · {formats.ago(askedAt, now)}
      </p>
      {text !== '' && (
        <blockquote>
          <bdi>{text}</bdi>
        </blockquote>
      )}
      <Problem error={approve.error ?? change.error ?? refuse.error} />
      <Group align="end">
        <PlanChoice value={plan} set={setPlan} />
        <Button
          loading={approve.isPending || change.isPending}
          onClick={() => (wants === 'live' ? approve : change).mutate({ accountId, plan })}
        >
          {t.approve}
        </Button>
        <AskButton
          label={t.refuse}
          question={t.refuseAsk(name)}
          loading={refuse.isPending}
          act={() => refuse.mutate({ accountId })}
        />
      </Group>
    </section>
  )
}
