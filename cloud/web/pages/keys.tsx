// API keys of the environment that is shown: made, named, rotated, revoked, and what each may do.
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { KeyAnswer } from '#cloud/control/key-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { keysWords } from '#cloud/web/messages/keys.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { type Column, DataList } from '#cloud/web/parts/data-list.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { ChangeScopes, NewKey } from '#cloud/web/parts/keys/key-form.tsx'
import { KeyName } from '#cloud/web/parts/keys/key-name.tsx'
import { TextAreaField } from '#cloud/web/parts/text-area-field.tsx'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { epochMsOf } from '#shared/ui/languages.ts'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { Fold } from '#shared/ui/parts/fold.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Page, Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

const isInUse = ({ state }: KeyAnswer): boolean => state === 'valid' || state === 'rotated'

export function Keys() {
  const t = usePageWords(keysWords)
  const { t: frame } = useSpeech()
  const { environment, account } = usePlace()
  const mayChange = useMay('build')
  const [isMaking, setMaking] = useState(false)
  const [shown, setShown] = useState<string | null>(null)
  const keys = useRead('keys.list', {})
  const isWaiting = environment === 'live' && account?.isLive === false
  const canMake = mayChange && (environment === 'sandbox' || account?.isLive === true)
  const make = canMake && <Button onClick={() => setMaking(true)}>{t.create}</Button>
  return (
    <Page title={frame.nav.pages.keys} actions={make}>
      <p>{t.explain}</p>
      {shown !== null && <KeyShown apiKey={shown} />}
      {isWaiting ? (
        <LiveAccess />
      ) : (
        <Answer of={keys}>
          {(all) => (
            <>
              <KeyLists keys={all.filter((key) => key.environment === environment)} make={make} show={setShown} />
              <Fold id="leaked" icon="lock" title={t.leaked} state={t.leakedState}>
                <p>{t.leakedHint}</p>
              </Fold>
            </>
          )}
        </Answer>
      )}
      {isMaking && <NewKey environment={environment} close={() => setMaking(false)} made={setShown} />}
    </Page>
  )
}

interface KeyListsProps {
  keys: readonly KeyAnswer[]
  make: React.ReactNode
  show: (apiKey: string) => void
}

function KeyLists({ keys, make, show }: KeyListsProps) {
  const t = usePageWords(keysWords)
  const { t: frame } = useSpeech()
  const mayChange = useMay('build')
  const columns = useColumns()
  const ended = keys.filter((key) => !isInUse(key))
  return (
    <>
      <DataList
        label={frame.nav.pages.keys}
        columns={columns}
        rows={keys.filter(isInUse)}
        keyOf={({ keyId }) => keyId}
        {...(mayChange && { actions: (key: KeyAnswer) => <KeyActs apiKey={key} show={show} /> })}
        empty={<Empty words={t.none}>{make}</Empty>}
        file="keys"
      />
      {ended.length > 0 && (
        <Fold
          id="ended"
          icon="clock"
          title={t.showEnded(ended.length)}
          state={ended.map(({ endsWith }) => `…${endsWith}`).join(' ')}
        >
          <DataList
            label={t.showEnded(ended.length)}
            columns={columns}
            rows={ended}
            keyOf={({ keyId }) => keyId}
            empty={null}
          />
        </Fold>
      )}
    </>
  )
}

function useColumns(): Column<KeyAnswer>[] {
  const t = usePageWords(keysWords)
  const { formats } = useSpeech()
  const now = useNow()
  const may = ({ scopes }: KeyAnswer): string => {
    const all = Object.keys(t.scopes)
    const missing = all.filter((scope) => !scopes.some((one) => one === scope))
    if (missing.length === 0) return t.everything
    if (scopes.every((scope) => scope.endsWith(':read'))) return t.readOnly
    return missing.length < scopes.length ? t.allBut(missing.join(', ')) : scopes.join(', ')
  }
  return [
    {
      key: 'key',
      label: t.key,
      isTitle: true,
      cell: (key) => <KeyName apiKey={key} />,
      text: ({ name, endsWith }) => (name === null ? endsWith : `${name} …${endsWith}`),
    },
    { key: 'state', label: t.state, cell: (key) => <State apiKey={key} nowMs={now} />, text: ({ state }) => state },
    { key: 'may', label: t.may, cell: may, text: ({ scopes }) => scopes.join(' ') },
    {
      key: 'lastUsed',
      label: t.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t.neverUsed : formats.ago(lastUsedAt, now)),
      text: ({ lastUsedAt }) => lastUsedAt,
    },
    {
      key: 'created',
      label: t.created,
      cell: ({ createdAt }) => formats.date(createdAt),
      text: ({ createdAt }) => createdAt,
    },
  ]
}

function State({ apiKey: { state, expiresAt }, nowMs }: { apiKey: KeyAnswer; nowMs: number }) {
  const t = usePageWords(keysWords)
  const { formats } = useSpeech()
  const leftMs = expiresAt === null ? null : (epochMsOf(expiresAt) ?? nowMs) - nowMs
  const end = leftMs === null || leftMs <= 0 ? '' : ` · ${t.endsIn(formats.span(leftMs))}`
  if (state === 'valid') return <Mark tone="ok">{`${t.states.valid}${end}`}</Mark>
  return <Mark tone={state === 'rotated' ? 'warn' : 'idle'}>{`${t.states[state]}${end}`}</Mark>
}

function KeyActs({ apiKey, show }: { apiKey: KeyAnswer; show: (apiKey: string) => void }) {
  const t = usePageWords(keysWords)
  const say = useNotice()
  const { keyId, environment, endsWith, state } = apiKey
  const [isChanging, setChanging] = useState(false)
  const rotate = useChange('keys.rotate', (made) => show(made.apiKey))
  const revoke = useChange('keys.revoke', () => say(t.revoked))
  return (
    <>
      {state === 'valid' && (
        <>
          <Button variant="default" size="xs" aria-label={t.changeOf(endsWith)} onClick={() => setChanging(true)}>
            {t.change}
          </Button>
          <AskButton
            size="xs"
            label={t.rotate}
            aria-label={t.rotateOf(endsWith)}
            question={t.rotateQuestion}
            loading={rotate.isPending}
            act={() => rotate.mutate({ keyId, environment })}
          />
        </>
      )}
      <AskButton
        size="xs"
        color="red"
        label={t.revoke}
        aria-label={t.revokeOf(endsWith)}
        question={t.revokeQuestion}
        loading={revoke.isPending}
        act={() => revoke.mutate({ keyId, environment })}
      />
      <Problem error={rotate.error ?? revoke.error} />
      {isChanging && <ChangeScopes apiKey={apiKey} close={() => setChanging(false)} />}
    </>
  )
}

/** A new API key, which is shown this once: by itself, and in a line that works at once. */
function KeyShown({ apiKey }: { apiKey: string }) {
  const t = usePageWords(keysWords)
  return (
    <section className="card shown-once" aria-label={t.shownOnce}>
      <h2>{t.shownOnce}</h2>
      <p>{t.shownOnceHint}</p>
      <CodeBlock label={t.key} text={apiKey} />
      <p>{t.tryIt}</p>
      <CodeBlock
        label={t.tryItLabel}
        text={`curl -sS ${location.origin}/v1/merchants \\\n  -H 'Authorization: Bearer ${apiKey}'`}
      />
    </section>
  )
}

/** Live keys are possible once an operator has approved the account: an owner asks for that here. */
function LiveAccess() {
  const t = usePageWords(keysWords)
  const { formats } = useSpeech()
  const mayAsk = useMay('govern')
  const live = useRead('live.get', {})
  return (
    <Part title={t.ask}>
      <p>{t.needsLive}</p>
      <Answer of={live} rows={1}>
        {({ askedAt }) => {
          if (askedAt !== null) return <p>{t.asked(formats.dateTime(askedAt))}</p>
          return mayAsk ? <Ask /> : <p className="soft">{t.ownerAsks}</p>
        }}
      </Answer>
    </Part>
  )
}

function Ask() {
  const t = usePageWords(keysWords)
  const [text, setText] = useState('')
  const ask = useChange('live.ask')
  return (
    <Form label={t.askSend} act={() => ask.mutate({ text })} change={ask}>
      <TextAreaField name="text" label={t.askText} required maxLength={1_000} rows={3} value={text} set={setText} />
    </Form>
  )
}
