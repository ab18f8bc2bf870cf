// Requests of partners that wait for the owner: the scopes that they ask for are ticked, and the owner takes away what goes too far.
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { GrantRequestAnswer } from '#cloud/control/grant-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { partnersWords } from '#cloud/web/messages/partners.ts'
import { useChange } from '#cloud/web/operations.ts'
import { Paged } from '#cloud/web/parts/paged.tsx'
import type { Pages } from '#cloud/web/parts/use-pages.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { focusHeading, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { ScopeTicks } from './scope-ticks.tsx'

interface RequestsProps {
  pages: Pages<GrantRequestAnswer>
  keyOf: (request: GrantRequestAnswer) => string
  mayAnswer: boolean
}

export function Requests({ pages, keyOf, mayAnswer }: RequestsProps) {
  const t = usePageWords(partnersWords)
  const { rows = [] } = pages
  if (rows.length === 0) return null
  return (
    <Part title={t.requests}>
      <Paged pages={pages}>
        {rows.map((request) => (
          <Request key={keyOf(request)} request={request} mayAnswer={mayAnswer} />
        ))}
      </Paged>
    </Part>
  )
}

function Request({ request, mayAnswer }: { request: GrantRequestAnswer; mayAnswer: boolean }) {
  const t = usePageWords(partnersWords)
  const { formats } = useSpeech()
  const now = useNow()
  const say = useNotice()
  const [scopes, setScopes] = useState([...request.scopes])
  const { merchantId, accountId, accountName, merchantName, text, askedAt } = request
  const answered = (words: string) => () => {
    say(words)
    focusHeading()
  }
  const approve = useChange('grants.approve', answered(t.approved))
  const decline = useChange('grants.decline', answered(t.decline))
  return (
    <section className="card stack" aria-label={t.wants(accountName, merchantName ?? merchantId)}>
      <h3>{t.wants(accountName, merchantName ?? merchantId)}</h3>
      <p className="soft">
        <code className="id">{accountId}</code> · <code className="id">{merchantId}</code> · {formats.ago(askedAt, now)}
      </p>
      {text !== '' && (
        <blockquote>
          <span className="soft">{t.theySay}: </span>
          <bdi>{text}</bdi>
        </blockquote>
      )}
      <ScopeTicks label={t.mayDo} of={request.scopes} value={scopes} set={setScopes} />
      {scopes.length === 0 && <p>{t.noneTicked}</p>}
      <Problem error={approve.error ?? decline.error} />
      {mayAnswer && (
        <Group>
          <Button
            disabled={scopes.length === 0}
            loading={approve.isPending}
            onClick={() => approve.mutate({ merchantId, accountId, scopes })}
          >
            {t.approve}
          </Button>
          <AskButton
            label={t.decline}
            question={t.declineAsk(accountName)}
            loading={decline.isPending}
            act={() => decline.mutate({ merchantId, accountId })}
          />
        </Group>
      )}
    </section>
  )
}
