// Partners: requests for access to the account's restaurants, grants, and the restaurants that the account has access to itself.
import { Textarea } from '@mantine/core'
import { useState } from 'react'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { GrantRequestAnswer } from '#cloud/control/grant-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { partnersWords } from '#cloud/web/messages/partners.ts'
import { useChange } from '#cloud/web/operations.ts'
import { Given, Held } from '#cloud/web/partners/grants.tsx'
import { Requests } from '#cloud/web/partners/requests.tsx'
import { type ScopeName, ScopeTicks } from '#cloud/web/partners/scope-ticks.tsx'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { Paged } from '#cloud/web/parts/paged.tsx'
import { type Pages, usePages } from '#cloud/web/parts/use-pages.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'

const PAGES = {
  page: ({ data, nextCursor }: OperationAnswers['grants.requests']) => ({ rows: data, next: nextCursor }),
  after: (cursor: string) => ({ cursor }),
  keyOf: ({ merchantId, accountId }: GrantRequestAnswer) => `${merchantId} ${accountId}`,
  /** Another account may ask, or answer, at any time. */
  everyMs: 15_000,
}

export function PartnersPage() {
  const t = usePageWords(partnersWords)
  const { t: frame } = useSpeech()
  const mayGovern = useMay('govern')
  const mayAsk = useMay('build')
  return (
    <Page title={frame.nav.pages.partners}>
      <p>{t.intro}</p>
      <Received mayAnswer={mayGovern} />
      <Given mayChange={mayGovern} />
      <Held />
      <Sent />
      {mayAsk && <Connect />}
    </Page>
  )
}

function Received({ mayAnswer }: { mayAnswer: boolean }) {
  const pages = usePages('grants.requests', { side: 'received' }, PAGES)
  return (
    <Answer of={pages.answer} rows={1}>
      {() => <Requests pages={pages} keyOf={PAGES.keyOf} mayAnswer={mayAnswer} />}
    </Answer>
  )
}

function Sent() {
  const pages = usePages('grants.requests', { side: 'sent' }, PAGES)
  return (
    <Answer of={pages.answer} rows={1}>
      {() => <SentList pages={pages} />}
    </Answer>
  )
}

function SentList({ pages }: { pages: Pages<GrantRequestAnswer> }) {
  const t = usePageWords(partnersWords)
  const { formats } = useSpeech()
  const now = useNow()
  const { rows = [] } = pages
  if (rows.length === 0) return null
  return (
    <Part title={t.sent}>
      <Paged pages={pages}>
        <ul className="plain">
          {rows.map(({ merchantId, scopes, askedAt }) => (
            <li key={merchantId}>
              <code className="id">{merchantId}</code> {formats.list(scopes.map((scope) => t.scopes[scope]))}{' '}
              <span className="soft">
                {t.askedAt} {formats.ago(askedAt, now)}
              </span>
            </li>
          ))}
        </ul>
      </Paged>
    </Part>
  )
}

function Connect() {
  const t = usePageWords(partnersWords)
  const say = useNotice()
  const [restaurant, setRestaurant] = useState('')
  const [scopes, setScopes] = useState<ScopeName[]>(['orders:read', 'orders:write', 'menu:read'])
  const [text, setText] = useState('')
  const ask = useChange('grants.ask', () => {
    say(t.asked)
    setRestaurant('')
    setText('')
  })
  return (
    <Part title={t.connect}>
      <Form
        label={t.ask}
        change={ask}
        act={() => ask.mutate({ restaurant: restaurant.trim(), scopes, ...(text.trim() && { text: text.trim() }) })}
      >
        <TextField
          name="restaurant"
          label={t.id}
          description={t.connectHint}
          placeholder="M-PROD-BISTRO"
          autoComplete="off"
          spellCheck={false}
          required
          value={restaurant}
          set={setRestaurant}
        />
        <ScopeTicks label={t.mayDo} value={scopes} set={setScopes} />
        <Textarea
          name="text"
          label={t.text}
          maxLength={500}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Form>
    </Part>
  )
}
