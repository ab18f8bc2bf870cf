// Partners: who asks to act at the account's restaurants, who may, and at whose restaurants the account acts itself.
import { Textarea } from '@mantine/core'
import { useState } from 'react'
import type { GrantRequestAnswer } from '#cloud/control/grant-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { partnersWords } from '#cloud/web/messages/partners.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Given, Held } from '#cloud/web/partners/grants.tsx'
import { Requests } from '#cloud/web/partners/requests.tsx'
import { type ScopeName, ScopeTicks } from '#cloud/web/partners/scope-ticks.tsx'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'

/** Another account may ask at any time. */
const ASK_EVERY_MS = 15_000

export function PartnersPage() {
  const t = usePageWords(partnersWords)
  const { t: frame } = useSpeech()
  const mayGovern = useMay('govern')
  const mayAsk = useMay('build')
  const requests = useRead('grants.requests', {}, { everyMs: ASK_EVERY_MS })
  return (
    <Page title={frame.nav.pages.partners}>
      <p>{t.intro}</p>
      <Answer of={requests} rows={1}>
        {({ received }) => <Requests requests={received} mayAnswer={mayGovern} />}
      </Answer>
      <Given mayChange={mayGovern} />
      <Held />
      <Answer of={requests} rows={1}>
        {({ sent }) => <Sent requests={sent} />}
      </Answer>
      {mayAsk && <Connect />}
    </Page>
  )
}

function Sent({ requests }: { requests: readonly GrantRequestAnswer[] }) {
  const t = usePageWords(partnersWords)
  const { formats } = useSpeech()
  const now = useNow()
  if (requests.length === 0) return null
  return (
    <Part title={t.sent}>
      <ul className="plain">
        {requests.map(({ merchantId, scopes, askedAt }) => (
          <li key={merchantId}>
            <code className="id">{merchantId}</code> {formats.list(scopes.map((scope) => t.scopes[scope]))}{' '}
            <span className="soft">
              {t.askedAt} {formats.ago(askedAt, now)}
            </span>
          </li>
        ))}
      </ul>
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
